import { randomBytes } from 'node:crypto';
import { ROLES } from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { hashSecret } from '../../road/authenticate.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, newId, toUlid } from '../../store/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { isVisible } from '../../unicode.ts';

export async function addMember(tx: Tx, org: Id, wanted: { email: string; role: string; name?: string | undefined }) {
  if (!/^[^\s@]+@[^\s@]+$/.test(wanted.email)) {
    refuse('validation_failed', { message: `${wanted.email} is not an e-mail address.` });
  }
  if (!(ROLES as readonly string[]).includes(wanted.role)) {
    refuse('validation_failed', { message: `${wanted.role} is not a role. Roles: ${ROLES.join(', ')}.` });
  }
  const now = tx.clock.now();
  const existing = await tx.maybe<{ id: Id }>(sql`
    select id from members where org_id = ${org} and lower(email) = lower(${wanted.email})`);
  if (existing !== null)
    refuse('invalid_state', { message: `${wanted.email} is already a member of this organization.` });
  const id = newId(now);
  const name = wanted.name ?? wanted.email.split('@')[0]!;
  if (!isVisible(name)) refuse('validation_failed', { message: 'A member needs a name with visible characters.' });
  await insertRow(tx, 'members', { org_id: org, id, email: wanted.email, name, role: wanted.role, created_at: now });
  return { id: toUlid(id), email: wanted.email, name, role: wanted.role };
}

export async function listMembers(tx: Tx, org: Id) {
  const rows = await tx.all<{
    id: Id;
    email: string;
    name: string;
    role: string;
    group: string | null;
    created_at: string;
  }>(sql`
    select m.id, m.email, m.name, m.role, g.code as "group", m.created_at
    from members m left join groups g on g.org_id = m.org_id and g.id = m.group_id where m.org_id = ${org} order by lower(m.email)`);
  return rows.map((row) => ({ ...row, id: toUlid(row.id) }));
}

/** Opens a session of the admin app, once the member has proved to own the e-mail address. */
export async function openSession(tx: Tx, org: Id, member: Id): Promise<string> {
  const now = tx.clock.now();
  const token = randomBytes(32).toString('base64url');
  await insertRow(tx, 'member_sessions', {
    org_id: org,
    id: newId(now),
    member_id: member,
    hash: hashSecret(token),
    expires_at: new Date(now.getTime() + 14 * DAY),
    created_at: now,
  });
  return token;
}

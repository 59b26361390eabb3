import { ROLES } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { isVisible } from '../../common/unicode.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

export async function addMember(tx: Tx, org: Id, member: { email: string; role: string; name?: string | undefined }) {
  if (!/^[^\s@]+@[^\s@]+$/.test(member.email)) {
    refuse('validation_failed', { message: `${member.email} is not an e-mail address.` });
  }
  if (!(ROLES as readonly string[]).includes(member.role)) {
    refuse('validation_failed', { message: `${member.role} is not a role. Roles: ${ROLES.join(', ')}.` });
  }
  const now = tx.clock.now();
  const existing = await tx.maybe<{ id: Id }>(sql`
    select m.id from members m join accounts a on a.id = m.account_id
    where m.org_id = ${org} and lower(a.email) = lower(${member.email})`);
  if (existing !== null)
    refuse('invalid_state', { message: `${member.email} is already a member of this organization.` });
  const id = newId(now);
  const name = member.name ?? member.email.split('@')[0]!;
  if (!isVisible(name)) refuse('validation_failed', { message: 'A member needs a name with visible characters.' });
  const account = await accountOf(tx, member.email, name);
  await insertRow(tx, 'members', {
    org_id: org,
    id,
    account_id: account,
    role: member.role,
    created_at: now,
    updated_at: now,
  });
  return { id: toUlid(id), account, email: member.email, name, role: member.role };
}

/** The account of an address, or a new one. */
async function accountOf(tx: Tx, email: string, name: string): Promise<Id> {
  const now = tx.clock.now();
  const id = newId(now);
  const [row] = await tx.all<{ id: Id }>(sql`
    insert into accounts as a (id, email, name, created_at, updated_at) values (${id}, ${email}, ${name}, ${now}, ${now})
    on conflict (lower(email)) do update set email = a.email returning id`);
  return row!.id;
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
    select m.id, a.email, a.name, m.role, g.code as "group", m.created_at
    from members m join accounts a on a.id = m.account_id
    left join groups g on g.org_id = m.org_id and g.id = m.group_id where m.org_id = ${org} order by lower(a.email)`);
  return rows.map((row) => ({ ...row, id: toUlid(row.id) }));
}

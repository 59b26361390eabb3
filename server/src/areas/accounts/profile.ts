import type { Account, AccountLanguage, Passkey, Role } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { PROOF_MS } from '../../road/gate/access.ts';
import { updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { lockOwnAccount } from './own-account.ts';
import type { SessionMethod, SignedInSession } from './sessions.ts';

interface ProfileRow {
  id: Id;
  email: string;
  email_proved: boolean;
  name: string;
  language: AccountLanguage;
  sandbox: boolean;
  has_password: boolean;
  totp: boolean;
  recovery_codes_left: number;
  session_method: SessionMethod;
  second_factor: boolean;
  proved_at: string;
}

interface OrganizationRow {
  id: Id;
  code: string;
  name: string;
  accent: string | null;
  role: Role;
  group: string | null;
  require_second_factor: boolean;
}

/** The account as its owner sees it, as of this transaction. */
export async function accountOf(tx: Tx, session: Pick<SignedInSession, 'id' | 'account'>): Promise<Account> {
  const { account } = session;
  const row = await tx.maybe<ProfileRow>(sql`
    select a.id, a.email, a.email_proved_at is not null as email_proved, a.name, a.language, a.sandbox,
      a.password_hash is not null as has_password, a.totp_secret is not null as totp,
      (select count(*)::int from account_recovery_codes c where c.account_id = a.id and c.used_at is null) as recovery_codes_left,
      s.method as session_method, s.second_factor, s.proved_at
    from accounts a join account_sessions s on s.account_id = a.id and s.id = ${session.id}
    where a.id = ${account}`);
  if (row === null) return refuse('sign_in_required');
  const { session_method, second_factor, proved_at, ...profile } = row;
  return {
    ...profile,
    id: toUlid(row.id),
    passkeys: await passkeysOf(tx, account),
    identities: await tx.all(
      sql`select issuer, created_at from account_identities where account_id = ${account} order by created_at`,
    ),
    session: {
      id: toUlid(session.id),
      method: session_method,
      second_factor,
      proved_until: iso(new Date(Date.parse(proved_at) + PROOF_MS)),
    },
    organizations: await acrossOrganizationsOf(tx, account, second_factor),
  };
}

async function passkeysOf(tx: Tx, account: Id): Promise<Passkey[]> {
  const rows = await tx.all<Passkey>(sql`
    select id, name, created_at, last_used_at from account_passkeys where account_id = ${account} order by created_at, id`);
  return rows.map((row) => ({ ...row, id: toUlid(row.id) }));
}

async function acrossOrganizationsOf(tx: Tx, account: Id, secondFactor: boolean): Promise<Account['organizations']> {
  const rows = await tx.all<OrganizationRow>(sql`
    select o.id, o.code, o.name, o.accent, m.role, g.name as "group", o.require_second_factor
    from members m join organizations o on o.id = m.org_id
    left join groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.account_id = ${account} order by lower(o.name), o.id`);
  return rows.map(({ require_second_factor, ...row }) => ({
    ...row,
    id: toUlid(row.id),
    second_factor_missing: require_second_factor && !secondFactor,
  }));
}

export const getAccount = (call: AccountCall<unknown, 'any'>): Promise<Account> =>
  call.work((tx) => accountOf(tx, call.session));

export const changeAccount = (
  call: AccountCall<{ name?: string; language?: AccountLanguage }, 'any'>,
): Promise<Account> =>
  call.work(async (tx) => {
    const { name, language } = call.body;
    const before = await lockOwnAccount(tx, call.session);
    const after = { name: name ?? before.name, language: language ?? before.language };
    if (after.name !== before.name || after.language !== before.language) {
      await updateRow(tx, 'accounts', sql`id = ${before.id}`, { ...after, updated_at: tx.clock.now() });
      const changes = {
        ...(after.name !== before.name && { name: [before.name, after.name] }),
        ...(after.language !== before.language && { language: [before.language, after.language] }),
      };
      await acrossOrganizationsAudit(tx, { id: before.id, name: after.name }, 'account.changed', call.request, {
        changes,
      });
    }
    return accountOf(tx, call.session);
  });

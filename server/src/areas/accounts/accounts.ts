import type { AccountLanguage } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** A person who signs in. */
export interface AccountRow {
  id: Id;
  email: string;
  /** When the address was last proved. Null: whoever made the account may have typed an address that is not theirs. */
  email_proved_at: string | null;
  name: string;
  language: AccountLanguage;
  password_hash: string | null;
  totp_secret: Buffer | null;
  totp_step: number | null;
  sandbox: boolean;
}
const COLUMNS = sql`id, email, email_proved_at, name, language, password_hash, totp_secret, totp_step, sandbox`;

/** Locks the account, so that its password and factors stay as they are until the transaction ends. */
const LOCK = sql`for no key update`;

const find = (tx: Tx, where: Sql, lock: Sql): Promise<AccountRow | null> =>
  tx.maybe<AccountRow>(sql`select ${COLUMNS} from accounts where ${where} ${lock}`);

export const findByEmail = (tx: Tx, email: string): Promise<AccountRow | null> =>
  find(tx, sql`lower(email) = lower(${email})`, sql``);
export const lockByEmail = (tx: Tx, email: string): Promise<AccountRow | null> =>
  find(tx, sql`lower(email) = lower(${email})`, LOCK);
export const lockAccount = (tx: Tx, id: Id): Promise<AccountRow | null> => find(tx, sql`id = ${id}`, LOCK);

export interface NewAccount {
  email: string;
  /** Whether somebody has just proved that the address is theirs. */
  proved: boolean;
  name: string;
  language: AccountLanguage;
  passwordHash: string | null;
}

/** Makes an account. Null if the address has one already. */
export async function createAccount(tx: Tx, wanted: NewAccount): Promise<AccountRow | null> {
  const now = tx.clock.now();
  const id = newId(now);
  await tx.run(sql`
    insert into accounts (id, email, email_proved_at, name, language, password_hash, created_at, updated_at)
    values (${id}, ${wanted.email}, ${wanted.proved ? now : null}, ${wanted.name}, ${wanted.language}, ${wanted.passwordHash},
      ${now}, ${now})
    on conflict (lower(email)) do nothing`);
  return lockAccount(tx, id);
}

/** Makes the account a member of an organization, with the rights of the role in all of it. */
export async function addToOrganization(tx: Tx, org: Id, account: Id, role: string): Promise<Id> {
  const now = tx.clock.now();
  const id = newId(now);
  await insertRow(tx, 'members', { org_id: org, id, account_id: account, role, created_at: now, updated_at: now });
  return id;
}

export interface Membership {
  org_id: Id;
  org_code: string;
  member_id: Id;
}

/** The organizations that an account belongs to. */
export const acrossOrganizationsMemberships = (tx: Tx, account: Id): Promise<Membership[]> =>
  tx.all<Membership>(sql`
    select m.org_id, o.code as org_code, m.id as member_id from members m join organizations o on o.id = m.org_id
    where m.account_id = ${account} order by lower(o.code)`);

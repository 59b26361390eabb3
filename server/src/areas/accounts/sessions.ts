import type { AccountLanguage } from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { type Id, newId } from '../../common/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { browserOf } from './browser.ts';
import type { RequestOrigin } from './origin.ts';
import { hashToken, newToken } from './tokens.ts';

/** A session ends this long after its last use, and at the latest this long after it began. */
export const UNUSED_MS = 14 * DAY;
export const LONGEST_MS = 90 * DAY;
/** An account has at most so many sessions. The one that was used longest ago makes room for a new one. */
const MAX_SESSIONS = 500;

export type SessionMethod = 'password' | 'mail' | 'passkey' | 'oidc' | 'link' | 'sandbox';

/** A session with the account that it belongs to. */
export interface SignedInSession {
  id: Id;
  method: SessionMethod;
  second_factor: boolean;
  proved_at: string;
  last_used_at: string;
  account: Id;
  email: string;
  name: string;
  language: AccountLanguage;
  sandbox: boolean;
}

export async function findSession(tx: Tx, token: string): Promise<SignedInSession | null> {
  const now = tx.clock.now();
  return tx.maybe<SignedInSession>(sql`
    select s.id, s.method, s.second_factor, s.proved_at, s.last_used_at, a.id as account, a.email, a.name, a.language, a.sandbox
    from account_sessions s join accounts a on a.id = s.account_id
    where s.hash = ${hashToken(token)} and s.expires_at > ${now} and s.last_used_at > ${new Date(now.getTime() - UNUSED_MS)}`);
}

/**
 * Whether the session has not ended since it was found. Ask it once the account is locked: a new password and a changed factor end
 * sessions under that lock.
 */
export const isOpen = async (tx: Tx, { id }: Pick<SignedInSession, 'id'>): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from account_sessions where id = ${id}`)) !== null;

/** Whether the session still counts as one with a second factor. As `isOpen`, ask it once the account is locked. */
export const hasSecondFactor = async (tx: Tx, { id }: Pick<SignedInSession, 'id'>): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from account_sessions where id = ${id} and second_factor`)) !== null;

export interface NewSession {
  account: Id;
  method: SessionMethod;
  secondFactor: boolean;
}

/** Opens a session of an account that has proved who it is, and returns its token. */
export async function openSession(
  tx: Tx,
  { account, method, secondFactor }: NewSession,
  request: Pick<RequestOrigin, 'address' | 'userAgent'> | null = null,
): Promise<string> {
  const now = tx.clock.now();
  const token = newToken();
  await tx.run(sql`
    delete from account_sessions where id in (
      select id from account_sessions where account_id = ${account} order by last_used_at desc, id desc offset ${MAX_SESSIONS - 1})`);
  await insertRow(tx, 'account_sessions', {
    id: newId(now),
    account_id: account,
    hash: hashToken(token),
    method,
    second_factor: secondFactor,
    proved_at: now,
    browser: request === null ? null : browserOf(request.userAgent),
    address: request?.address.slice(0, 45) ?? null,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(now.getTime() + LONGEST_MS),
  });
  return token;
}

/** Ends the session of a token. Nothing happens if there is none. */
export const endSessionOf = (tx: Tx, token: string): Promise<number> =>
  tx.run(sql`delete from account_sessions where hash = ${hashToken(token)}`);

/** Ends the sessions of an account, apart from one. Returns how many there were. */
export const endSessions = (tx: Tx, account: Id, but: Id | null = null): Promise<number> =>
  tx.run(sql`delete from account_sessions where account_id = ${account} and id is distinct from ${but}::uuid`);

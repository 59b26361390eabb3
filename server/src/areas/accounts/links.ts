import { DAY, MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { hashToken, newToken } from './tokens.ts';

/**
 * `sign_in`, `sign_up` and `email` are mailed, so whoever uses them has proved the address. `first` and `sandbox` are printed at the
 * start of the installation.
 */
export type LinkKind = 'sign_in' | 'first' | 'sign_up' | 'sandbox' | 'email';
export const LIFETIME: Record<LinkKind, number> = {
  sign_in: 15 * MINUTE,
  sign_up: DAY,
  email: DAY,
  first: 7 * DAY,
  sandbox: 7 * DAY,
};

export interface LinkRow {
  kind: LinkKind;
  account: Id | null;
  email: string | null;
}

/** Makes a link and returns its token. */
export async function makeLink(tx: Tx, { kind, account, email }: LinkRow): Promise<string> {
  const now = tx.clock.now();
  const token = newToken();
  await insertRow(tx, 'account_links', {
    hash: hashToken(token),
    kind,
    account_id: account,
    email,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME[kind]),
  });
  return token;
}

/** What a link is for. Null: it was used, or has expired, or there is none. */
export const lookAtLink = (tx: Tx, token: string, kinds: readonly LinkKind[]): Promise<LinkRow | null> =>
  tx.maybe<LinkRow>(sql`
    select kind, account_id as account, email from account_links
    where hash = ${hashToken(token)} and kind = any(${[...kinds]}) and used_at is null and expires_at > ${tx.clock.now()}`);

/** Uses a link up. Of two requests with the same link at once, the second one waits for the first and then finds it used. */
export async function takeLink(tx: Tx, token: string, kinds: readonly LinkKind[]): Promise<LinkRow | null> {
  const now = tx.clock.now();
  return tx.maybe<LinkRow>(sql`
    update account_links set used_at = ${now}
    where hash = ${hashToken(token)} and kind = any(${[...kinds]}) and used_at is null and expires_at > ${now}
    returning kind, account_id as account, email`);
}

/** Ends the links that were mailed for an account. */
export const dropLinks = (tx: Tx, account: Id): Promise<number> =>
  tx.run(sql`delete from account_links where account_id = ${account} and kind in ('sign_in', 'email')`);

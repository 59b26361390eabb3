import { createHash } from 'node:crypto';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { RegistrationState } from './state.ts';

/*
 * Anybody can type anybody's address into a form. An address is proven in an organization once its owner has pressed a button behind a
 * link that was mailed to it, has paid, or belongs to the organization's team. Opening a link proves nothing: mail scanners open links.
 */

/** The hash under which an address is kept. Other than in searches, accents count: the proof of one mailbox is none of another. */
export const addressHash = (org: Id, email: string): Buffer =>
  createHash('sha256').update(`${org} ${email.trim().toLowerCase()}`).digest();

/** Records that the owners of these addresses read our mails. */
export function markProven(tx: Tx, org: Id, ...emails: readonly string[]): void {
  if (emails.length === 0) return;
  // In one order, so that two transactions never wait for each other.
  const hashes = [...new Set(emails.map((email) => addressHash(org, email).toString('hex')))].sort();
  tx.send(sql`
    insert into proven_addresses (org_id, address, proven_at)
    select ${org}, decode(one, 'hex'), ${tx.clock.now()} from unnest(${hashes}::text[]) as one on conflict do nothing`);
}

/** The addresses of registrants who have paid for a registration in this transaction. */
export const paidFrom = (registrations: readonly RegistrationState[]): string[] =>
  registrations.flatMap(({ test, contact, happened }) =>
    test || contact.email === null || !happened.some(({ type }) => type === 'payment.received') ? [] : [contact.email],
  );

/** Those of the addresses that are proven in the organization, in lower case. */
export async function provenOf(tx: Tx, org: Id, emails: readonly string[]): Promise<Set<string>> {
  const byHash = new Map(emails.map((email) => [addressHash(org, email).toString('hex'), email.trim().toLowerCase()]));
  if (byHash.size === 0) return new Set();
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const [rows, members] = await Promise.all([
    tx.all<{ address: Buffer }>(
      sql`select address from proven_addresses where org_id = ${org} and address = any(${hashes})`,
    ),
    // Members have followed a link to their address before they could sign in.
    tx.all<{ email: string }>(sql`
      select lower(a.email) as email from members m join accounts a on a.id = m.account_id
      where m.org_id = ${org} and lower(a.email) = any(${[...byHash.values()]})`),
  ]);
  return new Set([
    ...rows.map(({ address }) => byHash.get(address.toString('hex'))!),
    ...members.map((one) => one.email),
  ]);
}

export const isProven = async (tx: Tx, org: Id, email: string): Promise<boolean> =>
  (await provenOf(tx, org, [email])).size > 0;

/** Forgets the addresses of a person who is erased. If somebody else has one of them, they prove it again. */
export async function forgetAddresses(tx: Tx, org: Id, emails: readonly string[]): Promise<void> {
  const hashes = emails.map((email) => addressHash(org, email));
  await tx.run(sql`delete from proven_addresses where org_id = ${org} and address = any(${hashes})`);
  await tx.run(sql`delete from stranger_mails where org_id = ${org} and address = any(${hashes})`);
}

import { DAY } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import type { Links, Opens } from '../../road/for-areas/links.ts';
import { writeAudit } from '../../road/write/record.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey } from '../contacts/index.ts';

/** Links work for five years, because people also unsubscribe from old mails. */
const WORKS_FOR = 5 * 365 * DAY;

/** Who unsubscribes, and by which communication. The link holds only a hash of the address. */
export interface Unsubscribes {
  org: Id;
  communication: Id;
  event: Id;
  address: Buffer;
}

export const linkOf = (links: Links, now: Date, { address, ...from }: Unsubscribes): string =>
  links.make({
    kind: 'unsubscribe',
    expires: now.getTime() + WORKS_FOR,
    ...from,
    address: address.toString('base64url'),
  });

export const whoOpens = (opens: Opens): Unsubscribes => ({
  org: opens.org,
  communication: opens.communication as Id,
  event: opens.event as Id,
  address: Buffer.from(opens.address as string, 'base64url'),
});

/** With these headers mail programs show a button of their own, which POSTs to the link (RFC 8058). */
export const headersOf = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The hash under which an address is stored as unsubscribed. */
export const hashOf = (org: Id, email: string): Sql => sql`address_hash(${org}, ${emailKey(email) ?? ''})`;

export async function unsubscribe(tx: Tx, who: Unsubscribes, requestId: string): Promise<void> {
  const added = await tx.run(sql`
    insert into unsubscribed (org_id, address, created_at) values (${who.org}, ${who.address}, ${tx.clock.now()})
    on conflict do nothing`);
  if (added > 0) audit(tx, who, 'communication.unsubscribed', requestId);
}

export async function subscribeAgain(tx: Tx, who: Unsubscribes, requestId: string): Promise<void> {
  const removed = await tx.run(sql`delete from unsubscribed where org_id = ${who.org} and address = ${who.address}`);
  if (removed > 0) audit(tx, who, 'communication.subscribed_again', requestId);
}

const audit = (tx: Tx, who: Unsubscribes, action: string, requestId: string): void =>
  writeAudit(tx, who.org, [
    {
      action,
      kind: 'communication',
      id: who.communication,
      event: who.event,
      caller: { actor: { kind: 'system', id: null, name: 'unsubscribe link' }, mode: 'live' },
      source: 'system',
      client: null,
      requestId,
    },
  ]);

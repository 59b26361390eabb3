import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { COPY, queueMessages } from './mails.ts';
import { nameOf } from './send.ts';
import { loadRecipients } from './values.ts';

/**
 * Removes the address of an erased person from all recipients that hold it: the person's own, and those of attendees whom they
 * registered and who have no address of their own. Mails that these were still to get are not sent. Other recipients with the
 * same address still get theirs.
 */
export async function eraseRecipients(
  tx: Tx,
  org: Id,
  attendees: readonly Id[],
  registrants: readonly { registration: Id; email_key: string }[],
): Promise<void> {
  const dropped = await tx.all<Dropped>(sql`
    select p.communication_id, p.email_key from communication_recipients p
    where p.org_id = ${org} and p.attendee_id = any(${attendees}) and p.status in ('pending', 'queued') for update`);
  const blank = sql`email = null, email_key = null, error = null,
    reason = case when p.status in ('pending', 'queued') then 'erased' else p.reason end,
    settled_at = case when p.status in ('pending', 'queued') then ${tx.clock.now()}::timestamptz else p.settled_at end,
    status = case when p.status in ('pending', 'queued') then 'skipped' else p.status end`;
  await tx.run(sql`
    update communication_recipients p set ${blank} where p.org_id = ${org} and p.attendee_id = any(${attendees})`);
  await tx.run(sql`
    update communication_recipients p set ${blank}
    from unnest(${registrants.map((one) => one.registration)}::uuid[], ${registrants.map((one) => one.email_key)}::text[])
      as r(id, email_key) join attendees a on a.org_id = ${org} and a.registration_id = r.id
    where p.org_id = ${org} and p.attendee_id = a.id and p.email_key = r.email_key and a.email_key is distinct from r.email_key`);
  await handOver(tx, org, dropped);
}

interface Dropped {
  communication_id: Id;
  email_key: string;
}

/**
 * Recipients who share an address get the same text only once. If the erased person was the one to get it, it now goes to the
 * next recipient with that address.
 */
async function handOver(tx: Tx, org: Id, dropped: readonly Dropped[]): Promise<void> {
  if (dropped.length === 0) return;
  const next = await tx.all<{ id: Id; event_id: Id; subject: string; attendee_id: Id; email: string }>(sql`
    update communication_recipients p set status = 'queued', reason = null, settled_at = null
    from (
      select distinct on (c.id, s.email_key) c.id, c.event_id, c.subject, s.attendee_id
      from unnest(${dropped.map((one) => one.communication_id)}::uuid[], ${dropped.map((one) => one.email_key)}::text[]) as d(id, email_key)
      join communications c on c.org_id = ${org} and c.id = d.id and c.status = 'sending'
      join communication_recipients s on s.org_id = ${org} and s.communication_id = c.id and s.email_key = d.email_key
      where s.status = 'skipped' and s.reason = 'repeated' and not exists (
        select from communication_recipients o where o.org_id = ${org} and o.communication_id = c.id and o.email_key = d.email_key
          and o.status in ('pending', 'queued', 'sent'))
      order by c.id, s.email_key, s.attendee_id
    ) as h where p.org_id = ${org} and p.communication_id = h.id and p.attendee_id = h.attendee_id
    returning h.id, h.event_id, h.subject, p.attendee_id, p.email`);
  const people = await loadRecipients(
    tx,
    org,
    next.map((one) => one.attendee_id),
  );
  for (const { id, event_id, subject, attendee_id, email } of next) {
    const toName = nameOf(people.get(attendee_id)!);
    const data = { communication: id, attendee: attendee_id };
    queueMessages(tx, org, { event_id, subject }, [{ kind: COPY, to: email, toName, data }]);
  }
}

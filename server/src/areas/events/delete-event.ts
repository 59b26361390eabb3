import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { diff } from '../../road/write/diff.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { noteDeleted, noteEventLeft } from '../groups/index.ts';
import { holdClocks, reread } from './events.ts';
import { type EventRow, eventShape } from './queries.ts';

/**
 * Check-ins and the answers of scans belong to the area `scanning`, which is built on this one. So that no circle of imports
 * arises, `areas/index.ts` hands its function in.
 */
export type DeleteCheckIns = (tx: Tx, org: Id, event: Id) => Promise<unknown>;

export async function deleteEvent(work: Work, found: EventRow, deleteCheckIns: DeleteCheckIns): Promise<undefined> {
  const { tx, org } = work;
  const { stamp } = await holdClocks(work, found);
  const event = await reread(work, found);
  if (event.status !== 'draft' && event.status !== 'archived') {
    refuse('invalid_state', {
      message: `The event is ${event.status}. Only a draft or an archived event can be deleted; archive it first.`,
    });
  }
  const { live } = await tx.one<{ live: number }>(sql`
    select count(*)::int as live from registrations where org_id = ${org} and event_id = ${event.id} and not test`);
  if (live > 0 && !event.test) {
    const registrations = live === 1 ? '1 registration' : `${live} registrations`;
    refuse('invalid_state', {
      message: `The event has ${registrations}, so it cannot be deleted. Archive it instead; an archived event keeps them.`,
    });
  }
  await deleteCheckIns(tx, org, event.id);
  await noteDeleted(tx, org, stamp, 'contacts', await deletePeople(tx, org, event.id));
  await noteEventLeft(tx, org, stamp, event.id, { was: event.group_id, is: 'deleted' });
  await tx.run(sql`delete from events where org_id = ${org} and id = ${event.id}`);
  work.changed({
    kind: 'event',
    id: event.id,
    event: event.id,
    group: event.group_id,
    changes: diff(eventShape(event, work.links), null),
  });
  return undefined;
}

/**
 * Deletes an event's registrations, attendees, tickets and payments: test ones, or a sandbox's. Check-ins are deleted before. Returns
 * the contacts that left the address book with them.
 */
export async function deletePeople(
  tx: Tx,
  org: Id,
  event: Id,
): Promise<{ id: Id; group_id: Id | null; test: boolean }[]> {
  const mine = sql`org_id = ${org} and event_id = ${event}`;
  const known = await tx.all<{ id: Id }>(sql`
    select contact_id as id from attendees where ${mine} and contact_id is not null
    union select contact_id from registrations where ${mine} and contact_id is not null`);
  await tx.run(sql`delete from payments where ${mine}`);
  await tx.run(sql`delete from tickets where ${mine}`);
  await tx.run(sql`delete from attendees where ${mine}`);
  await tx.run(sql`delete from registrations where ${mine}`);
  await tx.run(sql`delete from people_counts where ${mine}`);
  await tx.run(sql`delete from registration_counts where ${mine}`);
  await tx.run(sql`delete from registered_by_day where ${mine}`);
  // Contacts that no other event knows leave the address book, too: a contact would keep its group from being deleted.
  return tx.all(sql`
    delete from contacts c where c.org_id = ${org} and c.id = any(${known.map((row) => row.id)})
      and not exists (select from attendees a where a.org_id = c.org_id and a.contact_id = c.id)
      and not exists (select from registrations r where r.org_id = c.org_id and r.contact_id = c.id)
    returning c.id, c.group_id, c.test`);
}

import type { RegisteredAttendee } from '@turnout/contract';
import { type Id, newId, toUlid, toUuid } from '../../common/ids.ts';
import type { MailKind } from '../../outside/mail-templates/index.ts';
import { insertMails, type MailRow } from '../../road/for-areas/mail-rows.ts';
import type { Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import type { WholeRegistration, WholeTicket } from './shapes.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

/** A mail that brings tickets again. */
export interface TicketMail {
  kind: MailKind;
  to: string;
  name: string;
  data: Snapshot & { attendee?: Id; attendees?: Id[] };
  about: Id;
}

const nameOf = (person: { first_name: string | null; last_name: string | null }): string =>
  [person.first_name, person.last_name].filter(Boolean).join(' ');

/**
 * A mail to attendees holds nobody else's data, so that erasing one of them can find it. Where several share an address, none of them is
 * greeted by name.
 */
export function mailToAttendees(
  registration: WholeRegistration,
  to: string,
  attendees: readonly RegisteredAttendee[],
  tickets: readonly WholeTicket[],
): TicketMail {
  const ids = attendees.map(({ id }) => toUuid(id));
  return {
    kind: 'attendee_ticket',
    to,
    name: attendees.length > 1 ? '' : nameOf(attendees[0]!),
    data: {
      ...snapshotOf({ ...registration, attendees: [...attendees] }, tickets),
      attendee: ids[0]!,
      ...(ids.length > 1 && { attendees: ids }),
    },
    about: ids[0]!,
  };
}

export const mailToRegistrant = async (
  work: Work,
  id: Id,
  registration: WholeRegistration,
  to: string,
  tickets: readonly WholeTicket[],
): Promise<TicketMail> => ({
  kind: 'confirmation',
  to,
  name: nameOf(registration.contact),
  data: snapshotOf(registration, tickets, null, await handedOnIn(work, id)),
  about: id,
});

/** The attendees of a registration whose place was handed on. The registrant's mails leave them out. */
async function handedOnIn({ tx, org }: Work, registration: Id): Promise<Set<string>> {
  const rows = await tx.all<{ id: Id }>(sql`
    select a.id from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    where a.org_id = ${org} and a.registration_id = ${registration} and a.handed_on_at is not null
      and lower(a.email) is distinct from lower(r.email)`);
  return new Set(rows.map(({ id }) => toUlid(id)));
}

export function queueTickets({ tx, org, bulk }: Work, event: EventRow, mails: readonly TicketMail[]): void {
  const now = tx.clock.now();
  const rows = mails.map(
    ({ kind, to, name, data, about }): MailRow => ({
      org_id: org,
      id: newId(now),
      kind,
      recipient: to,
      recipient_name: name,
      subject: event.name,
      data,
      content_id: null,
      event_id: event.id,
      object_id: about,
      bulk: bulk === true,
      status: 'queued',
      next_attempt_at: now,
      created_at: now,
    }),
  );
  insertMails(tx, rows);
}

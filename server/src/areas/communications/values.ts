import { DEFAULT_TERMINOLOGY } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { cleanLine, cleanName } from '../../outside/clean.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, eventById } from '../events/index.ts';
import { ticketFullyInReach } from '../groups/index.ts';
import type { Values } from './placeholders.ts';

/** The event and organization that a message is about. */
export interface Setting {
  event: EventRow;
  organization: { name: string; terminology: Record<string, string> };
}

/** Null if the event was deleted. */
export async function settingOf(tx: Tx, org: Id, event: Id): Promise<Setting | null> {
  const found = await eventById(tx, org, event);
  if (found === null) return null;
  const { name, terminology } = await tx.one<Setting['organization']>(
    sql`select name, terminology from organizations where id = ${org}`,
  );
  return { event: found, organization: { name, terminology: { ...DEFAULT_TERMINOLOGY, ...terminology } } };
}

export interface Recipient {
  id: Id;
  first_name: string;
  last_name: string;
  /** If null, mails for this attendee go to the registrant. */
  email: string | null;
  registrant: string;
  registration: string;
  attendee_type: string;
  days: string[];
  ticket_codes: string[];
}

/**
 * The attendees as recipients of a message. With `group`, they are shown as to a caller limited to that group: without the codes
 * of tickets that also admit attendees outside of it. The mails to the attendees themselves are rendered without it.
 */
export async function loadRecipients(
  tx: Tx,
  org: Id,
  ids: readonly Id[],
  group: Id | null = null,
): Promise<Map<Id, Recipient>> {
  const rows = await tx.all<Recipient>(sql`
    select a.id, a.first_name, a.last_name, a.email, concat_ws(' ', r.first_name, r.last_name) as registrant,
      r.code as registration, t.name as attendee_type,
      array(select d.name from days d where d.org_id = a.org_id and d.id = any(a.day_ids) order by d.date, d.code) as days,
      array(select k.code from ticket_people p join tickets k on k.org_id = p.org_id and k.id = p.ticket_id
        where p.org_id = a.org_id and p.attendee_id = a.id and k.status = 'valid' and ${ticketFullyInReach({ org, group }, 'k')} order by k.issued_at, k.id) as ticket_codes
    from attendees a
    join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    join attendee_types t on t.org_id = a.org_id and t.id = a.attendee_type_id
    where a.org_id = ${org} and a.id = any(${ids})`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A made-up attendee of all days, so that a test mail shows no real ticket. */
export async function sampleRecipient(tx: Tx, org: Id, event: Id): Promise<Recipient> {
  const { attendee_type, days } = await tx.one<Pick<Recipient, 'attendee_type' | 'days'>>(sql`
    select coalesce((select name from attendee_types where org_id = ${org} and event_id = ${event} order by id limit 1), '')
        as attendee_type,
      array(select name from days where org_id = ${org} and event_id = ${event} order by date, code) as days`);
  return {
    id: '',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: null,
    registrant: 'Ada Lovelace',
    registration: 'K7M2XQ9R4T',
    attendee_type,
    days,
    ticket_codes: ['7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N'],
  };
}

/** Names are whatever people typed, so they are cleaned: nothing in them may become a link or a line of its own. */
export const valuesOf = (recipient: Recipient, { event, organization }: Setting): Values => ({
  first_name: cleanName(recipient.first_name),
  last_name: cleanName(recipient.last_name),
  attendee_type: cleanLine(recipient.attendee_type),
  days: recipient.days.map(cleanLine).join(', '),
  ticket_codes: recipient.ticket_codes.join(', '),
  registration: recipient.registration,
  event: cleanLine(event.name),
  venue: cleanLine(event.venue ?? ''),
  organization: cleanLine(organization.name),
});

import { ticketCode } from '@turnout/checkin';
import type { Work } from '../../road/operation.ts';
import type { Id } from '../../store/ids.ts';
import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import {
  begins,
  candidatesIfFew,
  type Found,
  isFound,
  type Search,
  type SearchedTable,
  searchParts,
  sortKey,
} from '../contacts/index.ts';
import type { EventRow } from '../events/index.ts';
import {
  attendeeInReach,
  eventGroup,
  limitOf,
  registrantInReach,
  registrationInReach,
  ticketInReach,
} from '../groups/index.ts';
import { isRegistrationCode, TICKET_CODE } from './codes.ts';
import { ownMode } from './references.ts';

/** An attendee as a search finds them. */
export interface AttendeeFound extends Found {
  registration_id: Id;
}

/** The attendees of an event, as a search reads them (areas/contacts/search.ts). */
export function searchedAttendees(
  work: Work,
  event: EventRow,
  more: Pick<SearchedTable, 'chosen' | 'columns'> & { status?: string },
): SearchedTable {
  const { org } = work;
  const limit = limitOf(work.caller);
  return {
    org,
    table: 'attendees',
    words: 'attendee_words',
    owner: 'attendee_id',
    within: (alias) => sql`${name(`${alias}.org_id`)} = ${org} and ${name(`${alias}.event_id`)} = ${event.id}`,
    seen: (alias) =>
      every([
        ownMode(work, alias),
        limit.group !== null && attendeeInReach(limit, alias, eventGroup(event)),
        more.status !== undefined && unprepared(sql`${name(`${alias}.status`)} = ${more.status}`),
      ]),
    chosen: more.chosen,
    columns: more.columns,
  };
}

/** The registration, and perhaps the ticket, that a typed code names. */
export type Named = { registration: Id; ticket: Id | null };

/** What a typed code names, if the caller sees it. */
export async function namedByCode(work: Work, event: EventRow, text: string): Promise<Named | null> {
  const { tx, org } = work;
  const code = ticketCode(text);
  if (TICKET_CODE.test(code)) {
    return tx.maybe<Named>(sql`
      select t.registration_id as registration, t.id as ticket from tickets t
      where t.org_id = ${org} and t.event_id = ${event.id} and t.code = ${code}
        and ${every([ownMode(work, 't'), ticketInReach(limitOf(work.caller), 't', eventGroup(event))])}`);
  }
  if (!isRegistrationCode(code)) return null;
  return tx.maybe<Named>(sql`
    select r.id as registration, null as ticket from registrations r
    where r.org_id = ${org} and r.event_id = ${event.id} and r.code = ${code}
      and ${every([ownMode(work, 'r'), registrationInReach(limitOf(work.caller), 'r', eventGroup(event))])}`);
}

/** The attendees that a code names, as a condition on attendees. */
export const attendeesNamed = (org: Id, { registration, ticket }: Named, alias: string): Sql =>
  ticket === null
    ? sql`${name(`${alias}.registration_id`)} = ${registration}`
    : sql`${name(`${alias}.id`)} = any(array(
        select p.attendee_id from ticket_people p where p.org_id = ${org} and p.ticket_id = ${ticket}))`;

/**
 * Registrations are found by their attendees, and are placed in the list by the first matching attendee whom the caller sees. A
 * registrant who is not an attendee is found by `registrant_words` (words.ts).
 */
export function registrationSearchParts(
  work: Work,
  event: EventRow,
  search: Search,
  /** The other conditions on the registration, which is `r`. */
  chosen: Sql,
  after: readonly string[] | null,
  limit: number,
): Sql[] {
  const { org } = work;
  const table = searchedAttendees(work, event, { chosen: sql`true`, columns: sql`a.registration_id` });
  const somebody = (condition: Sql) => sql`exists (
    select from attendees q where q.org_id = ${org} and q.registration_id = r.id and ${table.seen('q')} and ${condition} offset 0)`;
  const first = sql`exists (select from registrations r where r.org_id = ${org} and r.id = a.registration_id and ${chosen}
    and not ${somebody(sql`(${sortKey(table, search, 'q')}, q.id) < (k.key, k.id)`)} offset 0)`;
  const found = searchParts({ ...table, chosen: first }, search, after, limit);
  const { lead, email } = search;
  const registrants = (text: string, asked: Sql) => sql`(select k.key, k.id, k.id as registration_id from (
      select w.registration_id as id, w.word as key from registrant_words w
      where w.org_id = ${org} and w.event_id = ${event.id} and ${begins(sql`w.word`, text)}
        and ${after === null ? sql`true` : sql`(w.word, w.registration_id) > (${after[0]}, ${after[1]}::uuid)`}
      order by w.word, w.registration_id offset 0) k
    where exists (select from registrations r where r.org_id = ${org} and r.id = k.id and ${ownMode(work, 'r')} and ${chosen}
        and ${asked} and not ${somebody(isFound(search, 'q'))} offset 0)
      and not exists (select from registrant_words v where v.org_id = ${org} and v.registration_id = k.id
        and ${begins(sql`v.word`, text)} and v.word < k.key)
    order by k.key, k.id limit ${limit})`;
  const byWords = lead === null ? sql`false` : registrantFound(work, event, { ...search, email: null }, 'r');
  if (lead !== null) found.push(registrants(lead, byWords));
  if (email !== null && email !== lead) {
    const byEmail = registrantFound(work, event, { lead: null, others: [], email }, 'r');
    found.push(registrants(email, sql`${byEmail} and not (${byWords})`));
  }
  return search.others.length === 0 ? found : found.map(unprepared);
}

/** Whether the registrant, who is not an attendee, is found and in the caller's reach. */
function registrantFound(work: Work, event: EventRow, { lead, others, email }: Search, alias: string): Sql {
  const limit = limitOf(work.caller);
  const texts = lead === null ? [email!] : [lead, ...others];
  return every([
    ...texts.map(
      (text) => sql`exists (select from registrant_words v where v.org_id = ${work.org}
        and v.registration_id = ${name(`${alias}.id`)} and ${begins(sql`v.word`, text)} offset 0)`,
    ),
    limit.group !== null && registrantInReach(limit, alias, eventGroup(event)),
  ]);
}

/** The same registrations as a condition on `r`, for a list in another order than that of the search. */
export async function registrationFoundCondition(work: Work, event: EventRow, search: Search): Promise<Sql> {
  const { tx, org } = work;
  const table = searchedAttendees(work, event, { chosen: sql`true`, columns: sql`` });
  const few = await candidatesIfFew(tx, table, search);
  const ways = [
    sql`exists (select from attendees q where q.org_id = ${org} and q.registration_id = r.id and ${table.seen('q')}
      and ${isFound(search, 'q')} offset 0)`,
  ];
  if (search.lead !== null) ways.push(registrantFound(work, event, { ...search, email: null }, 'r'));
  if (search.email !== null)
    ways.push(registrantFound(work, event, { lead: null, others: [], email: search.email }, 'r'));
  const asked = sql`(${join(
    ways.map((way) => sql`(${way})`),
    ' or ',
  )})`;
  if (few === null) return unprepared(asked);
  const registrants = [search.lead, search.email]
    .filter((text) => text !== null)
    .map(
      (text) => sql`union select w.registration_id from registrant_words w
        where w.org_id = ${org} and w.event_id = ${event.id} and ${begins(sql`w.word`, text)}`,
    );
  return unprepared(sql`r.id = any(array(select q.registration_id from attendees q
    where q.org_id = ${org} and q.id = any(array(${few})) ${join(registrants, ' ')})) and ${asked}`);
}

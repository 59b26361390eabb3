import { ticketCode } from '@turnout/checkin';
import type { Work } from '../../road/operation.ts';
import type { Id } from '../../store/ids.ts';
import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import {
  begins,
  candidates,
  comesAfter,
  type Found,
  inStage,
  isFound,
  preparedIfCommon,
  type Search,
  type SearchedTable,
  type Stages,
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
  more: Pick<SearchedTable, 'chosen' | 'columns'> & { statuses?: readonly string[] | undefined },
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
        more.statuses !== undefined && hasStatus(more.statuses, name(`${alias}.status`)),
      ]),
    chosen: more.chosen,
    columns: more.columns,
  };
}

/** The last condition lets PostgreSQL use the indexes of rows that are not confirmed (migration 0030). */
export const hasStatus = (statuses: readonly string[], column: Sql): Sql =>
  unprepared(
    every([
      statuses.length === 1 ? sql`${column} = ${statuses[0]}` : sql`${column} = any(${statuses})`,
      !statuses.includes('confirmed') && sql`${column} <> 'confirmed'`,
    ]),
  );

/** Whether any registration of the event has this status. If none has, no search need be made. */
export const someHaveStatus = ({ tx, org }: Work, event: EventRow, status: string): Promise<unknown> =>
  tx.maybe(sql`select from registrations r
    where r.org_id = ${org} and r.event_id = ${event.id} and ${hasStatus([status], sql`r.status`)} limit 1`);

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
 * The attendees of an event, by whom registrations are found. An attendee has the status of the registration or is cancelled, so a
 * filter by status can be checked in the index of names.
 */
export const attendeesOfRegistrations = (work: Work, event: EventRow, status: string | undefined): SearchedTable =>
  searchedAttendees(work, event, {
    chosen: sql`true`,
    columns: sql`a.registration_id`,
    ...(status !== undefined && { statuses: [...new Set([status, 'cancelled'])] }),
  });

/**
 * Registrations are found by their attendees, and are placed in the list by the first matching attendee whom the caller sees. A
 * registrant who is not an attendee is found by `registrant_words` (words.ts) and comes last: many share a name with an attendee of
 * their registration, which has been listed already.
 */
export function registrationSearchParts(
  work: Work,
  event: EventRow,
  table: SearchedTable,
  search: Search,
  /** The other conditions on the registration, which is `r`. */
  chosen: Sql,
  after: readonly string[] | null,
  limit: number,
): Stages {
  const { org } = work;
  const somebody = (condition: Sql) => sql`exists (
    select from attendees q where q.org_id = ${org} and q.registration_id = r.id and ${table.seen('q')} and ${condition} offset 0)`;
  const first = sql`exists (select from registrations r where r.org_id = ${org} and r.id = a.registration_id and ${chosen}
    and not ${somebody(sql`(${sortKey(table, search, 'q')}, q.id) < (k.key, k.id)`)} offset 0)`;
  const { lead, email } = search;
  const registrants = (stage: number, text: string, asked: Sql) => sql`(
    select ${inStage(stage, sql`k.word`)} as key, k.id, k.id as registration_id from (
      select w.registration_id as id, w.word from registrant_words w
      where w.org_id = ${org} and w.event_id = ${event.id} and ${begins(sql`w.word`, text)}
        and ${comesAfter(after, stage, sql`w.word`, sql`w.registration_id`)}
      order by w.word, w.registration_id offset 0) k
    where exists (select from registrations r where r.org_id = ${org} and r.id = k.id and ${ownMode(work, 'r')} and ${chosen}
        and ${asked} and not ${somebody(isFound(search, 'q'))} offset 0)
      and not exists (select from registrant_words v where v.org_id = ${org} and v.registration_id = k.id
        and ${begins(sql`v.word`, text)} and v.word < k.word)
    order by k.word, k.id limit ${limit})`;
  const byWords = lead === null ? sql`false` : registrantFound(work, event, { ...search, email: null }, 'r');
  const later: [Sql[], Sql[]] = [[], []];
  if (lead !== null) later[0].push(registrants(2, lead, byWords));
  if (email !== null && email !== lead) {
    const byEmail = registrantFound(work, event, { lead: null, others: [], email }, 'r');
    later[1].push(registrants(3, email, sql`${byEmail} and not (${byWords})`));
  }
  const stages = [...searchParts({ ...table, chosen: first }, search, after, limit), ...later];
  return stages.map((parts) => parts.map(preparedIfCommon(search)));
}

/** Whether the registrant, who is not an attendee, is found, and both they and the registration are in the caller's reach. */
function registrantFound(work: Work, event: EventRow, { lead, others, email }: Search, alias: string): Sql {
  const limit = limitOf(work.caller);
  const texts = lead === null ? [email!] : [lead, ...others];
  return every([
    ...texts.map(
      (text) => sql`exists (select from registrant_words v where v.org_id = ${work.org}
        and v.registration_id = ${name(`${alias}.id`)} and ${begins(sql`v.word`, text)} offset 0)`,
    ),
    limit.group !== null && registrantInReach(limit, alias, eventGroup(event)),
    limit.group !== null && registrationInReach(limit, alias, eventGroup(event)),
  ]);
}

/** Whether the search finds the registrant of the registration `r`. */
export function isRegistrantFound(work: Work, event: EventRow, search: Search): Sql {
  const ways: Sql[] = [];
  if (search.lead !== null) ways.push(registrantFound(work, event, { ...search, email: null }, 'r'));
  if (search.email !== null)
    ways.push(registrantFound(work, event, { lead: null, others: [], email: search.email }, 'r'));
  return sql`(${join(
    ways.map((way) => sql`(${way})`),
    ' or ',
  )})`;
}

/** Whether the search finds one of the attendees of a registration. */
export const somebodyFound = (table: SearchedTable, search: Search, registration: Sql): Sql => sql`
  exists (select from attendees q where q.org_id = ${table.org} and q.registration_id = ${registration} and ${table.seen('q')}
    and ${isFound(search, 'q')} offset 0)`;

/**
 * The same registrations as a condition on `r`, for a list in another order than that of the search. Whether it finds any registrant
 * at all is asked once, which spares most searches to ask it of each registration.
 */
export const isRegistrationFound = (work: Work, event: EventRow, table: SearchedTable, search: Search): Sql => sql`
  case when ${somebodyFound(table, search, sql`r.id`)} then true
    when exists (${join(registrantsFound(event, table, search), ' union all ')}) then ${isRegistrantFound(work, event, search)}
    else false end`;

/** Selects of the registrations of registrants who have the leading word or the e-mail address. */
const registrantsFound = (event: EventRow, { org }: SearchedTable, { lead, email }: Search): Sql[] =>
  [lead, email]
    .filter((text) => text !== null)
    .map(
      (text) => sql`select w.registration_id as id from registrant_words w
        where w.org_id = ${org} and w.event_id = ${event.id} and ${begins(sql`w.word`, text)}`,
    );

/** Candidates, of which `isRegistrationFound` is to be checked: selects of attendees, and of registrations by their registrants. */
export function registrationCandidates(event: EventRow, table: SearchedTable, search: Search) {
  const attendees = candidates(table, search);
  const registrants = registrantsFound(event, table, search);
  const ids = [
    sql`select q.registration_id from attendees q where q.org_id = ${table.org} and q.id = any(array(${join(attendees, ' union ')}))`,
    ...registrants,
  ];
  return { found: [...attendees, ...registrants], registrants, registrations: join(ids, ' union ') };
}

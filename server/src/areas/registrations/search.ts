import { isRegistrationCode, isTicketCode, ticketCode } from '@turnout/checkin';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import {
  begins,
  candidates,
  comesAfter,
  type FoundRow,
  inStage,
  isFound,
  preparedIfCommon,
  readStages,
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
import { ownMode } from './references.ts';

/** An attendee as a search finds them. */
export interface AttendeeFound extends FoundRow {
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
export type CodeMatch = { registration: Id; ticket: Id | null };

/** What a typed code names, if the caller sees it. */
export async function namedByCode(work: Work, event: EventRow, text: string): Promise<CodeMatch | null> {
  const { tx, org } = work;
  const code = ticketCode(text);
  if (isTicketCode(code)) {
    return tx.maybe<CodeMatch>(sql`
      select t.registration_id as registration, t.id as ticket from tickets t
      where t.org_id = ${org} and t.event_id = ${event.id} and t.code = ${code}
        and ${every([ownMode(work, 't'), ticketInReach(limitOf(work.caller), 't', eventGroup(event))])}`);
  }
  if (!isRegistrationCode(code)) return null;
  return tx.maybe<CodeMatch>(sql`
    select r.id as registration, null as ticket from registrations r
    where r.org_id = ${org} and r.event_id = ${event.id} and r.code = ${code}
      and ${every([ownMode(work, 'r'), registrationInReach(limitOf(work.caller), 'r', eventGroup(event))])}`);
}

/** The attendees that a code names, as a condition on attendees. */
export const attendeesNamed = (org: Id, { registration, ticket }: CodeMatch, alias: string): Sql =>
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

/** A search for registrations in its own order. */
export interface RegistrationSearch {
  work: Work;
  event: EventRow;
  /** The attendees by whom registrations are found. */
  table: SearchedTable;
  search: Search;
  /** The other conditions on the registration, which is `r`. */
  conditions: Sql;
}

/**
 * A page of the registrations that the search finds. They are found by their attendees, and each is placed in the list by the first
 * matching attendee whom the caller sees. A registrant who is not an attendee is found by `registrant_words` (words.ts) and comes
 * last: many share a name with an attendee of their registration, which has been listed already.
 */
export async function searchRegistrations(
  search: RegistrationSearch,
  after: readonly string[] | null,
  limit: number,
): Promise<AttendeeFound[]> {
  const rows: AttendeeFound[] = [];
  for (const stage of [0, 1]) {
    if (rows.length < limit) rows.push(...(await readByAttendees(search, stage, after, limit - rows.length)));
  }
  if (rows.length >= limit) return rows;
  const registrants = registrantParts(search, after, limit - rows.length);
  return [...rows, ...(await readStages<AttendeeFound>(search.work.tx, registrants, limit - rows.length))];
}

/** The first statement reads as many attendees as a page has registrations, each further one twice as many, up to this number. */
const MAX_READ = 5000;

/**
 * The registrations of one stage. Attendees are read in the order of the list, and those who are the first of their registration are
 * kept. Who the first is gets decided once for each registration: asking it for each attendee compares all people of a registration
 * with each other, which took 16 s for 400 people with long names (measured).
 */
async function readByAttendees(
  { work, table, search, conditions }: RegistrationSearch,
  stage: number,
  after: readonly string[] | null,
  limit: number,
): Promise<AttendeeFound[]> {
  const { tx, org } = work;
  const rows: AttendeeFound[] = [];
  /** Registrations whose place has been passed: their further attendees are left out. */
  const listed = new Set<Id>();
  let [position, most] = [after, limit];
  for (;;) {
    const chosen = sql`a.registration_id <> all(${[...listed]}::uuid[]) and exists (select from registrations r
      where r.org_id = ${org} and r.id = a.registration_id and ${conditions} offset 0)`;
    const parts = searchParts({ ...table, chosen }, search, position, most, { placed: false })[stage]!;
    if (parts.length === 0) return rows;
    const read = await tx.all<AttendeeFound & { first: boolean | null; decided: boolean | null }>(sql`
      with found as materialized (
        select distinct on (key, id) * from (${join(parts, ' union all ')}) part order by key, id limit ${most}),
      firsts as materialized (
        select distinct on (q.registration_id) q.registration_id, q.id, ${sortKey(table, search, 'q')} as key from attendees q
        where q.org_id = ${org} and q.registration_id = any(array(select registration_id from found)) and ${table.seen('q')}
        order by q.registration_id, key, q.id)
      select f.key, f.id, f.registration_id, (f.key, f.id) = (firsts.key, firsts.id) as first,
        (f.key, f.id) >= (firsts.key, firsts.id) as decided
      from found f left join firsts on firsts.registration_id = f.registration_id order by f.key, f.id`);
    for (const { first, decided, ...row } of read) {
      if (decided === true) listed.add(row.registration_id);
      if (first === true && rows.length < limit) rows.push(row);
    }
    const last = read.at(-1);
    if (last === undefined || read.length < most || rows.length >= limit) return rows;
    position = [last.key, last.id];
    most = Math.min(MAX_READ, most * 2);
  }
}

/** Registrations whose registrant is found and none of whose attendees is: by the words of the name, then by the e-mail address. */
function registrantParts(
  { work, event, table, search, conditions }: RegistrationSearch,
  after: readonly string[] | null,
  limit: number,
): Stages {
  const { org } = work;
  const { lead, email } = search;
  const somebody = sql`exists (
    select from attendees q where q.org_id = ${org} and q.registration_id = r.id and ${table.seen('q')} and ${isFound(search, 'q')} offset 0)`;
  // A registration is listed by its first word. That is asked first, so that its attendees are looked at once, not for each word.
  const registrants = (stage: number, text: string, isSought: Sql) => sql`(
    select ${inStage(stage, sql`k.word`)} as key, k.id, k.id as registration_id from (
      select w.registration_id as id, w.word from registrant_words w
      where w.org_id = ${org} and w.event_id = ${event.id} and ${begins(sql`w.word`, text)}
        and ${comesAfter(after, stage, sql`w.word`, sql`w.registration_id`)}
      order by w.word, w.registration_id offset 0) k
    where case when exists (select from registrant_words v where v.org_id = ${org} and v.registration_id = k.id
        and ${begins(sql`v.word`, text)} and v.word < k.word) then false
      else exists (select from registrations r where r.org_id = ${org} and r.id = k.id and ${ownMode(work, 'r')} and ${conditions}
        and ${isSought} and not ${somebody} offset 0) end
    order by k.word, k.id limit ${limit})`;
  const byWords = lead === null ? sql`false` : registrantFound(work, event, { ...search, email: null }, 'r');
  const stages: [Sql[], Sql[]] = [[], []];
  if (lead !== null) stages[0].push(registrants(2, lead, byWords));
  if (email !== null && email !== lead) {
    const byEmail = registrantFound(work, event, { lead: null, others: [], email }, 'r');
    stages[1].push(registrants(3, email, sql`${byEmail} and not (${byWords})`));
  }
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

import type { Work } from '../../road/operation.ts';
import type { byChange } from '../../road/page.ts';
import type { Id } from '../../store/ids.ts';
import { every, join, type Sql, sql } from '../../store/sql.ts';
import {
  afterName,
  isFound,
  pageInOrder,
  pageOf,
  readByName,
  type Search,
  type SearchedTable,
  walkByName,
} from '../contacts/index.ts';
import type { EventRow } from '../events/index.ts';
import { ownMode } from './references.ts';
import { type AttendeeFound, isRegistrantFound, isRegistrationFound, registrationCandidates } from './search.ts';

/** Searching registrations in another order than that of the search (areas/contacts/search-orders.ts). */
export interface RegistrationSearch {
  work: Work;
  event: EventRow;
  /** The attendees by whom registrations are found. */
  table: SearchedTable;
  search: Search;
  /** The other conditions on the registration, which is `r`. */
  asked: Sql;
}

/** A registration is looked up with all of its attendees, so fewer of them can be read in the same time. */
const share = (rows: number): number => Math.ceil(rows / 2);

export interface Changed {
  id: Id;
  updated_at: string;
}

/** A page of the list by last change, without a search or with one. */
export function registrationsByChange(
  { work, event, table, search, asked }: Omit<RegistrationSearch, 'search'> & { search: Search | null },
  list: ReturnType<typeof byChange>,
): Promise<Changed[]> {
  const { tx, org } = work;
  const within = sql`r.org_id = ${org} and r.event_id = ${event.id}`;
  const select = (from: Sql, found: Sql) => sql`
    select r.id, r.updated_at from ${from} r
    where ${within} and ${every([ownMode(work, 'r'), found, asked, list.where])} ${list.order}`;
  if (search === null) return tx.all<Changed>(select(sql`registrations`, sql`true`));
  const { found, registrations } = registrationCandidates(event, table, search);
  const isOne = isRegistrationFound(work, event, table, search);
  return pageInOrder<Changed>(tx, found, list.read, {
    walk: (most) =>
      select(
        sql`(select r.* from registrations r where ${within} and ${list.where} ${list.first(share(most))})`,
        isOne,
      ),
    sort: () => select(sql`registrations`, sql`r.id = any(array(${registrations})) and ${isOne}`),
  });
}

/**
 * In a list by name, a registration is placed by the first of its attendees whom the caller sees. A caller without a limit sees all of
 * them, and then the index of names alone tells the first: the one at position 0, which no registration loses.
 */
const mayBeFirst = ({ caller }: Work): Sql => (caller.group === null ? sql`x.position = 0` : sql`true`);

const ofRegistration = (table: SearchedTable, condition: Sql): Sql => sql`
  exists (select from registrations r where r.org_id = ${table.org} and r.id = a.registration_id and ${condition} offset 0)`;

/** A page of the list by name, without a search. */
export function registrationsByName(
  work: Work,
  table: SearchedTable,
  asked: Sql,
  after: readonly string[] | null,
  limit: number,
): Sql {
  const isFirst = sql`not exists (select from attendees q where q.org_id = ${table.org}
    and q.registration_id = a.registration_id and ${table.seen('q')} and q.position < a.position offset 0)`;
  const chosen = every([work.caller.group !== null && isFirst, ofRegistration(table, asked)]);
  return pageOf({ ...table, chosen }, readByName(table, after, mayBeFirst(work)), limit);
}

/** A page of the list by name, of the registrations that the search finds. */
export function searchRegistrationsByName(
  { work, event, table, search, asked }: RegistrationSearch,
  after: readonly string[] | null,
  limit: number,
): Promise<AttendeeFound[]> {
  const { found, registrants, registrations } = registrationCandidates(event, table, search);
  // One look at the attendees of the registration decides most rows: whether this is the first of them, and whether one is found.
  const chosen = sql`case (
      select case when min(q.position) < a.position then 'another' when bool_or(${isFound(search, 'q')}) then 'found' end
      from attendees q where q.org_id = ${table.org} and q.registration_id = a.registration_id and ${table.seen('q')})
    when 'another' then false
    when 'found' then ${ofRegistration(table, asked)}
    else exists (${join(registrants, ' union all ')})
      and ${ofRegistration(table, sql`${isRegistrantFound(work, event, search)} and ${asked}`)} end`;
  const chosenTable = { ...table, chosen };
  const sorted = sql`
    select x.id, x.name_key as key from attendees x
    where x.org_id = ${table.org} and x.registration_id = any(array(${registrations})) and ${table.seen('x')}
      and ${mayBeFirst(work)} and ${afterName(after, 'x')} order by x.name_key, x.id offset 0`;
  return pageInOrder<AttendeeFound>(work.tx, found, limit, {
    walk: (most) => pageOf(chosenTable, walkByName(table, after, mayBeFirst(work), most), limit),
    sort: () => pageOf(chosenTable, sorted, limit),
  });
}

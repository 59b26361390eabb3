import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import type { byChange } from '../../road/read/page.ts';
import { every, join, type Sql, sql } from '../../store/sql.ts';
import { afterName, pageInOrder, readByName, type Search, type SearchedTable, walkByName } from '../contacts/index.ts';
import { ownMode } from './references.ts';
import {
  type AttendeeFound,
  isRegistrantFound,
  isRegistrationFound,
  type RegistrationSearch,
  registrationCandidates,
  somebodyFound,
} from './search.ts';

/* Searching registrations in another order than that of the search (areas/contacts/search-orders.ts). */

/** A registration is looked up with all of its attendees, so fewer of them can be read in the same time. */
const share = (rows: number): number => Math.ceil(rows / 2);

export interface ChangeRow {
  id: Id;
  updated_at: string;
}

/** A page of the list by last change, without a search or with one. */
export function registrationsByChange(
  { work, event, table, search, conditions }: Omit<RegistrationSearch, 'search'> & { search: Search | null },
  list: ReturnType<typeof byChange>,
): Promise<ChangeRow[]> {
  const { tx, org } = work;
  const within = sql`r.org_id = ${org} and r.event_id = ${event.id}`;
  const select = (from: Sql, found: Sql) => sql`
    select r.id, r.updated_at from ${from} r
    where ${within} and ${every([ownMode(work, 'r'), found, conditions, list.where])} ${list.order}`;
  if (search === null) return tx.all<ChangeRow>(select(sql`registrations`, sql`true`));
  const { found, registrations } = registrationCandidates(event, table, search);
  const isOne = isRegistrationFound(work, event, table, search);
  return pageInOrder<ChangeRow>(tx, found, list.read, {
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

/** What is read of each attendee `k`, all of it from the index of names. */
const CARRIED = sql`, x.registration_id, x.position`;
const inOrder = (rows: Sql, chosen: Sql, limit: number): Sql => sql`
  select k.key, k.id, k.registration_id from (${rows}) k where ${chosen} order by k.key, k.id limit ${limit}`;

const ofRegistration = (table: SearchedTable, condition: Sql): Sql => sql`
  exists (select from registrations r where r.org_id = ${table.org} and r.id = k.registration_id and ${condition} offset 0)`;

/** `result` for the first attendee of a registration whom the caller sees, and false for the others, of whom nothing else is asked. */
const ifFirst = ({ caller }: Work, table: SearchedTable, result: Sql): Sql =>
  caller.group === null
    ? result
    : sql`case when k.position > 0 and exists (select from attendees q where q.org_id = ${table.org}
        and q.registration_id = k.registration_id and ${table.seen('q')} and q.position < k.position offset 0)
      then false else ${result} end`;

/** A page of the list by name, without a search. */
export function registrationsByName(
  work: Work,
  table: SearchedTable,
  conditions: Sql,
  after: readonly string[] | null,
  limit: number,
): Sql {
  const rows = readByName(table, after, mayBeFirst(work), CARRIED);
  return inOrder(rows, ifFirst(work, table, ofRegistration(table, conditions)), limit);
}

/** A page of the list by name, of the registrations that the search finds. */
export function searchRegistrationsByName(
  { work, event, table, search, conditions }: RegistrationSearch,
  after: readonly string[] | null,
  limit: number,
): Promise<AttendeeFound[]> {
  const { found, registrants, registrations } = registrationCandidates(event, table, search);
  // In this order, because most attendees on the way are decided by the first questions.
  const chosen = ifFirst(
    work,
    table,
    sql`case when ${somebodyFound(table, search, sql`k.registration_id`)} then ${ofRegistration(table, conditions)}
      when exists (${join(registrants, ' union all ')})
        then ${ofRegistration(table, sql`${isRegistrantFound(work, event, search)} and ${conditions}`)}
      else false end`,
  );
  const sorted = sql`
    select x.id, x.name_key as key ${CARRIED} from attendees x
    where x.org_id = ${table.org} and x.registration_id = any(array(${registrations})) and ${table.seen('x')}
      and ${mayBeFirst(work)} and ${afterName(after, 'x')} order by x.name_key, x.id offset 0`;
  return pageInOrder<AttendeeFound>(work.tx, found, limit, {
    walk: (most) => inOrder(walkByName(table, after, mayBeFirst(work), most, CARRIED), chosen, limit),
    sort: () => inOrder(sorted, chosen, limit),
  });
}

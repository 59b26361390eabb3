import { ticketCode } from '@turnout/checkin';
import type { Balance, Registration } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { byChange, byKey, changedSince, type Paging, requireNoSearch } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { emailKey, readSearch } from '../contacts/index.ts';
import type { EventRow } from '../events/index.ts';
import {
  attendeeInReach,
  eventGroup,
  inSubtree,
  limitOf,
  registrantInReach,
  registrationFullyInReach,
  registrationInReach,
} from '../groups/index.ts';
import { listName, loaderFor, loadForCaller, type Page } from './load-for-caller.ts';
import { shownRegistration } from './reach.ts';
import {
  type AttendeeFound,
  attendeesOfRegistrations,
  hasStatus,
  namedByCode,
  searchRegistrations,
  someHaveStatus,
} from './search.ts';
import { registrationsByChange, registrationsByName, searchRegistrationsByName } from './search-orders.ts';

export async function getRegistration(work: Work, event: EventRow, id: Id): Promise<Registration> {
  const { showing, byId } = await loadForCaller(work, event, [id]);
  return shownRegistration(showing, byId.get(id)!);
}

export interface RegistrationQuery extends Paging {
  status?: string;
  source?: string;
  email?: string;
  code?: string;
  balance?: Balance;
  search?: string;
}

export async function listRegistrations(
  work: Work,
  event: EventRow,
  query: RegistrationQuery,
  filter: { group?: Id } = {},
): Promise<Page<Registration>> {
  requireNoSearch(query);
  const { tx } = work;
  const name = listName(['registrations', event.id, query.status, query.email, query.code], {
    source: query.source,
    group: filter.group,
    search: query.search,
    balance: query.balance,
  });
  const chosen = chosenBy(work, event, query, filter);
  const table = attendeesOfRegistrations(work, event, query.status);
  const named = query.search === undefined ? null : await namedByCode(work, event, query.search);
  const search = query.search === undefined || named !== null ? null : await readSearch(tx, table, query.search);
  if (search !== null && query.status !== undefined && (await someHaveStatus(work, event, query.status)) === null) {
    return { data: [], page: { next_cursor: null, has_more: false } };
  }
  const limit = limitOf(work.caller);
  const conditions = every([
    // What a search finds is in reach: it finds by attendees and registrants whom the caller sees.
    search === null && limit.group !== null && registrationInReach(limit, 'r', eventGroup(event)),
    named !== null && filters([sql`r.id = ${named.registration}`]),
    chosen,
  ]);
  if (query.order === 'name' || (search !== null && query.order === undefined)) {
    const list = byKey(name, query);
    const { after, read } = list;
    const rows =
      search === null
        ? await tx.all<AttendeeFound>(registrationsByName(work, table, conditions, after, read))
        : query.order === 'name'
          ? await searchRegistrationsByName({ work, event, table, search, conditions }, after, read)
          : await searchRegistrations({ work, event, table, search, conditions }, after, read);
    return list.pageOfLoaded(
      rows,
      loaderFor(work, event, (row) => row.registration_id, shownRegistration),
    );
  }
  const list = byChange(name, query, 'r');
  const rows = await registrationsByChange({ work, event, table, search, conditions }, list);
  const shown = sql`exists (select from registrations r where r.org_id = x.org_id and r.id = x.object_id
    and ${registrationInReach(limit, 'r', eventGroup(event))} offset 0)`;
  return list.pageOfLoaded(
    await withRemoved(work, list, { list: 'registrations', event: event.id, shown }, rows),
    loaderFor(work, event, (row) => row.id, shownRegistration),
  );
}

/** What the registrations of the list have in common, apart from what is searched for and what the caller reaches. */
function chosenBy(work: Work, event: EventRow, query: RegistrationQuery, filter: { group?: Id }): Sql {
  const { org } = work;
  const limit = limitOf(work.caller);
  const limited = limit.group !== null;
  return filters([
    query.status !== undefined && hasStatus([query.status], sql`r.status`),
    query.source !== undefined && sql`r.source = ${query.source}`,
    query.email !== undefined && hasAddress(work, event, query.email),
    query.code !== undefined && sql`r.code = ${ticketCode(query.code)}`,
    query.balance !== undefined && (query.balance === 'due' ? sql`r.balance_minor > 0` : sql`r.balance_minor < 0`),
    // The balance speaks of all attendees, so a limited caller may only filter registrations that it reaches as a whole.
    query.balance !== undefined && limited && registrationFullyInReach(limit, 'r', eventGroup(event)),
    filter.group !== undefined &&
      inSubtree({ org, group: filter.group }, sql`coalesce(r.group_id, ${eventGroup(event)})`),
    query.updated_since !== undefined && changedSince(query, 'r'),
  ]);
}

/** Has this e-mail address as its registrant's or an attendee's. Only those that the caller sees count: otherwise addresses could be guessed. */
function hasAddress(work: Work, event: EventRow, email: string): Sql {
  const { org } = work;
  const key = emailKey(email);
  const limit = limitOf(work.caller);
  const limited = limit.group !== null;
  return sql`r.id = any(array(
    select s.id from registrations s where s.org_id = ${org} and s.event_id = ${event.id} and s.email_key = ${key}
      and ${every([limited && registrantInReach(limit, 's', eventGroup(event))])}
    union select q.registration_id from attendees q where q.org_id = ${org} and q.event_id = ${event.id} and q.email_key = ${key}
      and ${every([limited && attendeeInReach(limit, 'q', eventGroup(event))])}))`;
}

import { ticketCode } from '@turnout/checkin';
import type { Balance, Registration } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { byChange, byKey, changedSince, type Paging } from '../../road/page.ts';
import type { Id } from '../../store/ids.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { byName, emailKey, mergeParts, readSearch, type SearchedTable } from '../contacts/index.ts';
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
import { listName, loadForCaller, type Page } from './load-for-caller.ts';
import { shownRegistration } from './reach.ts';
import { ownMode } from './references.ts';
import {
  type AttendeeFound,
  namedByCode,
  registrationFoundCondition,
  registrationSearchParts,
  searchedAttendees,
} from './search.ts';

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
  const { tx, org } = work;
  const name = listName(['registrations', event.id, query.status, query.email, query.code], {
    source: query.source,
    group: filter.group,
    search: query.search,
    balance: query.balance,
  });
  const chosen = chosenBy(work, event, query, filter);
  const table = searchedAttendees(work, event, { chosen: sql`true`, columns: sql`a.registration_id` });
  const named = query.search === undefined ? null : await namedByCode(work, event, query.search);
  const search = query.search === undefined || named !== null ? null : await readSearch(tx, table, query.search);
  const asked = every([named !== null && filters([sql`r.id = ${named.registration}`]), chosen]);
  const found =
    search === null || query.order === undefined
      ? asked
      : every([await registrationFoundCondition(work, event, search), asked]);
  if (query.order === 'name' || (search !== null && query.order === undefined)) {
    const list = byKey(name, query);
    const rows = await tx.all<AttendeeFound>(
      query.order === undefined
        ? mergeParts(registrationSearchParts(work, event, search!, asked, list.after, list.read), list.read)
        : byName({ ...table, chosen: isFirstAttendee(table, found) }, list.after, list.read),
    );
    const shape = await shapesOf(
      work,
      event,
      rows.map((row) => row.registration_id),
    );
    return list.page(rows, (row) => shape(row.registration_id));
  }
  const list = byChange(name, query, 'r');
  const rows = await tx.all<{ id: Id; updated_at: string }>(sql`
    select r.id, r.updated_at from registrations r
    where r.org_id = ${org} and r.event_id = ${event.id} and ${every([ownMode(work, 'r'), found, list.where])} ${list.order}`);
  const shape = await shapesOf(
    work,
    event,
    rows.map((row) => row.id),
  );
  return list.page(rows, (row) => shape(row.id));
}

/** What the registrations of the list have in common, apart from what is searched for. */
function chosenBy(work: Work, event: EventRow, query: RegistrationQuery, filter: { group?: Id }): Sql {
  const { org } = work;
  const limit = limitOf(work.caller);
  const limited = limit.group !== null;
  return every([
    limited && registrationInReach(limit, 'r', eventGroup(event)),
    filters([
      query.status !== undefined && sql`r.status = ${query.status}`,
      query.source !== undefined && sql`r.source = ${query.source}`,
      query.email !== undefined && hasAddress(work, event, query.email),
      query.code !== undefined && sql`r.code = ${ticketCode(query.code)}`,
      query.balance !== undefined && (query.balance === 'due' ? sql`r.balance_minor > 0` : sql`r.balance_minor < 0`),
      // The balance speaks of all attendees, so a limited caller may only filter registrations that it reaches as a whole.
      query.balance !== undefined && limited && registrationFullyInReach(limit, 'r', eventGroup(event)),
      filter.group !== undefined &&
        inSubtree({ org, group: filter.group }, sql`coalesce(r.group_id, ${eventGroup(event)})`),
      query.updated_since !== undefined && changedSince(query, 'r'),
    ]),
  ]);
}

/** Loads these registrations, and answers how one is shown. */
async function shapesOf(work: Work, event: EventRow, ids: readonly Id[]) {
  const { showing, byId } = await loadForCaller(work, event, ids);
  return (id: Id) => shownRegistration(showing, byId.get(id)!);
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

/** In a list by name, a registration is placed by the first of its attendees whom the caller sees. */
const isFirstAttendee = (table: SearchedTable, chosen: Sql): Sql => sql`
  not exists (select from attendees q where q.org_id = ${table.org} and q.registration_id = a.registration_id
    and ${table.seen('q')} and q.position < a.position offset 0)
  and exists (select from registrations r where r.org_id = ${table.org} and r.id = a.registration_id and ${chosen} offset 0)`;

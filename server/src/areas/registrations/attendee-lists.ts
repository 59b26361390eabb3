import type { Attendee, FieldOf } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { byChange, byKey, changedSince, type Paging } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { every, filters, join, type Sql, sql } from '../../store/sql.ts';
import { candidates, externalKey, isFound, pageInOrder, phoneKey, readByKey, readSearch } from '../contacts/index.ts';
import type { EventRow } from '../events/index.ts';
import { attendeeInReach, eventGroup, inSubtree, limitOf } from '../groups/index.ts';
import { type Answered, everyAnswer, leadingAnswer, pageOfAnswer } from './answer-filter.ts';
import { listName, loaderFor, loadForCaller, type Page } from './load-for-caller.ts';
import { shownAttendee } from './reach.ts';
import { type AttendeeFound, attendeesNamed, namedByCode, searchedAttendees } from './search.ts';
import { attendeesNumbered } from './search-numbers.ts';

export interface AttendeeQuery extends Paging {
  status?: string;
  search?: string;
  checked_in?: boolean;
  external_id?: string;
  phone?: string;
  answers?: string[];
}

interface AttendeeFilter {
  type?: Id;
  day?: Id;
  group?: Id;
  /** What `answers` of the query asks for. */
  answered?: Answered[];
}

export async function listAttendees(
  work: Work,
  event: EventRow,
  query: AttendeeQuery,
  filter: AttendeeFilter,
): Promise<Page<Attendee>> {
  const { tx, org } = work;
  const name = listName(
    ['attendees', event.id, query.status, query.search, query.checked_in, filter.type, filter.day, filter.group],
    { external_id: query.external_id, phone: query.phone, answers: query.answers },
  );
  const chosen = chosenBy(org, event, query, filter);
  const table = searchedAttendees(work, event, {
    chosen,
    columns: sql`a.registration_id`,
    ...(query.status !== undefined && { statuses: [query.status] }),
  });
  const named = query.search === undefined ? null : await namedByCode(work, event, query.search);
  const numbered =
    query.search === undefined || named !== null ? null : await attendeesNumbered(tx, table, query.search);
  const meant = named !== null || numbered !== null;
  const search = query.search === undefined || meant ? null : await readSearch(tx, table, query.search);
  const conditions = every([
    named !== null && filters([attendeesNamed(org, named, 'a')]),
    numbered !== null && filters([sql`a.id = any(${numbered})`]),
    chosen,
  ]);
  const lead = search === null && !meant ? await leadingAnswer(tx, org, filter.answered ?? []) : null;
  if (lead !== null)
    return pageByAnswer(work, event, { query, name, lead, where: every([table.seen('a'), conditions]) });
  if (query.order === 'name' || (search !== null && query.order === undefined)) {
    const list = byKey(name, query);
    const rows = await readByKey<AttendeeFound>(tx, { ...table, chosen: conditions }, search, query.order, list);
    return list.pageOfLoaded(rows, attendeesIn(work, event));
  }
  const list = byChange(name, query, 'a');
  const select = (from: Sql, found: Sql) => sql`
    select a.id, a.registration_id, a.updated_at from ${from} a
    where ${table.within('a')} and ${table.seen('a')} and ${every([found, conditions, list.where])} ${list.order}`;
  type Row = { id: Id; registration_id: Id; updated_at: string };
  const rows =
    search === null
      ? await tx.all<Row>(select(sql`attendees`, sql`true`))
      : await pageInOrder<Row>(tx, candidates(table, search), list.read, {
          walk: (most) =>
            select(
              sql`(select a.* from attendees a where ${table.within('a')} and ${list.where} ${list.first(most)})`,
              isFound(search, 'a'),
            ),
          sort: () =>
            select(
              sql`attendees`,
              sql`a.id = any(array(${join(candidates(table, search), ' union ')})) and ${isFound(search, 'a')}`,
            ),
        });
  return list.pageOfLoaded(await withRemovedAttendees(work, event, list, rows), attendeesIn(work, event));
}

/** `offset 0` makes PostgreSQL look each attendee up, instead of reading all of the organization. */
const withRemovedAttendees = <Row extends { id: string; updated_at: string }>(
  work: Work,
  event: EventRow,
  list: ReturnType<typeof byChange>,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const shown = sql`exists (select from attendees a where a.org_id = x.org_id and a.id = x.object_id
    and ${attendeeInReach(limitOf(work.caller), 'a', eventGroup(event))} offset 0)`;
  return withRemoved(work, list, { list: 'attendees', event: event.id, shown }, rows);
};

/** A page of the list, in its order, of attendees who have the leading answer. */
async function pageByAnswer(
  work: Work,
  event: EventRow,
  { query, name, lead, where }: { query: AttendeeQuery; name: unknown[]; lead: Answered; where: Sql },
): Promise<Page<Attendee>> {
  const { tx, org } = work;
  if (query.order === 'name') {
    const list = byKey(name, query);
    const after = list.after === null ? sql`true` : sql`(k.key, k.id) > (${list.after[0]}, ${list.after[1]}::uuid)`;
    const rows = await tx.all<AttendeeFound>(
      pageOfAnswer(
        org,
        lead,
        { key: 'name_key', newestFirst: false, after, read: list.read },
        {
          columns: sql`a.registration_id`,
          where,
        },
      ),
    );
    return list.pageOfLoaded(rows, attendeesIn(work, event));
  }
  const list = byChange(name, query);
  const beyond = list.newest ? sql`<` : sql`>`;
  const after = every([
    query.updated_since !== undefined && sql`k.key >= ${query.updated_since}::timestamptz`,
    list.after !== null && sql`(k.key, k.id) ${beyond} (${list.after[0]}::timestamptz, ${list.after[1]}::uuid)`,
  ]);
  const rows = await tx.all<{ id: Id; registration_id: Id; updated_at: string }>(
    pageOfAnswer(
      org,
      lead,
      { key: 'updated_at', newestFirst: list.newest, after, read: list.read },
      {
        columns: sql`a.registration_id, a.updated_at`,
        where,
      },
    ),
  );
  return list.pageOfLoaded(await withRemovedAttendees(work, event, list, rows), attendeesIn(work, event));
}

/** What the attendees of the list have in common, apart from their status and what is searched for. */
function chosenBy(org: Id, event: EventRow, query: AttendeeQuery, filter: AttendeeFilter): Sql {
  const { checked_in, external_id, phone } = query;
  const { type, day, group } = filter;
  const byField = {
    attendee_type: type !== undefined && sql`a.attendee_type_id = ${type}`,
    phone: phone !== undefined && sql`a.phone_key = ${phoneKey(phone)}`,
    external_id: external_id !== undefined && sql`a.external_key = ${externalKey(external_id)}`,
    group: group !== undefined && inSubtree({ org, group }, sql`coalesce(a.group_id, ${eventGroup(event)})`),
    days: day !== undefined && sql`${day} = any(a.day_ids)`,
    answers: everyAnswer(org, filter.answered ?? [], 'a'),
    checked_in:
      checked_in !== undefined && (checked_in ? sql`a.checked_in_at is not null` : sql`a.checked_in_at is null`),
  } satisfies Record<Exclude<FieldOf<'attendee', { filterable: true }>, 'status'>, unknown>;
  return filters([...Object.values(byField), query.updated_since !== undefined && changedSince(query, 'a')]);
}

/** Loads the registrations of rows, and answers how a row is shown. */
const attendeesIn = (work: Work, event: EventRow) =>
  loaderFor(
    work,
    event,
    (row: { id: Id; registration_id: Id }) => row.registration_id,
    (showing, registration, row) =>
      shownAttendee(showing, registration, registration.attendees.find((attendee) => attendee.id === row.id)!),
    (row) => row.id,
  );

export async function getAttendee(
  work: Work,
  event: EventRow,
  found: { id: Id; registration_id: Id },
): Promise<Attendee> {
  const { showing, byId } = await loadForCaller(work, event, [found.registration_id]);
  const registration = byId.get(found.registration_id)!;
  return shownAttendee(showing, registration, registration.attendees.find((attendee) => attendee.id === found.id)!);
}

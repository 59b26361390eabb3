import { ticketCode } from '@turnout/checkin';
import type { Attendee, Balance, Registration, Ticket } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { byChange, byKey, changedSince, type Paging } from '../../road/page.ts';
import type { Id } from '../../store/ids.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import {
  byName,
  emailKey,
  externalKey,
  type Found,
  inAnotherOrder,
  merged,
  type People,
  parts,
  phoneKey,
  readSearch,
} from '../contacts/index.ts';
import type { EventRow } from '../events/index.ts';
import {
  inSubtree,
  known,
  limitOf,
  personInReach,
  registrantInReach,
  registrationInReach,
  registrationWhole,
  ticketInReach,
} from '../groups/index.ts';
import { groupCodes } from './book.ts';
import { loadRegistrations } from './load.ts';
import {
  commonGroup,
  groupsOf,
  requireReach,
  type Showing,
  shownAttendee,
  shownRegistration,
  shownTicket,
} from './reach.ts';
import { ownMode } from './references.ts';
import { namedByCode, peopleNamed, peopleOf, registrationIsFound, registrationsFound } from './search.ts';
import { registrationShape, ticketShape, type WholeRegistration, type WholeTicket } from './shapes.ts';
import type { RegistrationState } from './state.ts';
import { worldOf } from './world.ts';

export type Page<T> = { data: T[]; page: { next_cursor: string | null; has_more: boolean } };

/** Whole registrations in the order of the page: the page's ids by one indexed query, what belongs to them by three more. */
async function whole(
  work: Work,
  event: EventRow,
  ids: readonly Id[],
): Promise<{ showing: Showing; byId: Map<Id, RegistrationState> }> {
  const { tx, org } = work;
  const states = ids.length === 0 ? [] : await loadRegistrations(tx, org, sql`id = any(${[...new Set(ids)]})`);
  const groups = new Set(states.flatMap((one) => [one.group_id, ...one.people.map((person) => person.group_id)]));
  groups.delete(null);
  const showing: Showing = {
    world: await worldOf(tx, org, event),
    groups: await groupCodes(tx, org, [...groups] as Id[]),
    only: await groupsOf(work),
  };
  return { showing, byId: new Map(states.map((state) => [state.id, state])) };
}

export async function getRegistration(work: Work, event: EventRow, id: Id): Promise<Registration> {
  const { showing, byId } = await whole(work, event, [id]);
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
  const limit = limitOf(work.caller);
  const limited = limit.group !== null;
  const name = marked(['registrations', event.id, query.status, query.email, query.code], {
    source: query.source,
    group: filter.group,
    search: query.search,
    balance: query.balance,
  });
  const chosen = every([
    limited && registrationInReach(limit, 'r', known(event)),
    filters([
      query.status !== undefined && sql`r.status = ${query.status}`,
      query.source !== undefined && sql`r.source = ${query.source}`,
      query.email !== undefined && hasAddress(work, event, query.email),
      query.code !== undefined && sql`r.code = ${ticketCode(query.code)}`,
      query.balance !== undefined && (query.balance === 'due' ? sql`r.balance_minor > 0` : sql`r.balance_minor < 0`),
      // Else it could be learned of people out of reach.
      query.balance !== undefined && limited && registrationWhole(limit, 'r', known(event)),
      filter.group !== undefined && inSubtree({ org, group: filter.group }, sql`coalesce(r.group_id, ${known(event)})`),
      query.updated_since !== undefined && changedSince(query, 'r'),
    ]),
  ]);
  const people = peopleOf(work, event, { chosen: sql`true`, columns: sql`a.registration_id` });
  const named = query.search === undefined ? null : await namedByCode(work, event, query.search);
  const search = query.search === undefined || named !== null ? null : await readSearch(tx, people, query.search);
  const asked = every([named !== null && filters([sql`r.id = ${named.registration}`]), chosen]);
  const found =
    search === null || query.order === undefined
      ? asked
      : every([await registrationIsFound(work, event, search), asked]);
  const shapes = async (ids: readonly Id[]) => {
    const { showing, byId } = await whole(work, event, ids);
    return (id: Id) => shownRegistration(showing, byId.get(id)!);
  };
  if (query.order === 'name' || (search !== null && query.order === undefined)) {
    const list = byKey(name, query);
    const rows = await tx.all<PersonFound>(
      query.order === undefined
        ? merged(registrationsFound(work, event, search!, asked, list.after, list.read), list.read)
        : byName({ ...people, chosen: firstOf(people, found) }, list.after, list.read),
    );
    const shape = await shapes(rows.map((row) => row.registration_id));
    return list.page(rows, (row) => shape(row.registration_id));
  }
  const list = byChange(name, query, 'r');
  const rows = await tx.all<{ id: Id; updated_at: string }>(sql`
    select r.id, r.updated_at from registrations r
    where r.org_id = ${org} and r.event_id = ${event.id} and ${every([ownMode(work, 'r'), found, list.where])} ${list.order}`);
  const shape = await shapes(rows.map((row) => row.id));
  return list.page(rows, (row) => shape(row.id));
}

/** Filters that came later: a cursor of a list without them is the same as ever. */
const marked = (list: unknown[], more: Record<string, unknown>): unknown[] => {
  const set = Object.entries(more).filter(([, value]) => value !== undefined);
  return set.length === 0 ? list : [...list, Object.fromEntries(set)];
};

/** The registrant's address or one of its people's, as far as the caller sees them: else an address could be guessed. */
function hasAddress(work: Work, event: EventRow, email: string): Sql {
  const { org } = work;
  const key = emailKey(email);
  const limit = limitOf(work.caller);
  const limited = limit.group !== null;
  return sql`r.id = any(array(
    select s.id from registrations s where s.org_id = ${org} and s.event_id = ${event.id} and s.email_key = ${key}
      and ${every([limited && registrantInReach(limit, 's', known(event))])}
    union select q.registration_id from attendees q where q.org_id = ${org} and q.event_id = ${event.id} and q.email_key = ${key}
      and ${every([limited && personInReach(limit, 'q', known(event))])}))`;
}

/** A registration stands in the order of names where its first person does whom the caller sees. */
const firstOf = (people: People, chosen: Sql): Sql => sql`
  not exists (select from attendees q where q.org_id = ${people.org} and q.registration_id = a.registration_id
    and ${people.seen('q')} and q.position < a.position offset 0)
  and exists (select from registrations r where r.org_id = ${people.org} and r.id = a.registration_id and ${chosen} offset 0)`;

interface PersonFound extends Found {
  registration_id: Id;
}

export interface AttendeeQuery extends Paging {
  status?: string;
  search?: string;
  checked_in?: boolean;
  external_id?: string;
  phone?: string;
}

export async function listAttendees(
  work: Work,
  event: EventRow,
  query: AttendeeQuery,
  filter: { type?: Id; day?: Id; group?: Id },
): Promise<Page<Attendee>> {
  const { tx, org } = work;
  const name = marked(
    ['attendees', event.id, query.status, query.search, query.checked_in, filter.type, filter.day, filter.group],
    { external_id: query.external_id, phone: query.phone },
  );
  const chosen = filters([
    query.checked_in !== undefined &&
      (query.checked_in ? sql`a.checked_in_at is not null` : sql`a.checked_in_at is null`),
    query.external_id !== undefined && sql`a.external_key = ${externalKey(query.external_id)}`,
    query.phone !== undefined && sql`a.phone_key = ${phoneKey(query.phone)}`,
    filter.type !== undefined && sql`a.attendee_type_id = ${filter.type}`,
    filter.day !== undefined && sql`${filter.day} = any(a.day_ids)`,
    filter.group !== undefined && inSubtree({ org, group: filter.group }, sql`coalesce(a.group_id, ${known(event)})`),
    query.updated_since !== undefined && changedSince(query, 'a'),
  ]);
  const people = peopleOf(work, event, {
    chosen,
    columns: sql`a.registration_id`,
    ...(query.status !== undefined && { status: query.status }),
  });
  const shapes = async (rows: readonly { registration_id: Id }[]) => {
    const { showing, byId } = await whole(
      work,
      event,
      rows.map((row) => row.registration_id),
    );
    return (row: { id: Id; registration_id: Id }) => {
      const registration = byId.get(row.registration_id)!;
      return shownAttendee(showing, registration, registration.people.find((person) => person.id === row.id)!);
    };
  };
  const named = query.search === undefined ? null : await namedByCode(work, event, query.search);
  const search = query.search === undefined || named !== null ? null : await readSearch(tx, people, query.search);
  const found = every([
    named !== null && filters([peopleNamed(org, named, 'a')]),
    search !== null && query.order !== undefined && (await inAnotherOrder(tx, people, search, 'a')),
    chosen,
  ]);
  if (query.order === 'name' || (search !== null && query.order === undefined)) {
    const list = byKey(name, query);
    const rows = await tx.all<PersonFound>(
      query.order === undefined
        ? merged(parts(people, search!, list.after, list.read), list.read)
        : byName({ ...people, chosen: found }, list.after, list.read),
    );
    return list.page(rows, await shapes(rows));
  }
  const list = byChange(name, query, 'a');
  const rows = await tx.all<{ id: Id; registration_id: Id; updated_at: string }>(sql`
    select a.id, a.registration_id, a.updated_at from attendees a
    where ${people.within('a')} and ${people.seen('a')} and ${found} and ${list.where} ${list.order}`);
  return list.page(rows, await shapes(rows));
}

export async function getAttendee(
  work: Work,
  event: EventRow,
  found: { id: Id; registration_id: Id },
): Promise<Attendee> {
  const { showing, byId } = await whole(work, event, [found.registration_id]);
  const registration = byId.get(found.registration_id)!;
  return shownAttendee(showing, registration, registration.people.find((person) => person.id === found.id)!);
}

export interface TicketQuery extends Paging {
  status?: string;
  code?: string;
}

export async function listTickets(
  work: Work,
  event: EventRow,
  query: TicketQuery,
  filter: { attendee?: Id; registration?: Id },
): Promise<Page<Ticket>> {
  const { tx, org } = work;
  const list = byChange(
    ['tickets', event.id, query.status, query.code, filter.attendee, filter.registration],
    query,
    't',
  );
  const rows = await tx.all<{ id: Id; registration_id: Id; updated_at: string }>(sql`
    select t.id, t.registration_id, t.updated_at from tickets t
    where t.org_id = ${org} and t.event_id = ${event.id} and ${every([
      ownMode(work, 't'),
      work.caller.group !== null && ticketInReach(limitOf(work.caller), 't', known(event)),
      filters([
        query.status !== undefined && sql`t.status = ${query.status}`,
        query.code !== undefined && sql`t.code = ${ticketCode(query.code)}`,
        filter.registration !== undefined && sql`t.registration_id = ${filter.registration}`,
        filter.attendee !== undefined &&
          sql`t.id in (select p.ticket_id from ticket_people p where p.org_id = ${org} and p.attendee_id = ${filter.attendee})`,
      ]),
      list.where,
    ])} ${list.order}`);
  const { showing, byId } = await whole(
    work,
    event,
    rows.map((row) => row.registration_id),
  );
  return list.page(rows, (row) => {
    const registration = byId.get(row.registration_id)!;
    return shownTicket(showing, registration, registration.tickets.find((ticket) => ticket.id === row.id)!);
  });
}

export async function getTicket(work: Work, event: EventRow, found: { id: Id; registration_id: Id }): Promise<Ticket> {
  const { showing, byId } = await whole(work, event, [found.registration_id]);
  const registration = byId.get(found.registration_id)!;
  return shownTicket(showing, registration, registration.tickets.find((ticket) => ticket.id === found.id)!);
}

/**
 * A ticket whose people are all in reach, with its registration as it is: for what goes to those people, by mail or on paper.
 * `contact` is the registrant as the caller may know it.
 */
export async function wholeTicketOf(
  work: Work,
  event: EventRow,
  found: { id: Id; registration_id: Id },
): Promise<{
  ticket: WholeTicket;
  registration: WholeRegistration;
  contact: Registration['contact'];
  group: Id | null;
}> {
  const { showing, byId } = await whole(work, event, [found.registration_id]);
  const registration = byId.get(found.registration_id)!;
  requireReach(showing, registration, 'ticket', found.id);
  return {
    ticket: ticketShape(showing, registration, registration.tickets.find((ticket) => ticket.id === found.id)!),
    registration: registrationShape(showing, registration),
    contact: shownRegistration(showing, registration).contact,
    group: commonGroup(event, registration, 'ticket', found.id),
  };
}

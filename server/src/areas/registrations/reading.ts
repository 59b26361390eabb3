import { ticketCode } from '@turnout/checkin';
import { type Attendee, type Balance, PAGE_DEFAULT, type Registration, type Ticket } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { byChange, byKey, type Paging } from '../../road/page.ts';
import type { Id } from '../../store/ids.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { emailKey, normalise } from '../contacts/index.ts';
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
import { TICKET_CODE } from './codes.ts';
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
  email?: string;
  code?: string;
  balance?: Balance;
}

export async function listRegistrations(
  work: Work,
  event: EventRow,
  query: RegistrationQuery,
): Promise<Page<Registration>> {
  const { tx, org } = work;
  const limit = limitOf(work.caller);
  const limited = limit.group !== null;
  const list = byChange(['registrations', event.id, query.status, query.email, query.code, query.balance], query, 'r');
  const rows = await tx.all<{ id: Id; updated_at: string }>(sql`
    select r.id, r.updated_at from registrations r
    where r.org_id = ${org} and r.event_id = ${event.id} and ${every([
      ownMode(work, 'r'),
      limited && registrationInReach(limit, 'r', known(event)),
      filters([
        query.status !== undefined && sql`r.status = ${query.status}`,
        query.email !== undefined && sql`r.email_key = ${emailKey(query.email)}`,
        // Else an address could be guessed.
        query.email !== undefined && limited && registrantInReach(limit, 'r', known(event)),
        query.code !== undefined && sql`r.code = ${ticketCode(query.code)}`,
        query.balance !== undefined && (query.balance === 'due' ? sql`r.balance_minor > 0` : sql`r.balance_minor < 0`),
        // Else it could be learned of people out of reach.
        query.balance !== undefined && limited && registrationWhole(limit, 'r', known(event)),
      ]),
      list.where,
    ])} ${list.order}`);
  const { showing, byId } = await whole(
    work,
    event,
    rows.map((row) => row.id),
  );
  return list.page(rows, (row) => shownRegistration(showing, byId.get(row.id)!));
}

interface PersonKey {
  id: Id;
  registration_id: Id;
  updated_at: string;
  key: string;
}

export interface AttendeeQuery extends Paging {
  status?: string;
  search?: string;
  checked_in?: boolean;
}

export async function listAttendees(
  work: Work,
  event: EventRow,
  query: AttendeeQuery,
  filter: { type?: Id; day?: Id; group?: Id },
): Promise<Page<Attendee>> {
  const { tx, org } = work;
  const name = [
    'attendees',
    event.id,
    query.status,
    query.search,
    query.checked_in,
    filter.type,
    filter.day,
    filter.group,
  ];
  const chosen = filters([
    query.status !== undefined && sql`a.status = ${query.status}`,
    query.checked_in !== undefined &&
      (query.checked_in ? sql`a.checked_in_at is not null` : sql`a.checked_in_at is null`),
    filter.type !== undefined && sql`a.attendee_type_id = ${filter.type}`,
    filter.day !== undefined && sql`${filter.day} = any(a.day_ids)`,
    filter.group !== undefined && inSubtree({ org, group: filter.group }, sql`coalesce(a.group_id, ${known(event)})`),
  ]);
  const seen = every([
    ownMode(work, 'a'),
    work.caller.group !== null && personInReach(limitOf(work.caller), 'a', known(event)),
  ]);
  const base = sql`a.org_id = ${org} and a.event_id = ${event.id} and ${seen} and ${chosen}`;
  const shapes = async (rows: PersonKey[]) => {
    const { showing, byId } = await whole(
      work,
      event,
      rows.map((row) => row.registration_id),
    );
    return (row: PersonKey) => {
      const registration = byId.get(row.registration_id)!;
      return shownAttendee(showing, registration, registration.people.find((person) => person.id === row.id)!);
    };
  };
  if (query.search !== undefined && normalise(query.search) !== '') {
    const limit = query.limit ?? PAGE_DEFAULT;
    const list = byKey(name, query);
    const rows = await search(work, event, query.search, base, list.after, limit + 1);
    return list.page(rows, await shapes(rows));
  }
  const list = byChange(name, query, 'a');
  const rows = await tx.all<PersonKey>(sql`
    select a.id, a.registration_id, a.updated_at, '' as key from attendees a where ${base} and ${list.where} ${list.order}`);
  return list.page(rows, await shapes(rows));
}

/**
 * By the beginning of the name (either way round) or of the e-mail address, or by a registration's or ticket's code. Range
 * conditions on normalised keys: `like` would be kept off its index by row-level security.
 */
async function search(
  work: Work,
  event: EventRow,
  text: string,
  base: Sql,
  after: string[] | null,
  limit: number,
): Promise<PersonKey[]> {
  const { tx, org } = work;
  const key = normalise(text);
  const beyond = `${key}\u{10ffff}`;
  const range = (column: Sql): Sql => sql`
    (select a.id, a.registration_id, a.updated_at, ${column} as key from attendees a
      where ${base} and ${column} >= ${key} and ${column} < ${beyond}
        and ${after === null ? sql`true` : sql`(${column}, a.id) > (${after[0]}, ${after[1]}::uuid)`}
      order by ${column}, a.id limit ${limit})`;
  if (key.includes('@')) return tx.all<PersonKey>(range(sql`a.email_key`));
  const code = ticketCode(text);
  if (TICKET_CODE.test(code)) {
    return tx.all<PersonKey>(sql`
      select a.id, a.registration_id, a.updated_at, '' as key from attendees a
      where ${base} and a.id in (
        select p.attendee_id from tickets t join ticket_people p on p.org_id = t.org_id and p.ticket_id = t.id
        where t.org_id = ${org} and t.event_id = ${event.id} and t.code = ${code})
      order by a.id limit ${limit}`);
  }
  const rows = await tx.all<PersonKey>(sql`
    select distinct on (key, id) * from (
      ${range(sql`a.name_key`)} union all ${range(sql`a.given_key`)} union all ${range(sql`a.email_key`)} union all
      (select a.id, a.registration_id, a.updated_at, '' as key from attendees a
        where ${base} and ${after === null ? sql`true` : sql`false`} and a.registration_id in (
          select r.id from registrations r where r.org_id = ${org} and r.event_id = ${event.id} and r.code = ${code})
        order by a.id limit ${limit})) found
    order by key, id limit ${limit}`);
  // Somebody may match twice ("Anna Anderson"): shown once, at the first place.
  const seen = new Set<Id>();
  return rows.filter((row) => !seen.has(row.id) && seen.add(row.id));
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

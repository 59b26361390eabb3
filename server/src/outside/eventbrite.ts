import type { PlatformEvent, PlatformTicketClass } from '@turnout/contract';
import {
  BadContinuation,
  EventbriteCalls,
  type EventbriteOptions,
  ExpansionFailed,
  type Json,
  notUnderstood,
  objectOf,
  rowsOf,
  text,
  textOrNull,
} from './eventbrite-calls.ts';
import { minorDigits } from './money.ts';
import type { OrdersPage, Platform, PlatformReader, SourceAttendee, SourceOrder, SourcePerson } from './platforms.ts';

/** How often the lists of orders and attendees are read at most, until a pass finds nothing new. */
const PASSES = 4;

/** The part of Eventbrite's API v3 that an import reads. Only GET requests are sent. */
export const eventbrite = (options: EventbriteOptions = {}): Platform => ({
  open: (token, opening = {}) => reader(new EventbriteCalls(options, token, opening)),
});

function reader(calls: EventbriteCalls): PlatformReader {
  const event = (id: string): string => `/events/${encodeURIComponent(id)}/`;
  return {
    account: async () => {
      const { id, name, emails } = await calls.get('/users/me/');
      if (text(id) === '') throw notUnderstood('an account without id');
      return { id: text(id), name: text(name), email: textOrNull(rowsOf(emails)[0]?.email) };
    },

    events: async () => {
      const found: PlatformEvent[] = [];
      for (const { id } of await everything(walk(calls, '/users/me/organizations/', 'organizations'))) {
        const path = `/organizations/${encodeURIComponent(text(id))}/events/`;
        found.push(...(await everything(walk(calls, path, 'events'))).map(eventOf));
      }
      return found;
    },

    event: async (id) => eventOf(await calls.get(event(id))),

    ticketClasses: async (id) =>
      (await everything(walk(calls, `${event(id)}ticket_classes/`, 'ticket_classes'))).map(classOf),

    orders: async function* (id): AsyncGenerator<OrdersPage> {
      const path = `${event(id)}orders/`;
      const query = { status: 'all_not_deleted' };
      let byOrder: Map<string, SourceAttendee[]> | null = null;
      const ask: Ask = async (more) => {
        if (byOrder === null) {
          try {
            return await calls.get(path, { ...query, expand: 'attendees', ...more });
          } catch (error) {
            if (!(error instanceof ExpansionFailed)) throw error;
            byOrder = await attendeesByOrder(calls, `${event(id)}attendees/`);
          }
        }
        return calls.get(path, { ...query, ...more });
      };
      for await (const page of walkBy(ask, 'orders', PASSES)) {
        yield { orders: page.rows.map((row) => orderOf(row, byOrder)), total: page.total };
      }
    },
  };
}

async function attendeesByOrder(calls: EventbriteCalls, path: string): Promise<Map<string, SourceAttendee[]>> {
  const found = new Map<string, SourceAttendee[]>();
  for (const row of await everything(walk(calls, path, 'attendees', PASSES))) {
    const order = text(row.order_id);
    found.set(order, [...(found.get(order) ?? []), attendeeOf(row)]);
  }
  return found;
}

// ---- lists

type Ask = (more: Record<string, string>) => Promise<Json>;
interface Rows {
  rows: Json[];
  total: number;
}

const walk = (calls: EventbriteCalls, path: string, name: string, passes = 1): AsyncGenerator<Rows> =>
  walkBy((more) => calls.get(path, more), name, passes);

async function everything(pages: AsyncIterable<Rows>): Promise<Json[]> {
  const rows: Json[] = [];
  for await (const page of pages) rows.push(...page.rows);
  return rows;
}

/**
 * Every row of a list once. Eventbrite's pages are page numbers, so a row that is added or removed meanwhile moves others from
 * one page to another. A row that is met twice is given once. A row that was missed cannot be noticed by counting, because an
 * added row makes up for a removed one. So a list of several pages is read again until a pass finds nothing new.
 */
async function* walkBy(ask: Ask, name: string, passes: number): AsyncGenerator<Rows> {
  const given = new Set<string>();
  for (let pass = 1; pass <= passes; pass += 1) {
    let continuation: string | null = null;
    let pages = 0;
    let added = 0;
    let complete = true;
    do {
      const page = await ask(continuation === null ? {} : { continuation }).catch(unlessTooFar);
      if (page === null) {
        if (pass === passes) throw notUnderstood(`the list of ${name} breaks off`);
        complete = false;
        break;
      }
      pages += 1;
      const { object_count, has_more_items, continuation: next } = objectOf(page.pagination);
      if (!Array.isArray(page[name])) throw notUnderstood(`no ${name}`);
      const rows = rowsOf(page[name]).filter(({ id }) => !given.has(text(id)));
      for (const { id } of rows) given.add(text(id));
      if (given.has('')) throw notUnderstood(`${name} without id`);
      added += rows.length;
      yield { rows, total: Number(object_count ?? given.size) };
      continuation = has_more_items === true ? text(next) : null;
    } while (continuation !== null);
    if (complete && (pages === 1 || added === 0)) return;
  }
}

/** Null if the next page no longer exists because the list has become shorter. */
function unlessTooFar(error: unknown): null {
  if (error instanceof BadContinuation) return null;
  throw error;
}

// ---- what the rows mean

const eventOf = ({ id, name, start, currency, status }: Json): PlatformEvent => ({
  id: text(id),
  name: text(objectOf(name).text),
  starts_at: textOrNull(objectOf(start).utc),
  currency: textOrNull(currency),
  status: text(status),
});

const classOf = ({ id, name, quantity_sold }: Json): PlatformTicketClass => ({
  id: text(id),
  name: text(name),
  sold: Number(quantity_sold ?? 0),
});

/** Attendees of orders in these states are not imported. */
const NOT_PLACED = ['cancelled', 'canceled', 'refunded', 'deleted', 'abandoned', 'started', 'pending', 'processing'];

function orderOf(row: Json, byOrder: Map<string, SourceAttendee[]> | null): SourceOrder {
  const id = text(row.id);
  const people = byOrder === null ? rowsOf(row.attendees).map(attendeeOf) : (byOrder.get(id) ?? []);
  const over = NOT_PLACED.includes(text(row.status).toLowerCase());
  const attendees = unique(people).map((person) => (over ? { ...person, gone: true } : person));
  return { id, buyer: personOf(row), attendees };
}

const unique = (people: SourceAttendee[]): SourceAttendee[] => [
  ...new Map(people.map((person) => [person.id, person])).values(),
];

function attendeeOf(row: Json): SourceAttendee {
  const profile = objectOf(row.profile);
  const id = text(row.id);
  if (id === '') throw notUnderstood('attendees without id');
  return {
    id,
    ticket_class: text(row.ticket_class_id),
    ...personOf(profile),
    phone: textOrNull(profile.cell_phone),
    date_of_birth: textOrNull(profile.birth_date),
    answers: rowsOf(row.answers).flatMap(({ question, answer }) =>
      text(question) === '' || text(answer) === '' ? [] : [{ question: text(question), answer: text(answer) }],
    ),
    paid: paidOf(objectOf(objectOf(row.costs).gross)),
    gone: row.cancelled === true || row.refunded === true,
  };
}

/** `name` is used if there is neither a first nor a last name; its last word becomes the last name. */
function personOf({ first_name, last_name, name, email }: Json): SourcePerson {
  const parts = { first_name: text(first_name), last_name: text(last_name) };
  if (parts.first_name === '' && parts.last_name === '') {
    const words = text(name).split(/\s+/);
    parts.last_name = words.length > 1 ? words.pop()! : '';
    parts.first_name = words.join(' ');
  }
  return { ...parts, email: textOrNull(email) };
}

/** Reads `major_value` ("12.50"), because it means the same in every currency. */
function paidOf({ currency, major_value }: Json): SourceAttendee['paid'] {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text(major_value)) ?? [];
  const code = text(currency).toUpperCase();
  if (whole === undefined || code === '') return null;
  const digits = minorDigits(code);
  return { currency: code, amount_minor: Number(whole + part.padEnd(digits, '0').slice(0, digits)) };
}

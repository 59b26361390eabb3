import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A double of the part of Eventbrite's API v3 that Turnout reads, written from its documentation, not from our client:
 * Bearer tokens, trailing slashes, pages of 50 behind continuation tokens, expansion of orders, the error envelope. Rows can
 * come and go while a list is read (`beforeEach`, `afterEach`), and it can be made to fail. It has no operation that changes
 * anything; attempts are counted in `changes`.
 */
export interface DoubleAttendee {
  id: string;
  order_id: string;
  event_id: string;
  ticket_class_id: string;
  ticket_class_name: string;
  profile: Record<string, string>;
  barcodes: { barcode: string; status: string }[];
  answers: { question_id: string; question: string; type: string; answer?: string }[];
  costs: { gross: Money };
  checked_in: boolean;
  cancelled: boolean;
  refunded: boolean;
  status: string;
  created: string;
  changed: string;
  quantity: number;
}
export interface DoubleOrder {
  id: string;
  event_id: string;
  status: string;
  name: string;
  first_name: string;
  last_name: string;
  email: string | null;
  costs: { gross: Money };
  created: string;
  changed: string;
  time_remaining: null;
}
interface Money {
  currency: string;
  value: number;
  major_value: string;
  display: string;
}
interface DoubleEvent {
  id: string;
  organization_id: string;
  name: { text: string; html: string };
  start: { timezone: string; local: string; utc: string };
  currency: string;
  status: string;
  ticket_classes: { id: string; name: string; free: boolean; quantity_total: number; quantity_sold: number }[];
}

/** What happens with the next request instead of an answer, or before it. */
export type Trouble =
  | { status: number; error?: string; retryAfter?: number | string; body?: string }
  | 'cut'
  | 'hangs'
  | 'no JSON'
  | 'half an answer';

export interface AttendeeWanted {
  ticket_class: string;
  first_name?: string;
  last_name?: string;
  name?: string;
  email?: string;
  cell_phone?: string;
  birth_date?: string;
  answers?: Record<string, string>;
  gross?: number;
  cancelled?: boolean;
  refunded?: boolean;
}

const PAGE_SIZE = 50;
const AT = '2026-10-01T09:00:00Z';

class Fault {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  constructor(status: number, error: string, description: string) {
    this.status = status;
    this.error = error;
    this.description = description;
  }
}

export class EventbriteDouble {
  readonly token = randomBytes(10).toString('hex').toUpperCase();
  readonly #revoked = new Set<string>();
  readonly organizations = [{ id: '7001', name: 'Lakeside Events' }];
  readonly events = new Map<string, DoubleEvent>();
  /** In the order in which they are listed. */
  orders: DoubleOrder[] = [];
  attendees: DoubleAttendee[] = [];
  /** All requests in order, whether they were answered or not. */
  readonly requests: { method: string; path: string; authorization: string | undefined }[] = [];
  /** Requests that would change something. */
  changes = 0;
  troubles: Trouble[] = [];
  expansionFails = false;
  /** Called before and after each answer, with its path. */
  beforeEach: (path: string) => void | Promise<void> = () => {};
  afterEach: (path: string) => void | Promise<void> = () => {};
  #serial = 100_000;
  readonly #server: Server;
  url = '';

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<EventbriteDouble> {
    const double = new EventbriteDouble();
    await new Promise<void>((resolve) => double.#server.listen(0, '127.0.0.1', resolve));
    double.url = `http://127.0.0.1:${(double.#server.address() as { port: number }).port}/v3`;
    return double;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  // ---- what is there

  addEvent(name: string, classes: string[], options: { currency?: string; organization?: string } = {}): DoubleEvent {
    const id = this.#id();
    const event: DoubleEvent = {
      id,
      organization_id: options.organization ?? '7001',
      name: { text: name, html: name },
      start: { timezone: 'Europe/Berlin', local: '2026-12-01T10:00:00', utc: '2026-12-01T09:00:00Z' },
      currency: options.currency ?? 'EUR',
      status: 'live',
      ticket_classes: classes.map((one) => ({
        id: this.#id(),
        name: one,
        free: false,
        quantity_total: 1000,
        quantity_sold: 0,
      })),
    };
    this.events.set(id, event);
    return event;
  }

  addOrder(
    event: DoubleEvent,
    people: AttendeeWanted[],
    buyer: { first_name?: string; last_name?: string; email?: string | null; status?: string } = {},
  ): DoubleOrder {
    const id = this.#id();
    const { first_name = 'Bea', last_name = `Buyer${id}`, email = `buyer${id}@example.org` } = buyer;
    const order: DoubleOrder = {
      id,
      event_id: event.id,
      status: buyer.status ?? 'placed',
      name: `${first_name} ${last_name}`.trim(),
      first_name,
      last_name,
      email,
      costs: { gross: money(event.currency, 0) },
      created: AT,
      changed: AT,
      time_remaining: null,
    };
    this.orders.push(order);
    for (const person of people) this.addAttendee(order, person);
    return order;
  }

  addAttendee(order: DoubleOrder, wanted: AttendeeWanted): DoubleAttendee {
    const event = this.events.get(order.event_id)!;
    const of = event.ticket_classes.find((one) => one.name === wanted.ticket_class)!;
    of.quantity_sold += 1;
    const { ticket_class: _c, answers = {}, gross = 0, cancelled = false, refunded = false, ...profile } = wanted;
    const attendee: DoubleAttendee = {
      id: this.#id(),
      order_id: order.id,
      event_id: event.id,
      ticket_class_id: of.id,
      ticket_class_name: of.name,
      profile,
      barcodes: [{ barcode: randomBytes(8).toString('hex'), status: 'unused' }],
      answers: Object.entries(answers).map(([question, answer], i) => ({
        question_id: String(i + 1),
        question,
        type: 'text',
        answer,
      })),
      costs: { gross: money(event.currency, gross) },
      checked_in: false,
      cancelled,
      refunded,
      status: cancelled || refunded ? 'Not Attending' : 'Attending',
      created: AT,
      changed: AT,
      quantity: 1,
    };
    this.attendees.push(attendee);
    return attendee;
  }

  removeOrder(id: string): void {
    this.orders = this.orders.filter((order) => order.id !== id);
    this.attendees = this.attendees.filter((attendee) => attendee.order_id !== id);
  }

  revoke(): void {
    this.#revoked.add(this.token);
  }
  restore(): void {
    this.#revoked.clear();
  }

  #id(): string {
    this.#serial += 1;
    return String(this.#serial);
  }

  // ---- how it answers

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const _chunk of request) {
      // the body is ignored, because nothing can be changed here
    }
    const { method = '', url: path = '' } = request;
    this.requests.push({ method, path, authorization: request.headers.authorization });
    if (method !== 'GET' && method !== 'HEAD') this.changes += 1;
    await this.beforeEach(path);
    const trouble = this.troubles.shift();
    if (trouble === 'hangs') return;
    if (trouble === 'cut') return void request.socket.destroy();
    if (trouble === 'no JSON') return void response.writeHead(200).end('<html>We will be right back</html>');
    try {
      if (typeof trouble === 'object') {
        const { status, error = 'INTERNAL_ERROR', retryAfter, body } = trouble;
        if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
        if (body !== undefined) return void response.writeHead(status).end(body);
        throw new Fault(status, error, 'As the test asked for.');
      }
      const answer = this.#answer(method, new URL(path, this.url), request.headers.authorization);
      const text = JSON.stringify(answer);
      if (trouble === 'half an answer') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
        response.write(text.slice(0, text.length / 2));
        await sleep(20);
        return void request.socket.destroy();
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      const { status, error, description } = fault;
      if (status === 301) return void response.writeHead(301, { location: description }).end();
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status_code: status, error_description: description, error }));
    } finally {
      await this.afterEach(path);
    }
  }

  #answer(method: string, { pathname, searchParams }: URL, authorization: string | undefined): object {
    if (!pathname.endsWith('/')) throw new Fault(301, '', `${pathname}/`);
    if (authorization === undefined) throw new Fault(401, 'NO_AUTH', 'Authentication not provided.');
    if (authorization !== `Bearer ${this.token}` || this.#revoked.has(this.token)) {
      throw new Fault(401, 'INVALID_AUTH', 'The OAuth token you provided was invalid.');
    }
    if (method !== 'GET') throw new Fault(405, 'METHOD_NOT_ALLOWED', `Method ${method} is not allowed.`);
    const parts = pathname
      .replace(/^\/v3\//, '')
      .split('/')
      .filter(Boolean);
    const [of, id = '', list] = parts;
    if (of === 'users' && id === 'me') {
      if (list === undefined) {
        const emails = [{ email: 'owner@example.org', verified: true, primary: true }];
        return { id: '9001', name: 'Olga Owner', first_name: 'Olga', last_name: 'Owner', emails };
      }
      if (list === 'organizations') return page('organizations', this.organizations, searchParams);
    }
    if (of === 'organizations' && list === 'events') {
      if (!this.organizations.some((one) => one.id === id)) throw notAuthorized();
      return page(
        'events',
        [...this.events.values()].filter((one) => one.organization_id === id),
        searchParams,
      );
    }
    if (of === 'events') return this.#event(id, list, searchParams);
    throw new Fault(404, 'NOT_FOUND', 'The path you requested does not exist.');
  }

  #event(id: string, list: string | undefined, query: URLSearchParams): object {
    const event = this.events.get(id);
    if (event === undefined) throw new Fault(404, 'NOT_FOUND', 'The event you requested does not exist.');
    if (!this.organizations.some((one) => one.id === event.organization_id)) throw notAuthorized();
    if (list === undefined) return event;
    if (list === 'ticket_classes') return page('ticket_classes', event.ticket_classes, query);
    if (list === 'attendees') {
      const status = query.get('status');
      if (status !== null && !['attending', 'not_attending', 'unpaid'].includes(status)) throw badArgument('status');
      const attendees = this.attendees.filter((one) => one.event_id === id && this.#listed(one.order_id));
      return page('attendees', attendees, query);
    }
    if (list === 'orders') return this.#orders(id, query);
    throw new Fault(404, 'NOT_FOUND', 'The path you requested does not exist.');
  }

  #listed(order: string): boolean {
    return this.orders.some((one) => one.id === order);
  }

  #orders(event: string, query: URLSearchParams): object {
    const status = query.get('status') ?? 'active';
    if (!['active', 'inactive', 'both', 'all_not_deleted'].includes(status)) throw badArgument('status');
    const active = (order: DoubleOrder) => order.status === 'placed';
    const wanted = this.orders.filter(
      (order) =>
        order.event_id === event &&
        (status === 'active' ? active(order) : status === 'inactive' ? !active(order) : order.status !== 'deleted'),
    );
    const expands = query.get('expand') === 'attendees';
    if (expands && this.expansionFails) throw new Fault(500, 'EXPANSION_FAILED', 'We could not expand attendees.');
    const answer = page('orders', wanted, query);
    if (!expands) return answer;
    const attendees = (order: DoubleOrder) => this.attendees.filter((one) => one.order_id === order.id);
    return { ...answer, orders: answer.orders!.map((order) => ({ ...order, attendees: attendees(order) })) };
  }
}

const notAuthorized = (): Fault =>
  new Fault(403, 'NOT_AUTHORIZED', 'You do not have permission to access the resource you requested.');
const badArgument = (name: string): Fault =>
  new Fault(400, 'ARGUMENTS_ERROR', `There are errors with your arguments: ${name} - INVALID`);

function money(currency: string, value: number): Money {
  const digits = currency === 'JPY' ? 0 : 2;
  const major_value = (value / 10 ** digits).toFixed(digits);
  return { currency, value, major_value, display: `${currency} ${major_value}` };
}

function page<T>(name: string, rows: readonly T[], query: URLSearchParams) {
  const page_count = Math.max(1, Math.ceil(rows.length / PAGE_SIZE));
  const token = query.get('continuation');
  const page_number = token === null ? 1 : pageOf(token);
  if (page_number > page_count) throw badToken();
  const has_more_items = page_number < page_count;
  return {
    pagination: {
      object_count: rows.length,
      page_number,
      page_size: PAGE_SIZE,
      page_count,
      has_more_items,
      ...(has_more_items && { continuation: tokenOf(page_number + 1) }),
    },
    [name]: rows.slice((page_number - 1) * PAGE_SIZE, page_number * PAGE_SIZE),
  } as { pagination: object } & { [name: string]: T[] | undefined };
}

const tokenOf = (number: number): string => Buffer.from(`{"page": ${number}}`).toString('base64').replaceAll('=', '');
function pageOf(token: string): number {
  const [, number] = /^\{"page": (\d+)\}$/.exec(Buffer.from(token, 'base64').toString()) ?? [];
  if (number === undefined || Number(number) < 1) throw badToken();
  return Number(number);
}
const badToken = (): Fault => new Fault(400, 'BAD_CONTINUATION_TOKEN', 'The continuation token is invalid.');

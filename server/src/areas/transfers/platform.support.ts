import { expect } from 'vitest';
import type { EventbriteDouble } from '../../../../test/support/eventbrite-double.ts';
import { call, type Reply, type TestTurnout } from '../../../../test/support/turnout.ts';
import { eventbrite } from '../../outside/eventbrite.ts';

/** The real client, but without waiting. */
export const impatient = (double: EventbriteDouble) =>
  eventbrite({ apiUrl: double.url, spacingMs: 0, wait: async () => {} });

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Any = any;

/** An organization with a member and a key. */
export class Organizer {
  readonly t: TestTurnout;
  readonly session: string;
  readonly key: string;

  private constructor(t: TestTurnout, session: string, key: string) {
    this.t = t;
    this.session = session;
    this.key = key;
  }

  static async of(t: TestTurnout, org: string, role = 'manager'): Promise<Organizer> {
    return new Organizer(t, await t.session(org, role), (await t.key(org)).secret);
  }

  /** A call in the admin app. */
  app(method: string, path: string, body?: unknown): Promise<Reply> {
    const headers = { cookie: `turnout_session=${this.session}` };
    return call(this.t.url, method, `/app/api${path}`, { headers, ...(body !== undefined && { body }) });
  }

  async get(path: string): Promise<Any> {
    const reply = await this.t.call('GET', `/v1${path}`, { key: this.key });
    expect(reply.status).toBe(200);
    return reply.body;
  }

  /** All pages of a list. */
  async all(path: string): Promise<Any[]> {
    const found: Any[] = [];
    for (let cursor = ''; ; ) {
      const { data, page } = await this.get(`${path}?limit=200${cursor}`);
      found.push(...data);
      if (!page.has_more) return found;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }

  async make(path: string, body: object): Promise<Any> {
    const reply = await this.t.call('POST', `/v1${path}`, { key: this.key, body });
    expect(reply.body).not.toHaveProperty('error');
    return reply.body;
  }

  /** A draft with one day and the types `adult` and `child`: nobody can register yet, but attendees can be imported. */
  async event(code: string, options: object = {}): Promise<string> {
    await this.make('/events', { code, name: `Fair ${code}`, currency: 'EUR', ...options });
    await this.make(`/events/${code}/days`, { code: 'sat', date: '2055-05-01' });
    await this.make(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 9900 });
    await this.make(`/events/${code}/attendee-types`, { code: 'child', name: 'Child', visible: false });
    return code;
  }

  async connect(double: EventbriteDouble): Promise<string> {
    const reply = await this.app('POST', '/platform-connections', { platform: 'eventbrite', token: double.token });
    expect(reply.status).toBe(201);
    return reply.body.id;
  }

  /** Starts an import that must be accepted; answers its job's id. */
  async start(event: string, body: object): Promise<string> {
    const reply = await this.app('POST', `/events/${event}/platform-imports`, body);
    expect([reply.status, reply.body.error?.message]).toEqual([202, undefined]);
    return reply.body.id;
  }

  /** Starts an import, runs it and answers the finished job. */
  async run(event: string, body: object): Promise<Any> {
    const id = await this.start(event, body);
    await this.t.step.jobs();
    return this.get(`/jobs/${id}`);
  }

  async rejects(job: { rejects_url: string }): Promise<string[]> {
    const { pathname } = new URL(job.rejects_url);
    const { status, text } = await this.t.call('GET', pathname);
    expect(status).toBe(200);
    return text.trimEnd().split('\r\n').slice(1);
  }
}

/** A mapping that imports everybody: each ticket class becomes the attendee type of the same name. */
export const mapAll = (event: { id: string; ticket_classes: { id: string; name: string }[] }, connection: string) => ({
  connection,
  source_event: event.id,
  mapping: event.ticket_classes.map(({ id, name }) => ({ ticket_class: id, attendee_type: name.toLowerCase() })),
});

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { HeldClock, noonClock } from '../../../../test/support/clock.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { MovedClock } from '../../clock.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import type { StartOptions } from '../../start/app.ts';

export { HeldClock };

export interface Registered {
  id: string;
  /** Id and code of the first ticket. */
  ticket: string;
  code: string;
  people: string[];
}

/** One event with two days, an entry, an exit and a tree of groups (hill below north, and south), and calls to work with it. */
export interface Fair {
  t: TestTurnout;
  key: string;
  testKey: string;
  post(path: string, body?: unknown, as?: string): Promise<Reply>;
  /** On the scanner host. */
  get(path: string, as?: string, headers?: Record<string, string>): Promise<Reply>;
  /** What a member sends from the admin app. */
  app(session: string, method: string, path: string, body?: unknown): Promise<Reply>;
  register(wanted?: {
    group?: string | (string | null)[];
    people?: number;
    days?: string[];
    as?: string;
  }): Promise<Registered>;
  scan(code: string, more?: object, as?: string, headers?: Record<string, string>): Promise<Reply>;
}

let serial = 0;

export async function openFair(clock: MovedClock = noonClock(), options: StartOptions = {}): Promise<Fair> {
  const t = await startTest({ ...options, clock });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const key = (await t.key('acme')).secret;
  const testKey = (await t.key('acme', { mode: 'test' })).secret;
  const fair: Fair = {
    t,
    key,
    testKey,
    post: (path, body, as = key) => t.call('POST', `/v1${path}`, { key: as, body }),
    get: (path, as = key, headers = {}) => t.call('GET', `/api/v1${path}`, { key: as, headers }),
    app: (session, method, path, body) =>
      t.call(method, `/app/api${path}`, { body, headers: { cookie: `${SESSION_COOKIE}=${session}` } }),
    register: async ({ group, people = 1, days = ['d1'], as = key } = {}) => {
      const groups = Array.isArray(group) ? group : Array.from({ length: people }, () => group);
      const attendees = groups.map((of) => ({
        attendee_type: 'adult',
        first_name: 'Pat',
        last_name: `No${++serial}`,
        days,
        ...(of != null && { group: of }),
      }));
      const { status, body } = await fair.post('/events/fair/registrations', { attendees, send_emails: false }, as);
      expect(status).toBe(201);
      const { id, code } = body.attendees[0].tickets[0];
      return { id: body.id, ticket: id, code, people: body.attendees.map((one: { id: string }) => one.id) };
    },
    scan: (code, more = {}, as = key, headers = {}) =>
      t.call('POST', '/api/v1/events/fair/scan', {
        key: as,
        headers,
        body: { code, check_in_point: 'gate', client_uuid: randomUUID(), ...more },
      }),
  };
  const make = async (path: string, body?: unknown) => expect((await fair.post(path, body)).status).toBeLessThan(300);
  await make('/groups', { code: 'north', name: 'North' });
  await make('/groups', { code: 'hill', name: 'Hill', parent: 'north' });
  await make('/groups', { code: 'south', name: 'South' });
  await make('/events', { code: 'fair', name: 'Fair', timezone: 'UTC', ticketing: 'shared' });
  const today = t.clock.now().toISOString().slice(0, 10);
  await make('/events/fair/days', { code: 'd1', date: today });
  await make('/events/fair/days', { code: 'd2', date: '2031-01-01' });
  await make('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/fair/check-in-points', { code: 'exit', name: 'Exit', kind: 'exit' });
  await make('/events/fair/publish');
  return fair;
}

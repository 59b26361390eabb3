import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crons, operations } from '../server/src/areas/index.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/*
 * Lists by last change with `include=removed`: what was deleted, and what left the group of a limited key, comes once more. The tests
 * walk every list that takes `updated_since`, so a list added later fails here until it tells what was removed.
 */

let t: TestTurnout;
let key: string;
/** Keys limited to a group. */
const limited: Record<string, string> = {};

const call = (method: string, path: string, body?: object, as = key) =>
  t.call(method, `/v1${path}`, { key: as, ...(body && { body }) });
async function make(path: string, body: object): Promise<string> {
  const reply = await call('POST', path, body);
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return reply.body.id;
}
/** What a list tells of an object when asked by a key: `removed`, `there`, or nothing. */
async function told(path: string, id: string, as = key): Promise<string | undefined> {
  const { body } = await call(
    'GET',
    `${path}?limit=200&include=removed&updated_since=2000-01-01T00:00:00Z`,
    undefined,
    as,
  );
  const rows = body.data.filter((row: { id: string }) => row.id === id);
  return rows.length === 0
    ? undefined
    : rows.map((row: { removed?: true }) => (row.removed ? 'removed' : 'there')).join();
}

beforeAll(async () => {
  t = await startTest();
  await t.org('acme', 'scale');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { scopes: ['read', 'write', 'admin'], rpm: 1_000_000 })).secret;
  for (const [code, parent] of [['north'], ['coast', 'north'], ['south']] as const) {
    await make('/groups', { code, name: code, ...(parent && { parent }) });
    limited[code] = (await t.key('acme', { scopes: ['read'], group: code, rpm: 1_000_000 })).secret;
  }
  await make('/events', { code: 'fair', name: 'Fair' });
  await make('/events/fair/days', { code: 'sat', name: 'Saturday', date: '2055-05-01' });
  await make('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await call('POST', '/events/fair/publish');
});
afterAll(() => t.stop());

const registerIn = async (groups: (string | undefined)[]) => {
  const reply = await call('POST', '/events/fair/registrations', {
    send_emails: false,
    attendees: groups.map((group, i) => ({
      attendee_type: 'adult',
      first_name: `P${i}`,
      last_name: 'Person',
      days: ['sat'],
      ...(group && { group }),
    })),
  });
  expect(reply.status).toBe(201);
  return reply.body;
};

/** How an object of each list is made and removed; each way answers with its id. */
const REMOVED: Record<string, { path: string; remove: () => Promise<string>; unseen?: string }> = {
  listGroups: {
    path: '/groups',
    remove: async () => {
      const id = await make('/groups', { name: 'Short-lived', parent: 'north' });
      expect((await call('DELETE', `/groups/${id}`)).status).toBe(204);
      return id;
    },
    unseen: 'south',
  },
  listEvents: {
    path: '/events',
    remove: async () => {
      const id = await make('/events', { name: 'Short-lived', group: 'north' });
      expect((await call('DELETE', `/events/${id}`)).status).toBe(204);
      return id;
    },
    unseen: 'south',
  },
  listContacts: {
    path: '/contacts',
    remove: async () => {
      await make('/events', { code: 'tried', name: 'Tried', test: true });
      await make('/events/tried/days', { code: 'sat', name: 'Saturday', date: '2055-05-01' });
      await make('/events/tried/attendee-types', { code: 'adult', name: 'Adult' });
      await call('POST', '/events/tried/publish');
      const { body } = await call('POST', '/events/tried/registrations', {
        attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Test', days: ['sat'], group: 'north' }],
      });
      const id = body.attendees[0].contact_id;
      expect(id).toBeTypeOf('string');
      await call('POST', '/events/tried/archive');
      expect((await call('DELETE', '/events/tried')).status).toBe(204);
      return id;
    },
  },
  listWebhooks: {
    path: '/webhooks',
    remove: async () => {
      const id = await make('/webhooks', { url: 'https://hooks.example.org/hook', events: ['*'], group: 'north' });
      expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(204);
      return id;
    },
    unseen: 'south',
  },
  listDiscounts: {
    path: '/events/fair/discounts',
    remove: async () => {
      const body = { code: 'SHORT-LIVED', name: 'Short-lived', kind: 'percent', value: 10, group: 'north' };
      const id = await make('/events/fair/discounts', body);
      expect((await call('DELETE', `/events/fair/discounts/${id}`)).status).toBe(204);
      return id;
    },
    unseen: 'south',
  },
  ...Object.fromEntries(
    [
      ['listDays', 'days', { name: 'Sunday', date: '2055-05-02' }],
      ['listAttendeeTypes', 'attendee-types', { name: 'Child' }],
      ['listProducts', 'products', { name: 'Dinner' }],
      ['listQuotas', 'quotas', { name: 'Seats', capacity: 10, attendee_types: ['adult'] }],
      ['listQuestions', 'questions', { label: 'Diet?', kind: 'text' }],
      ['listCheckInPoints', 'check-in-points', { name: 'Gate', kind: 'entry' }],
    ].map(([operation, part, body]) => [
      operation,
      {
        path: `/events/fair/${part}`,
        remove: async () => {
          const id = await make(`/events/fair/${part}`, body as object);
          expect((await call('DELETE', `/events/fair/${part}/${id}`)).status).toBe(204);
          return id;
        },
      },
    ]),
  ),
};
/** These are never deleted as long as their event is there, but leave a group. */
const MOVED = ['listAttendees', 'listRegistrations', 'listTickets', 'listEventPayments', 'listHandOuts'];

test('every list by last change is tried here', () => {
  const lists = operations
    .filter((one) => JSON.stringify(one.query ?? {}).includes('"updated_since"'))
    .map((one) => one.id);
  expect(lists.toSorted()).toEqual([...Object.keys(REMOVED), ...MOVED].toSorted());
});

describe('what was deleted', () => {
  test.each(Object.keys(REMOVED))('comes once more as removed: %s', async (operation) => {
    const { path, remove, unseen } = REMOVED[operation]!;
    const before = (await call('GET', `${path}?limit=200`)).body.data.map(
      (row: { updated_at: string }) => row.updated_at,
    );
    const id = await remove();
    const mode = operation === 'listContacts' ? (await t.key('acme', { mode: 'test' })).secret : key;
    expect(await told(path, id, mode)).toBe('removed');
    expect(JSON.stringify((await call('GET', `${path}?limit=200`, undefined, mode)).body)).not.toContain(id);
    const { body } = await call('GET', `${path}?limit=200&include=removed&order=newest`, undefined, mode);
    expect(body.data[0]).toEqual({ id, removed: true, updated_at: expect.stringMatching(/\.\d{6}Z$/) });
    expect(before.every((at: string) => at < body.data[0].updated_at)).toBe(true);
    if (operation !== 'listContacts') expect(await told(path, id, limited.north)).toBe('removed');
    if (unseen !== undefined) expect(await told(path, id, limited[unseen])).toBeUndefined();
  });

  test('a live key sees endpoints of test keys, so it is told of their removal', async () => {
    const mode = (await t.key('acme', { mode: 'test', scopes: ['read', 'write'] })).secret;
    const hook = { url: 'https://hooks.example.org/test', events: ['*'] };
    const { id } = (await call('POST', '/webhooks', hook, mode)).body;
    expect(await told('/webhooks', id)).toBe('there');
    expect((await call('DELETE', `/webhooks/${id}`, undefined, mode)).status).toBe(204);
    expect(await told('/webhooks', id)).toBe('removed');
  });

  test('a test contact that went with its event is not told to a live key', async () => {
    const id = await REMOVED.listContacts!.remove();
    expect(await told('/contacts', id)).toBeUndefined();
  });
});

describe('what left a group', () => {
  test('a person who goes to another group leaves, with ticket, registration and payments', async () => {
    const { id, attendees } = await registerIn(['coast']);
    const paid = await make(`/events/fair/registrations/${id}/payments`, { amount_minor: 100, method: 'cash' });
    const lists: [string, string][] = [
      ['/events/fair/attendees', attendees[0].id],
      ['/events/fair/registrations', id],
      ['/events/fair/tickets', attendees[0].tickets[0].id],
      ['/events/fair/payments', paid],
    ];
    for (const [path, one] of lists) expect(await told(path, one, limited.north)).toBe('there');
    expect((await call('PATCH', `/events/fair/attendees/${attendees[0].id}`, { group: 'south' })).status).toBe(200);
    for (const [path, one] of lists) {
      expect([path, await told(path, one, limited.coast)]).toEqual([path, 'removed']);
      expect([path, await told(path, one, limited.north)]).toEqual([path, 'removed']);
      expect([path, await told(path, one, limited.south)]).toEqual([path, 'there']);
      expect([path, await told(path, one)]).toEqual([path, 'there']);
    }
    // Back in the group, the person comes as a change.
    expect((await call('PATCH', `/events/fair/attendees/${attendees[0].id}`, { group: 'north' })).status).toBe(200);
    for (const [path, one] of lists) {
      expect([path, await told(path, one, limited.coast)]).toEqual([path, 'removed']);
      expect([path, await told(path, one, limited.north)]).toEqual([path, 'there']);
      expect([path, await told(path, one, limited.south)]).toEqual([path, 'removed']);
    }
  });

  test('a registration stays for a group that somebody else of it belongs to; its payments go', async () => {
    const { id, attendees } = await registerIn(['coast', 'coast']);
    const paid = await make(`/events/fair/registrations/${id}/payments`, { amount_minor: 100, method: 'cash' });
    expect((await call('PATCH', `/events/fair/attendees/${attendees[0].id}`, { group: 'south' })).status).toBe(200);
    expect(await told('/events/fair/registrations', id, limited.coast)).toBe('there');
    expect(await told('/events/fair/attendees', attendees[1].id, limited.coast)).toBe('there');
    expect(await told('/events/fair/attendees', attendees[0].id, limited.coast)).toBe('removed');
    expect(await told('/events/fair/payments', paid, limited.coast)).toBe('removed');
  });

  test('an event that goes to another group leaves those who no longer see it', async () => {
    const id = await make('/events', { name: 'Moving', group: 'coast' });
    expect((await call('PATCH', `/events/${id}`, { group: 'north' })).status).toBe(200);
    expect(await told('/events', id, limited.coast)).toBe('there');
    expect((await call('PATCH', `/events/${id}`, { group: 'south' })).status).toBe(200);
    for (const group of ['north', 'coast'])
      expect([group, await told('/events', id, limited[group])]).toEqual([group, 'removed']);
    expect(await told('/events', id, limited.south)).toBe('there');
    expect(await told('/events', id)).toBe('there');
  });

  test('a group that is moved leaves those above it, with its events and endpoints', async () => {
    const group = await make('/groups', { code: 'pier', name: 'Pier', parent: 'north' });
    const event = await make('/events', { name: 'At the pier', group: 'pier' });
    const above = await make('/events', { name: 'In the north', group: 'north' });
    const hook = await make('/webhooks', { url: 'https://hooks.example.org/pier', events: ['*'], group: 'pier' });
    const pier = (await t.key('acme', { scopes: ['read'], group: 'pier' })).secret;
    expect((await call('POST', `/groups/${group}/move`, { parent: 'south' })).status).toBe(200);
    for (const [path, id] of [
      ['/groups', group],
      ['/events', event],
      ['/webhooks', hook],
    ] as const) {
      expect([path, await told(path, id, limited.north)]).toEqual([path, 'removed']);
      expect([path, await told(path, id, limited.south)]).toEqual([path, 'there']);
      expect([path, await told(path, id)]).toEqual([path, 'there']);
    }
    expect(await told('/events', above, pier)).toBe('removed');
    expect(await told('/events', above, limited.north)).toBe('there');
    // A copy that is made anew after the group is back must not lose what is there: events and endpoints have no new stamp.
    expect((await call('POST', `/groups/${group}/move`, { parent: 'north' })).status).toBe(200);
    for (const [path, id] of [
      ['/groups', group],
      ['/events', event],
      ['/webhooks', hook],
    ] as const) {
      expect([path, await told(path, id, limited.north)]).toEqual([path, 'there']);
      expect([path, await told(path, id, limited.south)]).toEqual([path, 'removed']);
    }
    expect(await told('/events', above, pier)).toBe('there');
  });

  test('a webhook endpoint that goes to another group leaves those who no longer see it', async () => {
    const id = await make('/webhooks', { url: 'https://hooks.example.org/moving', events: ['*'], group: 'coast' });
    expect((await call('PATCH', `/webhooks/${id}`, { group: 'north' })).status).toBe(200);
    expect(await told('/webhooks', id, limited.coast)).toBe('removed');
    expect(await told('/webhooks', id, limited.north)).toBe('there');
    expect((await call('PATCH', `/webhooks/${id}`, { group: 'south' })).status).toBe(200);
    expect(await told('/webhooks', id, limited.coast)).toBe('removed');
    expect(await told('/webhooks', id, limited.north)).toBe('removed');
    expect(await told('/webhooks', id, limited.south)).toBe('there');
    expect((await call('PATCH', `/webhooks/${id}`, { group: null })).status).toBe(200);
    expect(await told('/webhooks', id, limited.south)).toBe('removed');
    expect(await told('/webhooks', id)).toBe('there');
  });
});

test('pages lead through rows and removals in the order of changes, each once', async () => {
  await make('/events', { code: 'paged', name: 'Paged' });
  const all: string[] = [];
  for (let day = 1; day <= 9; day += 1) {
    const id = await make('/events/paged/days', { name: `Day ${day}`, date: `2055-06-0${day}` });
    all.push(id);
    if (day % 2 === 0) await call('DELETE', `/events/paged/days/${id}`);
  }
  for (const order of ['', '&order=newest']) {
    const seen: { id: string; updated_at: string }[] = [];
    let cursor = '';
    do {
      const { body } = await call('GET', `/events/paged/days?limit=2&include=removed${order}${cursor}`);
      expect(body.data.length).toBeLessThanOrEqual(2);
      seen.push(...body.data);
      cursor = body.page.has_more ? `&cursor=${body.page.next_cursor}` : '';
    } while (cursor !== '');
    const times = seen.map((row) => row.updated_at);
    expect(times).toEqual(order === '' ? times.toSorted() : times.toSorted().reverse());
    expect(seen.map((row) => row.id).toSorted()).toEqual(all.toSorted());
  }
  const first = (await call('GET', '/events/paged/days?limit=2&include=removed')).body.page.next_cursor;
  expect((await call('GET', `/events/paged/days?limit=2&cursor=${first}`)).status).toBe(400);
});

test.each([
  '/contacts?include=removed&search=ada',
  '/contacts?include=removed&search=ada&order=newest',
  '/events?include=removed&search=fair',
  '/events/fair/attendees?include=removed&search=ada&order=newest',
  '/events/fair/registrations?include=removed&search=ada&order=newest',
  '/events/fair/registrations?include=removed&search=ada&status=declined',
  '/contacts?include=removed&order=name',
  '/events?include=removed&order=date',
  '/events?include=all',
])('400: %s', async (path) => {
  const reply = await call('GET', path);
  expect([reply.status, reply.body.error.details[0].path]).toEqual([400, 'include']);
});

/** As the nightly job does. */
const forget = () =>
  crons
    .find((one) => one.name === 'forget-removed')!
    .run({ pool: t.pool, clock: t.clock, log: pino({ level: 'silent' }), outside: t.outside });

test('removals are forgotten after a year', async () => {
  const id = await REMOVED.listDays!.remove();
  const { path } = REMOVED.listDays!;
  await forget();
  expect(await told(path, id)).toBe('removed');
  t.clock.advance(366 * 24 * 3600_000);
  await forget();
  expect(await told(path, id)).toBeUndefined();
});

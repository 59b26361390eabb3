import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import scanner from '../../../../web/scan/package.json' with { type: 'json' };
import { isOlder, MIN_SCANNER_VERSION, PRODUCTS_SCANNER_VERSION } from '../../road/gate/scanners.ts';
import { type Fair, openFair } from './fair.support.ts';

// Two events: in `fair` a zone asks for products, in `plain` nothing does, although people have booked some.
let fair: Fair;
let device: string;
beforeAll(async () => {
  fair = await openFair();
  await make('/events', { code: 'plain', name: 'Plain', timezone: 'UTC', ticketing: 'shared' });
  const date = fair.t.clock.now().toISOString().slice(0, 10);
  await make('/events/plain/days', { code: 'd1', date });
  await make('/events/plain/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/plain/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/plain/publish');
  for (const event of ['fair', 'plain']) {
    await make(`/events/${event}/products`, { code: 'class', name: 'Bread class' });
    await make(`/events/${event}/products`, { code: 'meal', name: 'Meal', max: 3 });
    await make(`/events/${event}/products`, { code: 'bus', name: 'Bus', per: 'registration' });
  }
  await make('/events/fair/check-in-points', {
    ...{ code: 'kitchen', name: 'Kitchen', kind: 'zone', policy: { products: ['class', 'bus'] } },
  });
  device = await pairedWith('fair');
}, 120_000);
afterAll(() => fair.t.stop());

const make = async (path: string, body?: unknown) => {
  const reply = await fair.post(path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};
async function pairedWith(event: string): Promise<string> {
  const session = await fair.t.session('acme', 'owner');
  const { body } = await fair.app(session, 'POST', `/events/${event}/devices/pairing-codes`, {});
  return (await fair.t.call('POST', '/api/v1/devices/pair', { body: { code: body.code, name: 'Gate 1' } })).body.token;
}

interface Booked {
  id: string;
  code: string;
  ticket: string;
  people: string[];
}
const chosen = (codes: readonly string[]) => codes.map((product) => ({ product }));
/** People of one registration with what each has booked, and what the registration has booked as a whole. */
async function register(people: readonly string[][], whole: readonly string[] = [], event = 'fair'): Promise<Booked> {
  const attendees = people.map((products, i) => ({
    ...{ attendee_type: 'adult', first_name: `P${i}`, last_name: 'Booked', days: ['d1'], products: chosen(products) },
  }));
  const made = await make(`/events/${event}/registrations`, {
    ...{ attendees, products: chosen(whole), send_emails: false },
  });
  const [{ id: ticket, code }] = made.attendees[0].tickets;
  return { id: made.id, ticket, code, people: made.attendees.map(({ id }: { id: string }) => id) };
}
const inKitchen = async (code: string) => {
  const { body } = await fair.scan(code, { check_in_point: 'kitchen' });
  return [body.result, body.reason, ...body.people.map((one: { result: string }) => one.result)];
};
const manifest = async (event = 'fair') => (await fair.get(`/events/${event}/scan/manifest`)).body;
const rosterOf = async (event = 'fair') => {
  const { pathname } = new URL((await manifest(event)).roster.url);
  return (await fair.t.call('GET', pathname)).body as { as_of: string; data: Entry[] };
};
interface Entry {
  ticket_id: string;
  people: { id: string; products?: string[] }[];
}
const since = async (as_of: string): Promise<{ as_of: string; data: Entry[] }> =>
  (await fair.get(`/events/fair/scan/roster?since=${encodeURIComponent(as_of)}`)).body;
const bookedIn = ({ data }: { data: Entry[] }, { ticket }: Booked) =>
  data.find(({ ticket_id }) => ticket_id === ticket)?.people.map(({ products }) => products?.toSorted());
const patch = async (path: string, body: unknown) => {
  const reply = await fair.t.call('PATCH', `/v1/events/fair${path}`, { key: fair.key, body });
  expect(reply.status, reply.text).toBe(200);
};

describe('a point that asks for products', () => {
  test('admits who has booked one of them, alone or with the whole registration, and nobody else', async () => {
    const mixed = await register([['class'], ['meal'], []]);
    expect(await inKitchen(mixed.code)).toEqual(['zone_entered', null, 'zone_entered', 'rejected', 'rejected']);
    const nothing = await register([['meal']]);
    expect(await inKitchen(nothing.code)).toEqual(['rejected', 'product_missing', 'rejected']);
    const bus = await register([['meal'], []], ['bus']);
    expect(await inKitchen(bus.code)).toEqual(['zone_entered', null, 'zone_entered', 'zone_entered']);
  });

  test('says so in words', async () => {
    const { code } = await register([[]]);
    const { message } = (await fair.scan(code, { check_in_point: 'kitchen' })).body;
    expect(message).toEqual({
      ...{ title: 'Product not booked', text: 'This point asks for a product that was not booked.', tone: 'danger' },
    });
  });

  test('goes by what is booked at that moment', async () => {
    const { code, id, people } = await register([[]]);
    expect(await inKitchen(code)).toEqual(['rejected', 'product_missing', 'rejected']);
    await patch(`/attendees/${people[0]}`, { products: chosen(['class']) });
    expect(await inKitchen(code)).toEqual(['zone_entered', null, 'zone_entered']);
    await patch(`/attendees/${people[0]}`, { products: [] });
    expect(await inKitchen(code)).toEqual(['rejected', 'product_missing', 'rejected']);
    await patch(`/registrations/${id}`, { products: chosen(['bus']) });
    expect(await inKitchen(code)).toEqual(['zone_entered', null, 'zone_entered']);
  });

  test('decides so in a batch, beside scans at other points', async () => {
    const [one, other] = [await register([['class']]), await register([[]])];
    const scans = [one, other].flatMap(({ code }) =>
      ['kitchen', 'gate'].map((check_in_point) => ({ code, check_in_point, client_uuid: randomUUID() })),
    );
    const { body } = await fair.t.call('POST', '/api/v1/events/fair/scan/batch', { key: fair.key, body: { scans } });
    expect(body.results.map((reply: { result: string }) => reply.result)).toEqual([
      ...['zone_entered', 'accepted', 'rejected', 'accepted'],
    ]);
  });

  test('can be overridden by a member', async () => {
    const { code } = await register([[]]);
    const { checkins } = (await fair.scan(code, { check_in_point: 'kitchen' })).body;
    const session = await fair.t.session('acme', 'manager');
    const made = await fair.app(session, 'POST', `/checkins/${checkins[0].id}/override`, { reason: 'Paid now' });
    expect([made.status, made.body.result, made.body.admitted]).toEqual([200, 'zone_entered', true]);
  });
});

describe('the manifest', () => {
  test('names the products that a point asks for, and the first version that knows them', async () => {
    const { products, min_sw_version, check_in_points } = await manifest();
    expect(products).toEqual([
      { code: 'class', name: 'Bread class' },
      { code: 'bus', name: 'Bus' },
    ]);
    const policies = check_in_points.map((point: { code: string; policy: { products: unknown } }) => [
      ...[point.code, point.policy.products],
    ]);
    expect(Object.fromEntries(policies)).toEqual({ gate: null, exit: null, kitchen: ['bus', 'class'] });
    expect(min_sw_version).toBe(PRODUCTS_SCANNER_VERSION);
    const plain = await manifest('plain');
    expect([plain.products, plain.min_sw_version]).toEqual([[], MIN_SCANNER_VERSION]);
  });

  test('has another tag when a point begins or ceases to ask, so that scanners load the whole roster', async () => {
    const tag = async () => (await fair.get('/events/plain/scan/manifest')).headers.get('etag');
    const before = await tag();
    await register([['class']], [], 'plain');
    expect(await tag()).toBe(before);
    const { id } = await make('/events/plain/check-in-points', {
      ...{ code: 'door', name: 'Door', kind: 'entry', policy: { products: ['class'] } },
    });
    const asking = await tag();
    await fair.t.call('DELETE', `/v1/events/plain/check-in-points/${id}`, { key: fair.key });
    expect(new Set([before, asking, await tag()]).size).toBe(3);
  });
});

describe('the roster', () => {
  test('has of each person what a point asks for, in an event with such a point only', async () => {
    const mixed = await register([['class', 'meal'], ['meal']], ['bus']);
    const nothing = await register([['meal']]);
    const roster = await rosterOf();
    expect(bookedIn(roster, mixed)).toEqual([['bus', 'class'], ['bus']]);
    expect(bookedIn(roster, nothing)).toEqual([[]]);

    const plain = await register([['class', 'meal']], ['bus'], 'plain');
    expect(bookedIn(await rosterOf('plain'), plain)).toEqual([undefined]);
  });

  test('tells since when something was booked, for a person and for the whole registration', async () => {
    const { as_of } = await since('2200-01-01T00:00:00Z');
    const one = await register([[], []]);
    await patch(`/attendees/${one.people[1]}`, { products: chosen(['class']) });
    const first = await since(as_of);
    expect(bookedIn(first, one)).toEqual([[], ['class']]);
    const next = `${first.as_of.slice(0, -7)}${String(Number(first.as_of.slice(-7, -1)) + 1).padStart(6, '0')}Z`;
    expect((await since(next)).data).toEqual([]);
    await patch(`/registrations/${one.id}`, { products: chosen(['bus']) });
    expect(bookedIn(await since(next), one)).toEqual([['bus'], ['bus', 'class']]);
  });

  test('a member who is limited to a group gets it for the people of that group', async () => {
    const north = (await fair.t.key('acme', { group: 'north' })).secret;
    const { attendees } = await make('/events/fair/registrations', {
      attendees: ['north', 'south'].map((group) => ({
        ...{
          attendee_type: 'adult',
          first_name: 'Kim',
          last_name: group,
          group,
          days: ['d1'],
          products: chosen(['class']),
        },
      })),
      ...{ products: chosen(['bus']), send_emails: false },
    });
    const { pathname } = new URL((await fair.get('/events/fair/scan/manifest', north)).body.roster.url);
    const { data } = (await fair.t.call('GET', pathname)).body as { data: Entry[] };
    const entry = data.find(({ ticket_id }) => ticket_id === attendees[0].tickets[0].id);
    expect(entry?.people.map(({ id, products }) => [id, products?.toSorted()])).toEqual([
      [attendees[0].id, ['bus', 'class']],
    ]);
  });
});

describe('426 for a scanner that does not know products', () => {
  const OLD = { 'x-scanner-version': '1.0.9' };
  const NEW = { 'x-scanner-version': PRODUCTS_SCANNER_VERSION };

  test('our own scanner knows them', () => {
    expect(isOlder(scanner.version, PRODUCTS_SCANNER_VERSION)).toBe(false);
  });

  test('at every call of a paired device, and of a key where it names the event', async () => {
    const calls = (as: string, event: string) =>
      Promise.all(
        [OLD, NEW].flatMap((headers) => [
          fair.get(`/events/${event}/scan/manifest`, as, headers),
          fair.get(`/events/${event}/scan/roster?since=2200-01-01T00:00:00Z`, as, headers),
          fair.get(`/events/${event}/checkins`, as, headers),
        ]),
      );
    const statuses = async (as: string, event: string) => (await calls(as, event)).map(({ status }) => status);
    expect(await statuses(device, 'fair')).toEqual([426, 426, 426, 200, 200, 200]);
    expect(await statuses(fair.key, 'FAIR')).toEqual([426, 426, 426, 200, 200, 200]);
    expect(await statuses(fair.key, 'plain')).toEqual([200, 200, 200, 200, 200, 200]);
    const beat = (headers: Record<string, string>) =>
      fair.t.call('PUT', '/api/v1/devices/self/heartbeat', { key: device, body: {}, headers });
    expect([(await beat(OLD)).status, (await beat(NEW)).status]).toEqual([426, 200]);
    const { error } = (await beat(OLD)).body;
    expect(error.message).toContain(`${PRODUCTS_SCANNER_VERSION} is the oldest that may scan in this event`);
  });

  test('for an event that the caller does not see the answer is the same as for none', async () => {
    const { body } = await fair.t.call('POST', '/v1/events', {
      ...{ key: fair.key, body: { code: 'southern', name: 'Southern', group: 'south' } },
    });
    await make('/events/southern/products', { code: 'class', name: 'Class' });
    await make('/events/southern/check-in-points', {
      ...{ code: 'door', name: 'Door', kind: 'entry', policy: { products: ['class'] } },
    });
    const north = (await fair.t.key('acme', { group: 'north' })).secret;
    const replies = ['southern', body.id, 'nowhere'].map((event) =>
      fair.get(`/events/${event}/scan/manifest`, north, OLD),
    );
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await fair.get('/events/southern/scan/manifest', fair.key, OLD)).status).toBe(426);
  });

  test('a scan keeps its key: after the update it is recorded, and nothing of it was before', async () => {
    const { code, people } = await register([['class']]);
    const body = { code, check_in_point: 'kitchen', client_uuid: randomUUID() };
    const send = (headers: Record<string, string>) =>
      fair.t.call('POST', '/api/v1/events/fair/scan', { key: device, body, idempotencyKey: body.client_uuid, headers });
    expect((await send(OLD)).status).toBe(426);
    expect((await fair.get(`/events/fair/checkins?attendee=${people[0]}`)).body.data).toEqual([]);
    const after = await send(NEW);
    expect([after.status, after.body.result]).toEqual([200, 'zone_entered']);
  });
});

test('what is booked is read only at a point that asks for products, and for the roster of its event', async () => {
  const here = await register([['class']], ['bus']);
  const there = await register([['class']], ['bus'], 'plain');
  const scan = ({ code }: Booked, event: string, check_in_point: string) =>
    fair.t.call('POST', `/api/v1/events/${event}/scan`, {
      ...{ key: fair.key, body: { code, check_in_point, client_uuid: randomUUID() } },
    });
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    'another event': () => scan(there, 'plain', 'gate'),
    'another point': () => scan(here, 'fair', 'gate'),
    'the point': () => scan(here, 'fair', 'kitchen'),
    'another roster': () => rosterOf('plain'),
    'the roster': () => rosterOf('fair'),
  };
  // Both events are known to the process from here on.
  for (const call of Object.values(calls)) await call();
  const real = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  let read = 0;
  const watching = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args) {
    const [query] = args as unknown as [string | { text: string }];
    if ((typeof query === 'string' ? query : query.text).includes('.products || ')) read += 1;
    return real.apply(this, args) as never;
  });
  const reads: Record<string, number> = {};
  for (const [name, call] of Object.entries(calls)) {
    read = 0;
    await call();
    reads[name] = read;
  }
  watching.mockRestore();
  expect(reads).toEqual({
    ...{ 'another event': 0, 'another point': 0, 'the point': 1, 'another roster': 0, 'the roster': 1 },
  });
});

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { operations } from '../../areas/index.ts';
import { patternMessage, type Schema } from './explain.ts';

let t: TestTurnout;
let key: string;
let northKey: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  await make('/groups', { code: 'north', name: 'North' });
  await make('/groups', { code: 'south', name: 'South' });
  northKey = (await t.key('acme', { group: 'north' })).secret;
  await make('/events', { code: 'fair', name: 'Fair' });
  await make('/events/fair/days', { code: 'fri', date: '2055-05-01' });
  await make('/events/fair/days', { code: 'sat', date: '2055-05-02' });
  await make('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/fair/attendee-types', { code: 'pass', name: 'Pass', pass_days: 2 });
  await make('/events/fair/publish', undefined);
});
afterAll(() => t.stop());

async function make(path: string, body: unknown) {
  const reply = await t.call('POST', `/v1${path}`, { key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
}

/** The faults of a reply, by their path. */
async function faults(method: string, path: string, body?: unknown, as = key): Promise<Record<string, string>> {
  const reply = await t.call(method, `/v1${path}`, { key: as, body });
  expect([reply.status, reply.body.error.code], reply.text).toEqual([400, 'validation_failed']);
  const { details } = reply.body.error as { details: { path: string; message: string }[] };
  expect(details.length, 'every place once').toBe(new Set(details.map((fault) => fault.path)).size);
  return Object.fromEntries(details.map((fault) => [fault.path, fault.message]));
}

const person = { first_name: 'Ada', last_name: 'Lovelace' };

describe('faults of the schema, of references and of rules are named together', () => {
  // claim: attendee-email, attendee-input
  test('a registration', async () => {
    const attendees = [
      { ...person, attendee_type: 'none', days: ['fri'], email: 'x' },
      { ...person, attendee_type: 'adult', days: ['fri', 'never'], group: 'nowhere' },
      { ...person, attendee_type: 'adult', answers: { size: 'L' } },
      { ...person, attendee_type: 'pass', days: ['fri'], last_name: 5 },
      { attendee_type: 'adult', days: ['fri', 7] },
    ];
    expect(await faults('POST', '/events/fair/registrations', { attendees, group: 'gone', colour: 'red' })).toEqual({
      colour: 'is not a field of this operation',
      'attendees/0/email': 'must be an e-mail address',
      'attendees/0/attendee_type': 'no such attendee type: none',
      'attendees/1/days/1': 'no such day: never',
      'attendees/1/group': 'no such group: nowhere',
      'attendees/2/days': 'is required; choose from: fri, sat',
      'attendees/2/answers/size': 'is not a question that this attendee type is asked',
      'attendees/3/last_name': 'must be a string',
      'attendees/3/days': 'must name at least 2 days, because the attendee type pass is a pass for 2 days',
      'attendees/4/first_name': 'is required',
      'attendees/4/last_name': 'is required',
      'attendees/4/days/1': 'must be a string',
      group: 'no such group: gone',
    });
  });

  // claim: add-attendee
  test('an attendee who is added', async () => {
    await make('/events/fair/registrations', { attendees: [{ ...person, attendee_type: 'adult', days: ['fri'] }] });
    const list = await t.call('GET', '/v1/events/fair/registrations', { key });
    const { id } = list.body.data[0];
    const body = { ...person, first_name: '', attendee_type: 'adult', days: ['fri', 'x'], group: 'y' };
    expect(await faults('POST', `/events/fair/registrations/${id}/attendees`, body)).toEqual({
      first_name: 'must not be empty',
      'days/1': 'no such day: x',
      group: 'no such group: y',
    });
    const attendee = list.body.data[0].attendees[0].id;
    const change = { phone: 5, attendee_type: 'none', days: ['x'], group: 'y' };
    expect(Object.keys(await faults('PATCH', `/events/fair/attendees/${attendee}`, change)).sort()).toEqual([
      'attendee_type',
      'days/0',
      'group',
      'phone',
    ]);
    expect(
      await faults('PATCH', `/events/fair/attendees/${attendee}`, {
        email: 'x',
        attendee_type: 'pass',
        days: ['fri'],
        answers: { size: 'L' },
      }),
    ).toEqual({
      email: 'must be an e-mail address',
      days: 'must name at least 2 days, because the attendee type pass is a pass for 2 days',
      'answers/size': 'is not a question that this attendee type is asked',
    });
  });

  test('an event, new and changed', async () => {
    const registration = { opens_at: '2055-02-01T00:00:00Z', closes_at: '2055-01-01T00:00:00Z' };
    const times = { starts_at: '2055-05-02T00:00:00Z', ends_at: '2055-05-01T00:00:00Z' };
    const wrong = {
      capacity: 'must be a whole number',
      group: 'no such group: gone',
      ends_at: 'must not be before starts_at',
      'registration/closes_at': 'must not be before opens_at',
    };
    const body = { capacity: 'x', group: 'gone', registration, ...times };
    expect(await faults('POST', '/events', body)).toEqual({ ...wrong, name: 'is required' });
    expect(await faults('PATCH', '/events/fair', body)).toEqual(wrong);
    // One of the two times is not valid, so nothing is said about their order.
    expect(await faults('POST', '/events', { name: 'x', ...times, starts_at: 'soon' })).toEqual({
      starts_at: expect.stringContaining('ISO 8601'),
    });
  });

  test('the parts of an event', async () => {
    expect(
      await faults('POST', '/events/fair/days', {
        date: '2055-05-03',
        closes_at: '2055-05-02T00:00:00Z',
        capacity: -1,
      }),
    ).toEqual({ capacity: 'must be at least 1', closes_at: 'must be after opens_at' });
    expect(await faults('POST', '/events/fair/attendee-types', { days: ['fri', 'x'], pass_days: 3 })).toEqual({
      name: 'is required',
      'days/1': 'no such day: x',
      pass_days: 'must be at most 2, the number of its days',
    });
    expect(await faults('POST', '/events/fair/questions', { kind: 'choice', attendee_types: ['x'] })).toEqual({
      label: 'is required',
      options: 'must be given for a question of kind choice',
      'attendee_types/0': 'no such attendee type: x',
    });
  });

  test('references of every kind and rules, in a body that fits its schema', async () => {
    const policy = { attendee_types: ['a'], groups: ['b', 'north'], days: ['c'], capacity: 5 };
    expect(await faults('POST', '/events/fair/check-in-points', { name: 'Gate', kind: 'entry', policy })).toEqual({
      'policy/attendee_types/0': 'no such attendee type: a',
      'policy/groups/0': 'no such group: b',
      'policy/days/0': 'no such day: c',
      'policy/capacity': 'is only for zones',
    });
    await make('/events/fair/check-in-points', { code: 'door', name: 'Door', kind: 'entry' });
    const exit = { name: 'Out', kind: 'exit', policy: { days: ['c'], leaves: 'door' } };
    expect(await faults('POST', '/events/fair/check-in-points', exit)).toEqual({
      'policy/days/0': 'no such day: c',
      'policy/leaves': 'door is not a zone',
    });
    expect(
      await faults('POST', '/webhooks', { url: 'https://a.example.org', events: ['*'], event: 'x', group: 'y' }),
    ).toEqual({
      event: 'no such event: x',
      group: 'no such group: y',
    });
    const listed = await faults('GET', '/events/fair/attendees?limit=0&day=x&group=y&attendee_type=z');
    expect(Object.keys(listed).sort()).toEqual(['attendee_type', 'day', 'group', 'limit']);
  });

  test('webhooks, communications, exports', async () => {
    const endpoint = { url: 5, events: ['*', 'ticket.issued'], event: 'x', group: 'y' };
    expect(Object.keys(await faults('POST', '/webhooks', endpoint)).sort()).toEqual([
      'event',
      'events',
      'group',
      'url',
    ]);
    const audience = { attendee_types: ['x'], days: ['fri', 'y'], groups: ['z'], statuses: ['odd'] };
    const letter = { text: 'Dear {{nobody}}', audience, group: 'gone', send_at: '2001-01-01T00:00:00Z' };
    expect(Object.keys(await faults('POST', '/events/fair/communications', letter)).sort()).toEqual([
      'audience/attendee_types/0',
      'audience/days/1',
      'audience/groups/0',
      'audience/statuses/0',
      'group',
      'send_at',
      'subject',
      'text',
    ]);
    const wanted = { what: 'tickets', format: 'odt', columns: ['none'], filter: { day: 'x', status: 'confirmed' } };
    expect(Object.keys(await faults('POST', '/exports', { ...wanted, event: 'fair' })).sort()).toEqual([
      'columns/0',
      'filter/day',
      'filter/status',
      'format',
    ]);
    expect(Object.keys(await faults('POST', '/exports', { ...wanted, event: 'gone' })).sort()).toEqual([
      'columns/0',
      'event',
      'filter/status',
      'format',
    ]);
  });
});

describe('the search for more faults', () => {
  test('does not reveal whether an object out of reach exists', async () => {
    const body = (group: string) => ({ name: 5, group });
    const [theirs, none] = [
      await faults('POST', '/events', body('south'), northKey),
      await faults('POST', '/events', body('gone'), northKey),
    ];
    expect(theirs).toEqual({ name: 'must be a string', group: 'no such group: south' });
    expect(none).toEqual({ name: 'must be a string', group: 'no such group: gone' });
  });

  test('looks nothing up if the object in the path does not exist', async () => {
    expect(await faults('POST', '/events/gone/attendee-types', { days: ['x'], price_minor: 'y', name: 'Z' })).toEqual({
      price_minor: 'must be a whole number',
    });
  });

  test('claims no Idempotency-Key', async () => {
    const send = (name: unknown) =>
      t.call('POST', '/v1/events', { key, body: { name, group: 'north' }, idempotencyKey: 'all-at-once' });
    expect((await send(5)).status).toBe(400);
    expect((await send('Second try')).status).toBe(201);
  });

  test('needs only a few statements for any number of references, and names 100 faults', async () => {
    const days = Array.from({ length: 366 }, (_, i) => `d${i}`);
    const attendees = Array.from({ length: 190 }, () => ({
      attendee_type: 'adult',
      first_name: 'A',
      last_name: 'B',
      days,
    }));
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    const count = async (body: object) => {
      statements.mockClear();
      const reply = await t.call('POST', '/v1/events/fair/registrations', { key, body });
      expect([reply.status, reply.body.error.details.length]).toEqual([400, 100]);
      return statements.mock.calls.length;
    };
    const few = await count({ attendees, group: 5 });
    expect(few, 'they are counted').toBeGreaterThan(2);
    expect(few).toBeLessThan(30);
    const groups = attendees.map((one, i) => ({ ...one, days: ['fri'], group: `g${i}` }));
    expect(await count({ attendees: groups, send_emails: 'x' })).toBeLessThan(30);
    statements.mockRestore();
  });
});

test('faults of sizes and types have messages of our own', async () => {
  const words = await faults('POST', '/events/fair/registrations', { attendees: [] });
  expect(words).toEqual({ attendees: 'must have at least 1 entry' });
  const attendee = { ...person, attendee_type: 'adult', days: ['fri', 'fri'] };
  expect(await faults('POST', '/events/fair/registrations', { attendees: [attendee], send_emails: 'yes' })).toEqual({
    'attendees/0/days': 'must not contain the same entry twice',
    send_emails: 'must be true or false',
  });
  expect(await faults('POST', '/events', [])).toEqual({ '': 'must be an object' });
  expect(await faults('GET', '/events?limit=1000')).toEqual({ limit: 'must be at most 200' });
});

test('every pattern in a schema has a message of its own', () => {
  const patterns = (schema: Schema): string[] => [
    ...(schema.pattern === undefined ? [] : [schema.pattern]),
    ...(schema.anyOf ?? []).flatMap(patterns),
    ...(schema.items === undefined ? [] : patterns(schema.items)),
    ...Object.values(schema.properties ?? {}).flatMap(patterns),
  ];
  const all = new Set(
    operations.flatMap(({ body, query }) =>
      [body, query].flatMap((one) => (one === undefined ? [] : patterns(one as Schema))),
    ),
  );
  expect(all.size).toBeGreaterThan(2);
  expect([...all].filter((pattern) => patternMessage(pattern).includes(pattern))).toEqual([]);
});

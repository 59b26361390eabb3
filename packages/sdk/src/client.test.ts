import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import {
  ApiError,
  ApiKeyUnknownError,
  type Attendee,
  DayFullError,
  EntitlementRequiredError,
  NotFoundError,
  NotModifiedError,
  type Registration,
  Turnout,
  TurnoutError,
  ValidationFailedError,
  VERSION,
} from './index.ts';
import { person, startWorld, type World } from './world.support.ts';

let world: World;
let turnout: Turnout;
beforeAll(async () => {
  world = await startWorld();
  turnout = world.turnout;
});
afterAll(() => world.t.stop());

const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: unknown) => error,
  );

test('an event from its creation to a scan at its gate', async () => {
  await world.fair('whole');
  const registration = await turnout.registrations.create('whole', { attendees: [person(1)], send_emails: false });
  expectTypeOf(registration).toEqualTypeOf<Registration>();
  expect(registration).toMatchObject({ status: 'confirmed', attendees: [{ external_id: 'crm-1' }] });
  const [ticket] = registration.attendees[0]!.tickets;
  const scan = { code: ticket!.code!, check_in_point: 'gate' };
  const first = await turnout.scanning.scan('whole', { ...scan, client_uuid: crypto.randomUUID() });
  const second = await turnout.scanning.scan('whole', { ...scan, client_uuid: crypto.randomUUID() });
  expect([first.result, second.result]).toEqual(['accepted', 'duplicate']);
  const person1 = await turnout.attendees.get('whole', registration.attendees[0]!.id);
  expectTypeOf(person1).toEqualTypeOf<Attendee>();
  expect(person1.checked_in).toBe(true);
  const renamed = await turnout.attendees.update('whole', person1.id, { first_name: 'Ada' });
  expect(renamed.first_name).toBe('Ada');
  await turnout.registrations.cancel('whole', registration.id);
  expect((await turnout.tickets.get(ticket!.id)).status).toBe('voided');
});

// claim: list-page
test('a list is a page if it is awaited, and everything if it is iterated', async () => {
  await world.fair('paged');
  await Promise.all(
    Array.from({ length: 7 }, (_, i) =>
      turnout.registrations.create('paged', { attendees: [person(100 + i)], send_emails: false }),
    ),
  );
  const page = await turnout.attendees.list('paged', { limit: 3 });
  expect([page.data.length, page.page.has_more]).toEqual([3, true]);
  const next = await page.next();
  expect([next!.data.length, next!.page.has_more]).toEqual([3, true]);

  const wanted = Array.from({ length: 7 }, (_, i) => `crm-${100 + i}`);
  const walked: (string | null)[] = [];
  for await (const attendee of turnout.attendees.list('paged', { limit: 2 })) walked.push(attendee.external_id);
  expect(walked.sort()).toEqual(wanted);

  const sizes: number[] = [];
  for await (const { data } of turnout.attendees.list('paged', { limit: 3 }).pages()) sizes.push(data.length);
  expect(sizes).toEqual([3, 3, 1]);
  const all = await turnout.attendees.list('paged', { limit: 2 }).toArray();
  expect(new Set(all.map(({ id }) => id)).size).toBe(7);
  await expect(turnout.attendees.list('paged', { limit: 2 }).toArray(6)).rejects.toThrow(RangeError);
});

test('whoever leaves the loop causes no further call', async () => {
  await world.fair('left');
  for (const i of [1, 2, 3])
    await turnout.registrations.create('left', { attendees: [person(200 + i)], send_emails: false });
  const requests: string[] = [];
  const counting = world.client({
    fetch: (input, init) => {
      requests.push(String(input));
      return fetch(input, init);
    },
  });
  for await (const attendee of counting.attendees.list('left', { limit: 1 })) {
    if (attendee.external_id === 'crm-202') break;
  }
  expect(requests.length).toBe(2);
});

describe('a refusal is an error of its own class', () => {
  test('with code, status, request id and operation', async () => {
    const error = await failure(turnout.events.get('nowhere'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toBeInstanceOf(ApiError);
    const { code, status, requestId, operation, name } = error as NotFoundError;
    expect({ code, status, operation, name }).toEqual({
      code: 'not_found',
      status: 404,
      operation: 'events.get',
      name: 'NotFoundError',
    });
    expect(requestId).toMatch(/^[0-9A-Z]{26}$/);
    expectTypeOf<NotFoundError['code']>().toEqualTypeOf<'not_found'>();
  });

  test('with every fault of the request, also in its message', async () => {
    const error = await failure(turnout.events.create({ code: '!', name: '' }));
    expect(error).toBeInstanceOf(ValidationFailedError);
    expect((error as ApiError).details.map(({ path }) => path).sort()).toEqual(['code', 'name']);
    expect((error as ApiError).message).toContain('code: ');
  });

  test('with the fields of its code', async () => {
    await world.t.org('small', 'growth');
    const small = world.client({ key: (await world.t.key('small')).secret });
    const error = await failure(small.events.create({ code: 'x', name: 'X' }));
    expect(error).toBeInstanceOf(EntitlementRequiredError);
    expect((error as ApiError).error).toMatchObject({ key: 'api_write', upgrade_plan: 'scale' });
  });

  test('a full day', async () => {
    await world.fair('full', 1);
    const register = (number: number) =>
      turnout.registrations.create('full', { attendees: [person(number)], send_emails: false });
    await register(300);
    expect(await failure(register(301))).toBeInstanceOf(DayFullError);
  });

  test('a key that nobody knows', async () => {
    const stranger = world.client({ key: 'svc_live_nobody' });
    const error = await failure(stranger.me.get());
    expect(error).toBeInstanceOf(ApiKeyUnknownError);
    expect(inspect(error, { depth: 10 })).not.toContain('svc_live_nobody');
  });
});

describe('the client', () => {
  test('accepts the address with and without /v1', async () => {
    for (const end of ['', '/', '/v1', '/v1/']) {
      const me = await world.client({ baseUrl: world.t.url + end }).me.get();
      expect(me.organization.code).toBe('acme');
    }
  });

  test.each(['', 'tickets.example.org', 'ftp://example.org', 'https://example.org/?a=1', 'https://a:b@example.org'])(
    'refuses the address %j',
    (baseUrl) => expect(() => new Turnout({ key: 'svc_test_x', baseUrl })).toThrow(TypeError),
  );

  test.each(['', ' ', 'svc_test_x\n', 'svc test'])('refuses the key %j without showing it', (key) => {
    expect(() => world.client({ key })).toThrow(/^The key is empty or has characters/);
  });

  test('never shows its key', () => {
    const shown = [inspect(turnout, { depth: 10, showHidden: true }), JSON.stringify(turnout), String(turnout)].join();
    expect(shown).not.toContain(world.key);
  });

  test.each(['', '.', '..'])('refuses the id %j, which would be another address', (id) => {
    expect(() => turnout.events.get(id)).toThrow(TypeError);
  });

  test('an id is one part of the path, whatever is in it', async () => {
    expect(await failure(turnout.events.get('../me?x=1#y'))).toBeInstanceOf(NotFoundError);
  });

  test('has the version of the package', () => expect(VERSION).toBe(packageJson.version));

  test('names the app, if it is told to, and itself', async () => {
    const sent: Headers[] = [];
    const app = world.client({
      client: 'zapier',
      fetch: (input, init) => {
        sent.push(new Headers(init?.headers));
        return fetch(input, init);
      },
    });
    await app.me.get();
    expect(sent[0]!.get('x-service-client')).toBe('zapier');
    expect(sent[0]!.get('user-agent')).toBe(`turnout-sdk-js/${VERSION}`);
  });
});

describe('without a key', () => {
  test('the public documents can be read', async () => {
    await world.fair('public');
    const visitor = new Turnout({ baseUrl: world.t.url });
    const event = await visitor.publicEvents.get('acme', 'public');
    expect(event.code).toBe('public');
    const { events } = await visitor.publicEvents.list('acme');
    expect(events.map(({ code }) => code)).toContain('public');
  });

  test('everything else says what is missing', async () => {
    const error = await failure(new Turnout({ baseUrl: world.t.url }).events.list());
    expect(error).toBeInstanceOf(TurnoutError);
    expect((error as Error).message).toContain('events.list needs a key');
  });
});

test('headers of an answer, and 304 if nothing has changed', async () => {
  await world.fair('etag');
  const { data, headers, status, requestId } = await turnout.scanning.manifest('etag').withResponse();
  expect([data.event.code, status, requestId]).toEqual(['etag', 200, headers.get('x-request-id')]);
  const again = turnout.scanning.manifest('etag', {}, { headers: { 'If-None-Match': headers.get('etag')! } });
  expect(await failure(again)).toBeInstanceOf(NotModifiedError);
});

test('deleting answers nothing', async () => {
  await turnout.groups.create({ code: 'brief', name: 'Brief' });
  expect(await turnout.groups.delete('brief')).toBeUndefined();
});

test('files: an import by text and by bytes, its job, and a ticket as PDF', async () => {
  await world.fair('files');
  const csv = 'First name,Last name,Email\nGrace,Hopper,grace@example.org\n';
  const byJson = await turnout.imports.create('files', { csv });
  expect(byJson.counts).toMatchObject({ created: 1 });
  const bytes = new TextEncoder().encode(csv.replace('Grace', 'Ada').replace('grace@', 'ada@'));
  const byBytes = await turnout.imports.create('files', bytes, { query: { preview: true } });
  expect([byBytes.preview, byBytes.counts]).toEqual([true, expect.objectContaining({ created: 1 })]);
  const byText = await turnout.imports.create('files', csv);
  expect((await turnout.jobs.wait(byText)).status).toBe('succeeded');
  expect((await turnout.jobs.wait(byText.id)).counts).toMatchObject({ created: 0 });

  const [ticket] = (await turnout.tickets.list('files')).data;
  const pdf = await turnout.tickets.pdf(ticket!.id, { format: 'phone' });
  expect(new TextDecoder().decode(pdf.subarray(0, 5))).toBe('%PDF-');
});

test('a picture is sent as what its bytes say', async () => {
  await world.fair('picture');
  const png = Uint8Array.from(
    atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
    (character) => character.charCodeAt(0),
  );
  expect((await turnout.events.setImage('picture', png)).image).not.toBeNull();
  const sent: (string | null)[] = [];
  const client = world.client({
    fetch: async (_input, init) => {
      sent.push(new Headers(init?.headers).get('content-type'));
      return Response.json({});
    },
  });
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
  for (const file of [png, png.buffer, new Blob([png]), new Blob(['?'], { type: 'image/webp' }), jpeg]) {
    await client.events.setImage('picture', file);
  }
  expect(sent).toEqual(['image/png', 'image/png', 'image/png', 'image/webp', 'image/jpeg']);
});

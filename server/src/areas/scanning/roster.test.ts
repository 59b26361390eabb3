import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { RosterEntry } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, HOUR } from '../../clock.ts';
import { type Fair, openFair } from './fair.support.ts';
import { download } from './roster.support.ts';

let fair: Fair;
let second: TestTurnout;
let member: string;
let north: string;
let south: string;
beforeAll(async () => {
  fair = await openFair();
  second = await startTest({ database: fair.t.database, clock: fair.t.clock });
  member = await fair.t.session('acme', 'manager');
  north = (await fair.t.key('acme', { group: 'north' })).secret;
  south = (await fair.t.key('acme', { group: 'south' })).secret;
});
afterAll(async () => {
  await second.stop();
  await fair.t.stop();
});

interface Roster {
  as_of: string;
  data: RosterEntry[];
}
interface Changes extends Roster {
  removed: string[];
}
const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
const pathOf = (url: string): string => new URL(url).pathname;
const linkFor = async (as = fair.key, event = 'fair'): Promise<string> =>
  pathOf((await fair.get(`/events/${event}/scan/manifest`, as)).body.roster.url);
const whole = async (as = fair.key): Promise<Roster> => (await fair.t.call('GET', await linkFor(as))).body;
async function since(as_of: string, as = fair.key): Promise<Changes> {
  const { status, body } = await fair.get(`/events/fair/scan/roster?since=${encodeURIComponent(as_of)}`, as);
  expect(status).toBe(200);
  return body;
}
/** `since` is inclusive, so a microsecond more leaves only what is new. */
const next = (as_of: string): string =>
  `${as_of.slice(0, -7)}${String(Number(as_of.slice(-7, -1)) + 1).padStart(6, '0')}Z`;
const now = async (): Promise<string> => next((await since('2200-01-01T00:00:00Z')).as_of);
const entryOf = (roster: { data: RosterEntry[] }, code: string) =>
  roster.data.find((entry) => entry.code_sha256 === hash(code));
const patch = (person: string, body: unknown) =>
  fair.t.call('PATCH', `/v1/events/fair/attendees/${person}`, { key: fair.key, body });

describe('the whole roster', () => {
  // claim: manifest
  test('is sent by its signed link, without a key, with hashes and people but no codes', async () => {
    const { id, ticket, code, people } = await fair.register({ group: ['north', null], days: ['d1', 'd2'] });
    await fair.scan(code, {
      people: [people[0]],
      scanned_at: `${fair.t.clock.now().toISOString().slice(0, 10)}T00:00:00Z`,
    });
    const reply = await fair.t.call('GET', await linkFor());
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const person = {
      id: people[0],
      first_name: 'Pat',
      last_name: expect.stringMatching(/^No\d+$/),
      attendee_type: 'adult',
      group: 'north',
      confirmed: true,
      days: ['d1', 'd2'],
      answers: {},
      admissions: [
        {
          check_in_point: 'gate',
          kind: 'entry',
          day: 'd1',
          at: expect.stringMatching(/T00:00:00/),
          seq: expect.any(Number),
        },
      ],
    };
    expect(entryOf(reply.body, code)).toEqual({
      code_sha256: hash(code),
      ticket_id: ticket,
      status: 'valid',
      test: false,
      registration_code: (await fair.t.call('GET', `/v1/events/fair/registrations/${id}`, { key: fair.key })).body.code,
      people: [person, { ...person, id: people[1], group: null, admissions: [] }],
    });
    expect(reply.text).not.toContain(code);
    expect(reply.body.as_of).toBe((await since('2200-01-01T00:00:00Z')).as_of);
    const { roster } = (await fair.get('/events/fair/scan/manifest')).body;
    expect([roster.count, roster.as_of]).toEqual([reply.body.data.length, reply.body.as_of]);
  });

  test('has the answers that the event shows at the door, no others, and cut off where they are long', async () => {
    const make = async (path: string, body: unknown) => expect((await fair.post(path, body)).status).toBe(201);
    await make('/events', { code: 'asking', name: 'Asking' });
    await make('/events/asking/days', { code: 'd1', date: '2031-01-01' });
    await make('/events/asking/attendee-types', { code: 'adult', name: 'Adult' });
    await make('/events/asking/questions', { code: 'Company', label: 'Company', kind: 'text' });
    await make('/events/asking/questions', { code: 'vegan', label: 'Vegan?', kind: 'yes_no' });
    await make('/events/asking/questions', { code: 'illness', label: 'Illnesses', kind: 'text' });
    const answers = { Company: '🎪'.repeat(150), vegan: true, illness: 'none of your business' };
    const attendee = { attendee_type: 'adult', first_name: 'Pat', last_name: 'No', days: ['d1'], answers };
    expect((await fair.post('/events/asking/publish', {})).status).toBe(200);
    await make('/events/asking/registrations', { attendees: [attendee], send_emails: false });
    const whole = async () => {
      const { body, headers } = await fair.get('/events/asking/scan/manifest');
      const reply = await fair.t.call('GET', new URL(body.roster.url).pathname);
      return { tag: headers.get('etag'), questions: body.questions, answers: reply.body.data[0].people[0].answers };
    };
    const before = await whole();
    expect(before).toMatchObject({ questions: [], answers: {} });
    const door = { questions: ['vegan', 'company', 'gone'] };
    const changed = await fair.t.call('PATCH', '/v1/events/asking', { key: fair.key, body: { door } });
    expect([changed.status, changed.body.door]).toEqual([200, { name_search: false, kiosk: false, ...door }]);
    const now = await whole();
    expect(now.tag).not.toBe(before.tag);
    expect(now.questions).toEqual([
      { code: 'vegan', label: 'Vegan?', kind: 'yes_no' },
      { code: 'Company', label: 'Company', kind: 'text' },
    ]);
    expect(now.answers).toEqual({ vegan: true, Company: '🎪'.repeat(100) });
    const many = { questions: ['a', 'b', 'c', 'd'] };
    expect((await fair.t.call('PATCH', '/v1/events/asking', { key: fair.key, body: { door: many } })).status).toBe(400);
  });

  test.each([
    ['deflate, gzip;q=0.8', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['gzip, zstd;q=0', 'gzip', gunzipSync],
  ] as const)('is compressed for %s as %s, else plain, with the same content', async (accepted, name, unpack) => {
    const path = await linkFor();
    const plain = await download(fair.t.url + path, {});
    const packed = await download(fair.t.url + path, { 'accept-encoding': accepted });
    expect(plain.message.headers['content-encoding']).toBeUndefined();
    expect(packed.message.headers['content-encoding']).toBe(name);
    expect(packed.message.headers.vary).toBe('Accept-Encoding');
    expect(unpack(packed.body).toString()).toBe(plain.body.toString());
  });

  test('has live attendees for a live key and both for a test key, with the admissions of the key’s mode', async () => {
    const live = await fair.register();
    const trial = await fair.register({ as: fair.testKey });
    await fair.scan(live.code, {}, fair.testKey);
    const [liveRoster, testRoster] = [await whole(), await whole(fair.testKey)];
    expect(entryOf(liveRoster, live.code)!.people[0]!.admissions).toEqual([]);
    expect(entryOf(testRoster, live.code)!.people[0]!.admissions).toHaveLength(1);
    expect(entryOf(liveRoster, trial.code)).toBeUndefined();
    expect(entryOf(testRoster, trial.code)).toMatchObject({ test: true });
  });

  // claim: manifest
  test('of a key limited to a group has only its attendees, also on a ticket shared with others', async () => {
    const mixed = await fair.register({ group: ['hill', 'south', null] });
    const foreign = await fair.register({ group: 'south' });
    const nobody = await fair.register();
    const roster = await whole(north);
    expect(entryOf(roster, mixed.code)!.people.map((person) => person.id)).toEqual([mixed.people[0]]);
    expect([entryOf(roster, foreign.code), entryOf(roster, nobody.code)]).toEqual([undefined, undefined]);
    const groups = new Set(roster.data.flatMap((entry) => entry.people.map((person) => person.group)));
    expect([...groups].every((group) => group === 'north' || group === 'hill')).toBe(true);
    expect((await fair.get('/events/fair/scan/manifest', north)).body.roster.count).toBe(roster.data.length);
  });

  test('contains voided tickets, so that a scanner can tell them from unknown codes', async () => {
    const { ticket, code } = await fair.register();
    await fair.post(`/tickets/${ticket}/void`, {});
    expect(entryOf(await whole(), code)).toMatchObject({ status: 'voided' });
  });
});

describe('a link', () => {
  test('works for at least half a day and at most a day', async () => {
    const path = await linkFor();
    fair.t.clock.advance(12 * HOUR - 5000);
    expect((await fair.t.call('GET', path)).status).toBe(200);
    fair.t.clock.advance(12 * HOUR + 5000);
    const over = await fair.t.call('GET', path);
    expect([over.status, over.body.error.code]).toEqual([404, 'not_found']);
    expect((await fair.t.call('GET', await linkFor())).status).toBe(200);
    fair.t.clock.advance(-DAY);
  });

  test('that was tampered with does not work', async () => {
    const path = await linkFor(north);
    const [body, signature] = path.split('/').at(-1)!.split('.') as [string, string];
    const opens = JSON.parse(Buffer.from(body, 'base64url').toString());
    expect(opens).toMatchObject({ kind: 'roster', mode: 'live' });
    const forged = (change: object) => Buffer.from(JSON.stringify({ ...opens, ...change })).toString('base64url');
    const flipped = signature[0] === 'A' ? 'B' : 'A';
    for (const token of [
      `${forged({ group: null })}.${signature}`,
      `${forged({ expires: opens.expires + DAY })}.${signature}`,
      `${forged({ mode: 'test' })}.${signature}`,
      `${body}.${flipped}${signature.slice(1)}`,
      `${body}.`,
      body,
      `${body}.${signature}x`.slice(0, -2),
      'x.y',
      '.',
    ]) {
      const reply = await fair.t.call('GET', `/links/roster/${token}`);
      expect([token, reply.status]).toEqual([token, 404]);
    }
    expect((await fair.t.call('GET', path)).status).toBe(200);
  });

  test('leads to its own organization only', async () => {
    await fair.t.org('other');
    const foreign = (await fair.t.key('other')).secret;
    expect((await fair.get('/events/fair/scan/manifest', foreign)).status).toBe(404);
    expect((await fair.get('/events/fair/scan/roster?since=2020-01-01T00:00:00Z', foreign)).status).toBe(404);
    await fair.post('/events', { code: 'fair', name: 'Their fair' }, foreign);
    const reply = await fair.t.call(
      'GET',
      pathOf((await fair.get('/events/fair/scan/manifest', foreign)).body.roster.url),
    );
    expect(reply.body.data).toEqual([]);
  });

  test('to a deleted event is not found', async () => {
    await fair.post('/events', { code: 'brief', name: 'Brief' });
    const path = await linkFor(fair.key, 'brief');
    expect((await fair.t.call('GET', path)).body.data).toEqual([]);
    await fair.t.call('DELETE', '/v1/events/brief', { key: fair.key });
    expect((await fair.t.call('GET', path)).status).toBe(404);
  });
});

describe('roster?since', () => {
  // claim: roster-since
  test('gives exactly the entries that changed, in full: new tickets, admissions on all tickets of a person, exits', async () => {
    const from = await now();
    expect(await since(from)).toMatchObject({ data: [], removed: [] });
    const one = await fair.register({ days: ['d1', 'd2'] });
    const other = await fair.register();
    const made = await since(from);
    expect(made.data.map((entry) => entry.code_sha256).toSorted()).toEqual(
      [hash(one.code), hash(other.code)].toSorted(),
    );
    expect(made.data).toEqual(
      expect.arrayContaining((await whole()).data.filter((entry) => entry.ticket_id === one.ticket)),
    );

    let at = await now();
    const extra = (await fair.post('/events/fair/tickets', { attendee: one.people[0], days: ['d2'] })).body;
    expect(entryOf(await since(at), extra.code)).toMatchObject({ status: 'valid', people: [{ days: ['d2'] }] });

    at = await now();
    expect((await fair.scan(one.code)).body.result).toBe('accepted');
    const admitted = await since(at);
    expect(admitted.data.map((entry) => entry.ticket_id).toSorted()).toEqual([one.ticket, extra.id].toSorted());
    for (const entry of admitted.data)
      expect(entry.people[0]!.admissions).toMatchObject([{ check_in_point: 'gate', day: 'd1' }]);

    at = await now();
    expect((await fair.scan(one.code)).body.result).toBe('duplicate');
    expect((await since(at)).data).toEqual([]);
    expect((await fair.scan(one.code, { check_in_point: 'exit' })).body.result).toBe('exited');
    expect(entryOf(await since(at), one.code)!.people[0]!.admissions.map((one) => one.kind)).toEqual(['entry', 'exit']);
  });

  test('is inclusive, and the `as_of` of the last answer is enough to continue', async () => {
    const { code } = await fair.register();
    const { as_of } = await since('2200-01-01T00:00:00Z');
    expect(entryOf(await since(as_of), code)).toBeDefined();
    expect((await since(as_of)).as_of).toBe(as_of);
    expect((await fair.get('/events/fair/scan/roster')).body.error.details[0].path).toBe('since');
    expect((await fair.get('/events/fair/scan/roster?since=yesterday')).status).toBe(400);
  });

  test('includes voided and reissued tickets, cancellations, refunds and changed attendees', async () => {
    const voided = await fair.register();
    let at = await now();
    await fair.post(`/tickets/${voided.ticket}/void`, {});
    expect(await since(at)).toMatchObject({
      data: [{ code_sha256: hash(voided.code), status: 'voided' }],
      removed: [],
    });

    const old = await fair.register();
    at = await now();
    const fresh = (await fair.post(`/tickets/${old.ticket}/reissue`)).body;
    const reissued = await since(at);
    expect([entryOf(reissued, old.code)!.status, entryOf(reissued, fresh.code)!.status]).toEqual(['voided', 'valid']);
    expect(reissued.data).toHaveLength(2);

    at = await now();
    await fair.post(`/events/fair/registrations/${old.id}/cancel`, {});
    const cancelled = await since(at);
    expect(entryOf(cancelled, fresh.code)).toMatchObject({ status: 'voided', people: [{ confirmed: false }] });

    const family = await fair.register({ people: 3 });
    at = await now();
    await fair.post(`/events/fair/attendees/${family.people[1]}/cancel`);
    const smaller = await since(at);
    expect(entryOf(smaller, family.code)!.people.map((person) => person.id)).toEqual([
      family.people[0],
      family.people[2],
    ]);

    at = await now();
    await patch(family.people[0]!, { first_name: 'Kim', days: ['d2'] });
    const changed = await since(at);
    expect(entryOf(changed, family.code)!.people[0]).toMatchObject({ first_name: 'Kim', days: ['d2'] });
    expect(changed.data).toHaveLength(1);

    await fair.post('/events/fair/attendee-types', { code: 'payer', name: 'Payer', price_minor: 500 });
    const attendees = [{ attendee_type: 'payer', first_name: 'Pay', last_name: 'Er', days: ['d1'] }];
    const registration = (await fair.post('/events/fair/registrations', { attendees })).body;
    const path = `/events/fair/registrations/${registration.id}`;
    const payment = (await fair.post(`${path}/payments`, { amount_minor: 500, method: 'cash' })).body;
    at = await now();
    await fair.post(`/payments/${payment.id}/refund`, { reopen: true });
    expect((await since(at)).data).toMatchObject([{ status: 'valid', people: [{ confirmed: false }] }]);
  });

  test('includes overrides, and overrides that were undone', async () => {
    const { code } = await fair.register({ days: ['d2'] });
    const refused = (await fair.scan(code)).body.checkins[0];
    let at = await now();
    const done = await fair.app(member, 'POST', `/checkins/${refused.id}/override`, { reason: 'Known to us' });
    expect(entryOf(await since(at), code)!.people[0]!.admissions).toHaveLength(1);
    at = await now();
    await fair.app(member, 'POST', `/checkins/${done.body.id}/undo`);
    expect(entryOf(await since(at), code)!.people[0]!.admissions).toEqual([]);
  });

  // claim: roster-since
  test('moves an attendee who changes groups from one group’s roster to the other’s', async () => {
    const { code, people } = await fair.register({ group: 'hill' });
    const [mine] = [hash(code)];
    let at = await now();
    await patch(people[0]!, { group: 'south' });
    expect(await since(at, north)).toMatchObject({ data: [], removed: [mine] });
    expect((await since(at, south)).data.map((entry) => entry.code_sha256)).toEqual([mine]);
    const all = await since(at);
    expect([all.data.length, all.removed]).toEqual([1, []]);

    at = await now();
    await patch(people[0]!, { group: 'north' });
    await patch(people[0]!, { group: 'hill' });
    expect(await since(at, north)).toMatchObject({ data: [{ code_sha256: mine }], removed: [] });
    expect(await since(at, south)).toMatchObject({ data: [], removed: [mine] });

    at = await now();
    await patch(people[0]!, { group: null });
    expect(await since(at, north)).toMatchObject({ data: [], removed: [mine] });
  });

  test('keeps a shared ticket in a group’s roster until the last attendee of the group has left it', async () => {
    const family = await fair.register({ group: ['north', 'hill', 'south'] });
    let at = await now();
    await patch(family.people[0]!, { group: 'south' });
    const left = await since(at, north);
    expect([left.data[0]!.people.map((person) => person.id), left.removed]).toEqual([[family.people[1]], []]);
    at = await now();
    // The cancelled attendee is off the ticket, which stays valid for the others. Scanners of the north must drop it.
    await fair.post(`/events/fair/attendees/${family.people[1]}/cancel`);
    expect(await since(at, north)).toMatchObject({ data: [], removed: [hash(family.code)] });
    expect((await since(at, south)).removed).toEqual([]);
  });

  test('tells live keys of no test ticket that left their group, and test keys of each', async () => {
    const northTest = (await fair.t.key('acme', { group: 'north', mode: 'test' })).secret;
    const family = await fair.register({ group: ['north', 'south'], as: fair.testKey });
    expect([entryOf(await whole(northTest), family.code), entryOf(await whole(north), family.code)]).toEqual([
      expect.anything(),
      undefined,
    ]);
    const at = await now();
    await fair.post(`/events/fair/attendees/${family.people[0]}/cancel`, {}, fair.testKey);
    expect(await since(at, north)).toMatchObject({ data: [], removed: [] });
    expect(await since(at, northTest)).toMatchObject({ data: [], removed: [hash(family.code)] });
  });

  test('tells a group of a person without one who left only if the event was of the group then', async () => {
    const hill = (await fair.t.key('acme', { group: 'hill' })).secret;
    const event = (group: string | null) => fair.t.call('PATCH', '/v1/events/fair', { key: fair.key, body: { group } });
    const [before, during] = [await fair.register(), await fair.register()];
    const at = await now();
    expect((await patch(before.people[0]!, { group: 'south' })).status).toBe(200);
    expect((await event('hill')).status).toBe(200);
    expect((await patch(during.people[0]!, { group: 'south' })).status).toBe(200);
    const told = [(await since(at, hill)).removed];
    expect((await event(null)).status).toBe(200);
    told.push((await since(at, hill)).removed);
    expect(told).toEqual([[hash(during.code)], [hash(during.code)]]);
  });

  test('tells no group of a ticket that was issued while its attendee went to another group', async () => {
    await fair.post('/events/fair/attendee-types', { code: 'guest', name: 'Guest', price_minor: 700 });
    const person = { last_name: 'Unpaid', days: ['d1'] };
    const { body } = await fair.post('/events/fair/registrations', {
      attendees: [
        { ...person, attendee_type: 'guest', first_name: 'Ada', external_id: 'unpaid-1' },
        { ...person, attendee_type: 'adult', first_name: 'Bob', external_id: 'unpaid-2', group: 'north' },
      ],
    });
    expect(body.status).toBe('pending_payment');
    const at = await now();
    // The first row leaves nothing to pay, so everybody gets a ticket, and the second row takes Bob to the south.
    const csv =
      'External ID,First name,Last name,Type,Group\nunpaid-1,Ada,Unpaid,adult,\nunpaid-2,Bob,Unpaid,adult,south\n';
    const done = await fair.post('/events/fair/imports', { csv });
    expect([done.status, done.body.counts?.updated], done.text).toEqual([201, 2]);
    const [mine] = (await since(at)).data.filter((one) => one.registration_code === body.code);
    expect(mine!.people.map((one) => one.group)).toEqual([null, 'south']);
    expect((await since(at, south)).data.map((one) => one.code_sha256)).toEqual([mine!.code_sha256]);
    expect(await since(at, north)).toMatchObject({ data: [], removed: [] });
  });

  test('is not enough when a group moves in the tree: the manifest changes, so the whole roster is fetched again', async () => {
    await fair.post('/groups', { code: 'isle', name: 'Isle', parent: 'north' });
    const { code } = await fair.register({ group: 'isle' });
    const tag = (await fair.get('/events/fair/scan/manifest', north)).headers.get('etag')!;
    expect([entryOf(await whole(north), code), entryOf(await whole(south), code)]).toEqual([
      expect.anything(),
      undefined,
    ]);
    await fair.post('/groups/isle/move', { parent: 'south' });
    expect((await fair.get('/events/fair/scan/manifest', north, { 'if-none-match': tag })).status).toBe(200);
    expect([entryOf(await whole(north), code), entryOf(await whole(south), code)]).toEqual([
      undefined,
      expect.anything(),
    ]);
  });

  test('gives test admissions to test keys only, and removes them when tests are cleared', async () => {
    const { code } = await fair.register();
    let at = await now();
    await fair.scan(code, {}, fair.testKey);
    expect((await since(at)).data).toEqual([]);
    const changed = await since(at, fair.testKey);
    expect(entryOf(changed, code)!.people[0]!.admissions).toHaveLength(1);
    // It is inclusive for them, too.
    expect(entryOf(await since(changed.as_of, fair.testKey), code)).toBeDefined();
    at = await now();
    expect((await fair.t.call('DELETE', '/v1/events/fair/checkins/test', { key: fair.key })).status).toBe(204);
    expect(entryOf(await since(at, fair.testKey), code)).toMatchObject({ people: [{ admissions: [] }] });
  });

  test('misses nothing while two processes write: a scanner that follows it ends up with the whole roster', async () => {
    const keys = { all: fair.key, north, south, test: fair.testKey };
    let writing = true;
    const follow = async (as: string) => {
      const held = new Map<string, RosterEntry>();
      let { as_of, data } = await whole(as);
      for (const entry of data) held.set(entry.code_sha256, entry);
      for (let last = false; ; ) {
        const stops = last;
        last = !writing;
        const changes = await since(as_of, as);
        for (const entry of changes.data) held.set(entry.code_sha256, entry);
        for (const gone of changes.removed) held.delete(gone);
        as_of = changes.as_of;
        if (stops) return held;
        await sleep(2);
      }
    };
    const following = Object.values(keys).map(follow);
    const groups = ['north', 'hill', 'south', null];
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const on = writer % 2 ? second : fair.t;
        const post = (path: string, body: unknown = {}) => on.call('POST', `/v1${path}`, { key: fair.key, body });
        for (let i = 0; i < 6; i += 1) {
          const one = await fair.register({ group: [groups[(writer + i) % 4]!, groups[i % 4]!] });
          const scan = (as: string) =>
            on.call('POST', '/api/v1/events/fair/scan', {
              key: as,
              body: { code: one.code, check_in_point: 'gate', client_uuid: crypto.randomUUID() },
            });
          const done = [
            await scan(fair.key),
            await scan(fair.testKey),
            await on.call('PATCH', `/v1/events/fair/attendees/${one.people[i % 2]}`, {
              key: fair.key,
              body: { group: groups[(writer + 1) % 4] },
            }),
            i % 3 === 0
              ? await post(`/tickets/${one.ticket}/void`)
              : i % 3 === 1
                ? await post(`/events/fair/registrations/${one.id}/cancel`)
                : await post(`/tickets/${one.ticket}/reissue`),
          ];
          expect(done.map((reply) => reply.status < 300)).toEqual([true, true, true, true]);
        }
      }),
    );
    writing = false;
    const held = await Promise.all(following);
    for (const [i, [name, as]] of Object.entries(keys).entries()) {
      const { data } = await whole(as);
      const kept = [...held[i]!.values()].toSorted((a, b) => (a.ticket_id < b.ticket_id ? -1 : 1));
      expect([name, kept]).toEqual([name, data]);
    }
  });
});

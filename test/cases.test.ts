import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import golden from '@turnout/checkin/scan-cases.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayCases } from '../server/src/cli/cases.ts';
import { baseOf, Client, Refused, Unreachable } from '../server/src/cli/replay-client.ts';
import { complete, Program, ROOT } from './support/running.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnout-cases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
function fileOf(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const BIN = [process.execPath, join(ROOT, 'server', 'bin', 'turnout.mjs'), 'cases', 'replay'];
async function replay(...args: string[]) {
  const { code, stdout, stderr } = await complete([...BIN, ...args], {});
  return { code, stdout, json: stdout === '' ? null : JSON.parse(stdout), lines: stderr.split('\n').filter(Boolean) };
}

/** A small file of cases, with one of everything that is hard to replay through the API. */
const anna = { ref: 'anna', attendee_type: 'visitor', days: ['sat'] };
const ben = { ...anna, ref: 'ben' };
const at = '2027-06-12T08:00:00Z';
const at2 = '2027-06-12T09:00:00Z';
const small = {
  version: 1,
  world: {
    timezone: 'Europe/Berlin',
    days: [
      { id: 'day-1', code: 'sat', date: '2027-06-12' },
      { code: 'sun', date: '2027-06-13', locked_at: '2027-06-13T10:00:00Z' },
    ],
    attendee_types: [{ code: 'visitor' }, { code: 'vip' }],
    groups: [{ code: 'bar', parent: 'staff' }, { code: 'staff' }],
    check_in_points: [
      { code: 'gate', kind: 'entry' },
      { code: 'crew', kind: 'entry', policy: { groups: ['staff'] } },
      { code: 'way-out', kind: 'exit', policy: { leaves: 'room' } },
      { code: 'room', kind: 'zone', policy: { capacity: 1 } },
    ],
  },
  cases: [
    {
      name: 'Only one fits in',
      tickets: [{ ref: 'both', people: [anna, ben] }],
      scans: [
        {
          ticket: 'both',
          check_in_point: 'room',
          at,
          result: 'zone_entered',
          people: { anna: 'zone_entered', ben: 'zone_full' },
        },
      ],
    },
    {
      name: 'Nobody is inside at the start of a case',
      tickets: [{ ref: 'both', people: [ben, anna] }],
      scans: [
        { ticket: 'both', check_in_point: 'ROOM', at, people_present: ['anna'], result: 'zone_entered' },
        { ticket: 'both', check_in_point: 'room', at: at2, people_present: ['ben'], result: 'zone_full' },
      ],
    },
    {
      name: 'Not confirmed, of a type without a price',
      tickets: [{ ref: 'anna', people: [{ ...anna, attendee_type: 'vip', status: 'pending_approval' }] }],
      scans: [{ ticket: 'anna', check_in_point: 'gate', at, result: 'rejected', reason: 'not_confirmed' }],
    },
    {
      name: 'A ticket of her own beside the shared one, two replaced ones, one for another day',
      tickets: [
        { ref: 'own', people: [{ ...anna, days: ['sat', 'sun'] }] },
        { ref: 'old', status: 'voided', people: [{ ...anna, days: ['day-1', 'sun'] }, ben] },
        { ref: 'older', status: 'voided', people: [{ ...anna, days: ['sat', 'sun'] }, ben] },
        { ref: 'family', people: [{ ...anna, days: ['sat', 'sun'] }, ben] },
        { ref: 'sunday', status: 'voided', people: [{ ...anna, days: ['sun'] }] },
      ],
      scans: [
        { ticket: 'old', check_in_point: 'gate', at, result: 'voided' },
        { ticket: 'older', check_in_point: 'gate', at, result: 'voided' },
        { ticket: 'sunday', check_in_point: 'gate', at, result: 'voided' },
        { ticket: 'own', check_in_point: 'gate', at, result: 'accepted' },
        {
          ticket: 'family',
          check_in_point: 'gate',
          at: at2,
          result: 'accepted',
          people: { anna: 'duplicate', ben: 'accepted' },
        },
      ],
    },
    {
      name: 'Of a group below, and a test beside it',
      tickets: [
        { ref: 'anna', people: [{ ...anna, group: 'BAR' }] },
        { ref: 'trial', test: true, people: [{ ...ben, group: 'bar' }] },
      ],
      scans: [
        { ticket: 'trial', check_in_point: 'crew', at, test: true, result: 'accepted' },
        { ticket: 'anna', check_in_point: 'crew', at, result: 'accepted' },
        { code: 'NO-SUCH-TICKET', check_in_point: 'crew', at, result: 'unknown' },
      ],
    },
    {
      name: 'A test ticket at a live gate: in a test event all gates are test gates',
      local_only: true,
      tickets: [{ ref: 'trial', test: true, people: [ben] }],
      scans: [{ ticket: 'trial', check_in_point: 'gate', at, result: 'rejected', reason: 'test_ticket' }],
    },
    {
      name: 'What no API can set up',
      local_only: true,
      tickets: [{ ref: 'both', people: [{ ...anna, status: 'cancelled' }, ben] }],
      scans: [
        {
          ticket: 'both',
          check_in_point: 'gate',
          at,
          result: 'accepted',
          people: { anna: 'rejected', ben: 'accepted' },
        },
      ],
    },
  ],
};
const [first, second, ...rest] = small.cases;
const wrong = {
  ...small,
  cases: [
    { ...first!, scans: [{ ...first!.scans[0]!, people: { anna: 'zone_full', ben: 'zone_entered' } }] },
    { ...second!, scans: [second!.scans[0]!, { ...second!.scans[1]!, result: 'zone_entered' }] },
    ...rest,
  ],
};
const WRONG_LINES = [
  'Only one fits in: scan 1 (anna): expected zone_full, got zone_entered; scan 1 (ben): expected zone_entered, got zone_full',
  'Nobody is inside at the start of a case: scan 2: expected zone_entered, got zone_full',
];

describe('without an address: replayed by this build', () => {
  test('the published cases agree with the decision of this build', async () => {
    const { code, json, lines } = await replay();
    const scans = golden.cases.reduce((sum, one) => sum + one.scans.length, 0);
    expect({ code, json, lines }).toEqual({
      code: 0,
      json: { ok: true, cases: golden.cases.length, scans, differences: 0 },
      lines: [],
    });
  });

  test('another file: one line for each case that differs, and exit 1', async () => {
    const good = await replay('--file', fileOf('small.json', small));
    expect([good.code, good.json]).toEqual([0, { ok: true, cases: 7, scans: 14, differences: 0 }]);
    const bad = await replay('--file', fileOf('wrong.json', wrong));
    expect([bad.code, bad.json]).toEqual([1, { ok: false, cases: 7, scans: 14, differences: 3 }]);
    expect(bad.lines).toEqual(WRONG_LINES);
  });

  test.each([
    ['nowhere.json', null, /no such file.*nowhere\.json/],
    ['text.json', 'cases: none', /text\.json is not JSON/],
    ['empty.json', {}, /empty\.json is not a file of golden cases:\n {2}version must be a version\n/],
    [
      'faults.json',
      { ...small, cases: [{ ...first!, scans: [{ ...first!.scans[0]!, check_in_point: 'moon', result: 'fine' }] }] },
      /cases\[0\]\.scans\[0\]\.check_in_point there is no check-in point moon\n {2}cases\[0\]\.scans\[0\]\.result must be one of accepted/,
    ],
  ])('%s: nothing is replayed, and the reason is printed', async (name, content, why) => {
    const file = content === null ? join(folder, name) : fileOf(name, content);
    await expect(replayCases({ file })).rejects.toThrow(why);
  });

  test('an invalid file is reported on standard error, with exit 1', async () => {
    const { code, stdout, lines } = await replay('--file', fileOf('bad.json', {}));
    expect([code, stdout]).toEqual([1, '']);
    expect(lines[0]).toMatch(/^turnout cases replay: .*bad\.json is not a file of golden cases:$/);
  });

  test('keys without an address are refused', async () => {
    await expect(replayCases({ key: 'x' })).rejects.toThrow('--key and --test-key need --url');
  });
});

describe('through the API', () => {
  let t: TestTurnout;
  let key: string;
  let testKey: string;
  let weak: string;
  let limited: string;
  let foreign: string;
  beforeAll(async () => {
    t = await startTest();
    await t.org('acme');
    await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
    key = (await t.key('acme', { rpm: 1_000_000 })).secret;
    testKey = (await t.key('acme', { mode: 'test', scopes: ['read', 'write', 'scanner'] })).secret;
    weak = (await t.key('acme', { scopes: ['read', 'write', 'scanner'] })).secret;
    await t.call('POST', '/v1/groups', { key, body: { code: 'north', name: 'North' } });
    limited = (await t.key('acme', { group: 'north' })).secret;
    await t.org('other');
    foreign = (await t.key('other', { mode: 'test' })).secret;
  });
  afterAll(() => t.stop());
  const through = (...args: string[]) => replay('--url', t.url, '--key', key, '--test-key', testKey, ...args);
  const list = async (path: string) => (await t.call('GET', path, { key })).body.data as Record<string, unknown>[];

  // claim: golden-cases-by-api, key-is-a-scanner
  test('all published cases get the expected results', async () => {
    const { code, json, lines } = await through();
    expect(lines.filter((line) => / expected |could not be set up/.test(line))).toEqual([]);
    const cases = golden.cases.filter((one) => !('local_only' in one));
    const scans = cases.reduce((sum, one) => sum + one.scans.length, 0);
    const skipped = golden.cases.length - cases.length;
    expect([code, json]).toEqual([0, { ok: true, cases: cases.length, scans, skipped, differences: 0 }]);
    expect(lines).toContain(`${cases.length} of ${cases.length} cases`);
  }, 120_000);

  test('another file: cases with the same zone, people with several tickets, prices, groups, tests; its days are over', async () => {
    const over = JSON.parse(JSON.stringify(small).replaceAll('2027-06', '2021-06'));
    const { code, json, lines } = await through('--file', fileOf('small.json', over));
    expect(lines.filter((line) => / expected |could not be set up/.test(line))).toEqual([]);
    expect([code, json]).toEqual([0, { ok: true, cases: 5, scans: 12, skipped: 2, differences: 0 }]);
    expect(lines[0]).toBe(`building the world at ${t.url}/v1, in 2 events`);
  });

  test('a wrong expectation and a case that cannot be set up are reported with their case; exit 1', async () => {
    const unmarked = { ...rest.at(-1)!, local_only: false };
    const cases = [...wrong.cases.slice(0, 2), unmarked];
    const { code, json, lines } = await through('--file', fileOf('wrong.json', { ...wrong, cases }));
    expect([code, json]).toMatchObject([1, { ok: false, cases: 3, differences: 4 }]);
    expect(lines).toEqual(expect.arrayContaining(WRONG_LINES));
    expect(lines).toContain(
      'What no API can set up: could not be set up: people who share tickets are confirmed and not confirmed',
    );
  });

  test('afterwards its events are deleted or archived, and no mail was sent', async () => {
    for (const event of await list('/v1/events?limit=200')) {
      expect(event).toMatchObject({ test: true, status: 'archived' });
    }
    // People of the same kind share one invented contact.
    expect((await list('/v1/contacts?limit=200')).length).toBeLessThan(30);
    expect(await t.step.mails()).toBe(0);
  });

  test.each([
    ['a key of the wrong mode', () => [testKey, key], /^--key takes a live key; this one is a test key$/],
    ['an unknown key', () => ['svc_live_nobody', testKey], /GET .*\/v1\/me: 401 api_key_unknown/],
    ['one key for both', () => [key, key], /^--test-key takes a test key; this one is a live key$/],
    ['no test key', () => [key], /^--url needs --key .* and --test-key/],
    ['a weak key', () => [weak, testKey], /^the key of --key lacks the scope admin$/],
    ['a key of a group', () => [limited, testKey], /^the key of --key is limited to the group north$/],
    ['keys of two organizations', () => [key, foreign], /are of different organizations$/],
  ])('%s: refused before anything is made', async (_name, keys, why) => {
    const before = (await list('/v1/events?limit=200')).length;
    const [live, trial] = keys();
    await expect(replayCases({ url: `${t.url}/v1`, key: live, testKey: trial })).rejects.toThrow(why);
    expect(await list('/v1/events?limit=200')).toHaveLength(before);
  });

  test('Ctrl-C stops it, and what it made is removed', async () => {
    const program = new Program([...BIN, '--url', t.url, '--key', key, '--test-key', testKey], {});
    await program.says('50 of');
    program.signal('SIGINT');
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/turnout cases replay: interrupted/);
    expect((await list('/v1/events?limit=200')).filter((event) => event.status !== 'archived')).toEqual([]);
  });
});

describe('the client', () => {
  /** Answers each call with the next of these, and keeps the requests. */
  async function answering(answers: (readonly [number, unknown, Record<string, string>?])[]) {
    const asked: { url: string; key: string; idempotency: string }[] = [];
    const server = createServer((request, response) => {
      const [status, body, headers = {}] = answers[asked.length]!;
      asked.push({
        url: request.url!,
        key: request.headers.authorization!,
        idempotency: String(request.headers['idempotency-key']),
      });
      if (status === 0) response.destroy();
      else response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const said: string[] = [];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new Client({ url, keys: { live: 'l', test: 't' }, say: (line) => said.push(line) });
    return { client, asked, said, close: () => server.close() };
  }
  const refusal = (code: string) => ({ error: { code, message: code, request_id: 'x' } });

  test('waits when an answer says so, and repeats a call without an answer with the same idempotency key', async () => {
    const { client, asked, said, close } = await answering([
      [429, refusal('rate_limited'), { 'retry-after': '1' }],
      [503, refusal('unavailable'), { 'retry-after': '0' }],
      [0, null],
      [200, { id: 'made' }],
    ]);
    const begun = performance.now();
    expect(await client.post('/events', {}, 'test')).toEqual({ id: 'made' });
    expect(performance.now() - begun).toBeGreaterThan(990);
    expect(new Set(asked.map((one) => one.idempotency)).size).toBe(1);
    expect(asked.map(({ url, key }) => `${url} ${key}`)).toEqual(Array(4).fill('/v1/events Bearer t'));
    expect(said).toEqual([expect.stringMatching(/test key.* continuing in 1 s/)]);
    close();
  });

  test('gives up at once when it is refused, and after a while when nobody answers', async () => {
    const { client, asked, close } = await answering([
      [429, refusal('quota_exceeded')],
      [200, '<html>a router says hello</html>'],
      [302, '', { location: 'http://127.0.0.1:1/' }],
    ]);
    const quota = await client.get('/me').catch((error: Refused) => error);
    expect(quota).toBeInstanceOf(Refused);
    expect((quota as Refused).ofTheKey).toBe(true);
    for (let i = 0; i < 2; i += 1) await expect(client.get('/me')).rejects.toThrow(Unreachable);
    expect(asked).toHaveLength(3);
    close();
  });

  test.each([
    ['http://localhost:3000', 'http://localhost:3000/v1'],
    ['http://localhost:3000/v1/', 'http://localhost:3000/v1'],
    ['https://events.example.org/api/', 'https://events.example.org/api/v1'],
  ])('%s is %s', (url, base) => expect(baseOf(url)).toBe(base));
  test('no address', () => expect(() => baseOf('localhost:3000')).toThrow(Unreachable));
});

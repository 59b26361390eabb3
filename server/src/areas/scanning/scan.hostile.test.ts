import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Reply } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, openFair, type Registered } from './fair.support.ts';

let fair: Fair;
beforeAll(async () => {
  fair = await openFair();
});
afterAll(() => fair.t.stop());

interface Fault {
  path: string;
  message: string;
}
const faultsOf = (reply: Reply): Fault[] => reply.body.error.details;
const good = <More extends object>(code: string, more = {} as More) => ({
  code,
  check_in_point: 'gate',
  client_uuid: randomUUID(),
  ...more,
});
/** Sends the body as raw bytes, to include what `JSON.stringify` would not write. */
const sendRaw = (body: string, path = 'scan') =>
  fair.t.call('POST', `/api/v1/events/fair/${path}`, { key: fair.key, body });
const upload = (scans: unknown[]) =>
  fair.t.call('POST', '/api/v1/events/fair/scan/batch', { key: fair.key, body: { scans } });
const rowsOf = ({ people }: Registered) =>
  fair.get(`/events/fair/checkins?attendee=${people[0]}`).then(({ body }) => body.data);

describe('a code', () => {
  // claim: scan-code
  test.each([
    ['control characters', 'A\u0001\u001b[31m\r\n\t\u007f\u0085Z'],
    ['letters that run backwards', '\u202eTEKCIT'],
    ['half of what a database would like', "' or 1=1; drop table tickets; --"],
    ['nothing but space', ' \t\n'],
    ['500 signs outside the first plane', '🎫'.repeat(500)],
    ['letters that grow when they are written large', 'ß'.repeat(500)],
  ])('of %s is not a ticket', async (_name, code) => {
    const { status, body } = await fair.scan(code);
    expect([status, body.result, body.people, body.checkins]).toEqual([200, 'unknown', [], []]);
  });

  test('is found with spaces around it and in small letters', async () => {
    const { code } = await fair.register();
    expect((await fair.scan(`\u00a0 ${code.toLowerCase()}\r\n`)).body.result).toBe('accepted');
  });

  test.each([
    ['501 signs', '🎫'.repeat(501), 400, 'code', /at most 500 characters/],
    ['nearly a megabyte', 'x'.repeat(1_048_000), 400, 'code', /at most 500 characters/],
    ['U+0000', 'A\u0000B', 400, 'code', /U\+0000/],
    ['half a surrogate pair', '\ud800', 400, 'code', /half a surrogate pair/],
    ['the other half', 'A\udfffB', 400, 'code', /half a surrogate pair/],
    ['a number', 12, 400, 'code', /must be a string/],
  ])('of %s is a fault that names the field', async (_name, code, status, path, message) => {
    const reply = await sendRaw(JSON.stringify(good(code as string)));
    expect(reply.status).toBe(status);
    expect(faultsOf(reply)).toMatchObject([{ path, message: expect.stringMatching(message) }]);
  });

  test('longer than the operation accepts is not read', async () => {
    const reply = await sendRaw(JSON.stringify(good('x'.repeat(1_100_000))));
    expect([reply.status, reply.body.error.code]).toEqual([413, 'payload_too_large']);
  });

  test('in bytes that are not UTF-8 is refused', async () => {
    const response = await fetch(`${fair.t.url}/api/v1/events/fair/scan`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fair.key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: Buffer.concat([Buffer.from('{"code":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    });
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'validation_failed']);
  });
});

describe('a body', () => {
  const deep = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);
  test.each([
    ['of brackets only', deep(400_000)],
    ['of brackets around U+0000', deep(100_000, '"\\u0000"')],
    ['of objects in objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['with brackets for people', JSON.stringify(good('A')).replace(/}$/, `,"people":${deep(100_000)}}`)],
    ['with 60,000 people', JSON.stringify(good('A', { people: Array.from({ length: 60_000 }, (_, i) => `p${i}`) }))],
    ['with a field of the language', JSON.stringify(good('A')).replace(/}$/, ',"__proto__":{"admitted":true}}')],
    ['that ends too soon', '{"code":"A"'],
  ])('%s is a fault, and the next scan is served', async (_name, body) => {
    const reply = await sendRaw(body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    expect((await fair.scan('NEXT')).body.result).toBe('unknown');
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'a check-in point called %s does not exist',
    async (check_in_point) => {
      const reply = await fair.scan('A', { check_in_point });
      expect([reply.status, faultsOf(reply)[0]?.path]).toEqual([400, 'check_in_point']);
    },
  );
});

describe('a time', () => {
  test.each([
    ['0001-01-01T00:00:00Z', 'not_yet_open', '0001-01-01T00:00:00Z'],
    ['1969-12-31T23:59:59.999Z', 'not_yet_open', '1969-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.999999999Z', 'closed', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59+14:00', 'closed', '9999-12-31T09:59:59Z'],
  ])('%s is accepted, decided and marked as skewed', async (scanned_at, result, kept) => {
    const { status, body } = await fair.scan((await fair.register({ days: ['d1', 'd2'] })).code, { scanned_at });
    expect([status, body.result, body.scanned_at]).toEqual([200, result, kept]);
    expect(body.checkins[0]).toMatchObject({ scanned_at: kept, skewed: true });
  });

  // claim: scan-time
  test('with an offset is that instant, to the millisecond', async () => {
    const ticket = await fair.register();
    const today = fair.t.clock.now().toISOString().slice(0, 10);
    const first = await fair.scan(ticket.code, { scanned_at: `${today}T17:30:00.123456789+05:30` });
    expect(first.body).toMatchObject({ result: 'accepted', scanned_at: `${today}T12:00:00.123Z` });
    expect((await rowsOf(ticket))[0].scanned_at).toBe(`${today}T12:00:00.123Z`);
    const other = await fair.scan((await fair.register()).code, { scanned_at: `${today}T12:00Z` });
    expect(other.body.scanned_at).toBe(`${today}T12:00:00Z`);
  });

  test.each([
    ...['0000-01-01T00:00:00Z', '10000-01-01T00:00:00Z', '2026-02-30T12:00:00Z', '2026-11-15T09:30:60Z'],
    ...['2026-11-15T24:00:00Z', '2026-11-15T09:30:00', '2026-11-15', 'tomorrow', '1763199000'],
    // The year has four digits as written, and five or none in UTC.
    ...['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00'],
  ])('%s is not a time', async (scanned_at) => {
    const reply = await fair.scan('A', { scanned_at });
    expect(reply.status).toBe(400);
    expect(faultsOf(reply)).toMatchObject([{ path: 'scanned_at', message: expect.stringMatching(/ISO 8601/) }]);
  });
});

describe('a code of another organization or event', () => {
  type Statements = [text: string, rows: number][];
  let recorded: Statements | null = null;
  /**
   * The connections whose transaction is that of a call, in the role `turnout_app`. What the server does by itself meanwhile is in another role
   * or in none: reading tenant hosts, writing counts, throwing plans away. Looking up the key is in none, either; it does not see the code.
   */
  const ofCalls = new Set<pg.Client>();

  function watchStatements() {
    const real = pg.Client.prototype.query as (...args: unknown[]) => Promise<pg.QueryResult>;
    return vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const answer = real.apply(this, args);
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
      if (text.startsWith('begin') || text === 'discard plans') ofCalls.delete(this);
      if (text.includes('role turnout_app')) ofCalls.add(this);
      const into = recorded;
      if (into !== null && ofCalls.has(this)) {
        answer.then(
          (done) => into.push([text.trim(), done.rowCount ?? 0]),
          () => {},
        );
      }
      return answer;
    } as never);
  }

  /** The statements of one call with their row counts. */
  async function statementsOf(call: () => Promise<Reply>): Promise<{ reply: Reply; statements: Statements }> {
    const statements: Statements = [];
    recorded = statements;
    try {
      return { reply: await call(), statements };
    } finally {
      recorded = null;
    }
  }

  let watching: ReturnType<typeof watchStatements>;
  afterAll(() => watching?.mockRestore());
  let foreign: string;
  let elsewhere: string;
  let own: string;
  const scanned_at = '2026-11-15T12:00:00Z';
  const scan = (code: string) => statementsOf(() => fair.scan(code, { scanned_at }));
  beforeAll(async () => {
    watching = watchStatements();
    const { t } = fair;
    const issue = async (key: string, event: string): Promise<string> => {
      const post = async (path: string, body: unknown = {}) => {
        const reply = await t.call('POST', `/v1/events${path}`, { key, body });
        expect(reply.status, reply.text).toBeLessThan(300);
        return reply.body;
      };
      await post('', { code: event, name: event, timezone: 'UTC' });
      await post(`/${event}/days`, { code: 'd1', date: '2031-11-15' });
      await post(`/${event}/attendee-types`, { code: 'adult', name: 'Adult' });
      await post(`/${event}/publish`);
      const person = { attendee_type: 'adult', first_name: 'Eve', last_name: 'Elsewhere' };
      const { attendees } = await post(`/${event}/registrations`, {
        ...{ attendees: [person], send_emails: false, past_days: true },
      });
      return attendees[0].tickets[0].code;
    };
    await t.org('rival');
    foreign = await issue((await t.key('rival')).secret, 'fair');
    elsewhere = await issue(fair.key, 'other');
    own = (await fair.register()).code;
    for (const code of ['WARM', own]) await scan(code);
  });

  test.each([
    ['another organization', () => foreign],
    ['another event of the same organization', () => elsewhere],
  ])('of %s is answered like a made-up one, byte for byte and by the same statements', async (_name, code) => {
    const madeUp = await scan('NO-SUCH-TICKET');
    const theirs = await scan(code());
    expect(madeUp.reply.body.result).toBe('unknown');
    expect(theirs.reply.text).toBe(madeUp.reply.text);
    expect(theirs.statements.length).toBeGreaterThan(5);
    expect(theirs.statements).toEqual(madeUp.statements);
  });

  test('the control: a ticket of this event has another answer and other statements', async () => {
    const madeUp = await scan('NO-SUCH-TICKET');
    const ours = await scan(own);
    expect(ours.reply.text).not.toBe(madeUp.reply.text);
    expect(ours.statements).not.toEqual(madeUp.statements);
  });
});

describe('a batch', () => {
  test('with invalid items among 500 gives those an error each; corrected, they are accepted under the same client_uuid', async () => {
    const tickets = await Promise.all(Array.from({ length: 5 }, () => fair.register({ people: 100 })));
    const family = tickets.flatMap(({ code, people }) => people.map((id) => good(code, { people: [id] })));
    const broken: [at: number, item: unknown, path: string][] = [
      [0, null, ''],
      [1, 'A', ''],
      [99, [], ''],
      [100, { ...family[100], code: 'x'.repeat(501) }, 'code'],
      [101, { ...family[101], check_in_point: 'nowhere' }, 'check_in_point'],
      [250, { ...family[250], people: [family[0]!.people[0]] }, 'people/0'],
      [251, { ...family[251], scanned_at: '9999-12-31T23:59:59-14:00' }, 'scanned_at'],
      [252, { ...family[252], client_uuid: '' }, 'client_uuid'],
      [253, { ...family[253], offline_result: 'x'.repeat(41) }, 'offline_result'],
      [499, { ...family[499], admitted: true }, 'admitted'],
    ];
    const scans: unknown[] = family.slice();
    for (const [at, item] of broken) scans[at] = item;
    const { status, body } = await upload(scans);
    expect([status, body.results.length]).toEqual([200, 500]);
    for (const [at, , path] of broken) {
      expect(body.results[at]).toEqual({
        error: {
          code: 'validation_failed',
          message: expect.any(String),
          details: [expect.objectContaining({ path, message: expect.any(String) })],
        },
      });
    }
    const at = new Set(broken.map(([index]) => index));
    const whole = family.filter((_, i) => !at.has(i));
    const answered = body.results.filter((_: unknown, i: number) => !at.has(i));
    expect(answered.map((one: { person: { id: string }; result: string }) => [one.person.id, one.result])).toEqual(
      whole.map((one) => [one.people[0], 'accepted']),
    );
    const again = await upload(family);
    expect(again.body.results.map((one: { result: string }) => one.result)).toEqual(Array(500).fill('accepted'));
    expect(again.body.results.filter((_: unknown, i: number) => !at.has(i))).toEqual(answered);
    const uuids = family.map((one) => one.client_uuid);
    const recorded = await fair.t.system((tx) =>
      tx.one<{ n: number }>(sql`select count(*)::int as n from checkins where client_uuid = any(${uuids}::uuid[])`),
    );
    expect(recorded.n).toBe(500);
  });

  test('with a client_uuid twice counts one scan; with another code or point only that item is refused', async () => {
    const [ticket, other] = [await fair.register(), await fair.register()];
    const client_uuid = randomUUID();
    const { body } = await upload([
      good(ticket.code, { client_uuid }),
      good(ticket.code, { client_uuid: client_uuid.toUpperCase() }),
      good(other.code, { client_uuid }),
      good(ticket.code, { client_uuid, check_in_point: 'exit' }),
      good(other.code),
    ]);
    expect(
      body.results.map((one: { result?: string; error?: { code: string } }) => one.result ?? one.error?.code),
    ).toEqual(['accepted', 'accepted', 'client_uuid_reused', 'client_uuid_reused', 'accepted']);
    expect(body.results[1]).toEqual(body.results[0]);
    expect((await rowsOf(ticket)).length).toBe(1);
    // A single scan with the same client_uuid gets the answer from the batch, and the other way round.
    const single = await fair.scan(ticket.code, { client_uuid });
    expect(single.body).toEqual(body.results[0]);
    const live = await fair.scan(other.code);
    const uploaded = await upload([good(other.code, { client_uuid: live.body.checkins[0].client_uuid })]);
    expect(uploaded.body.results[0]).toEqual(live.body);
  });

  test('with items that PostgreSQL cannot store as text gives those an error each', async () => {
    const ticket = await fair.register();
    const scans = [good(ticket.code), good('A\u0000B'), good('\ud800')];
    const { status, body } = await upload(scans);
    expect([status, body.results[0].result]).toEqual([200, 'accepted']);
    expect(body.results.slice(1).map((one: { error: { details: Fault[] } }) => one.error.details[0])).toEqual([
      { path: 'code', message: expect.stringMatching(/U\+0000/) },
      { path: 'code', message: expect.stringMatching(/half a surrogate pair/) },
    ]);
  });

  test.each([
    ['no scan', []],
    ['501', Array.from({ length: 501 }, () => good('A'))],
    ['something else', { length: 1 }],
  ])('of %s is refused', async (_name, scans) => {
    const reply = await upload(scans as unknown[]);
    expect([reply.status, faultsOf(reply)[0]?.path]).toEqual([400, 'scans']);
  });

  test('of more than two megabytes is not read', async () => {
    const reply = await upload(Array.from({ length: 500 }, () => good('x'.repeat(5000))));
    expect([reply.status, reply.body.error.code]).toEqual([413, 'payload_too_large']);
  });
});

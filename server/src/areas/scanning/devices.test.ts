import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { Secrets } from '../../common/secrets.ts';
import { Links } from '../../road/for-areas/links.ts';
import { DEVICE_TOKEN_PREFIX, hashSecret } from '../../road/gate/authenticate.ts';
import { MIN_SCANNER_VERSION, SCANS_PER_SECOND } from '../../road/gate/scanners.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';
import { crons } from './jobs.ts';

const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
let fair: Fair;
let second: TestTurnout;
let manager: string;
beforeAll(async () => {
  fair = await openFair(clock);
  second = await startTest({ database: fair.t.database, clock });
  manager = await fair.t.session('acme', 'manager');
  await fair.post('/events', { code: 'other', name: 'Other', timezone: 'UTC' });
});
afterAll(async () => {
  await second.stop();
  await fair.t.stop();
});
// The clock stands still within a test. Moving it here ends the rate windows of the test before.
beforeEach(() => clock.advance(2 * MINUTE));

const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const pairingCode = async (body: unknown = {}, event = 'fair'): Promise<string> => {
  const made = await fair.app(manager, 'POST', `/events/${event}/devices/pairing-codes`, body);
  expect(made.status).toBe(201);
  return made.body.code;
};
const pair = (
  body: unknown,
  on: TestTurnout = fair.t,
  headers: Record<string, string> = {},
  idempotencyKey: string | null = randomUUID(),
) => on.call('POST', '/api/v1/devices/pair', { body, headers, idempotencyKey });
/** A device that sends the same request again, because it got no answer. */
const pairing = (typed: string, more: object = {}) => {
  const key = randomUUID();
  return (on: TestTurnout = fair.t) => pair({ code: typed, ...more }, on, {}, key);
};
interface Paired {
  token: string;
  id: string;
}
async function device(name = 'North gate'): Promise<Paired> {
  const { status, body } = await pair({ code: await pairingCode({ name }) });
  expect(status).toBe(201);
  return { token: body.token, id: body.device.id };
}
const overview = async (id: string) =>
  (await fair.app(manager, 'GET', '/events/fair/devices')).body.data.find((one: { id: string }) => one.id === id);
const revoke = (id: string) => fair.app(manager, 'DELETE', `/events/fair/devices/${id}`);
const beat = (token: string, body: unknown = {}) =>
  fair.t.call('PUT', '/api/v1/devices/self/heartbeat', { key: token, body });

describe('pairing', () => {
  test('a member makes a code, and the first device that sends it gets a token for that event', async () => {
    const made = await fair.app(manager, 'POST', '/events/fair/devices/pairing-codes', { name: 'North gate' });
    expect(made.body).toEqual({
      code: expect.stringMatching(/^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/),
      expires_at: expect.any(String),
    });
    expect(Date.parse(made.body.expires_at) - clock.now().getTime()).toBe(10 * MINUTE);
    const paired = await pair({ code: made.body.code, version: '1.2.0' });
    expect(paired.status).toBe(201);
    expect(paired.body).toMatchObject({ device: { name: 'North gate' }, event: { code: 'fair' } });
    expect(paired.body.token.startsWith(DEVICE_TOKEN_PREFIX)).toBe(true);
    expect(await overview(paired.body.device.id)).toMatchObject({
      name: 'North gate',
      version: '1.2.0',
      queue_length: null,
      battery: null,
      revoked_at: null,
    });
    expect(code(await pair({ code: made.body.code }))).toEqual([404, 'not_found']);
    // Only hashes of the code and the token are stored.
    const kept = await fair.t.system((tx) =>
      tx.all<{ all: string }>(sql`
        select row_to_json(d)::text as all from devices d union all select row_to_json(p)::text from pairing_codes p
        union all select row_to_json(a)::text from audit_log a where action like 'device.%'`),
    );
    const text = JSON.stringify(kept);
    for (const secret of [made.body.code, made.body.code.replaceAll('-', ''), paired.body.token])
      expect(text).not.toContain(secret);
    expect(text).toContain('pairing_code_made');
  });

  test('a code may be typed in small letters, without the dash or with spaces; a name from the device wins', async () => {
    const typed = (await pairingCode({ name: 'Desk' })).toLowerCase().replaceAll('-', ' ');
    expect((await pair({ code: ` ${typed} `, name: 'My phone' })).body.device.name).toBe('My phone');
    expect((await pair({ code: await pairingCode() })).body.device.name).toBe('Scanner');
  });

  test('a code is valid for ten minutes', async () => {
    const early = await pairingCode();
    const late = await pairingCode();
    clock.advance(10 * MINUTE - 1);
    expect((await pair({ code: early })).status).toBe(201);
    clock.advance(1);
    const over = await pair({ code: late });
    expect(code(over)).toEqual([404, 'not_found']);
    expect(over.body.error.message).toMatch(/expired/);
  });

  test('of two devices that send a code at once to two processes, one is paired', async () => {
    for (let round = 0; round < 3; round += 1) {
      const typed = await pairingCode();
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, i) => pair({ code: typed }, i % 2 ? second : fair.t)),
      );
      expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, 404, 404, 404, 404, 404]);
      clock.advance(MINUTE);
    }
    const names = (await fair.app(manager, 'GET', '/events/fair/devices')).body.data;
    expect(new Set(names.map((one: { id: string }) => one.id)).size).toBe(names.length);
  });

  test('pairing needs an Idempotency-Key, as every POST does', async () => {
    const typed = await pairingCode();
    expect(code(await pair({ code: typed }, fair.t, {}, null))).toEqual([400, 'idempotency_key_required']);
    expect(code(await pair({ code: typed }, fair.t, {}, 'x'.repeat(256)))).toEqual([400, 'validation_failed']);
    expect((await pair({ code: typed })).status).toBe(201);
  });

  test('a device whose answer was lost sends the same again and gets the same token, on every process', async () => {
    const typed = await pairingCode({ name: 'Lost' });
    const send = pairing(typed, { version: '1.2.0' });
    const first = await send();
    for (const on of [fair.t, second]) {
      clock.advance(4 * MINUTE);
      const again = await send(on);
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
      expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const all = (await fair.app(manager, 'GET', '/events/fair/devices')).body.data;
    expect(all.filter((one: { name: string }) => one.name === 'Lost')).toHaveLength(1);
    // The stored answer belongs to the code: a device with another key is too late and learns nothing.
    expect(code(await pair({ code: typed, version: '1.2.0' }))).toEqual([404, 'not_found']);
    // Only while the code is valid.
    clock.advance(2 * MINUTE);
    expect(code(await send())).toEqual([404, 'not_found']);
  });

  test('the same Idempotency-Key with another body is refused; with another code it is a new request', async () => {
    const key = randomUUID();
    const [one, other] = [await pairingCode(), await pairingCode()];
    const first = await pair({ code: one }, fair.t, {}, key);
    expect(first.status).toBe(201);
    expect(code(await pair({ code: one, name: 'Mine' }, fair.t, {}, key))).toEqual([422, 'idempotency_key_reused']);
    const next = await pair({ code: other }, fair.t, {}, key);
    expect(next.status).toBe(201);
    expect(next.body.token).not.toBe(first.body.token);
  });

  test('the answer stored for retries is encrypted, and deleted once the code has expired', async () => {
    const send = pairing(await pairingCode());
    const { body } = await send();
    const kept = () =>
      fair.t.system((tx) =>
        tx.all<{ answer: Buffer | null }>(sql`select answer from pairing_codes where answer is not null`),
      );
    const before = await kept();
    expect(before.length).toBeGreaterThan(0);
    for (const { answer } of before) expect(answer!.toString('latin1')).not.toContain(body.token);
    const sweep = crons.find((one) => one.name === 'sweep-pairing-codes')!;
    const parts = { pool: fair.t.pool, clock, log: pino({ level: 'silent' }), outside: fair.t.outside };
    await sweep.run(parts);
    expect((await send()).body).toEqual(body);
    clock.advance(10 * MINUTE);
    await sweep.run(parts);
    expect(await kept()).toEqual([]);
  });

  test('six retries of one device at the same moment, on two processes: one device, one token', async () => {
    const send = pairing(await pairingCode({ name: 'Eager' }));
    const replies = await Promise.all(Array.from({ length: 6 }, (_, i) => send(i % 2 ? second : fair.t)));
    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201, 201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    const all = (await fair.app(manager, 'GET', '/events/fair/devices')).body.data;
    expect(all.filter((one: { name: string }) => one.name === 'Eager')).toHaveLength(1);
  });

  test('the control: if the code is read before it is taken, several devices get it', async () => {
    const typed = hashSecret((await pairingCode()).replaceAll('-', ''));
    let looked = 0;
    const naively = () =>
      fair.t.system(async (tx) => {
        const { free } = await tx.one<{ free: boolean }>(
          sql`select used_at is null as free from pairing_codes where code_hash = ${typed}`,
        );
        looked += 1;
        await vi.waitFor(() => expect(looked).toBeGreaterThan(1), { timeout: 10_000 });
        if (free) await tx.run(sql`update pairing_codes set used_at = now() where code_hash = ${typed}`);
        return free;
      });
    const taken = await Promise.all(Array.from({ length: 4 }, naively));
    expect(taken.filter((free) => free).length).toBeGreaterThan(1);
  });

  test('pairing writes an audit entry with the device, its event and the code that was used', async () => {
    const send = pairing(await pairingCode({ name: 'Gate 9' }));
    const { body, headers } = await send();
    await send();
    const log = await fair.t.call('GET', '/v1/audit-log?limit=200', { key: fair.key });
    const rows = log.body.data.filter((one: { object: { id: string } }) => one.object?.id === body.device.id);
    expect(rows).toEqual([
      expect.objectContaining({
        action: 'device.paired',
        actor: { kind: 'device', id: body.device.id, name: 'Gate 9' },
        source: 'scanner',
        object: { kind: 'device', id: body.device.id },
        request_id: headers.get('x-request-id'),
        event_id: body.event.id,
      }),
    ]);
    const made = log.body.data.find((one: { action: string }) => one.action === 'device.pairing_code_made');
    expect(rows[0].changes.details).toEqual({ pairing_code: made.object.id });
    expect(rows[0].objects).toContainEqual({ kind: 'pairing_code', id: made.object.id });
  });

  test('whoever has a code is not kept waiting: 25 devices at one address pair within a minute', async () => {
    for (let i = 0; i < 25; i += 1) expect((await pair({ code: await pairingCode() })).status).toBe(201);
  });

  test('faults are named', async () => {
    const faulty = await pair({ kode: 'x', name: 5 });
    expect(faulty.status).toBe(400);
    expect(faulty.body.error.details.map((fault: { path: string }) => fault.path).toSorted()).toEqual([
      'code',
      'kode',
      'name',
    ]);
    expect((await pair({})).status).toBe(400);
    expect((await pair('nonsense')).status).toBe(400);
    expect((await fair.t.call('GET', '/api/v1/devices/pair')).status).toBeGreaterThanOrEqual(404);
  });

  test.each(['door', 'viewer', 'developer'])('%s may not make codes, list or unpair', async (role) => {
    const session = await fair.t.session('acme', role);
    const { id } = await device();
    for (const [method, path] of [
      ['POST', '/events/fair/devices/pairing-codes'],
      ['GET', '/events/fair/devices'],
      ['DELETE', `/events/fair/devices/${id}`],
    ] as const) {
      expect(code(await fair.app(session, method, path))).toEqual([403, 'permission_required']);
    }
  });

  // claim: override-by-people
  test('keys may not pair devices on either host, and members of other organizations find nothing', async () => {
    for (const mount of ['/v1', '/api/v1']) {
      const made = await fair.t.call('POST', `${mount}/events/fair/devices/pairing-codes`, { key: fair.key, body: {} });
      expect(made.status).toBe(404);
    }
    await fair.t.org('rival');
    const rival = await fair.t.session('rival', 'owner');
    const { id } = await device();
    expect((await fair.app(rival, 'POST', '/events/fair/devices/pairing-codes', {})).status).toBe(404);
    expect((await fair.app(rival, 'DELETE', `/events/fair/devices/${id}`)).status).toBe(404);
    // A device is not found through another event of the same organization either.
    expect((await fair.app(manager, 'DELETE', `/events/other/devices/${id}`)).status).toBe(404);
    expect((await overview(id)).revoked_at).toBeNull();
  });

  test('a member of a group pairs devices only for events of that group, because a device downloads all attendees of its event', async () => {
    const limited = await fair.t.session('acme', 'manager');
    await fair.t.system((tx) =>
      tx.run(sql`
        update members m set group_id = (select id from groups where code = 'north' and org_id = m.org_id)
        from account_sessions s where s.account_id = m.account_id and s.hash = ${hashSecret(limited)}`),
    );
    await fair.post('/events', { code: 'northern', name: 'Northern', group: 'north' });
    expect((await fair.app(limited, 'POST', '/events/northern/devices/pairing-codes', {})).status).toBe(201);
    const { id } = await device();
    for (const [method, path] of [
      ['POST', '/events/fair/devices/pairing-codes'],
      ['DELETE', `/events/fair/devices/${id}`],
    ] as const) {
      expect.soft([path, (await fair.app(limited, method, path)).status]).toEqual([path, 404]);
    }
  });
});

describe('a paired device', () => {
  // claim: event-by-id-or-code
  test('scans, uploads, and reads manifest, roster and check-ins of its event', async () => {
    const { token, id } = await device();
    const { code: ticket } = await fair.register();
    const scanned = await fair.scan(ticket, {}, token);
    expect([scanned.status, scanned.body.result]).toEqual([200, 'accepted']);
    expect(scanned.body.checkins[0].actor).toEqual({ kind: 'device', id, name: 'North gate' });
    expect(scanned.body.test).toBe(false);
    const batch = await fair.t.call('POST', '/api/v1/events/fair/scan/batch', {
      key: token,
      body: {
        scans: [{ code: ticket, check_in_point: 'gate', client_uuid: randomUUID(), offline_result: 'accepted' }],
      },
    });
    expect(batch.body.results[0]).toMatchObject({ result: 'duplicate', checkins: [{ actor: { kind: 'device', id } }] });
    const manifest = await fair.get('/events/fair/scan/manifest', token);
    expect([manifest.status, manifest.body.event.code]).toEqual([200, 'fair']);
    const roster = await fair.t.call('GET', new URL(manifest.body.roster.url).pathname);
    expect(roster.body.data).toHaveLength(manifest.body.roster.count);
    expect((await fair.get('/events/fair/scan/roster?since=2020-01-01T00:00:00Z', token)).status).toBe(200);
    const list = await fair.get('/events/fair/checkins', token);
    expect(list.body.data[0].actor).toEqual({ kind: 'device', id, name: 'North gate' });
    expect((await fair.get('/events/fair/checkins/counts', token)).status).toBe(200);
    // The event may be named by its id, too.
    expect((await fair.get(`/events/${manifest.body.event.id}/scan/manifest`, token)).status).toBe(200);
  });

  test('reaches nothing of any other event', async () => {
    const { token } = await device();
    const id = (await fair.t.call('GET', '/v1/events/other', { key: fair.key })).body.id;
    for (const event of ['other', id, 'nowhere']) {
      for (const path of ['scan/manifest', 'scan/roster?since=2020-01-01T00:00:00Z', 'checkins', 'checkins/counts']) {
        expect(code(await fair.get(`/events/${event}/${path}`, token))).toEqual([404, 'not_found']);
      }
      const body = { code: 'X', check_in_point: 'gate', client_uuid: randomUUID() };
      for (const [path, sent] of [
        ['scan', body],
        ['scan/batch', { scans: [body] }],
      ] as const) {
        clock.advance(1000); // so that the pace of batches does not refuse it
        const reply = await fair.t.call('POST', `/api/v1/events/${event}/${path}`, { key: token, body: sent });
        expect(code(reply)).toEqual([404, 'not_found']);
      }
    }
  });

  test('reaches nothing of another event when its call is batched with permitted ones either', async () => {
    const { token } = await device();
    await fair.post('/events/other/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
    const scan = (as: string) =>
      fair.t.call('POST', '/api/v1/events/other/scan', {
        key: as,
        body: { code: 'X', check_in_point: 'gate', client_uuid: randomUUID() },
      });
    const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => scan(i % 2 === 0 ? fair.key : token)));
    for (const [i, reply] of replies.entries()) {
      if (i % 2 === 0) expect([reply.status, reply.body.result]).toEqual([200, 'unknown']);
      else expect(code(reply)).toEqual([404, 'not_found']);
    }
  });

  test('gets 404 for another event at once, even while somebody holds the clock of that event', async () => {
    const { token } = await device();
    const holder = new pg.Client({ connectionString: fair.t.database.adminUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query(
        `select 1 from event_clocks where event_id = (select id from events where code = 'other') for update`,
      );
      const body = { code: 'X', check_in_point: 'gate', client_uuid: randomUUID() };
      const scan = fair.t.call('POST', '/api/v1/events/other/scan', { key: token, body });
      const first = await Promise.race([scan, sleep(5_000).then(() => null)]);
      await holder.query('rollback');
      await scan;
      expect(first && code(first)).toEqual([404, 'not_found']);
    } finally {
      await holder.end();
    }
  });

  test('may call the operations of the door only, on the scanner host only', async () => {
    const { token } = await device();
    const { code: ticket } = await fair.register({ days: ['d2'] });
    const refused = (await fair.scan(ticket, {}, token)).body.checkins[0];
    const reason = { reason: 'because' };
    // Nobody has unlocked it with a PIN (unlock.test.ts).
    const override = `/api/v1/checkins/${refused.id}/override`;
    expect(code(await fair.t.call('POST', override, { key: token, body: reason }))).toEqual([
      403,
      'permission_required',
    ]);
    const undo = `/api/v1/checkins/${refused.id}/undo`;
    expect(code(await fair.t.call('POST', undo, { key: token, body: {} }))).toEqual([403, 'permission_required']);
    for (const path of ['/v1/me', '/v1/events', '/v1/events/fair', '/v1/events/fair/attendees', '/v1/contacts']) {
      expect(code(await fair.t.call('GET', path, { key: token }))).toEqual([401, 'api_key_unknown']);
    }
    expect((await fair.t.call('POST', '/v1/events/fair/scan', { key: token, body: {} })).status).toBe(401);
    expect((await fair.t.call('GET', '/app/api/events', { key: token })).status).toBe(401);
  });

  test('is refused from its next request on once it is unpaired, by every process, and stays in the overview', async () => {
    const { token, id } = await device();
    const ask = (on: TestTurnout) => on.call('GET', '/api/v1/events/fair/scan/manifest', { key: token });
    expect([(await ask(fair.t)).status, (await ask(second)).status]).toEqual([200, 200]);
    expect((await revoke(id)).status).toBe(204);
    for (const on of [fair.t, second]) expect(code(await ask(on))).toEqual([401, 'api_key_revoked']);
    expect(code(await beat(token))).toEqual([401, 'api_key_revoked']);
    const { revoked_at } = await overview(id);
    expect(Date.parse(revoked_at)).toBe(clock.now().getTime());
    // Unpairing it again changes nothing.
    clock.advance(MINUTE);
    expect((await revoke(id)).status).toBe(204);
    expect((await overview(id)).revoked_at).toBe(revoked_at);
    expect(code(await fair.get('/events/fair/scan/manifest', `${DEVICE_TOKEN_PREFIX}nobody`))).toEqual([
      401,
      'api_key_unknown',
    ]);
  });

  // claim: scanner-keys-count
  test('needs no plan with an API and its calls are not counted, unlike those of a key', async () => {
    const { token } = await device();
    const calls = async () => (await fair.t.call('GET', '/v1/me', { key: fair.key })).body.usage.calls;
    const people = [await fair.register(), await fair.register(), await fair.register()];
    const before = await calls();
    for (const one of people) expect((await fair.scan(one.code, {}, token)).status).toBe(200);
    await fair.get('/events/fair/scan/manifest', token);
    await beat(token);
    expect(await calls()).toBe(before + 1); // the call that reads the count
    await fair.scan(people[0]!.code);
    expect(await calls()).toBe(before + 3);
    await fair.t.plan('acme', 'free');
    expect((await fair.scan(people[0]!.code, {}, token)).status).toBe(200);
    expect(code(await fair.scan(people[0]!.code))).toEqual([403, 'entitlement_required']);
    await fair.t.plan('acme', 'scale');
  });

  test('cannot scan in an archived event', async () => {
    const { token } = await device();
    await fair.post('/events/fair/archive');
    expect(code(await fair.scan('X', {}, token))).toEqual([409, 'invalid_state']);
    await fair.post('/events/fair/close');
    expect((await fair.scan('X', {}, token)).body.result).toBe('unknown');
    await fair.post('/events/fair/publish');
  });
});

describe('the link to the roster', () => {
  const linkOf = async (as: string) => {
    const { status, body, headers } = await fair.get('/events/fair/scan/manifest', as);
    expect(status).toBe(200);
    return { path: new URL(body.roster.url).pathname, tag: headers.get('etag')! };
  };
  const opens = async (path: string) =>
    (await Promise.all([fair.t, second].map((on) => on.call('GET', path)))).map((reply) => reply.status);

  test('stops working when its device is unpaired, in every process, and with no other device', async () => {
    const [one, other] = [await device(), await device()];
    const [mine, theirs] = [await linkOf(one.token), await linkOf(other.token)];
    expect(await opens(mine.path)).toEqual([200, 200]);
    await revoke(one.id);
    expect(await opens(mine.path)).toEqual([404, 404]);
    expect(await opens(theirs.path)).toEqual([200, 200]);
    expect((await fair.t.call('GET', mine.path)).body.error.message).toMatch(/no longer valid/);
    await fair.t.system((tx) => tx.run(sql`delete from devices where id = ${toUuid(other.id)}`));
    expect(await opens(theirs.path)).toEqual([404, 404]);
  });

  test('stops working when its key is revoked or expires', async () => {
    const expires = new Date(clock.now().getTime() + MINUTE).toISOString();
    const [revoked, expired, lasting] = [
      await fair.t.key('acme'),
      await fair.t.key('acme', { expires }),
      await fair.t.key('acme'),
    ];
    const links = [];
    for (const one of [revoked, expired, lasting]) links.push((await linkOf(one.secret)).path);
    for (const path of links) expect(await opens(path)).toEqual([200, 200]);
    await fair.t.system((tx) => tx.run(sql`update api_keys set revoked_at = now() where id = ${toUuid(revoked.id)}`));
    clock.advance(MINUTE);
    expect(await Promise.all(links.map(opens))).toEqual([
      [404, 404],
      [404, 404],
      [200, 200],
    ]);
  });

  test('stops working when its member is removed or loses the permission', async () => {
    const link = async (session: string) => {
      const reply = await fair.app(session, 'GET', '/events/fair/scan/manifest');
      return new URL(reply.body.roster.url).pathname;
    };
    const changes = [
      sql`update members set role = 'developer'`,
      sql`update members m set group_id = (select id from groups g where g.org_id = m.org_id and code = 'north')`,
    ];
    for (const change of changes) {
      const session = await fair.t.session('acme', 'door');
      const path = await link(session);
      expect(await opens(path)).toEqual([200, 200]);
      await fair.t.system((tx) =>
        tx.run(
          sql`${change} where account_id = (select account_id from account_sessions where hash = ${hashSecret(session)})`,
        ),
      );
      expect(await opens(path)).toEqual([404, 404]);
    }
  });

  test('differs for each caller: the ETag of another caller’s manifest does not match', async () => {
    const [one, other] = [await linkOf((await device()).token), await linkOf((await device()).token)];
    expect(one.tag).not.toBe(other.tag);
    expect(one.path).not.toBe(other.path);
  });

  test('that names no holder, made by an older build, does not work', async () => {
    const links = new Links(new Secrets(Buffer.alloc(32, 7)), clock, '');
    const { org, event } = await fair.t.system((tx) =>
      tx.one<{ org: string; event: string }>(sql`select org_id as org, id as event from events where code = 'fair'`),
    );
    const of = { kind: 'roster', org, event, group: null, mode: 'live', expires: clock.now().getTime() + DAY };
    expect(await opens(links.make(of))).toEqual([404, 404]);
    const key = await fair.t.key('acme');
    expect(await opens(links.make({ ...of, holder: ['key', toUuid(key.id)] }))).toEqual([200, 200]);
  });
});

describe('pace', () => {
  // claim: device-pace
  test('ten scans in a second are accepted, the eleventh is 429 with Retry-After, and the next second goes on', async () => {
    const { token } = await device();
    const other = await device();
    for (let i = 0; i < SCANS_PER_SECOND; i += 1) expect((await fair.scan(`X${i}`, {}, token)).status).toBe(200);
    const late = await fair.scan('X', {}, token);
    expect([...code(late), late.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
    // Each device has its own pace, and only scans count.
    expect((await fair.scan('X', {}, other.token)).status).toBe(200);
    expect((await fair.get('/events/fair/scan/manifest', token)).status).toBe(200);
    expect((await beat(token)).status).toBe(200);
    const scans = Array.from({ length: 50 }, (_, i) => ({
      code: `Y${i}`,
      check_in_point: 'gate',
      client_uuid: randomUUID(),
    }));
    expect((await fair.t.call('POST', '/api/v1/events/fair/scan/batch', { key: token, body: { scans } })).status).toBe(
      200,
    );
    clock.advance(1000);
    expect((await fair.scan('X', {}, token)).status).toBe(200);
    // A key is limited by its requests per minute only.
    for (let i = 0; i < SCANS_PER_SECOND + 2; i += 1) expect((await fair.scan(`Z${i}`)).status).toBe(200);
  });

  test('every answer says how many of these calls the device may make, and how many are left', async () => {
    const { token } = await device();
    const pace = ({ status, headers }: Reply) => [
      status,
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
    ];
    expect(pace(await fair.scan('X1', {}, token))).toEqual([200, '10', '9']);
    expect(pace(await fair.scan('X2', {}, token))).toEqual([200, '10', '8']);
    expect(pace(await fair.get('/events/fair/scan/manifest', token))).toEqual([200, '50', '49']);
    const scans = [{ code: 'Y', check_in_point: 'gate', client_uuid: randomUUID() }];
    const batch = await fair.t.call('POST', '/api/v1/events/fair/scan/batch', { key: token, body: { scans } });
    expect(pace(batch)).toEqual([200, '1', '0']);
    for (let i = 2; i < SCANS_PER_SECOND; i += 1) await fair.scan(`X${i}`, {}, token);
    expect(pace(await fair.scan('X', {}, token))).toEqual([429, '10', '0']);
    expect(pace(await fair.t.call('GET', '/api/v1/events/fair/scan/manifest', { key: 'svc_device_none' }))).toEqual([
      401,
      '0',
      '0',
    ]);
  });

  test('the second is a sliding window: ten late in one second and ten early in the next are too many', async () => {
    const { token } = await device();
    clock.jump('2030-05-04T12:00:00.900Z');
    for (let i = 0; i < SCANS_PER_SECOND; i += 1) expect((await fair.scan(`X${i}`, {}, token)).status).toBe(200);
    clock.advance(200);
    const statuses = [];
    for (let i = 0; i < SCANS_PER_SECOND; i += 1) statuses.push((await fair.scan(`Y${i}`, {}, token)).status);
    expect(statuses).toContain(429);
  });
});

describe('the version of a scanner', () => {
  const [major, minor] = MIN_SCANNER_VERSION.split('.').map(Number) as [number, number];
  const older = minor > 0 ? `${major}.${minor - 1}.9` : `${major - 1}.99.99`;
  // claim: scanner-too-old
  test('below the minimum is 426 client_too_old, for devices and keys, and nothing is recorded', async () => {
    const { token } = await device();
    const { code: ticket, people } = await fair.register();
    for (const as of [token, fair.key]) {
      const reply = await fair.scan(ticket, {}, as, { 'x-scanner-version': older });
      expect(code(reply)).toEqual([426, 'client_too_old']);
      expect(reply.body.error.message).toContain(MIN_SCANNER_VERSION);
      expect((await fair.get('/events/fair/scan/manifest', as, { 'x-scanner-version': older })).status).toBe(426);
    }
    expect(code(await pair({ code: await pairingCode() }, fair.t, { 'x-scanner-version': older }))).toEqual([
      426,
      'client_too_old',
    ]);
    const rows = await fair.get(`/events/fair/checkins?attendee=${people[0]}`);
    expect(rows.body.data).toEqual([]);
  });

  test.each([
    MIN_SCANNER_VERSION,
    `${major}.${minor}`,
    `${major + 1}.0.0-beta.1`,
    `${MIN_SCANNER_VERSION}+build.7`,
    '',
  ])('%j may scan', async (version) => {
    expect((await fair.scan('X', {}, fair.key, { 'x-scanner-version': version })).status).toBe(200);
  });

  test('a text that is not a version is a fault; the API host does not ask for one', async () => {
    const faulty = await fair.scan('X', {}, fair.key, { 'x-scanner-version': 'latest' });
    expect([faulty.status, faulty.body.error.details[0].path]).toEqual([400, 'X-Scanner-Version']);
    const plain = await fair.t.call('GET', '/v1/me', { key: fair.key, headers: { 'x-scanner-version': older } });
    expect(plain.status).toBe(200);
  });
});

describe('the overview', () => {
  test('a heartbeat updates the state of a device; fields that it leaves out stay', async () => {
    const { token, id } = await device();
    expect(Date.parse((await overview(id)).seen_at)).toBe(clock.now().getTime());
    clock.advance(MINUTE);
    const told = await beat(token, { queue_length: 12, battery: 80, version: '1.4.0' });
    expect([told.status, told.body.id]).toEqual([200, id]);
    expect(await overview(id)).toEqual(told.body);
    expect(told.body).toMatchObject({ queue_length: 12, battery: 80, version: '1.4.0' });
    expect(Date.parse(told.body.seen_at)).toBe(clock.now().getTime());
    clock.advance(MINUTE);
    await beat(token, { queue_length: 0 });
    expect(await overview(id)).toMatchObject({ queue_length: 0, battery: 80, version: '1.4.0' });
    const faulty = await beat(token, { battery: 101, queue_length: -1, mood: 'good' });
    expect(faulty.body.error.details.map((fault: { path: string }) => fault.path).toSorted()).toEqual([
      'battery',
      'mood',
      'queue_length',
    ]);
    expect((await beat(token)).status).toBe(200);
  });

  test('pairing and unpairing write audit entries that name the member; a heartbeat writes none', async () => {
    const { token, id } = await device('Gate 7');
    for (let i = 0; i < 3; i += 1) await beat(token, { battery: 50 });
    await revoke(id);
    const rows = await fair.t.system((tx) =>
      tx.all<{ action: string; actor_kind: string }>(sql`
        select action, actor_kind from audit_log where object_id = ${toUuid(id)} or action = 'device.heartbeat' order by id`),
    );
    expect(rows).toEqual([
      { action: 'device.paired', actor_kind: 'device' },
      { action: 'device.revoked', actor_kind: 'member' },
    ]);
  });

  test('only devices send heartbeats', async () => {
    expect((await beat(fair.key, { battery: 5 })).status).toBe(404);
    expect((await fair.app(manager, 'PUT', '/devices/self/heartbeat', {})).status).toBe(404);
  });

  test('devices in use come first, by name', async () => {
    const b = await device('ZZ b');
    const a = await device('ZZ a');
    const gone = await device('AA gone');
    await revoke(gone.id);
    const ids = (await fair.app(manager, 'GET', '/events/fair/devices')).body.data.map((one: { id: string }) => one.id);
    expect(ids.indexOf(a.id)).toBeLessThan(ids.indexOf(b.id));
    expect(ids.indexOf(b.id)).toBeLessThan(ids.indexOf(gone.id));
  });
});

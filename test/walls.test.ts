import { randomUUID } from 'node:crypto';
import { EXPORT_COLUMNS, EXPORTED, type ReferenceKind } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { Outbound } from '../server/src/outside/https.ts';
import type { OutgoingMail } from '../server/src/outside/mail.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { mountsOf, pathOfOperation } from './support/matrix/calls.ts';
import { closeConnections, request } from './support/matrix/http.ts';
import { sampleOf } from './support/matrix/schema.ts';
import { specialOf } from './support/matrix/specials.ts';
import { Authority, answer, type Receiver, startReceiver } from './support/receivers.ts';
import { type Reply, startTest, type TestTurnout } from './support/turnout.ts';
import { Random } from './support/walls/random.ts';
import { maySee, type Rule, type Viewer } from './support/walls/secrets.ts';
import { AT_THE_DOOR, type Caller, type Subject, WalledWorld } from './support/walls/world.ts';

/**
 * The three walls (between organizations, between groups, between test and live) as one property: in random worlds with random calls
 * by random callers, no answer, envelope, export, roster or mail that a caller receives contains anything that the caller may not see.
 * Every text about a person is a word that occurs nowhere else, and who may see it is computed from the rules of the specification
 * alone (support/walls/secrets.ts).
 */
const SEEDS = process.env.WALLS_SEED?.split(',').map(Number) ?? [1];
const CALLS = Number(process.env.WALLS_CALLS ?? 400);

/** These operations move the walls themselves or delete what is behind them; they have tests of their own. */
const MOVES_THE_WALL = new Set(['moveGroup', 'deleteGroup', 'deleteEvent']);

afterAll(() => closeConnections());

describe.each(SEEDS)('a random world (seed %i)', (seed) => {
  const random = new Random(seed);
  const mails: OutgoingMail[] = [];
  let t: TestTurnout;
  let receiver: Receiver;
  let world: WalledWorld;
  let address = '';
  const leaks = new Set<string>();
  const nothingLeaked = () => {
    const found = [...leaks].sort();
    leaks.clear();
    expect(found).toEqual([]);
  };
  const seen = { calls: 0, answered: 0, mails: 0, envelopes: 0, decided: 0 };

  beforeAll(async () => {
    const authority = await Authority.make();
    receiver = await startReceiver(await authority.issue(['hooks.example.org']));
    receiver.behaviour = answer(200, '');
    t = await startTest({
      webhooks: new Outbound({
        ca: authority.pem,
        allowedNetworks: ['127.0.0.1/32'],
        resolve: async (host) => (host === 'hooks.example.org' ? [{ address: '127.0.0.1', family: 4 }] : []),
      }),
      mail: { describe: 'kept', send: async (mail) => void mails.push(mail), close: () => {} },
    });
    world = new WalledWorld(t, random);
    address = new URL(receiver.url('hooks.example.org')).origin;
    await world.furnish(address);
  });
  afterAll(async () => {
    await t?.stop();
    await receiver?.stop();
  });

  test('random operations by random callers reveal nothing', async () => {
    const offered = operations.filter((op) => !MOVES_THE_WALL.has(op.id));
    for (let i = 0; i < CALLS; i++) {
      const caller = random.pick(world.callers);
      const mine = offered.filter((op) => mountsOf(op).some((mount) => mount.by === caller.by));
      const near = world.subjects.filter((one) => one.org === caller.org);
      await attempt(caller, random.pick(mine), random.pick(random.chance(0.8) ? near : world.subjects));
    }
    // Chance has only few members leave.
    for (const op of offered.filter(({ id }) => specialOf(id).removesCaller)) {
      for (const caller of membersOf(world.callers)) await attempt(caller, op, eventsOf(caller)[0]!);
    }
    nothingLeaked();
    expect(seen.answered, 'calls that were answered with 2xx').toBeGreaterThan(CALLS / 8);
    await expectAllMayCall();
  });

  /** The other tests would prove nothing about a caller who may no longer call at all. */
  async function expectAllMayCall(): Promise<void> {
    const op = operations.find(({ id }) => id === 'listEvents')!;
    const refused: string[] = [];
    for (const caller of world.callers) {
      const { prefix } = mountsOf(op).find((mount) => mount.by === caller.by)!;
      const { status } = await send(caller, 'GET', prefix + op.path);
      if (status !== 200) refused.push(`${caller.name}: ${status}`);
    }
    expect(refused).toEqual([]);
  }

  test('everything that a caller can read reveals nothing', async () => {
    for (const caller of world.callers) {
      for (const op of operations.filter((one) => one.method === 'GET' && pathOfOperation(one).length <= 1)) {
        for (const subject of eventsOf(caller)) await attempt(caller, op, subject, { plain: true });
      }
    }
    nothingLeaked();
  });

  test('exports reveal nothing', async () => {
    for (const caller of world.callers) {
      for (const subject of eventsOf(caller)) {
        for (const what of EXPORTED) {
          const columns = [...EXPORT_COLUMNS[what].usual, ...EXPORT_COLUMNS[what].more];
          const body = { what, format: 'csv', event: subject.event, columns };
          const reply = await sendAs(caller, 'POST', 'createExport', '/exports', body);
          await follow(caller, reply, `export of ${what}`);
        }
      }
    }
    nothingLeaked();
  });

  test('rosters reveal nothing', async () => {
    for (const caller of world.callers.filter((one) => one.by === 'key')) {
      for (const subject of eventsOf(caller)) {
        const base = `/api/v1/events/${subject.event}/scan`;
        const manifest = await t.call('GET', `${base}/manifest`, { headers: caller.headers });
        check(caller, manifest.text, 'manifest', '');
        if (manifest.status !== 200) continue;
        const whole = await t.call(
          'GET',
          new URL(manifest.body.roster.url).pathname + new URL(manifest.body.roster.url).search,
        );
        expect(whole.status, whole.text).toBe(200);
        check(caller, whole.text, 'roster', '');
        const since = await t.call('GET', `${base}/roster?since=2000-01-01T00:00:00Z`, { headers: caller.headers });
        check(caller, since.text, 'roster since', '');
      }
    }
    nothingLeaked();
  });

  test('devices that a limited member pairs reveal nothing', async () => {
    const paired: string[] = [];
    for (const caller of membersOf(world.callers).filter(({ org }) => org === 'acme')) {
      for (const subject of eventsOf(caller)) {
        const path = `/app/api/events/${subject.event}/devices/pairing-codes`;
        const made = await t.call('POST', path, { headers: caller.headers, body: {} });
        if (made.status !== 201) continue;
        const { body } = await t.call('POST', '/api/v1/devices/pair', { body: { code: made.body.code } });
        paired.push(caller.name);
        await decideWith(caller, body.token);
        const base = `/api/v1/events/${subject.event}`;
        const since = 'since=2000-01-01T00:00:00Z';
        for (const what of [
          '/scan/manifest',
          `/scan/roster?${since}`,
          '/checkins?limit=200',
          '/checkins/reconciliation',
        ]) {
          const told = await t.call('GET', base + what, { key: body.token });
          expect(told.status, told.text).toBe(200);
          check(caller, told.text, `device at ${what}`, '');
          const roster = told.body.roster?.url;
          if (roster === undefined) continue;
          const { pathname, search } = new URL(roster);
          check(caller, (await t.call('GET', pathname + search)).text, 'device at the roster', '');
        }
      }
    }
    nothingLeaked();
    expect(paired).toContain('member of acme, north');
    // How many there are to decide on differs from world to world.
    expect(seen.decided, 'overridden or undone').toBeGreaterThan(0);
  });

  /** The member unlocks the device, and tries to override and to undo every check-in there is. */
  async function decideWith(caller: Caller, token: string): Promise<void> {
    const pin = { pin: '048213' };
    const set = await t.call('PUT', '/app/api/membership/pin', { headers: caller.headers, body: pin });
    expect(set.status, set.text).toBe(204);
    const offered = await t.call('GET', '/api/v1/devices/self/members', { key: token });
    check(caller, offered.text, 'device at its members', '');
    for (const one of offered.body.data as { id: string }[]) {
      const unlocked = await t.call('POST', '/api/v1/devices/self/unlock', {
        key: token,
        body: { member: one.id, ...pin },
      });
      check(caller, unlocked.text, 'device being unlocked', '');
      if (unlocked.status === 200) break;
    }
    for (const { refs } of world.subjects) {
      if (refs.check_in === undefined) continue;
      for (const [what, body] of [
        ['override', { reason: 'A random one' }],
        ['undo', undefined],
      ] as const) {
        const told = await t.call('POST', `/api/v1/checkins/${refs.check_in}/${what}`, { key: token, body });
        seen.decided += told.status === 200 ? 1 : 0;
        check(caller, told.text, `device at ${what}`, refs.check_in);
      }
    }
  }

  test('webhooks and test mails reveal nothing', async () => {
    while ((await t.step.relay()) > 0 || (await t.step.deliveries()) > 0);
    for (const { path, body } of receiver.received) {
      const by = /^\/caller\/(\d+)$/.exec(path)?.[1];
      const endpoint: Viewer =
        by === undefined
          ? world.endpoints.find((one) => one.path === path)!
          : { ...world.callers[Number(by)]!, mode: 'test' };
      seen.envelopes += 1;
      for (const leak of world.secrets.leaked(String(body), endpoint, '')) leaks.add(`${endpoint.name}: ${leak}`);
    }
    while ((await t.step.mails()) > 0);
    for (const mail of mails) {
      const caller = world.callers[Number(/^caller-(\d+)@/.exec(mail.to)?.[1] ?? -1)];
      if (caller === undefined) continue;
      seen.mails += 1;
      check(caller, `${mail.subject} ${mail.text} ${mail.html}`, 'test mail', '');
    }
    nothingLeaked();
    expect(seen.envelopes).toBeGreaterThan(100);
  });

  test('the control: what callers may not see exists, and a caller who may see everything sees it', async () => {
    const all = world.caller('acme', null, 'test');
    const some = world.caller('acme', 'south', 'live');
    const rules: Rule[] = [{ org: 'acme', groups: ['city'], needs: 'one', hiddenFromLive: true }];
    expect(rules.map((rule) => [maySee(all, rule), maySee(some, rule)])).toEqual([[true, false]]);
    const texts: string[] = [];
    for (const subject of eventsOf(all)) {
      const path = `/v1/events/${subject.event}/attendees?limit=200`;
      texts.push((await t.call('GET', path, { headers: all.headers })).text);
    }
    expect(world.secrets.leaked(texts.join(), all, '')).toEqual([]);
    expect(world.secrets.leaked(texts.join(), some, '').length).toBeGreaterThan(20);
    expect(world.secrets.leaked(texts.join(), world.caller('bolt', null, 'test'), '').length).toBeGreaterThan(100);
  });

  const membersOf = (callers: readonly Caller[]) => callers.filter(({ by }) => by === 'member');

  /** One registration of each event of the caller's organization. */
  function eventsOf(caller: Caller): Subject[] {
    const byEvent = new Map(world.subjects.filter((one) => one.org === caller.org).map((one) => [one.event, one]));
    return [...byEvent.values()];
  }

  async function attempt(who: Caller, op: Operation, subject: Subject, { plain = false } = {}): Promise<void> {
    const mount = mountsOf(op).find((one) => one.by === who.by);
    if (mount === undefined) return;
    const caller = specialOf(op.id).removesCaller ? await world.standIn(who) : who;
    // Scanning a test ticket with a live key is refused, and the refusal is recorded as a live one.
    if (op.id.startsWith('scan') && caller.mode === 'live' && subject.hiddenFromLive) return;
    const refer = (kind: ReferenceKind) => subject.refs[kind] ?? random.pick(world.subjects).refs[kind] ?? 'nothing';
    const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => refer(op.at[name]!.kind));
    const query = new URLSearchParams(plain ? {} : await queryOf(op, subject, refer)).toString();
    const body = op.body === undefined ? undefined : await bodyOf(caller, op, subject, refer);
    const reply = await send(caller, op.method, `${mount.prefix}${path}${query === '' ? '' : `?${query}`}`, body);
    const said = decodeURIComponent(`${path} ${query}`.replaceAll('+', ' ')) + JSON.stringify(body ?? '');
    // The answer to a scan shows the ticket, whatever its group.
    const held = op.id.startsWith('scan') && subject.org === caller.org;
    if (!held) check(viewerOf(caller, op), reply.text, `${op.id} ${reply.status}`, said);
    if (op.method !== 'GET' && reply.status < 300) await world.learnTickets(subject.org, subject.event);
    if (op.produces !== undefined && reply.status === 200) check(caller, subject.ticketCode, `${op.id} as a file`, '');
    await follow(caller, reply, op.id);
  }
  /** The audit log also has what was done with test keys, and names objects by their ids only. */
  const viewerOf = (caller: Caller, op: Operation): Viewer =>
    op.id === 'listAuditLog' ? { ...caller, mode: 'test' } : caller;

  async function queryOf(op: Operation, subject: Subject, refer: (kind: ReferenceKind) => string) {
    if (op.query === undefined) return {};
    const query = (await sampleOf(op.query, async (kind) => refer(kind))) as Record<string, unknown>;
    const { properties } = op.query as { properties?: Record<string, { 'x-reference'?: ReferenceKind }> };
    for (const name of [
      'email',
      'search',
      'code',
      'phone',
      'external_id',
      'registration',
      'attendee',
      'ticket',
      'contact',
      'group',
    ]) {
      if (properties?.[name] === undefined || !random.chance(0.4)) continue;
      const kind = properties[name]['x-reference'];
      query[name] = kind === undefined ? random.pick([...subject.words, subject.ticketCode]) : refer(kind);
    }
    return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  }

  async function bodyOf(caller: Caller, op: Operation, subject: Subject, refer: (kind: ReferenceKind) => string) {
    const sample = (await sampleOf(op.body!, async (kind) => refer(kind))) as object;
    const body: Record<string, unknown> = { ...sample, ...specialOf(op.id).body };
    const scan = {
      code: subject.ticketCode,
      check_in_point: 'gate',
      client_uuid: randomUUID(),
      scanned_at: AT_THE_DOOR,
    };
    if (op.id === 'scanTicket') return scan;
    if (op.id === 'scanBatch') return { scans: [scan] };
    if (op.id === 'createExport') return { what: random.pick(EXPORTED), format: 'csv', event: subject.event };
    if (op.id === 'createWebhook') body.url = `${address}/caller/${world.callers.indexOf(caller)}`;
    if (op.id === 'testCommunication') body.to = [`caller-${world.callers.indexOf(caller)}@example.org`];
    if (/Communication$/.test(op.id)) body.attendee = subject.refs.attendee;
    return body;
  }

  /** An answer together with what its links lead to. */
  async function follow(caller: Caller, reply: Reply, what: string): Promise<void> {
    for (const link of [reply.body?.result_url, reply.body?.rejects_url]) {
      if (typeof link !== 'string') continue;
      const { pathname, search } = new URL(link);
      const file = await t.call('GET', pathname + search);
      expect(file.status).toBe(200);
      check(caller, file.text, `file of ${what}`, '');
    }
  }

  const sendAs = (caller: Caller, method: string, id: string, path: string, body?: unknown): Promise<Reply> => {
    const op = operations.find((one) => one.id === id)!;
    const mount = mountsOf(op).find((one) => one.by === caller.by)!;
    return send(caller, method, mount.prefix + path, body);
  };

  async function send(caller: Caller, method: string, path: string, body?: unknown): Promise<Reply> {
    const carries = method !== 'GET' && body !== undefined;
    const reply = await request(t.url, method, path, {
      headers: {
        ...caller.headers,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(carries && { 'content-type': 'application/json' }),
      },
      body: carries ? JSON.stringify(body) : null,
    });
    seen.calls += 1;
    if (reply.status < 300) seen.answered += 1;
    // The tests reach no other platform.
    const away = reply.body?.error?.code === 'unavailable' && path.includes('/platform');
    if (!away) expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(500);
    return reply;
  }

  function check(caller: Viewer, text: string, what: string, said: string): void {
    for (const leak of world.secrets.leaked(text, caller, said)) leaks.add(`${caller.name}, ${what}: ${leak}`);
  }
});

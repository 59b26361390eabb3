import { setTimeout as pause } from 'node:timers/promises';
import { loadScanner } from '@turnout/words/scanner';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../server/src/store/sql.ts';
import { openBrowser, openBrowserIn, requireApps } from './support/apps.ts';
import { cleanUp, freePort, newFolder } from './support/running.ts';
import { endProcesses, type ServerProcess, startProcess } from './support/scan-process.ts';
import { AppAtGate, type Made, type Ticket } from './support/scanner/at-gate.ts';
import { crowd, Day } from './support/scanner/day.ts';
import { findings, letInTwice, type OnRecord } from './support/scanner/findings.ts';
import { type Asked, type Fault, PASS } from './support/scanner/gate.ts';
import { randomFrom, type Weather } from './support/scanner/weather.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

const SEED = 20_270_612;
const TICKETS = 2000;
const TWICE = 400;
const DAY_MS = 86_400_000;

/** The networks of the four gates. Each word is for a twelfth of the day. */
const GATES: readonly { readonly name: string; readonly weather: string }[] = [
  { name: 'North gate', weather: 'fine drop drop fine fine stall fine down fine flaky lost fine' },
  { name: 'East gate', weather: 'fine drop fine fine down stall fine portal portal fine flaky fine' },
  { name: 'South gate', weather: 'fine fine portal down fine fine drop drop fine flaky lost fine' },
  { name: 'West gate', weather: 'fine portal portal fine flaky fine drop portal fine fine down fine' },
];
/** The browser that dies, and after which part of its day: in the middle of a time without a network, with scans in its queue. */
const DIES = { gate: 3, after: 6.6 / 12 };
/** The server is killed after these parts of all scans. */
const KILLS = [0.3, 0.7] as const;

/** Four scanners, real browsers and a real server, all of which die or lose each other in the course of a day. */
describe.skipIf(!hasTool('chromium'))('a day at the gates', () => {
  const random = randomFrom(SEED);
  let t: TestTurnout;
  let key: string;
  let owner: string;
  let port: string;
  let server: ServerProcess;
  let browser: Browser;
  const apps: AppAtGate[] = [];

  beforeAll(async () => {
    await requireApps();
    t = await startTest(); // sets up the event and looks at the record; the scanners have a process of their own
    await t.org('acme');
    await t.plan('acme', 'scale', [['api_rate_per_min', '10000000']]);
    key = (await t.key('acme', { rpm: 10_000_000 })).secret;
    owner = await t.session('acme', 'owner');
    port = String(await freePort());
    await begin();
    browser = await openBrowser();
    await openFair();
  }, 300_000);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await browser?.close();
    endProcesses();
    await cleanUp();
    await t?.stop();
  });

  /** A server at the same address as the one before. */
  async function begin(crash?: 'after-commit'): Promise<ServerProcess> {
    server = await startProcess(t, crash, { PORT: port });
    return server;
  }

  const post = async (path: string, body: unknown = {}) => {
    const reply = await t.call('POST', `/v1${path}`, { key, body });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body;
  };

  async function openFair(): Promise<void> {
    await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' });
    await post('/events/fair/days', {
      ...{ code: 'today', date: new Date().toISOString().slice(0, 10) },
      opens_at: new Date(Date.now() - DAY_MS).toISOString(),
      closes_at: `${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T20:00:00Z`,
    });
    await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
    for (const { name } of GATES) {
      const code = name.split(' ')[0]!.toLowerCase();
      await post('/events/fair/check-in-points', { code, name, kind: 'entry' });
    }
    await post('/events/fair/publish');
  }

  let registered = 0;
  async function register(count: number): Promise<Ticket[]> {
    const tickets: Ticket[] = [];
    while (tickets.length < count) {
      const attendees = Array.from({ length: Math.min(125, count - tickets.length) }, () => {
        registered += 1;
        return { attendee_type: 'adult', first_name: 'Ada', last_name: `Nr${String(registered).padStart(5, '0')}` };
      });
      const made = await post('/events/fair/registrations', { attendees, send_emails: false });
      for (const { id, last_name, tickets: of } of made.attendees)
        tickets.push({ code: of[0].code, person: id, name: last_name });
    }
    return tickets;
  }

  const asOwner = (method: string, path: string, body?: unknown) =>
    t.call(method, `/app/api/events/fair${path}`, {
      headers: { cookie: `turnout_session=${owner}` },
      ...(body !== undefined && { body }),
    });

  /** A device at a point. With a folder, its browser is one of its own that keeps everything there. */
  async function device(name: string, point: string, folder: string | null = null): Promise<AppAtGate> {
    const { body } = await asOwner('POST', '/devices/pairing-codes', {});
    const options = { locale: 'en-GB', viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const };
    const browse = () => (folder === null ? browser.newContext(options) : openBrowserIn(folder, options));
    const app = await AppAtGate.pair(`http://127.0.0.1:${port}`, browse, { code: body.code, name, point });
    apps.push(app);
    return app;
  }

  /** All of a list, page by page. */
  async function all<T>(path: string): Promise<T[]> {
    const rows: T[] = [];
    for (let cursor = ''; ; ) {
      const { status, body, text } = await t.call('GET', `/v1/events/fair${path}?limit=200${cursor}`, { key });
      expect(status, text).toBe(200);
      rows.push(...body.data);
      if (!body.page.has_more) return rows;
      cursor = `&cursor=${encodeURIComponent(body.page.next_cursor)}`;
    }
  }
  const stored = async (): Promise<number> =>
    (await t.system((tx) => tx.one<{ count: number }>(sql`select count(*)::int as count from checkins`))).count;
  /** What is on record about these people: in the list of check-ins, or in that of reconciliation. */
  const about = async (tickets: readonly Ticket[], path: '/checkins' | '/checkins/reconciliation') => {
    const rows = await all<OnRecord>(path);
    if (path === '/checkins') expect(rows.length).toBe(await stored());
    const people = new Set(tickets.map(({ person }) => person));
    return rows.filter(({ attendee_id }) => people.has(attendee_id));
  };

  /** The server is killed twice. In its place comes one that dies as soon as it has recorded something, before anybody is told. */
  async function killServers(day: Day): Promise<void> {
    const signals: (NodeJS.Signals | null)[] = [];
    for (const part of KILLS) {
      await day.reaches(part);
      server.child.kill('SIGKILL');
      signals.push(await server.gone);
      await pause(1000);
      signals.push(await (await begin('after-commit')).gone);
      await begin();
    }
    expect(signals).toEqual(Array(4).fill('SIGKILL'));
  }

  /** A device tells how it is doing when it is opened, and then once a minute. */
  async function expectEmptyQueues(open: readonly AppAtGate[]): Promise<void> {
    for (const app of open) await app.reload();
    const waiting = async () => {
      const { data } = (await asOwner('GET', '/devices')).body as { data: { name: string; queue_length: number }[] };
      return GATES.map(({ name }) => data.find((one) => one.name === name)?.queue_length);
    };
    const { touchNeeded } = await loadScanner('en');
    await expect.poll(waiting, { timeout: 30_000 }).toEqual(GATES.map(() => 0));
    for (const app of open) {
      const { queue, kept, differences } = await app.onDisk();
      expect([queue, kept]).toEqual([[], []]);
      const count = differences.length;
      const said = `The server decided ${count} scan${count === 1 ? '' : 's'} differently`;
      // Nothing about scans that were not recorded. Whoever has opened the app anew is also asked for a touch.
      const notices = async () => (await app.notices()).filter((text) => text !== touchNeeded);
      await expect.poll(notices, { timeout: 20_000 }).toEqual(count === 0 ? [] : [said]);
      expect(app.errors).toEqual([]);
    }
  }

  /** What a device told otherwise than it is on record is in reconciliation, and the device says so. Nothing else is. */
  async function expectReconciled(
    tickets: readonly Ticket[],
    made: readonly Made[],
    rows: readonly OnRecord[],
    open: readonly AppAtGate[],
  ): Promise<number> {
    const recorded = new Map(rows.map((row) => [row.client_uuid, row]));
    const otherwise = made.filter(
      ({ told, client_uuid }) => told?.by === 'device' && told.result !== recorded.get(client_uuid)!.result,
    );
    const uuids = (some: readonly { client_uuid: string }[]) => some.map(({ client_uuid }) => client_uuid).sort();
    const listed = await about(tickets, '/checkins/reconciliation');
    expect(uuids(listed)).toEqual(uuids(otherwise));
    const disks = await Promise.all(open.map((app) => app.onDisk()));
    expect(uuids(disks.flatMap(({ differences }) => differences))).toEqual(uuids(otherwise));
    for (const { client_uuid } of letInTwice(made)) {
      if (recorded.get(client_uuid)!.admitted) continue;
      const row = listed.find((one) => one.client_uuid === client_uuid);
      expect(row).toMatchObject({ result: 'duplicate', offline_result: 'accepted', admitted: false });
    }
    return listed.length;
  }

  test('every scan is on record once, nobody is admitted twice online, and what was done twice offline is said', async () => {
    const times = [Date.now()];
    const tickets = await register(TICKETS);
    const folder = newFolder();
    const open: AppAtGate[] = [];
    for (const [i, { name }] of GATES.entries()) open.push(await device(name, name, i === DIES.gate ? folder : null));
    const lists = crowd(tickets, GATES.length, TWICE, random);
    const day = new Day(
      GATES.map(({ weather }, i) => ({
        app: open[i]!,
        weather: weather.split(' ') as Weather[],
        tickets: lists[i]!,
        dies: i === DIES.gate ? { folder, after: DIES.after } : null,
      })),
      random,
    );
    times.push(Date.now());
    await day.run(killServers(day));
    times.push(Date.now());
    for (const app of open) await app.sentAll();
    await pause(Math.max(0, day.arrived + 2000 - Date.now()));
    times.push(Date.now());

    await expectEmptyQueues(open);
    const made = open.flatMap((app) => [...app.made.values()]);
    const shown = made.filter((one) => one.shown !== null);
    expect(shown.length).toBeGreaterThanOrEqual(TICKETS + TWICE);
    for (const { told, shown: seen } of shown)
      expect({ result: told!.result, admitted: told!.admitted, by: told!.by }).toEqual(seen);
    const rows = await about(tickets, '/checkins');
    expect(findings(made, rows)).toEqual([]);
    expect(rows.filter(({ admitted }) => admitted).length).toBe(TICKETS);
    const differing = await expectReconciled(tickets, made, rows, open);

    const by = (who: string) => made.filter(({ told }) => told?.by === who);
    expect(by('nobody')).toEqual([]);
    const counts = {
      'told by the server': by('server').length,
      'told by a device': by('device').length,
      'refused as a duplicate by the server': by('server').filter(({ told }) => told!.result === 'duplicate').length,
      'let in twice': new Set(letInTwice(made).map(({ person }) => person)).size,
      'in reconciliation': differing,
    };
    const [start, ready, done, quiet] = times as [number, number, number, number];
    console.log(
      `${made.length} scans: ${JSON.stringify(counts)}. Ready after ${ready - start} ms, scanned for ${done - ready} ms, ` +
        `all sent and arrived after ${quiet - done} ms more.`,
    );
    // Otherwise the day would show less than it says.
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
  }, 600_000);

  test('the check finds a scan that is sent again as another one, and a scan that is lost', async () => {
    const tickets = await register(3);
    const app = await device('Control', GATES[0]!.name);
    const anew = (body: string) =>
      body.replaceAll(/"client_uuid":"[^"]+"/g, () => `"client_uuid":"${crypto.randomUUID()}"`);
    app.gate.fault = ({ path }: Asked): Fault =>
      path.endsWith('/scan') ? { do: 'lose answer' } : path.endsWith('/batch') ? { do: 'pass', rewrite: anew } : PASS;
    for (const ticket of tickets) await app.holdUp(ticket);
    await app.sentAll();
    const made = [...app.made.values()];
    const rows = await about(tickets, '/checkins');
    expect(findings(made, rows).join('\n')).toContain('nobody made such a scan');
    const right = rows.filter(({ client_uuid }) => app.made.has(client_uuid));
    expect(right.length).toBeGreaterThan(0);
    expect(findings(made, right.slice(1))).toContain(`${right[0]!.client_uuid} is on record 0 times`);
    const admitted = rows.find((row) => row.admitted)!;
    expect(findings(made, [...rows, admitted])).toContain(`${admitted.attendee_id} is on record as admitted 2 times`);
  }, 120_000);
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../server/src/store/migrate.ts';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { cloneDatabase, runSql, type TestDatabase } from './support/database.ts';
import { commandLine, makeOrganization } from './support/installation.ts';
import { previousRelease } from './support/previous-release.ts';
import { Authority, type Receiver, startReceiver } from './support/receivers.ts';
import { cleanUp, freePort, newFolder, ROOT, type Server, serve } from './support/running.ts';
import { openFair, SteadyLoad } from './support/steady-load.ts';
import { hasTool } from './support/tools.ts';
import { call, type Reply } from './support/turnout.ts';

const PER_SECOND = 15;
/** How long the load goes on in each state. */
const WHILE_MS = 4_000;

/** An upgrade without a stop, as docs/operating/upgrading.md describes it, from the latest release to this build. */
describe.skipIf(!hasTool('haproxy'))('the previous release beside this build', () => {
  let previous: string;
  let database: TestDatabase;
  let balancer: Balancer;
  let receiver: Receiver;
  let ports: { a: number; b: number };
  let env: Record<string, string>;
  let load: SteadyLoad | null = null;

  beforeAll(async () => {
    previous = previousRelease();
    database = await cloneDatabase({ empty: true });
    mkdirSync(database.files, { recursive: true });
    const authority = await Authority.make();
    receiver = await startReceiver(await authority.issue(['127.0.0.1']));
    const home = newFolder();
    const ca = join(home, 'ca.pem');
    writeFileSync(ca, authority.pem);
    ports = { a: await freePort(), b: await freePort() };
    env = {
      DATABASE_URL: database.url,
      FILES_URL: database.files,
      SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
      SANDBOX: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
      WEBHOOK_CA_FILE: ca,
      DATA_DIR: home,
    };
    balancer = await startBalancer(ports);
  }, 600_000);
  afterAll(async () => {
    await load?.stop();
    await balancer?.stop();
    await cleanUp();
    await receiver?.stop();
    await database?.drop();
  });

  const startServer = (name: 'a' | 'b', cwd: string): Promise<Server> =>
    serve({ ...env, DATA_DIR: newFolder(), PORT: String(ports[name]) }, { cwd, command: [process.execPath, MAIN] });

  test('both serve one database under load while it is migrated: no call fails, nothing is lost or doubled', async () => {
    await commandLine(env, previous)('migrate');
    const old = await startServer('a', previous);
    const key = await makeOrganization(commandLine(env, previous), 'acme');
    const people = await openFair(old.url, key);
    const v1 = async (url: string, method: string, path: string, body?: unknown): Promise<Reply['body']> => {
      const reply = await call(url, method, `/v1${path}`, { key, body });
      expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
      return reply.body;
    };
    await v1(old.url, 'POST', '/webhooks', { url: receiver.url(), events: ['*'] });
    /** Jobs of two kinds, and what they came to. */
    const doJobs = async (url: string, name: string) => {
      const rows = Array.from({ length: 600 }, (_, i) => `Ida,${name}${i},${name}${i}@example.org,adult,d0`);
      const csv = ['first_name,last_name,email,attendee_type,days', ...rows].join('\n');
      const started = [
        await v1(url, 'POST', '/events/fair/imports', { csv }),
        await v1(url, 'POST', '/exports', { what: 'people', event: 'fair', format: 'csv' }),
      ];
      for (const { id } of started) {
        await expect
          .poll(async () => (await v1(url, 'GET', `/jobs/${id}`)).status, { timeout: 240_000, interval: 1000 })
          .toBe('succeeded');
      }
      return v1(url, 'GET', `/jobs/${started[0]!.id}`);
    };
    /** Somebody whom the load leaves alone, and everything about them. */
    const registerQuietly = async (url: string, name: string) => {
      const person = { attendee_type: 'adult', first_name: 'Quiet', last_name: name, email: `${name}@example.org` };
      const attendees = [{ ...person, days: ['d0', 'd1'] }];
      const made = await v1(url, 'POST', '/events/fair/registrations', { attendees, send_emails: false });
      const [{ id, tickets }] = made.attendees;
      const code = tickets[0].code;
      await v1(url, 'POST', '/events/fair/scan', { code, check_in_point: 'gate', client_uuid: crypto.randomUUID() });
      await v1(url, 'PATCH', `/events/fair/attendees/${id}`, { first_name: 'Very quiet' });
      return [`/events/fair/registrations/${made.id}`, `/events/fair/attendees/${id}`, '/events/fair', '/me'];
    };
    const seenBy = async (url: string, paths: readonly string[]) => {
      const seen: Record<string, unknown> = {};
      for (const path of paths) seen[path] = await v1(url, 'GET', path);
      return seen;
    };

    // The previous release alone, on its own schema.
    await expect.poll(() => balancer.stateOf('a')).toBe('UP');
    load = new SteadyLoad(balancer.url, key, people, PER_SECOND);
    const paths = await registerQuietly(old.url, 'first');

    // Migrated while it serves: it goes on.
    const before = (await runSql(database.adminUrl, 'select name from migrations')).map(({ name }) => name);
    const migrated = await commandLine(env)('migrate');
    expect(before.length).toBeLessThan(migrations().length);
    expect(await runSql(database.adminUrl, 'select name from migrations')).toHaveLength(migrations().length);
    expect(migrated).not.toBe('');
    await sleep(WHILE_MS);
    paths.push(...(await registerQuietly(old.url, 'second')));
    await doJobs(old.url, 'second');

    // This build beside it.
    const fresh = await startServer('b', ROOT);
    await expect.poll(() => balancer.stateOf('b')).toBe('UP');
    await sleep(WHILE_MS);
    paths.push(...(await registerQuietly(old.url, 'third')));
    await doJobs(old.url, 'third');
    const fromNew = await registerQuietly(fresh.url, 'fourth');
    await doJobs(fresh.url, 'fourth');
    // What either of them wrote, the other one reads.
    const said = await seenBy(
      old.url,
      paths.filter((path) => !ALWAYS_CHANGES.test(path)),
    );
    const saysNow = await seenBy(fresh.url, Object.keys(said));
    expect(saysNow).toMatchObject(said);
    await seenBy(old.url, fromNew);

    // The previous release goes: the balancer sends it nobody any more, then it is stopped.
    await balancer.ask('set server turnout/a state drain');
    await expect.poll(() => balancer.sessionsOf('a')).toBe(0);
    old.signal('SIGTERM');
    expect(await old.ended).toEqual({ code: 0, signal: null });
    await sleep(WHILE_MS / 2);

    await load.stop();
    expect(load.failed).toEqual([]);
    expect(load.written).toBeGreaterThan(200);
    await load.expectAllThereOnce(database.adminUrl, 'acme');
    const imported = await runSql(
      database.adminUrl,
      `select count(*)::int as n from attendees where first_name = 'Ida'`,
    );
    expect(imported).toEqual([{ n: 3 * 600 }]);
    // Every occurrence was sent, and none twice.
    const waiting = `select (select count(*) from outbox) + (select count(*) from webhook_queue) as n`;
    await expect
      .poll(async () => Number((await runSql(database.adminUrl, waiting))[0]!.n), { timeout: 60_000 })
      .toBe(0);
    const sent = receiver.received.map(({ body }) => JSON.parse(body.toString()) as { id: string; type: string });
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
    const [{ checkins }] = await runSql(database.adminUrl, 'select count(*)::int as checkins from checkins');
    expect(sent.filter(({ type }) => type === 'checkin.recorded')).toHaveLength(checkins);
    const [{ n }] = await runSql(database.adminUrl, 'select count(*)::int as n from registrations');
    expect(sent.filter(({ type }) => type === 'registration.created').length).toBeLessThanOrEqual(n);
    expect(sent.length).toBeGreaterThan(load.written);
  }, 900_000);
});

const MAIN = 'server/src/main.ts';
/** Usage of this month, and counts of the event. */
const ALWAYS_CHANGES = /^\/(me|events\/fair)$/;

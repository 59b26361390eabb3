import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { cloneDatabase, type TestDatabase } from './support/database.ts';
import { commandLine, makeOrganization } from './support/installation.ts';
import { cleanUp, freePort, newFolder, type Server, serve } from './support/running.ts';
import { openFair, SteadyLoad } from './support/steady-load.ts';
import { hasTool } from './support/tools.ts';

const STOPS = 10;

/** Two processes behind HAProxy, as docs/operating/database.md describes them. */
describe.skipIf(!hasTool('haproxy'))('two processes behind HAProxy, under 40 calls a second', () => {
  let database: TestDatabase;
  let balancer: Balancer;
  let ports: { a: number; b: number };
  const servers: Server[] = [];
  let load: SteadyLoad | null = null;
  let env: Record<string, string>;

  const startServer = (name: 'a' | 'b', drain: number) =>
    serve({ ...env, DATA_DIR: newFolder(), PORT: String(ports[name]), DRAIN_SECONDS: String(drain) });

  async function open(drain: number): Promise<{ load: SteadyLoad }> {
    servers.push(await startServer('a', drain), await startServer('b', drain));
    for (const name of ['a', 'b']) await expect.poll(() => balancer.stateOf(name)).toBe('UP');
    const org = drain > 0 ? 'acme' : 'other';
    const key = await makeOrganization(commandLine(env), org);
    const people = await openFair(balancer.url, key);
    load = new SteadyLoad(balancer.url, key, people);
    return { load };
  }

  beforeAll(async () => {
    database = await cloneDatabase();
    ports = { a: await freePort(), b: await freePort() };
    env = {
      DATABASE_URL: database.url,
      FILES_URL: database.files,
      SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
      SANDBOX: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
      DATA_DIR: newFolder(),
    };
    balancer = await startBalancer(ports);
  });
  afterEach(async () => {
    await load?.stop();
    for (const server of servers.splice(0)) {
      server.signal('SIGKILL');
      await server.ended;
    }
  });
  afterAll(async () => {
    await balancer?.stop();
    await cleanUp();
    await database.drop();
  });

  test(`${STOPS} stops in turn, by SIGTERM: no call fails, and everything that was answered is there once`, async () => {
    const { load } = await open(4);
    for (let i = 0; i < STOPS; i += 1) {
      const at = i % 2;
      servers[at]!.signal('SIGTERM');
      expect(await servers[at]!.ended).toEqual({ code: 0, signal: null });
      servers[at] = await startServer(at === 0 ? 'a' : 'b', 4);
    }
    await load.stop();
    expect(load.failed).toEqual([]);
    expect(load.written).toBeGreaterThan(20 * STOPS);
    await load.expectAllThereOnce(database.adminUrl, 'acme');
  }, 900_000);

  test('the control: killed instead of stopped, calls fail', async () => {
    const { load } = await open(0);
    for (let i = 0; i < STOPS && load.failed.length === 0; i += 1) {
      const at = i % 2;
      servers[at]!.signal('SIGKILL');
      await servers[at]!.ended;
      servers[at] = await startServer(at === 0 ? 'a' : 'b', 0);
    }
    await load.stop();
    expect(load.failed.length).toBeGreaterThan(0);
  }, 600_000);
});

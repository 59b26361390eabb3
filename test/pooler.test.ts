import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newPgbouncer, versionOf } from '../scripts/pgbouncer.mjs';
import { cloneDatabase, type TestDatabase } from './support/database.ts';
import { cleanUp, freePort, newFolder, refusedStart, serve } from './support/running.ts';

/** Since 1.21 it knows prepared statements in transaction mode. Systems have an older or a newer one; the newer one can be fetched. */
const newer = await newPgbouncer();
const version = newer === 'pgbouncer' ? null : versionOf('pgbouncer');
const older = version === null ? null : 'pgbouncer';
if (newer === null) console.warn('\n!!! There is no PgBouncer 1.21 or newer: npm run test:night fetches it.\n');

describe('a connection pooler', () => {
  let database: TestDatabase;
  const folder = mkdtempSync(join(tmpdir(), 'turnout-pooler-'));
  const running = new Set<ChildProcess>();
  /** PostgreSQL listens on a socket here, which only its own user may open. */
  let door: Server;
  const passing = new Set<Socket>();
  let isShut = false;
  beforeAll(async () => {
    database = await cloneDatabase();
    const socket = `${decodeURIComponent(new URL(database.url).hostname)}/.s.PGSQL.5432`;
    door = createServer((client) => {
      if (isShut) return void client.destroy();
      passing.add(client.on('close', () => passing.delete(client)));
      const server = createConnection(socket);
      for (const one of [client, server]) one.on('error', () => {});
      client.pipe(server).pipe(client);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    for (const one of running) one.kill('SIGKILL');
    running.clear();
  });
  afterAll(async () => {
    await cleanUp();
    door.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** PgBouncer in transaction mode before the database. Answers the address through it. */
  async function pooled(command: string, settings: Record<string, string | number> = {}): Promise<string> {
    const port = await freePort();
    const { username, password, pathname } = new URL(database.url);
    const name = pathname.slice(1);
    writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      auth_type: 'any',
      pool_mode: 'transaction',
      unix_socket_dir: '',
      max_client_conn: 200,
      default_pool_size: 20,
      ...settings,
    };
    const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
    const { port: direct } = door.address() as { port: number };
    const target = `host=127.0.0.1 port=${direct} dbname=${name} user=${username}`;
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]\n${name} = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`,
    );
    // It refuses to run as root.
    for (const file of [folder, join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]) chmodSync(file, 0o755);
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(command, [...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
    running.add(child);
    await vi.waitFor(
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = createConnection(port, '127.0.0.1', () => {
            socket.destroy();
            resolve();
          }).on('error', reject);
        }),
      { timeout: 10_000 },
    );
    return `postgres://${username}:x@127.0.0.1:${port}/${name}`;
  }
  const SECRET_KEY = Buffer.alloc(32, 5).toString('base64');
  const env = (more: Record<string, string>) => ({
    DATA_DIR: newFolder(),
    FILES_URL: database.files,
    SECRET_KEY,
    SANDBOX: 'off',
    ...more,
  });

  const ignored = { ignore_startup_parameters: 'options' };
  const direct = () => ({ DATABASE_DIRECT_URL: database.url });

  test.skipIf(newer === null)('in the way of migrations stops the start, with what is needed', async () => {
    const url = await pooled(newer!, ignored);
    const refused = await refusedStart(env({ DATABASE_URL: url }));
    expect(refused).toEqual({
      code: 1,
      complaints: [
        expect.stringMatching(/A connection pooler is between Turnout and PostgreSQL\. Set DATABASE_DIRECT_URL/),
      ],
    });
    // Nothing is left behind that the next start would wait for.
    expect(await refusedStart(env({ DATABASE_URL: url, DATABASE_DIRECT_URL: url }))).toEqual(refused);
  });

  const refusesOld = async () => {
    for (const [settings, why] of [
      [{}, /The pooler in DATABASE_URL is too old/],
      [ignored, /The pooler in DATABASE_URL mixes up prepared statements/],
    ] as const) {
      const refused = await refusedStart(env({ ...direct(), DATABASE_URL: await pooled(older!, settings) }));
      expect(refused).toEqual({ code: 1, complaints: [expect.stringMatching(why)] });
      expect(refused.complaints[0]).toContain('PgBouncer 1.21 or newer');
    }
  };
  // Where the system's own is new, there is no old one to try.
  if (older !== null) test('of a version before 1.21 stops the start, whatever it ignores', refusesOld);

  test.skipIf(newer === null)('that knows no prepared statements stops the start; one that does serves', async () => {
    const unknown = await pooled(newer!, { max_prepared_statements: 0 });
    const refused = await refusedStart(env({ ...direct(), DATABASE_URL: unknown }));
    expect(refused).toEqual({ code: 1, complaints: [expect.stringMatching(/mixes up prepared statements/)] });
    const url = await pooled(newer!, { max_prepared_statements: 200 });
    const server = await serve(env({ ...direct(), DATABASE_URL: url, ROLES: 'api' }));
    for (let i = 0; i < 40; i += 1) expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  test.skipIf(newer === null)(
    'that has lost PostgreSQL: calls are answered 503, and served once it is back',
    async () => {
      const url = await pooled(newer!, { max_prepared_statements: 200, server_login_retry: 1, query_wait_timeout: 2 });
      const server = await serve(env({ ...direct(), DATABASE_URL: url, ROLES: 'api' }));
      const call = async () => {
        const answer = await fetch(`${server.url}/v1/me`, {
          headers: { authorization: `Bearer svc_live_${'x'.repeat(32)}` },
        });
        const { error } = (await answer.json()) as { error: { code: string } };
        return [answer.status, error.code];
      };
      const unknown = await call();
      expect(unknown[0]).toBe(401);
      isShut = true;
      try {
        for (const client of passing) client.destroy();
        for (let i = 0; i < 6; i += 1)
          expect(await Promise.all([call(), call()])).toEqual(Array(2).fill([503, 'unavailable']));
      } finally {
        isShut = false;
      }
      await vi.waitFor(async () => expect(await call()).toEqual(unknown), { timeout: 20_000, interval: 200 });
      server.signal('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
    },
  );
});

import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../server/src/config.ts';
import { cloneDatabase, runSql, type TestDatabase } from './support/database.ts';
import { isNight } from './support/night.ts';
import { RawClient } from './support/raw.ts';
import {
  cleanUp,
  freePort,
  leftBehind,
  newFolder,
  Program,
  postmasterOf,
  processesOn,
  refusedStart,
  SERVER,
  type Server,
  serve,
  startOf,
} from './support/running.ts';
import { call } from './support/turnout.ts';

const KEY = 'svc_test_SandboxPublicKeyForEverybody0001';
const NPM = ['npm', 'start'];
const CURL = spawnSync('curl', ['--version']).error === undefined;
const get = (server: Server, path: string) => call(server.url, 'GET', `/v1${path}`, { key: KEY });
const create = (server: Server, code: string) =>
  call(server.url, 'POST', '/v1/events', { key: KEY, body: { code, name: code } });

afterAll(cleanUp);

describe('an installation with its own database', () => {
  // All tests use one installation. It is made by the first start, and every test leaves it stopped.
  const home = newFolder();
  const start = (command?: string[]) => serve({ DATA_DIR: home }, command && { command });
  let first: Server;
  const pages: Record<string, number> = {};
  beforeAll(async () => {
    const port = await freePort();
    first = await serve({ DATA_DIR: home, PORT: String(port) });
    for (const name of ['Reference', 'Health']) {
      const address = new RegExp(`${name} +(http://localhost:${port}/\\S+)`).exec(first.stdout)?.[1];
      pages[name] = (await fetch(address!)).status;
    }
    first.signal('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(await leftBehind(home)).toEqual([]);
  });

  test('the first start says what it does, where it answers and with which key', () => {
    expect(first.lines.length).toBeGreaterThanOrEqual(4);
    expect(first.lines.filter((line) => !line.startsWith('turnout: '))).toEqual([]);
    expect(first.stderr).toMatch(/creating the database cluster.*migrating the database: 0001.*sandbox/s);
    expect(pages).toEqual({ Reference: 200, Health: 200 });
    expect(first.stdout).toContain(`\n  ${KEY}\n`);
    for (const screen of ['start', 'sandbox']) {
      expect(first.stdout).toMatch(new RegExp(`\\n  http://localhost:\\d+/app/-/${screen}#[\\w-]{43}\\n`));
    }
    expect(first.lines.at(-1)).toBe('turnout: stopped');
  });

  test('a later start makes nothing anew, and the call that it prints works; meanwhile another one is refused in one line; Ctrl-C ends it', async () => {
    const server = await start();
    expect(server.stderr).not.toMatch(/creating|migrating|filling/);
    expect((await get(server, '/me')).status).toBe(200);
    const line = /^ {2}(curl .*)$/m.exec(server.stdout)?.[1];
    expect(line).toBeDefined();
    if (CURL) {
      const curl = spawnSync('sh', ['-c', line!], { encoding: 'utf8' });
      expect(JSON.parse(curl.stdout).organization.code, curl.stderr).toBe('sandbox');
    }
    // The link of the first person of this start works, and that of the start before no longer does.
    const look = async ({ stdout }: Server) => {
      const token = /\/app\/-\/start#([\w-]{43})/.exec(stdout)?.[1];
      return (await call(server.url, 'POST', '/app/api/-/start/look', { body: { token } })).status;
    };
    expect([await look(first), await look(server)]).toEqual([404, 200]);

    const port = new URL(server.url).port;
    expect(await refusedStart({ DATA_DIR: home, PORT: port })).toEqual({
      code: 1,
      complaints: [`turnout: Port ${port} is taken. Stop what runs there, or set PORT to another one.`],
    });
    expect(await refusedStart({ DATA_DIR: home })).toEqual({
      code: 1,
      complaints: [expect.stringContaining(`${home} is in use by another Turnout (pid ${server.pid}).`)],
    });
    expect((await get(server, '/me')).status).toBe(200);

    server.signalGroup('SIGINT');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await leftBehind(home)).toEqual([]);
  });

  test('kill -9 of the server: the next start takes over the database; kill -9 of that: calls are "unavailable" for a moment, then work as before', async () => {
    const server = await start();
    expect((await create(server, 'kept')).status).toBe(201);
    server.signal('SIGKILL');
    await server.ended;
    expect(startOf(postmasterOf(home))).not.toBeNull();

    const next = await start();
    expect(next.stderr).toContain('taking over the running PostgreSQL');
    expect((await get(next, '/events/kept')).body.code).toBe('kept');

    const answered = ['kept'];
    process.kill(postmasterOf(home), 'SIGKILL');

    let calm = 0;
    for (let i = 0; calm < 3; i += 1) {
      expect(i, next.stderr).toBeLessThan(100);
      const reply = await create(next, `outage-${i}`);
      if (reply.status === 201) {
        answered.push(`outage-${i}`);
        calm += 1;
      } else {
        expect([reply.status, reply.body.error.code]).toEqual([503, 'unavailable']);
        calm = 0;
        await sleep(100);
      }
    }
    expect(next.stderr).toMatch(/PostgreSQL ended unexpectedly.*PostgreSQL is back \(pid \d+\)/s);
    for (const code of answered) expect((await get(next, `/events/${code}`)).status, code).toBe(200);

    // A stop in that moment is clean.
    process.kill(postmasterOf(home), 'SIGKILL');
    await next.says(/ended unexpectedly.*ended unexpectedly/s);
    next.signal('SIGTERM');
    expect(await next.ended).toEqual({ code: 0, signal: null });
    expect(await leftBehind(home)).toEqual([]);
  });

  if (isNight) {
    test('kill -9 of server and database: the next start works, and nothing that was answered is lost', async () => {
      const server = await start();
      expect((await create(server, 'kept-too')).status).toBe(201);
      for (const pid of [server.pid, postmasterOf(home)]) process.kill(pid, 'SIGKILL');
      await server.ended;

      const next = await start();
      expect((await get(next, '/events/kept-too')).status).toBe(200);
      next.signal('SIGTERM');
      expect((await next.ended).code).toBe(0);
    });
  }

  test('a lost connection that nobody waits for: the process goes on; anything else: it ends', async () => {
    const failing = join(home, 'failing.mjs');
    const messages = ['Connection terminated unexpectedly', 'something is wrong in the program'];
    const reject = `Promise.reject(new Error(messages.shift()))`;
    writeFileSync(
      failing,
      `const messages = ${JSON.stringify(messages)};\nprocess.on('SIGUSR2', () => { ${reject}; });`,
    );
    const server = await serve({ DATA_DIR: home, NODE_OPTIONS: `--import=${failing}` });
    server.signal('SIGUSR2');
    for (let i = 0; i < 5; i += 1) expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(server.child.exitCode).toBeNull();
    server.signal('SIGUSR2');
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.stderr).toContain(messages[1]);
    // The next start finds the database that is still running, and its stop ends it.
    const next = await start();
    next.signal('SIGTERM');
    await next.ended;
    expect(await leftBehind(home)).toEqual([]);
  });

  test('a stop during the start leaves nothing behind', async () => {
    const server = new Program(SERVER, { DATA_DIR: home, PORT: String(await freePort()) });
    await server.says('starting PostgreSQL');
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stdout).not.toContain('Turnout answers');
    expect(await leftBehind(home)).toEqual([]);
  });

  if (isNight) {
    test('it goes on when its output is no longer read, and stops cleanly', async () => {
      const port = await freePort();
      const quoted = SERVER.map((word) => `'${word}'`).join(' ');
      const shell = new Program(['sh', '-c', `${quoted} 2>&1 | head -n 1`], { DATA_DIR: home, PORT: String(port) });
      const health = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(health, { timeout: 30_000 }).toBe(200);
      shell.signalGroup('SIGINT');
      expect(await leftBehind(home)).toEqual([]);
    });
  }

  const ENDS = [
    ['Ctrl-C', 'SIGINT', 'group'],
    ['kill -9 of npm', 'SIGKILL', 'npm'],
    ['SIGTERM to npm', 'SIGTERM', 'npm'],
    ['a closed terminal', 'SIGHUP', 'group'],
  ] as const;
  test.each(isNight ? ENDS : ENDS.slice(0, 2))('npm start, %s: nothing is left behind', async (_name, signal, to) => {
    const npm = await start(NPM);
    expect((await get(npm, '/me')).status).toBe(200);
    expect((await processesOn(home)).length).toBeGreaterThan(3);
    if (to === 'npm') npm.signal(signal);
    else npm.signalGroup(signal);
    expect(await leftBehind(home)).toEqual([]);
    await npm.ended; // its last lines have arrived, too
    expect(npm.lines.at(-1)).toBe('turnout: stopped');
    expect(npm.stderr).not.toContain('stopping already');
  });
});

if (isNight) {
  test('two first starts at once: one serves, the other is refused in one line', async () => {
    const folder = newFolder();
    const ports = [await freePort(), await freePort()];
    const programs = ports.map((port) => new Program(SERVER, { DATA_DIR: folder, PORT: String(port) }));
    const first = await Promise.race(programs.map((program) => program.ended.then(() => program)));
    const other = programs.find((program) => program !== first)!;
    expect((await first.ended).code).toBe(1);
    expect(first.lines).toEqual([expect.stringContaining(`${folder} is in use by another Turnout (pid ${other.pid})`)]);
    await other.says('Stop with Ctrl-C');
    other.signal('SIGTERM');
    expect((await other.ended).code).toBe(0);
    expect(await leftBehind(folder)).toEqual([]);
  });
}

describe('with a database that the operator runs (DATABASE_URL)', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });
  const SECRET_KEY = Buffer.alloc(32, 5).toString('base64');
  const env = () => ({ DATABASE_URL: database.url, FILES_URL: database.files, DATA_DIR: newFolder(), SECRET_KEY });

  test('ROLES=worker listens nowhere and stops cleanly; then another secret is refused in one line', async () => {
    const worker = await serve({ ...env(), ROLES: 'worker' });
    await expect(fetch(worker.url)).rejects.toThrow();
    worker.signal('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(worker.lines.at(-1)).toBe('turnout: stopped');
    const refused = await refusedStart({ ...env(), SECRET_KEY: Buffer.alloc(32, 6).toString('base64') });
    expect(refused).toEqual({ code: 1, complaints: [expect.stringMatching(/belongs to another secret key/)] });
  });

  test('it answers, and starts no database of its own; SIGTERM: what runs is answered, no other request is accepted, then it ends', async () => {
    const settings = env();
    const server = await serve(settings);
    // Clients that have sent half a request, or nothing, hold nobody up.
    const half = new RawClient(server.url).send(
      `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nIdempotency-Key: half\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
    );
    const silent = new RawClient(server.url);
    expect((await get(server, '/me')).status).toBe(200);
    expect(readdirSync(settings.DATA_DIR).filter((name) => name.startsWith('postgres'))).toEqual([]);
    expect((await processesOn(settings.DATA_DIR)).map(({ pid }) => pid)).toEqual([server.pid]);
    const holder = new pg.Client({ connectionString: database.adminUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from org_clocks for update');
    const slow = create(server, 'slow');
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => runSql(database.adminUrl, waits), { timeout: 10_000 }).toHaveLength(1);

    server.signal('SIGTERM');
    await server.says('finishing what runs');
    await expect
      .poll(() =>
        fetch(`${server.url}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .not.toBe(200);
    expect(startOf(server.pid)).not.toBeNull();
    await holder.query('commit');
    await holder.end();
    expect((await slow).status).toBe(201);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    await Promise.all([half.closed, silent.closed]);
    expect(server.lines.at(-1)).toBe('turnout: stopped');
    expect(await runSql(database.adminUrl, `select code from events where code = 'slow'`)).toHaveLength(1);
  });

  test('DRAIN_SECONDS: after SIGTERM it goes on answering, and tells balancers and callers to go elsewhere', async () => {
    const server = await serve({ ...env(), DRAIN_SECONDS: '3' });
    const kept = await fetch(`${server.url}/readyz`);
    expect([kept.status, kept.headers.get('connection')]).toEqual([200, 'keep-alive']);
    server.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    const ready = await fetch(`${server.url}/readyz`);
    expect([await ready.json(), ready.headers.get('connection')]).toEqual([{ status: 'stopping' }, 'close']);
    const answer = await get(server, '/me');
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test('a schema that is newer than this build is refused in one line, and nothing is changed', async () => {
    await runSql(database.adminUrl, `insert into migrations (name, checksum) values ('9999_later.sql', '')`);
    const refused = await refusedStart(env());
    await runSql(database.adminUrl, `delete from migrations where name = '9999_later.sql'`);
    expect(refused).toEqual({ code: 1, complaints: [expect.stringMatching(/newer schema \(9999_later\.sql\)/)] });
  });

  test('a database that does not exist is refused in one line', async () => {
    const url = database.url.replace(/[^/]+$/, 'nowhere');
    const refused = await refusedStart({ ...env(), DATABASE_URL: url });
    expect(refused).toEqual({ code: 1, complaints: [expect.stringMatching(/cannot be reached \(.*"nowhere"/)] });
  });
});

describe('a wrong setting stops the start with one clear line', () => {
  let occupant: NetServer;
  const taken = () => (occupant.address() as { port: number }).port;
  beforeAll(async () => {
    // Answers as PostgreSQL answers a wrong password.
    const fields = ['SFATAL', 'VFATAL', 'C28P01', 'Mpassword authentication failed for user "turnout"', ''];
    const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
    const head = Buffer.from('E\0\0\0\0');
    head.writeInt32BE(body.length + 4, 1);
    occupant = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.concat([head, body])));
    });
    await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => occupant.close(resolve)));

  const blocked = newFolder();
  writeFileSync(join(blocked, 'file'), '');
  const damaged = newFolder();
  writeFileSync(join(damaged, 'secret.key'), 'short');

  test.each<[string, () => Record<string, string>, RegExp]>([
    ['a port that is none', () => ({ PORT: 'eighty' }), /^turnout: PORT=eighty is not a whole number/],
    ['a taken port', () => ({ PORT: String(taken()) }), /^turnout: Port \d+ is taken/],
    ['an address that is not ours', () => ({ HOST: '192.0.2.1' }), /^turnout: Cannot listen on 192\.0\.2\.1/],
    [
      'a database that does not answer',
      () => ({ DATABASE_URL: 'postgres://turnout@127.0.0.1:1/turnout' }),
      /^turnout: The database cannot be reached \(.*ECONNREFUSED.*\)\. Check DATABASE_URL/,
    ],
    [
      'a wrong password',
      () => ({ DATABASE_URL: `postgres://turnout:wrong@127.0.0.1:${taken()}/turnout` }),
      /^turnout: The database cannot be reached \(password authentication failed for user "turnout"\)/,
    ],
    [
      'a folder that cannot be made',
      () => ({ DATA_DIR: join(blocked, 'file', 'data') }),
      /^turnout: DATA_DIR .*file\/data is not writable \(ENOTDIR\)/,
    ],
  ])('%s', async (_name, env, says) => {
    const refused = await refusedStart({ DATA_DIR: join(blocked, 'data'), ...env() });
    expect(refused).toEqual({ code: 1, complaints: [expect.stringMatching(says)] });
    expect(readdirSync(blocked)).not.toContain('postgres');
  });

  test('a damaged secret, and a Redis that does not answer', async () => {
    const database = await cloneDatabase();
    const env = { DATABASE_URL: database.url, FILES_URL: database.files, DATA_DIR: damaged };
    expect(await refusedStart(env)).toEqual({ code: 1, complaints: [expect.stringMatching(/secret\.key is damaged/)] });
    const SECRET_KEY = Buffer.alloc(32, 5).toString('base64');
    const refused = await refusedStart({ ...env, SECRET_KEY, REDIS_URL: 'redis://127.0.0.1:1' });
    expect(refused).toEqual({ code: 1, complaints: [expect.stringMatching(/REDIS_URL: Redis does not answer/)] });
    await database.drop();
  });

  test.each([
    ['EDITION', 'free', 'EDITION=free is not one of: hosted, self_hosted'],
    ['PORT', '70000', 'from 0 to 65535'],
    ['PORT', '-1', 'from 0 to 65535'],
    ['DATABASE_URL', 'mysql://localhost/turnout', 'postgres://'],
    ['DATABASE_URL', 'postgres://me:pa#ss@localhost/turnout', 'valid address'],
    ['DATABASE_POOL', '1', 'from 2'],
    ['PUBLIC_URL', 'turnout.example', 'http://'],
    ['SCANNER_URL', 'ftp://turnout.example', 'http://'],
    ['FILES_URL', 'gs://bucket', 'file://'],
    ['FILES_URL', 's3://bucket?acl=public', 'acl is no setting of a bucket'],
    ['FILES_URL', 's3://me:secret@bucket', 'must not contain credentials'],
    ['REDIS_URL', 'http://localhost', 'redis://'],
    ['SMTP_URL', 'localhost:25', 'smtp://'],
    ['ROLES', 'cook', 'api, worker'],
    ['ROLES', ',', 'api, worker'],
    ['SANDBOX', 'yes', 'on, off'],
    ['LOG_LEVEL', 'loud', 'silent, error'],
    ['SECRET_KEY', 'c2hvcnQ=', '32 random bytes'],
    ['LICENSE_PUBLIC_KEY', 'nonsense', 'license keygen'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,everywhere', 'everywhere is not an address'],
    ['WEBHOOK_CA_FILE', '/nowhere/ca.pem', 'no file /nowhere/ca.pem'],
    ['TRUSTED_PROXIES', '10.0.0.0/99', '10.0.0.0/99 is not an address'],
  ])('%s=%s', (name, value, says) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
    expect(read).toThrow(says);
  });
});

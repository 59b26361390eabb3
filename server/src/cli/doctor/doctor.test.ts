import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from '../../../../test/support/database.ts';
import { Receiver as MailReceiver } from '../../../../test/support/mail-receiver.ts';
import { Authority, answer, type Credentials, startReceivers } from '../../../../test/support/receivers.ts';
import { startRedis, type TestRedis } from '../../../../test/support/redis.ts';
import { hasTool } from '../../../../test/support/tools.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { newId, newUlid } from '../../common/ids.ts';
import { readConfig } from '../../config.ts';
import { folderFiles } from '../../outside/folder-files.ts';
import { migrations } from '../../store/migrate.ts';
import { sql } from '../../store/sql.ts';
import type { Check, Options } from './check.ts';
import { CHECKS, examine, type Report } from './index.ts';
import { reportText } from './text.ts';
import { ok } from './verdict.ts';

/** The clock of the machine, which PostgreSQL has, too. A run of the tests may move `Date`. */
const clock = { now: () => new Date(performance.timeOrigin + performance.now()) };
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

let folder: string;
const stops: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnout-doctor-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Only what is looked at is checked: each check starts what it needs. */
const only = (...names: string[]): Check[] => {
  const checks = CHECKS.filter(({ name }) => names.includes(name));
  expect(checks.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  return checks;
};
const NOBODY = 'postgres://turnout@127.0.0.1:1/turnout';
const look = (
  env: Record<string, string>,
  checks: readonly Check[] = CHECKS,
  options: Partial<Options> = {},
): Promise<Report> => {
  const all = { DATA_DIR: folder, DATABASE_URL: NOBODY, SECRET_KEY, DNS_SERVERS: '127.0.0.1:9', ...env };
  return examine(readConfig(all), { clock, ...options }, checks);
};
const found = (report: Report, check: string) => {
  const one = report.findings.find((finding) => finding.check === check);
  expect(one, `${check} in ${JSON.stringify(report.findings, null, 1)}`).toBeDefined();
  return one!;
};
/** What a finding says, after its state. */
const told = async (asked: Promise<Report>, check: string) => {
  const { state, says, remedy } = found(await asked, check);
  // Whatever is not in order has a remedy, and only that.
  expect(remedy === null).toBe(state === 'ok');
  return `${state}: ${says}`;
};

describe('beside a running Turnout', () => {
  let t: TestTurnout;
  let env: Record<string, string>;
  beforeAll(async () => {
    t = await startTest({ env: { ROLES: 'api,worker' } });
    env = { DATABASE_URL: t.database.url, FILES_URL: t.database.files, PUBLIC_URL: t.url };
  });
  afterAll(() => t.stop());

  test('everything is in order, and every check says so', async () => {
    // What other tests have left in the queues is not in order.
    await t.system((tx) => tx.run(sql`delete from mails`));
    const report = await look(env, CHECKS, { clock: t.clock });
    // The test may move the clock of this process, and PostgreSQL has that of the machine.
    const others = report.findings.filter(({ check }) => check !== 'clocks' && check !== 'disk');
    expect(others.filter(({ state }) => state !== 'ok')).toEqual([]);
    const silent = ['SCANNER_URL', 'test mail'];
    const names = CHECKS.map(({ name }) => name).filter((name) => !silent.includes(name));
    expect([...new Set(report.findings.map(({ check }) => check))].toSorted()).toEqual(names.toSorted());
    expect(found(report, 'store').says).toBe(`A file was written, read and deleted in ${t.database.files}.`);
    const kept: string[] = [];
    for await (const key of folderFiles(t.database.files).list()) kept.push(key);
    expect(kept).toEqual([]);
  });

  test('what waits in queues is told', async () => {
    const queues = only('outbox', 'mails', 'webhook receivers');
    const { org } = await t.system(async (tx) => {
      const id = await t.org('queues');
      const old = new Date(t.clock.now().getTime() - 3_600_000);
      for (let i = 0; i < 4; i += 1) {
        await tx.run(sql`
          insert into webhook_endpoints (org_id, id, url, events, status, secret, secret_last4, since, created_at, updated_at)
          values (${id}, ${newId(t.clock.now())}, 'https://a.example/', '{}', ${i === 0 ? 'healthy' : 'failing'}, '', 'last', ${old}, ${old}, ${old})`);
      }
      await tx.run(sql`
        insert into mails (org_id, id, kind, recipient, subject, text, status, next_attempt_at, created_at)
        values (${id}, ${newId(t.clock.now())}, 'note', 'a@example.org', 'a', 'a', 'failed', ${old}, ${old})`);
      return { org: id };
    });
    const report = await look(env, queues, { clock: t.clock });
    expect(found(report, 'mails')).toMatchObject({ state: 'warning', says: expect.stringContaining('given up: 1') });
    expect(found(report, 'webhook receivers')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/^3 of 4 fail/),
    });
    await t.system((tx) => tx.run(sql`delete from webhook_endpoints where org_id = ${org}`));
    expect(await told(look(env, queues, { clock: t.clock }), 'webhook receivers')).toMatch(/^ok: 0 of 0 fail/);
  });
});

describe('the database', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeEach(async () => {
    database = await cloneDatabase();
    stops.push(() => database.drop());
    env = { DATABASE_URL: database.url, FILES_URL: database.files };
  });
  const admin = (text: string) => runSql(database.adminUrl, text);

  test('that nobody serves fails once, and everything that needs it says so', async () => {
    const report = await look({});
    expect(report).toMatchObject({ ok: false, state: 'failed' });
    expect(found(report, 'database')).toMatchObject({ state: 'failed', says: expect.stringContaining('ECONNREFUSED') });
    expect(found(report, 'schema').says).toBe('Not checked: the database cannot be asked.');
    // What does not need it is checked.
    expect(found(report, 'store').state).toBe('ok');
    expect(reportText(report).match(/Not checked: the database cannot be asked/g)!.length).toBeLessThan(7);
  });

  test('of a superuser, and of a login that may not enter the roles', async () => {
    expect(await told(look({ ...env, DATABASE_URL: database.adminUrl }, only('login')), 'login')).toMatch(
      /^failed: The login \w+ is a superuser/,
    );
    const name = `doctor_${newUlid(clock.now()).toLowerCase()}`;
    await admin(`create role ${name} login password 'x'`);
    stops.push(() => runSql(database.adminUrl.replace(/\/t_\w+/, '/postgres'), `drop role ${name}`));
    const url = new URL(database.url);
    url.username = name;
    const report = await look({ ...env, DATABASE_URL: url.href }, only('login', 'roles'));
    expect(found(report, 'roles')).toMatchObject({
      state: 'failed',
      says: 'The login may not enter turnout_app and turnout_system.',
    });
  });

  test('of another schema is not migrated, and told', async () => {
    const last = migrations().at(-1)!.name;
    await admin(
      `create table kept as select * from migrations where name = '${last}'; delete from migrations where name = '${last}'`,
    );
    for (let i = 0; i < 2; i += 1)
      expect(await told(look(env, only('schema')), 'schema')).toBe(
        `failed: 1 migration of this version is missing, from ${last} on.`,
      );
    await admin(
      `insert into migrations select * from kept; insert into migrations (name, checksum) values ('9999_later.sql', '')`,
    );
    expect(await told(look(env, only('schema')), 'schema')).toMatch(
      /^failed: The database has a newer schema \(9999_later/,
    );
    await admin('drop table migrations');
    expect(await told(look(env, only('schema')), 'schema')).toBe('failed: The database is empty.');
  });

  test('with a table that shows every organization to everybody', async () => {
    await admin('alter table events no force row level security');
    expect(await told(look(env, only('row-level security')), 'row-level security')).toBe(
      'failed: Row-level security is off on: events.',
    );
  });

  test('that takes no writes, and one server of several that is gone', async () => {
    const [, before, host, after] = /^(.*@)([^/]+)(\/.*)$/.exec(database.url)!;
    const several = { ...env, DATABASE_URL: `${before}127.0.0.1:1,${host}${after}` };
    const checks = only('database', 'schema', 'places');
    const report = await look(several, checks);
    expect(found(report, 'database 127.0.0.1:1')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('ECONNREFUSED'),
    });
    expect(found(report, 'database')).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/^Of 2 servers, the socket takes writes/),
    });
    expect(found(report, 'places').state).toBe('ok');

    const name = after!.slice(1).split('?')[0];
    await admin(`alter database ${name} set default_transaction_read_only = on`);
    const standby = await look(env, checks);
    expect(found(standby, 'database')).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('takes no writes'),
    });
    expect(found(standby, 'schema').state).toBe('ok');
    expect(found(standby, 'places').says).toBe('Not checked: no server of the database takes writes.');
    expect(found(await look(several, checks), 'database')).toMatchObject({
      state: 'failed',
      says: 'None of 2 servers takes writes.',
    });
  });

  test('whose clock is another than that of this machine', async () => {
    const ahead = (ms: number) =>
      look(env, only('clocks'), { clock: { now: () => new Date(clock.now().getTime() + ms) } });
    expect(await told(ahead(0), 'clocks')).toMatch(/^ok: This machine and the database agree/);
    expect(await told(ahead(10_000), 'clocks')).toMatch(
      /^warning: The clocks of this machine and the database differ by 1\d\.\d s/,
    );
    expect(await told(ahead(-60_000), 'clocks')).toMatch(/^failed: The clocks/);
  });

  test('without a worker, with and without a process that answers calls', async () => {
    expect(await told(look(env, only('workers')), 'workers')).toMatch(/^warning: No process of Turnout/);
    const t = await startTest({ database });
    stops.push(() => t.stop());
    await t.org('acme');
    expect(await told(look(env, only('workers')), 'workers')).toMatch(
      /^failed: Processes answer calls, and nobody works/,
    );
  });

  test('of another secret key', async () => {
    const t = await startTest({ database });
    stops.push(() => t.stop());
    expect(await told(look(env, only('secret key')), 'secret key')).toBe('ok: It is the key of this database.');
    const other = { ...env, SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };
    expect(await told(look(other, only('secret key')), 'secret key')).toMatch(
      /^failed: This database belongs to another secret key/,
    );
  });

  test('counts that take too long are left out, and waited for by whoever is patient', async () => {
    await admin(`create function slow() returns int language sql as 'select 1 from pg_sleep(3)'`);
    const slow: Check = {
      ...only('places')[0]!,
      run: async ({ database: open }) => {
        const { read } = await open();
        await read((tx) => tx.one(sql`select slow()`));
        return ok('counted');
      },
    };
    expect(await told(look(env, [slow], { limitMs: 1000 }), 'places')).toMatch(
      /^warning: Not checked: counting the rows/,
    );
    expect(await told(look(env, [slow], { limitMs: 1000, patient: true }), 'places')).toBe('ok: counted');
  });
});

describe('the store of files', () => {
  test('with the mark of another database, and with none', async () => {
    const database = await cloneDatabase();
    stops.push(() => database.drop());
    await runSql(
      database.adminUrl,
      `insert into installation (sole, files_mark) values (true, 'ours') on conflict (sole) do update set files_mark = 'ours'`,
    );
    const env = { DATABASE_URL: database.url, FILES_URL: join(folder, 'files') };
    expect(await told(look(env, only('same store')), 'same store')).toMatch(/^failed: .*there is no mark\.$/);
    await folderFiles(env.FILES_URL).mark('theirs');
    expect(await told(look(env, only('same store')), 'same store')).toMatch(
      /^failed: .*there is the mark of another one\.$/,
    );
    rmSync(env.FILES_URL, { recursive: true });
    await folderFiles(env.FILES_URL).mark('ours');
    expect(await told(look(env, only('same store')), 'same store')).toBe('ok: It bears the mark of this database.');
  });

  test('that is no folder', async () => {
    writeFileSync(join(folder, 'files'), '');
    expect(await told(look({}, only('store')), 'store')).toMatch(
      /^failed: Nothing can be kept in .*: to (write|read the mark) failed \(ENOTDIR/,
    );
  });
});

test('whatever hangs, the look ends, and says what hung', async () => {
  const open = new Set<Socket>();
  const silent = createServer((socket) => void open.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    for (const socket of open) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as { port: number };
  // Opening a pipe waits for whoever writes into it, as a folder waits whose server went away.
  execFileSync('mkfifo', [join(folder, '.turnout-files')]);
  const report = await look(
    {
      DATABASE_URL: `postgres://turnout:x@127.0.0.1:${port}/turnout`,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      PUBLIC_URL: `https://127.0.0.1:${port}`,
      FILES_URL: folder,
    },
    CHECKS,
    { limitMs: 2_000 },
  );
  for (const check of ['database', 'redis', 'smtp', 'store', 'PUBLIC_URL'])
    expect(found(report, check)).toMatchObject({ state: 'failed', ok: false });
});

test('no secret is told, whatever the other side repeats', async () => {
  const parrot = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('554 go away pa%ss:word!1 pa%25ss%3Aword!1 \u001b[31m\r\n');
    socket.end();
  });
  await new Promise<void>((resolve) => parrot.listen(0, '127.0.0.1', resolve));
  stops.push(() => parrot.close());
  const { port } = parrot.address() as { port: number };
  const secret = 'pa%25ss%3Aword!1';
  const report = await look({
    DATABASE_URL: `postgres://turnout:${secret}@127.0.0.1:${port}/turnout`,
    REDIS_URL: `redis://:${secret}@127.0.0.1:${port}`,
    SMTP_URL: `smtp://turnout:${secret}@127.0.0.1:${port}`,
    METRICS_TOKEN: secret,
  });
  const text = JSON.stringify(report) + reportText(report);
  expect(found(report, 'smtp').says).toContain('***');
  for (const one of [secret, 'pa%ss:word!1', SECRET_KEY, '\u001b']) expect(text).not.toContain(one);
});

const connects = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

describe.skipIf(!hasTool('redis-server'))('Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test('that is there, that forgets, that is a replica, that is stopped', async () => {
    const env = { REDIS_URL: redis.url };
    const report = await look(env, only('redis'));
    expect(report.findings.map(({ check, state }) => `${check} ${state}`)).toEqual(['redis ok', 'redis memory ok']);
    await redis.client.config('SET', 'maxmemory', '100mb');
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await told(look(env, only('redis')), 'redis memory')).toMatch(
      /^warning: With maxmemory-policy allkeys-lru a full Redis forgets/,
    );
    await redis.client.call('REPLICAOF', '127.0.0.1', '1');
    expect(await told(look(env, only('redis')), 'redis')).toMatch(/^failed: \w+ [\d.]+ is a replica/);
    redis.stop();
    await vi.waitUntil(async () => (await connects(redis.port)) === false);
    expect(await told(look(env, only('redis')), 'redis')).toMatch(/^failed: Redis does not answer/);
  });
});

describe('the mail server', () => {
  test('is asked without a mail, unless one is wanted', async () => {
    const receiver = await new MailReceiver().start();
    stops.push(() => receiver.stop());
    const env = { SMTP_URL: receiver.url, MAIL_FROM: 'Acme <events@example.org>' };
    const checks = only('smtp', 'test mail');
    expect((await look(env, checks)).findings.map(({ check, state }) => `${check} ${state}`)).toEqual(['smtp ok']);
    expect(receiver.arrived).toBe(0);
    expect(await told(look(env, checks, { sendTo: 'ada@example.org' }), 'test mail')).toMatch(
      /^ok: The mail server took a mail to ada@/,
    );
    expect(receiver.received.map(({ to }) => to)).toEqual([['ada@example.org']]);
    receiver.refuse = 'not from you';
    expect(await told(look(env, checks, { sendTo: 'ada@example.org' }), 'test mail')).toMatch(
      /^failed: .*not from you/,
    );
  });

  test('accepts the user and the password, or not', async () => {
    const server = new SMTPServer({
      disableReverseLookup: true,
      logger: false,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username! }) : done(new Error('wrong password')),
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    stops.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as { port: number };
    const url = (password: string) => ({
      SMTP_URL: `smtp://turnout:${password}@127.0.0.1:${port}`,
      MAIL_FROM: 'a@example.org',
    });
    expect(await told(look(url('right'), only('smtp')), 'smtp')).toMatch(/^ok: .*accepts the user\.$/);
    expect(await told(look(url('wrong-one'), only('smtp')), 'smtp')).toMatch(
      /^failed: The mail server at .* refuses the user/,
    );
  });

  test('is missing where others can reach this installation', async () => {
    expect(await told(look({ PUBLIC_URL: 'https://127.0.0.1:1' }, only('smtp')), 'smtp')).toMatch(/^ok:/);
    expect(await told(look({ PUBLIC_URL: 'https://192.0.2.1' }, only('smtp')), 'smtp')).toMatch(
      /^warning: SMTP_URL is not set/,
    );
  });
});

describe('hosts and certificates', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await Authority.make();
  });
  const ours = answer(200, '{"status":"ok"}', { 'x-request-id': newUlid(clock.now()) });
  const HERE = '127.0.0.1';
  const ELSEWHERE = '127.0.0.2';
  async function listen(credentials: Credentials) {
    const receivers = await startReceivers(credentials, [HERE, ELSEWHERE]);
    stops.push(...receivers.map((one) => () => one.stop()));
    const [here, elsewhere] = receivers as [(typeof receivers)[0], (typeof receivers)[0]];
    here.behaviour = ours;
    return { here, elsewhere };
  }
  const asked = async (credentials: Credentials, behaviour = ours) => {
    const { here } = await listen(credentials);
    here.behaviour = behaviour;
    const env = { PUBLIC_URL: `https://${HERE}:${here.port}` };
    return told(look(env, only('PUBLIC_URL'), { ca: authority.pem }), 'PUBLIC_URL');
  };

  test('PUBLIC_URL with a certificate that is good, ends soon, has expired, is for another name or from nowhere', async () => {
    expect(await asked(await authority.issue([HERE]))).toMatch(
      /^ok: Turnout answers at .*, with a certificate until \d{4}-/,
    );
    expect(await asked(await authority.issue([HERE], { days: 10 }))).toMatch(
      /^warning: The certificate of 127\.0\.0\.1 expires in \d+ days/,
    );
    expect(await asked(await authority.issue([HERE], { expired: true }))).toMatch(
      /^failed: The certificate of 127\.0\.0\.1 expired on \d{4}-/,
    );
    expect(await asked(await authority.issue(['tickets.example.org']))).toMatch(
      /^failed: Browsers refuse .*: certificate is for another name/,
    );
    const stranger = await Authority.make('Nobody');
    expect(await asked(await stranger.issue([HERE]))).toMatch(/^failed: Browsers refuse .* authority/);
  });

  test('PUBLIC_URL where something else answers, and where Turnout is not ready', async () => {
    const good = await authority.issue([HERE]);
    expect(await asked(good, answer(200, 'It works!'))).toMatch(/^failed: Something else than Turnout answers/);
    const notReady = answer(503, '{"status":"not ready"}', { 'x-request-id': newUlid(clock.now()) });
    expect(await asked(good, notReady)).toMatch(/^failed: .*not ready: \{"status":"not ready"\}/);
  });

  describe('of organizations', () => {
    let t: TestTurnout;
    beforeAll(async () => {
      t = await startTest();
      await t.org('acme');
    });
    afterAll(() => t.stop());
    const prove = (hosts: string[]) =>
      t.system(async (tx) => {
        await tx.run(sql`delete from tenant_hosts`);
        const now = t.clock.now();
        const { id } = await tx.one<{ id: string }>(sql`select id from organizations where code = 'acme'`);
        await tx.run(sql`
          insert into tenant_hosts (org_id, id, host, token, state, proved_at, proved_by, created_at, updated_at)
          select ${id}, i, h, 'turnout-x', 'proved', ${now}, 'dns', ${now}, ${now}
          from unnest(${hosts.map(() => newId(now))}::uuid[], ${hosts}::text[]) u(i, h)`);
      });
    const CHECK = 'hosts of organizations';

    test('are asked here and at public addresses, and nowhere else', async () => {
      const { here, elsewhere } = await listen(await authority.issue([HERE, ELSEWHERE, 'a.example', 'inside.example']));
      await prove(['a.example', 'inside.example', 'metadata.example', 'gone.example']);
      const names: Record<string, string[]> = {
        'a.example': [HERE],
        'inside.example': [ELSEWHERE],
        'metadata.example': ['169.254.169.254'],
      };
      const report = await look(
        { DATABASE_URL: t.database.url, PUBLIC_URL: `https://${HERE}:${here.port}` },
        only(CHECK),
        {
          ca: authority.pem,
          port: here.port,
          resolve: async (host) => (names[host] ?? []).map((address) => ({ address, family: 4 })),
        },
      );
      expect(found(report, CHECK).says).toBe('4 hosts asked, 1 in order.');
      expect(
        report.findings
          .slice(1)
          .map(({ state, says }) => `${state}: ${says}`)
          .toSorted(),
      ).toEqual([
        'warning: gone.example does not resolve (acme).',
        'warning: inside.example leads to an address that is not public, so it was not asked (acme).',
        'warning: metadata.example leads to an address that is not public, so it was not asked (acme).',
      ]);
      expect(here.received.map(({ path, servername }) => `${path} ${servername}`)).toEqual(['/ a.example']);
      expect([elsewhere.connections, elsewhere.received]).toEqual([0, []]);
    });

    test('with an expired certificate fail where they lead here', async () => {
      const { here } = await listen(await authority.issue([HERE, 'a.example'], { expired: true }));
      await prove(['a.example']);
      const report = await look(
        { DATABASE_URL: t.database.url, PUBLIC_URL: `https://${HERE}:${here.port}` },
        only(CHECK),
        {
          ca: authority.pem,
          port: here.port,
          resolve: async () => [{ address: HERE, family: 4 }],
        },
      );
      expect(found(report, 'host a.example')).toMatchObject({
        state: 'failed',
        says: expect.stringMatching(/expired on/),
      });
    });

    test('are asked up to a number, and how many were left out is said', async () => {
      await prove(Array.from({ length: 203 }, (_, i) => `h${i}.example`));
      const resolve = async () => [];
      const says = await told(look({ DATABASE_URL: t.database.url }, only(CHECK), { resolve }), CHECK);
      expect(says).toBe('ok: 200 hosts asked, 0 in order; 3 more were left out.');
    });
  });
});

import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { prepareBinaries } from './binaries.ts';
import { clusterOf, createCluster } from './cluster.ts';
import { cleanUp, clone, folder, isRoot, leftovers, NOBODY, query, turnout } from './embedded.support.ts';
import { connectRunning, EmbeddedError, startEmbedded } from './index.ts';
import { startOf, until } from './process.ts';

afterEach(async () => {
  expect(await cleanUp()).toEqual([]);
});

const quiet = () => {};

describe('a folder of its own', () => {
  it('answers after the first start, keeps its data over a stop, and leaves no process behind', async () => {
    const dataDir = folder();
    const lines: string[] = [];
    const first = await startEmbedded({ dataDir, progress: (line) => lines.push(line) });
    expect(lines).toEqual(['creating the database cluster …', 'starting PostgreSQL 18 …']);
    expect(await query(first.url, 'select current_user, current_database()')).toBe('turnout,turnout');
    expect(await query(first.adminUrl, 'select usesuper from pg_user where usename = current_user')).toBe('true');
    expect(
      await query(
        first.url,
        'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
      ),
    ).toBe('false,false,true,false');
    await query(first.url, 'create table kept as select 7 as n');
    expect(await connectRunning(dataDir)).toEqual({ url: first.url, adminUrl: first.adminUrl });
    await Promise.all([first.stop(), first.stop()]);
    expect(await leftovers(dataDir)).toEqual([]);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log']);
    expect(await connectRunning(dataDir)).toBeNull();

    const second = await startEmbedded({ dataDir, settings: { work_mem: '3MB' } });
    expect(await query(second.url, 'select n from kept')).toBe('7');
    expect(await query(second.url, 'show work_mem')).toBe('3MB');
    expect(await query(second.url, 'show synchronous_commit')).toBe('on');
    await second.stop();
  });

  it('knows letters beyond ASCII, and orders by code point', async () => {
    const embedded = await startEmbedded({ dataDir: folder() });
    await query(embedded.url, 'create extension pg_trgm');
    expect(await query(embedded.url, `select upper('zürich'), 'B' < 'a', cardinality(show_trgm('ü')) > 0`)).toBe(
      'ZÜRICH,true,true',
    );
    await embedded.stop();
  });

  it('works where the path is longer than a socket address, or holds what an address splits at', async () => {
    for (const dataDir of [folder('a'.repeat(120)), folder('Tom, Dick & Harry %41 ü')]) {
      const embedded = await startEmbedded({ dataDir });
      const host = decodeURIComponent(new URL(embedded.url).hostname);
      expect(await query(embedded.url, 'select 1')).toBe('1');
      expect(await connectRunning(dataDir)).toEqual({ url: embedded.url, adminUrl: embedded.adminUrl });
      expect(lstatSync(host).mode & 0o777).toBe(0o700);
      await embedded.stop();
      expect(existsSync(host)).toBe(false);
    }
  });

  it('is closed to other users of the machine and to the network', async () => {
    const dataDir = folder();
    mkdirSync(dataDir, { mode: 0o755 });
    chmodSync(dirname(dataDir), 0o755);
    const embedded = await startEmbedded({ dataDir });
    const socket = join(clusterOf(dataDir), '.s.PGSQL.5432');
    expect(existsSync(socket)).toBe(true);
    expect(lstatSync(clusterOf(dataDir)).mode & 0o777).toBe(0o700);
    if (isRoot) expect(spawnSync('test', ['-e', socket], { uid: NOBODY, gid: NOBODY }).status).toBe(1);
    expect(await query(embedded.url, 'show listen_addresses')).toBe('');
    await embedded.stop();
  });
});

describe('after a kill', () => {
  it('takes over the server of a Turnout that was killed, with everything it had answered', async () => {
    const dataDir = folder();
    const killed = turnout(dataDir);
    const { url, pid } = await killed.ready();
    await query(url, 'create table kept as select 7 as n');
    await killed.kill();
    expect(startOf(pid)).not.toBeNull();
    const lines: string[] = [];
    const embedded = await startEmbedded({ dataDir, progress: (line) => lines.push(line) });
    expect(lines).toEqual([`taking over the running PostgreSQL (pid ${pid})`]);
    expect(embedded.pid).toBe(pid);
    expect(await query(embedded.url, 'select n from kept')).toBe('7');
    // Adopted, it is supervised like a child.
    process.kill(pid, 'SIGKILL');
    expect(await until(() => lines.some((line) => line.startsWith('PostgreSQL is back')), 15_000)).toBe(true);
    expect(await query(embedded.url, 'select n from kept')).toBe('7');
    await embedded.stop();
  });

  it('restarts rather than adopts a server that runs with other settings', async () => {
    const dataDir = folder();
    const killed = turnout(dataDir);
    const { pid } = await killed.ready();
    await killed.kill();
    const embedded = await startEmbedded({ dataDir, settings: { work_mem: '3MB' } });
    expect(embedded.pid).not.toBe(pid);
    expect(await query(embedded.url, 'show work_mem')).toBe('3MB');
    await embedded.stop();
  });

  it('recovers when Turnout and PostgreSQL were both killed', async () => {
    const dataDir = folder();
    const killed = turnout(dataDir);
    const { url, pid } = await killed.ready();
    await query(url, 'create table kept as select 7 as n');
    await killed.kill();
    process.kill(pid, 'SIGKILL');
    const embedded = await startEmbedded({ dataDir });
    expect(await query(embedded.url, 'select n from kept')).toBe('7');
    await embedded.stop();
  });

  it('brings PostgreSQL back while it supervises it, even from under a query that does not end', async () => {
    const dataDir = folder();
    const lines: string[] = [];
    const embedded = await startEmbedded({ dataDir, progress: (line) => lines.push(line) });
    const { pid } = embedded;
    const busy = query(embedded.url, 'select count(*) from generate_series(1, 1e12)').catch(() => 'ended');
    await sleep(300);
    process.kill(pid, 'SIGKILL');
    expect(await until(() => lines.some((line) => line.startsWith('PostgreSQL is back')), 20_000)).toBe(true);
    expect(await busy).toBe('ended');
    expect(embedded.pid).not.toBe(pid);
    expect(await query(embedded.url, 'select 1')).toBe('1');
    process.kill(embedded.pid, 'SIGKILL');
    await embedded.stop();
    expect(await leftovers(dataDir)).toEqual([]);
  });

  it('does again a creation of the cluster that was cut short', async () => {
    const dataDir = folder();
    const killed = turnout(dataDir);
    await killed.said('creating the database cluster');
    await until(() => readdirSync(dataDir).some((name) => name.startsWith('postgres.new-')), 5000);
    await sleep(200);
    await killed.kill();
    expect(existsSync(clusterOf(dataDir))).toBe(false);
    const embedded = await startEmbedded({ dataDir });
    expect(await query(embedded.url, 'select 1')).toBe('1');
    await embedded.stop();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log']);
  });

  it('is not misled by a pid that another process bears now', async () => {
    const dataDir = folder();
    const first = await startEmbedded({ dataDir });
    await first.stop();
    // As PostgreSQL's own user, so that PostgreSQL itself would take the file for a living server's.
    const owner = lstatSync(clusterOf(dataDir)).uid;
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot ? { uid: owner, gid: owner } : {}) });
    try {
      writeFileSync(join(clusterOf(dataDir), 'postmaster.pid'), `${stranger.pid}\n/x\n1\n5432\n.\n\n 1 1\nready\n`);
      writeFileSync(join(dataDir, 'postgres.owner'), JSON.stringify({ pid: stranger.pid, started: 'another life' }));
      const embedded = await startEmbedded({ dataDir });
      expect(await query(embedded.url, 'select 1')).toBe('1');
      await embedded.stop();
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill();
    }
  });
});

describe('without an owner', () => {
  const ended = async (dataDir: string, ms: number) => {
    const deadline = performance.now() + ms;
    while ((await leftovers(dataDir)).length > 0 && performance.now() < deadline) await sleep(100);
    return (await leftovers(dataDir)).length === 0;
  };

  it('ends by itself after a while, cleanly, and the next start finds everything', async () => {
    const dataDir = folder();
    const killed = turnout(dataDir, { orphanSeconds: 1 });
    const { url, pid } = await killed.ready();
    await query(url, 'create table kept as select 7 as n');
    await killed.kill();
    expect(startOf(pid)).not.toBeNull();
    expect(await ended(dataDir, 30_000)).toBe(true);
    expect(await until(() => !existsSync(join(dataDir, 'postgres.owner')), 5000)).toBe(true);
    expect(existsSync(join(clusterOf(dataDir), 'postmaster.pid'))).toBe(false);
    const embedded = await startEmbedded({ dataDir });
    expect(await query(embedded.url, 'select n from kept')).toBe('7');
    await embedded.stop();
  });

  it('stays while another Turnout has taken it over, and ends with that one', async () => {
    const dataDir = folder();
    const killed = turnout(dataDir, { orphanSeconds: 3 });
    const { pid } = await killed.ready();
    await killed.kill();
    const next = turnout(dataDir, { orphanSeconds: 1 });
    expect((await next.ready()).pid).toBe(pid);
    await sleep(5000);
    expect(startOf(pid)).not.toBeNull();
    expect(next.lines.join()).not.toContain('ended unexpectedly');
    await next.kill();
    expect(await ended(dataDir, 30_000)).toBe(true);
  });

  it('is waited for by whoever starts while it ends', async () => {
    const dataDir = folder();
    const killed = turnout(dataDir, { orphanSeconds: 1 });
    await killed.ready();
    await killed.kill();
    // Whichever moment the start meets: before, during or after the end.
    await sleep(900);
    for (let i = 0; i < 6; i += 1) {
      const next = turnout(dataDir, { orphanSeconds: 1 });
      await next.ready();
      await next.kill();
      await sleep(900 + i * 80);
    }
    expect(await ended(dataDir, 30_000)).toBe(true);
  });

  it('leaves no watchdog behind after a stop', async () => {
    const dataDir = folder();
    const other = turnout(dataDir);
    await other.ready();
    const watchdogs = () =>
      readdirSync('/proc').filter((name) => {
        try {
          const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
          return command.includes('turnout-watchdog') && command.includes(dataDir);
        } catch {
          return false;
        }
      });
    if (process.platform === 'linux') expect(watchdogs()).toHaveLength(1);
    await other.stop();
    if (process.platform === 'linux') expect(watchdogs()).toEqual([]);
  });
});

describe('beside another', () => {
  it('is refused while a living Turnout holds the folder, and does it no harm', async () => {
    const dataDir = folder();
    const other = turnout(dataDir);
    const { url } = await other.ready();
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      new EmbeddedError(
        `${dataDir} is in use by another Turnout (pid ${other.process.pid}). Stop it, or set DATA_DIR or DATABASE_URL.`,
      ),
    );
    expect(await query(url, 'select 1')).toBe('1');
    await other.stop();
  });

  it('is refused beside a Turnout in another container, whose pid means nothing here', async ({ skip }) => {
    const dataDir = folder();
    // A pid namespace stands for the container: neither of the two sees the other's processes.
    const through = [
      'unshare',
      ...(isRoot ? [] : ['--user', '--map-root-user']),
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      '--',
    ];
    if (spawnSync('unshare', [...through.slice(1), 'true']).status !== 0) skip('namespaces are not permitted here');
    const other = turnout(dataDir, { through });
    const { url } = await other.ready();
    const second = turnout(dataDir, { through });
    expect(await second.said('FAILED')).toContain('is in use by another Turnout (in another container)');
    expect(existsSync(join(dataDir, 'postgres.owner'))).toBe(true);
    expect(await query(url, 'select 1')).toBe('1');
    await other.kill();
    while ((await leftovers(dataDir)).length > 0) await sleep(20);
  });

  it('survives the Ctrl-C that the terminal sends to the whole group', async () => {
    const dataDir = folder();
    const other = turnout(dataDir);
    const { url, pid } = await other.ready();
    process.kill(-(other.process.pid ?? 0), 'SIGINT');
    await other.said('interrupted');
    await sleep(200);
    expect(startOf(pid)).not.toBeNull();
    expect(other.lines.join()).not.toContain('ended unexpectedly');
    expect(await query(url, 'select 1')).toBe('1');
    await other.stop();
    expect(await leftovers(dataDir)).toEqual([]);
  });
});

describe('wherever the clone lies', () => {
  it('runs in a folder closed to other users, and installed without its scripts', async () => {
    const dataDir = folder('closed');
    const closed = dirname(dataDir);
    const copy = clone(join(closed, 'clone'));
    chmodSync(closed, 0o700);
    const other = turnout(dataDir, copy);
    const { url, pid } = await other.ready();
    expect(await query(url, 'select 1')).toBe('1');
    expect(readFileSync(join(clusterOf(dataDir), 'PG_VERSION'), 'utf8').trim()).toBe('18');
    if (isRoot) expect(readFileSync(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^Uid:.*\b0\b/m);
    await other.stop();

    // The same clone for an ordinary user. If it is root's, the links cannot be made in place.
    chmodSync(closed, 0o755);
    chmodSync(dirname(closed), 0o755);
    for (const name of readdirSync(join(copy.native, 'lib'))) {
      const path = join(copy.native, 'lib', name);
      if (lstatSync(path).isSymbolicLink()) rmSync(path);
    }
    const uid = isRoot ? NOBODY : undefined;
    const theirs = folder();
    mkdirSync(theirs);
    if (uid) chownSync(theirs, uid, uid);
    chmodSync(dirname(theirs), 0o755);
    const ordinary = turnout(theirs, { ...copy, uid });
    expect(await query((await ordinary.ready()).url, 'select 1')).toBe('1');
    await ordinary.stop();

    // Root goes on where a user began, and the user after root.
    const asRoot = await startEmbedded({ dataDir: theirs });
    await query(asRoot.url, 'create table kept as select 7 as n');
    await asRoot.stop();
    const again = turnout(theirs, { ...copy, uid });
    expect(await query((await again.ready()).url, 'select n from kept')).toBe('7');
    await again.stop();
    expect([ordinary, again].map(({ lines }) => lines.includes('unpacking PostgreSQL 18 …'))).toEqual([isRoot, false]);

    if (uid) {
      const refused = turnout(join('/', 'turnout-data'), { ...copy, uid });
      expect(await refused.said('FAILED')).toMatch(/^FAILED EmbeddedError: \/turnout-data cannot be used by this user/);
    }
  });

  it.runIf(isRoot)('runs for a user whom the system has no name for', async () => {
    const dataDir = folder();
    chmodSync(dirname(dataDir), 0o755);
    mkdirSync(dataDir);
    chownSync(dataDir, 43_210, 43_210);
    const embedded = await startEmbedded({ dataDir });
    expect(await query(embedded.url, 'select 1')).toBe('1');
    await embedded.stop();
    expect(lstatSync(clusterOf(dataDir)).uid).toBe(43_210);
  });

  it('runs as a root that may not become anyone else', async ({ skip }) => {
    const dataDir = folder();
    const through = ['unshare', '--user', '--map-root-user', '--'];
    if (spawnSync('unshare', [...through.slice(1), 'true']).status !== 0) skip('namespaces are not permitted here');
    const other = turnout(dataDir, { through });
    expect(await query((await other.ready()).url, 'select 1')).toBe('1');
    await other.stop();
  });
});

describe('refuses in one line', () => {
  const refusal = async (dataDir: string, settings: Record<string, string> = {}) => {
    const error = await startEmbedded({ dataDir, settings }).catch((caught) => caught);
    expect(error).toBeInstanceOf(EmbeddedError);
    expect(error.message).not.toContain('\n');
    return error.message as string;
  };

  it('a place where no folder can be', async () => {
    const below = join(folder(), '..', 'file');
    writeFileSync(below, '');
    expect(await refusal(join(below, 'data'))).toBe(
      `The folder ${join(below, 'data')} cannot be created (ENOTDIR). Set DATA_DIR to another folder, or set DATABASE_URL.`,
    );
  });

  it('data of another major version, data of another kind, damaged data', async () => {
    const dataDir = folder();
    mkdirSync(clusterOf(dataDir), { recursive: true });
    writeFileSync(join(clusterOf(dataDir), 'notes.txt'), '');
    expect(await refusal(dataDir)).toContain('holds no PostgreSQL data');
    writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '17\n');
    expect(await refusal(dataDir)).toContain('was made by PostgreSQL 17, this Turnout runs 18');
    writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '18\n');
    expect(await refusal(dataDir)).toContain('is damaged');
    expect(existsSync(join(dataDir, 'postgres.owner'))).toBe(false);
  });

  it('a setting that PostgreSQL does not take', async () => {
    const dataDir = folder();
    expect(await refusal(dataDir, { shared_buffers: 'plenty' })).toContain(
      'invalid value for parameter "shared_buffers": "plenty"',
    );
    expect(await refusal(dataDir, { 'a = 1\nb': '' })).toContain('is not the name of a PostgreSQL setting');
  });

  it.each([
    ['could not write: No space left on device', /^No space is left on the disk of \S+\. Free some, or/],
    ['could not look up effective user ID 7: user does not exist', /^PostgreSQL needs a name for user \d+, and/],
    ['out of luck', /^The database cluster could not be created in \S+ \(out of luck\)\. Set DATA_DIR/],
  ])('an initdb that says: %s', async (says, line) => {
    const dataDir = folder();
    mkdirSync(dataDir);
    const initdb = join(dataDir, 'initdb');
    writeFileSync(initdb, `#!/bin/sh\necho "initdb: error: ${says}" >&2\nexit 1\n`);
    chmodSync(initdb, 0o755);
    const binaries = { identity: { kind: 'self' }, initdb, postgres: '', version: '18' } as const;
    await expect(createCluster(dataDir, binaries, quiet)).rejects.toThrow(line);
    expect(readdirSync(dataDir)).toEqual(['initdb']);
  });

  it('a platform without binaries', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch');
    Object.defineProperty(process, 'arch', { ...arch, value: 'mips' });
    try {
      await expect(prepareBinaries({ kind: 'self' }, '/nowhere', quiet)).rejects.toThrow(
        /^No embedded PostgreSQL for \w+-mips .* Set DATABASE_URL to a PostgreSQL server\.$/,
      );
    } finally {
      Object.defineProperty(process, 'arch', arch ?? {});
    }
  });
});

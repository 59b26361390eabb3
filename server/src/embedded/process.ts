import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './error.ts';

// Slim images have no `ps`, and macOS has no /proc. From /proc we read only stat and cmdline, which everybody may read;
// cwd and exe of another user's process need CAP_SYS_PTRACE, which Docker takes away even from root.
const linux = process.platform === 'linux';

function ps(...args: string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', timeout: 5000, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/**
 * When a process was started. A pid is reused after a while; the pid together with this is not.
 * Null if there is no such process. A zombie counts as gone: under an init that does not reap, an orphan stays one forever.
 */
export function startOf(pid: number): string | null {
  if (!linux) return /^[^Z]\S*\s+(.+)/.exec(ps('-o', 'stat=,lstart=', '-p', String(pid)).trim())?.[1] ?? null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

function commandOf(pid: number): string {
  if (!linux) return ps('-ww', '-o', 'command=', '-p', String(pid)).trim();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

const isPostgres = (command: string) => /^postgres:?$/.test(basename(command.split(' ', 1)[0] ?? ''));

/** Whether a pid is a PostgreSQL, and whether it is of the cluster with this tag (all its processes show their `cluster_name`). */
export function postgresAt(pid: number, tag: string): 'ours' | 'other' | null {
  if (startOf(pid) === null) return null;
  const command = commandOf(pid);
  if (!isPostgres(command)) return null;
  return command.includes(tag) ? 'ours' : 'other';
}

/** All processes of a cluster: the postmaster and its children, which show the tag in their titles. */
export function processesOf(tag: string): number[] {
  const all: [number, string][] = linux
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => [Number(name), commandOf(Number(name))])
    : ps('-axww', '-o', 'pid=,command=')
        .split('\n')
        .map((line) => /^\s*(\d+)\s+(.*)/.exec(line))
        .map((match) => [Number(match?.[1]), match?.[2] ?? '']);
  return all.filter(([pid, c]) => isPostgres(c) && c.includes(tag) && startOf(pid) !== null).map(([pid]) => pid);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process is gone already, which is what our signals are for.
  }
}

/**
 * Waits while a process is dying. A killed process first loses its memory, and with it its command line, and only then closes its
 * sockets.
 */
export const waitUntilSettled = (pid: number) => until(() => startOf(pid) === null || commandOf(pid) !== '', 5000);

export async function until(met: () => boolean, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!met()) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** Node reports EACCES and ENOENT by an event, but throws EPERM and EINVAL, which occur if the uid is refused. */
export function spawnSafely(file: string, args: string[], options: SpawnOptions): ChildProcess | Error {
  try {
    return spawn(file, args, options);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export interface Ran {
  ok: boolean;
  output: string;
  /** Set if the program did not start. EPERM and EINVAL: the uid was refused; EACCES and ENOENT: the program cannot be run. */
  code?: string | undefined;
}

export function run(file: string, args: string[], options: SpawnOptions, ms: number): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawnSafely(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child instanceof Error) return resolve({ ok: false, output: child.message, code: codeOf(child) });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    const timer = setTimeout(() => child.pid && signal(-child.pid, 'SIGKILL'), ms);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ ok: false, output: error.message, code: error.code });
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ ok: status === 0, output: output.trim() });
    });
  });
}

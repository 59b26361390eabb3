import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a bench is given: it cleans up after itself whatever happens, and starts other processes. */
export interface Bench {
  /** Adds something to be undone at the end, also after an error or Ctrl-C. What was added last is undone first. */
  later(undo: () => unknown): void;
  /** Makes a folder that is removed at the end. */
  folder(): string;
  /** Starts a file of this folder in a process of its own and waits until it calls `announce`. */
  child<Hello>(
    file: string,
    env: Record<string, string>,
    nodeOptions?: readonly string[],
  ): Promise<Hello & { pid: number }>;
  say(line: string): void;
}

/** With two rounds, a peer that stalled once read as a ratio of 0.95 (measured): a median needs three. */
const LEAST_ROUNDS = 3;
let isLook = false;

/** The number of rounds that was asked for. Fewer than three are only a look, and the output says so at its end. */
export function roundsOf(asked: string | number): number {
  const rounds = Number(asked);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number, at least 1.');
  isLook ||= rounds < LEAST_ROUNDS;
  return rounds;
}

/**
 * Runs a bench. The exit code says whether it could measure, not whether a limit was met: machines differ. A drill, which is run in the
 * same way, says by what it returns whether it found a fault.
 */
export async function benchmark(run: (bench: Bench) => Promise<unknown>, name = 'bench'): Promise<void> {
  const undos: (() => unknown)[] = [];
  let cleaning: Promise<void> | undefined;
  const clean = async () => {
    for (const undo of undos.reverse()) {
      try {
        await undo();
      } catch (error) {
        process.stderr.write(`${name}: while cleaning up: ${error}\n`);
      }
    }
  };
  const end = async (code: number) => {
    cleaning ??= clean();
    await cleaning;
    process.exit(code);
  };
  process.on('SIGINT', () => void end(130));
  process.on('SIGTERM', () => void end(143));
  // After Ctrl-C nothing new may be started: nobody would end it.
  const requireRunning = () => {
    if (cleaning !== undefined) throw new Error('The bench was stopped.');
  };
  const bench: Bench = {
    later: (undo) => {
      requireRunning();
      undos.push(undo);
    },
    folder: () => {
      requireRunning();
      const path = mkdtempSync(join(tmpdir(), 'turnout-bench-'));
      bench.later(() => rmSync(path, { recursive: true, force: true }));
      return path;
    },
    child: async (file, env, nodeOptions) => {
      requireRunning();
      return startChild(bench, file, env, nodeOptions ?? []);
    },
    say: (line) => process.stderr.write(`${name}: ${line}\n`),
  };
  try {
    const found = await run(bench);
    if (isLook) console.log(`\nOnly a look: figures and ratios count from ${LEAST_ROUNDS} rounds on.`);
    await end(typeof found === 'number' ? found : 0);
  } catch (error) {
    if (cleaning === undefined) process.stderr.write(`${name}: ${(error as Error).stack ?? error}\n`);
    await end(1);
  }
}

const STARTS_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 15_000;

async function startChild<Hello>(
  bench: Bench,
  file: string,
  env: Record<string, string>,
  nodeOptions: readonly string[],
): Promise<Hello & { pid: number }> {
  // It gets nothing of the caller's environment. Its standard output goes to stderr, because ours is for the tables.
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { PATH: process.env.PATH ?? '', ...env },
    execArgv: [...nodeOptions],
    stdio: ['ignore', 2, 2, 'ipc'],
    detached: true, // otherwise Ctrl-C would reach it too; the bench ends its children one after the other
  });
  bench.later(() => stopChild(child));
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${file} did not start`)), STARTS_WITHIN_MS);
    child.once('message', (hello) => resolve({ ...(hello as Hello), pid: child.pid! }));
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${file} ended (${signal ?? code})`)));
    child.once('message', () => clearTimeout(late));
    child.once('exit', () => clearTimeout(late));
  });
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    if (child.connected) child.disconnect();
  });
}

/** Called in a child: tells the bench that it is ready, and stops when the bench disconnects or has ended. */
export function announce(hello: object, stop: () => Promise<unknown>): void {
  const end = () =>
    void stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  if (process.connected) {
    process.on('disconnect', end);
    process.send!(hello);
  } else end(); // the bench disconnected while this process started
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** A table as text. The first column is aligned to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

export const machine = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model.trim() || process.arch}, Node ${process.versions.node}`;

/** To be called before the load begins: a warning if others use the machine, else null. */
export const busy = (): string | null => {
  const [load] = loadavg() as [number, number, number];
  if (load < availableParallelism() / 2) return null;
  return `this machine was busy with other work (load ${load.toFixed(1)} at the start), so speeds are rough; CPU times are steadier`;
};

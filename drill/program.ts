import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench/support.ts';

/** PostgreSQL, PgBouncer and their like refuse to run as root, so root runs them as Debian's user for PostgreSQL. */
const USER = 'postgres';
const isRoot = process.getuid?.() === 0;

export interface Owner {
  uid: number;
  gid: number;
}
/** To whom the folders of those programs belong. */
export function owner(): Owner {
  if (!isRoot) return { uid: process.getuid!(), gid: process.getgid!() };
  const id = (what: string) => Number(execFileSync('id', [what, USER], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A program of the drill. It ends with the drill, also if the drill is killed. What it prints goes to a file. */
export class Program {
  readonly name: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess | null = null;

  constructor(
    bench: Bench,
    logs: string,
    {
      name,
      command,
      env = {},
      asRoot = false,
    }: { name: string; command: string[]; env?: Record<string, string>; asRoot?: boolean },
  ) {
    this.name = name;
    const as = isRoot && !asRoot ? ['--reuid', USER, '--regid', USER, '--clear-groups'] : [];
    this.#start = () => {
      const log = openSync(join(logs, `${name}.log`), 'a');
      return spawn('setpriv', ['--pdeathsig', 'TERM', ...as, ...command], {
        cwd: '/',
        env: { PATH: `${process.env.PATH}:/usr/sbin`, LANG: 'C.UTF-8', ...env },
        stdio: ['ignore', log, log],
        // Ctrl-C reaches the drill only, which ends its programs one after the other.
        detached: true,
      });
    };
    bench.later(() => this.stop());
    this.start();
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    if (!this.isRunning) this.#child = this.#start();
  }

  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.#child!.kill(name);
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#child!, 'exit');
    this.signal('SIGKILL');
    await ended;
  }

  /** Asks it to end, and ends it if it does not. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#child!, 'exit');
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    const late = setTimeout(() => this.signal('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
  }
}

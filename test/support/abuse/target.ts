import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../../scripts/node-flags.mjs';

/** The process that is abused. */
export class Target {
  readonly #env: Record<string, string>;
  #child!: ChildProcess;
  url = '';

  private constructor(env: Record<string, string>) {
    this.#env = env;
  }

  static async start(env: Record<string, string>): Promise<Target> {
    const target = new Target(env);
    await target.#begin();
    return target;
  }

  async #begin(): Promise<void> {
    this.#child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...this.#env },
      // As `npm start` starts it, and so that its memory can be measured.
      execArgv: [...NODE_FLAGS, '--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [hello] = (await Promise.race([
      once(this.#child, 'message'),
      once(this.#child, 'exit').then(([code]) =>
        Promise.reject(new Error(`The server did not start (exit code ${code}).`)),
      ),
    ])) as [{ url: string }];
    this.url = hello.url;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The CPU time in milliseconds of the longest piece of work since the last call of this. */
  async longest(): Promise<number> {
    this.#child.send('longest');
    const [{ longest }] = (await once(this.#child, 'message')) as [{ longest: number }];
    return longest;
  }

  async #held(collections: number): Promise<number> {
    this.#child.send({ collections });
    const [{ held }] = (await once(this.#child, 'message')) as [{ held: number }];
    return held;
  }

  /** Its memory in bytes, without what several garbage collections find. */
  held(): Promise<number> {
    return this.#held(3);
  }

  /**
   * Waits up to `patienceMs` for its memory to fall below this, because background work may still hold some. Often one garbage
   * collection shows it already.
   */
  async heldAtLast(below: number, patienceMs: number): Promise<number> {
    const until = Date.now() + patienceMs;
    for (let collections = 1; ; collections = 3) {
      const held = await this.#held(collections);
      if (held < below || (collections > 1 && Date.now() >= until)) return held;
      if (collections > 1) await sleep(250);
    }
  }

  /** Kills a server that no longer answers. */
  async again(): Promise<void> {
    await this.#end('SIGKILL');
    await this.#begin();
  }

  async stop(): Promise<void> {
    if (this.alive && this.#child.connected) {
      this.#child.disconnect();
      const late = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
      await once(this.#child, 'exit');
      clearTimeout(late);
    } else await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.alive) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
  }
}

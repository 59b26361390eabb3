import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

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
      execArgv: ['--expose-gc'],
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

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The CPU time in milliseconds of the longest piece of work since the last call of this. */
  async longest(): Promise<number> {
    this.#child.send('longest');
    const [{ longest }] = (await once(this.#child, 'message')) as [{ longest: number }];
    return longest;
  }

  async #held(): Promise<number> {
    this.#child.send('held');
    const [{ held }] = (await once(this.#child, 'message')) as [{ held: number }];
    return held;
  }

  /** Its memory in bytes. Background work may still hold some, so this waits up to `patienceMs` for it to fall to `atMost`. */
  async held(atMost = 0, patienceMs = 0): Promise<number> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const held = await this.#held();
      if (held <= atMost || Date.now() >= until) return held;
      await sleep(250);
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

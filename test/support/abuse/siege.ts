import { setTimeout as sleep } from 'node:timers/promises';
import { Abuser, AT_ONCE } from './abuser.ts';
import { Bystander } from './bystander.ts';
import type { Row } from './rows.ts';
import { Target } from './target.ts';
import { troublesOf } from './verdict.ts';

/** Nearly every request takes less than a second. This limit leaves room for those that store a thousand rows on a busy machine. */
const PATIENCE_MS = 120_000;
/** How long another caller may wait on a busy machine. The bench has a limit of 250 ms. */
const WAIT_MS = 10_000;
/** How long the other caller pauses while a request lasts. Each of their calls costs as much CPU time as a small abusive one. */
const PAUSE_MS = 50;
/** CPU time of one piece of work, which hardly depends on how busy the machine is. Linear work on a megabyte takes a tenth of this. */
const LONGEST_MS = 1_000;

/** A server, the caller who abuses it, and another caller who must not notice. */
export class Siege {
  readonly target: Target;
  readonly #otherKey: string;
  #abuser!: Abuser;
  #bystander!: Bystander;

  private constructor(target: Target, otherKey: string) {
    this.target = target;
    this.#otherKey = otherKey;
    this.#attach();
  }

  static async start(env: Record<string, string>, otherKey: string): Promise<Siege> {
    return new Siege(await Target.start(env), otherKey);
  }

  #attach(): void {
    this.#abuser = new Abuser(this.target.url, PATIENCE_MS);
    this.#bystander = new Bystander(this.target.url, this.#otherKey, PAUSE_MS);
  }

  async #leave(): Promise<void> {
    await Promise.all([this.#bystander.stop(), this.#abuser.close()]);
  }

  async stop(): Promise<void> {
    await this.#leave();
    await this.target.stop();
  }

  get send(): Abuser['send'] {
    return (outgoing) => this.#abuser.send(outgoing);
  }

  /** Sends all rows and returns what went wrong, in words. If the server no longer answers, it stops there and starts the server again. */
  async run(rows: readonly Row[]): Promise<string[]> {
    const small = rows.filter((row) => !row.large);
    const flights: Row[][] = rows.filter((row) => row.large).map((row) => [row]);
    while (small.length > 0) flights.push(small.splice(0, AT_ONCE));
    const troubles: string[] = [];
    await this.target.longest(); // starts measuring anew
    for (const flight of flights) {
      const names = flight.map(({ name }) => name).join(', ');
      troubles.push(...(await this.#fly(flight, names)));
      if (!(await this.#answers())) {
        await this.#leave();
        await this.target.again();
        this.#attach();
        return [...troubles, 'the server no longer answered; what came after was not tried'];
      }
      const longest = Math.round(await this.target.longest());
      if (longest > LONGEST_MS) troubles.push(`${names}: ${longest} ms of work at a stretch`);
    }
    return troubles;
  }

  async #fly(flight: readonly Row[], names: string): Promise<string[]> {
    this.#bystander.forget();
    const troubles = await Promise.all(
      flight.map(async ({ name, tooLarge, request, troubles: wrongWith = troublesOf }) => {
        try {
          return wrongWith(await this.#abuser.send(request())).map((trouble) => `${name}: ${trouble}`);
        } catch (error) {
          // The server need not read a body that is far too large to its end; then the sender may not receive the answer.
          if (tooLarge === true && /EPIPE|ECONNRESET|other side closed/.test(String(error))) return [];
          return [`${name}: no answer: ${error}`];
        }
      }),
    );
    const all = troubles.flat();
    if (this.#bystander.waited > WAIT_MS) {
      all.push(`${names}: another caller waited ${Math.round(this.#bystander.waited)} ms`);
    }
    all.push(...this.#bystander.troubles.splice(0).map((trouble) => `${names}: another caller: ${trouble}`));
    return all;
  }

  /** Whether the other caller is still answered, within PATIENCE_MS. */
  async #answers(): Promise<boolean> {
    if (this.#bystander.waited < 1000) return this.target.alive;
    const { answers } = this.#bystander;
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until && this.target.alive; await sleep(50)) {
      if (this.#bystander.answers > answers) return true;
    }
    return false;
  }
}

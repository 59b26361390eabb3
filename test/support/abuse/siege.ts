import { setTimeout as sleep } from 'node:timers/promises';
import { Abuser, AT_ONCE } from './abuser.ts';
import { Bystander } from './bystander.ts';
import type { Row } from './rows.ts';
import { Target } from './target.ts';
import { troublesOf } from './verdict.ts';

/** Almost nothing here takes a second; what is stored in a thousand rows, on a machine that others use, is given so many. */
const PATIENCE_MS = 120_000;
/** Of another caller, on such a machine. The bench holds it to 250 ms. */
const WAIT_MS = 10_000;
/** CPU time of one piece of work, which a busy machine hardly adds to: what is linear in its megabyte takes a tenth. */
const LONGEST_MS = 1_000;

/** A server, who abuses it, and another caller who must not notice. */
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
    this.#bystander = new Bystander(this.target.url, this.#otherKey);
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

  /** Sends all rows; what is wrong comes back in words. A server that no longer answers ends it and is started again. */
  async run(rows: readonly Row[]): Promise<string[]> {
    const small = rows.filter((row) => !row.large);
    const flights: Row[][] = rows.filter((row) => row.large).map((row) => [row]);
    while (small.length > 0) flights.push(small.splice(0, AT_ONCE));
    const troubles: string[] = [];
    await this.target.longest(); // what was before is not theirs
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
      flight.map(async ({ name, tooLarge, request }) => {
        try {
          return troublesOf(await this.#abuser.send(request())).map((trouble) => `${name}: ${trouble}`);
        } catch (error) {
          // A body of many megabytes too many need not be read to its end, and then its sender may miss the answer.
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

  /** Whether the other caller is answered within the patience that there is. */
  async #answers(): Promise<boolean> {
    if (this.#bystander.waited < 1000) return this.target.alive;
    const { answers } = this.#bystander;
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until && this.target.alive; await sleep(50)) {
      if (this.#bystander.answers > answers) return true;
    }
    return false;
  }
}

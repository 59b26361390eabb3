import { setTimeout as sleep } from 'node:timers/promises';
import { Abuser, AT_ONCE } from './abuser.ts';
import { Bystander } from './bystander.ts';
import { OTHERS, type OtherParts, otherRequest } from './others.ts';
import { DatabaseTime } from './processor.ts';
import type { Row } from './rows.ts';
import { Target } from './target.ts';
import { troublesOf } from './verdict.ts';

/** Nearly every request takes less than a second. This limit leaves room for those that store a thousand rows on a busy machine. */
const PATIENCE_MS = 120_000;
/** How long another caller may wait on a busy machine. The bench has a limit of 250 ms. */
const WAIT_MS = 10_000;
/** How long each of the others pauses while a request lasts. Each of their calls costs as much CPU time as a small abusive one. */
const PAUSE_MS = 100;
/** CPU time of one piece of work, which hardly depends on how busy the machine is. Linear work on a megabyte takes a tenth of this. */
const LONGEST_MS = 1_000;
/**
 * CPU time of PostgreSQL for one large request, or for the small ones that are sent together. Storing the largest body that is accepted
 * takes a third of this; one search that compared all people of a registration with each other took 16 s.
 */
const DATABASE_MS = 5_000;

/** When so much has gone wrong, the rest is not tried: each of it may take a minute. */
const ENOUGH_TROUBLES = 3;

/** A server, the caller who abuses it, and others who must not notice. */
export class Siege {
  readonly target: Target;
  readonly databaseTime: DatabaseTime;
  readonly #others: OtherParts;
  #abuser!: Abuser;
  #bystanders!: Bystander[];

  private constructor(target: Target, databaseTime: DatabaseTime, others: OtherParts) {
    this.target = target;
    this.databaseTime = databaseTime;
    this.#others = others;
    this.#attach();
  }

  /** `databaseUrl` names a superuser. */
  static async start(env: Record<string, string>, databaseUrl: string, others: OtherParts): Promise<Siege> {
    return new Siege(await Target.start(env), await DatabaseTime.open(databaseUrl), others);
  }

  #attach(): void {
    const { url } = this.target;
    this.#abuser = new Abuser(url, PATIENCE_MS);
    this.#bystanders = OTHERS.map((who) => new Bystander(url, () => otherRequest(who, this.#others), PAUSE_MS));
  }

  async #leave(): Promise<void> {
    await Promise.all([...this.#bystanders.map((one) => one.stop()), this.#abuser.close()]);
  }

  async stop(): Promise<void> {
    await this.#leave();
    await this.databaseTime.close();
    await this.target.stop();
  }

  /** The longest that one of the others waited. */
  get #waited(): number {
    return Math.max(...this.#bystanders.map((one) => one.waited));
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
    let used = await this.databaseTime.used();
    for (const flight of flights) {
      if (troubles.length >= ENOUGH_TROUBLES) return [...troubles, 'what came after was not tried'];
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
      const before = used;
      used = await this.databaseTime.used();
      if (used - before > DATABASE_MS) troubles.push(`${names}: ${Math.round(used - before)} ms of work of PostgreSQL`);
    }
    return troubles;
  }

  async #fly(flight: readonly Row[], names: string): Promise<string[]> {
    for (const one of this.#bystanders) one.forget();
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
    this.#bystanders.forEach((one, i) => {
      if (one.waited > WAIT_MS) all.push(`${names}: ${OTHERS[i]} of others waited ${Math.round(one.waited)} ms`);
      all.push(...one.troubles.splice(0).map((trouble) => `${names}: ${OTHERS[i]} of others: ${trouble}`));
    });
    return all;
  }

  /** Whether the others are still answered, within PATIENCE_MS. */
  async #answers(): Promise<boolean> {
    if (this.#waited < 1000) return this.target.alive;
    const before = this.#bystanders.map(({ answers }) => answers);
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until && this.target.alive; await sleep(50)) {
      if (this.#bystanders.every(({ answers }, i) => answers > before[i]!)) return true;
    }
    return false;
  }
}

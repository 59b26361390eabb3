import { type Answer, replayed } from './answer.ts';
import { type Claim, inProgress, reused } from './idempotency.ts';

const TWIN_WAIT_MS = 10_000;

/**
 * Twins are calls of one actor with the same Idempotency-Key. Those that run at the same time in this process share the answer
 * of the first one instead of asking the database: 200 twins must not hold 200 connections.
 */
export class Twins {
  readonly #running = new Map<string, { fingerprint: string; done: Promise<Answer | null> }>();

  /** Does the work, or waits for the answer of a twin that is already doing it. */
  async share(claim: Claim, work: () => Promise<Answer>): Promise<Answer> {
    const name = `${claim.actor} ${claim.key}`;
    for (;;) {
      const twin = this.#running.get(name);
      if (twin === undefined) break;
      if (twin.fingerprint !== claim.fingerprint) throw reused();
      const first = await within(twin.done, TWIN_WAIT_MS);
      if (first === 'late') throw inProgress();
      if (first !== null) return replayed(first);
      // The first twin threw an error and stored no answer, so the next one may try.
    }
    let finish!: (answer: Answer | null) => void;
    this.#running.set(name, { fingerprint: claim.fingerprint, done: new Promise((resolve) => (finish = resolve)) });
    let answer: Answer | null = null;
    try {
      answer = await work();
      return answer;
    } finally {
      this.#running.delete(name);
      finish(answer);
    }
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

import type { Deadline } from '../../store/deadline.ts';
import { type Answer, replayed } from '../answer.ts';
import { type Claim, inProgress, reused } from './idempotency.ts';

const TWIN_WAIT_MS = 10_000;

/**
 * Twins are calls of one actor with the same Idempotency-Key. Those that run at the same time in this process share the answer
 * of the first one instead of asking the database: 200 twins must not hold 200 connections.
 */
export class Twins {
  readonly #running = new Map<
    string,
    { fingerprint: string; done: Promise<Answer | null>; callers: Callers; deadline: Deadline }
  >();

  /**
   * Does the work, or waits for the answer of a twin that is already doing it. The work gets a signal that is aborted when its own
   * caller and those of all its twins have left. A twin may wait for longer than the caller before it: the deadline moves with it.
   */
  async share(
    claim: Claim,
    signal: AbortSignal | undefined,
    deadline: Deadline,
    work: (signal: AbortSignal | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const name = `${claim.actor} ${claim.key}`;
    for (;;) {
      const twin = this.#running.get(name);
      if (twin === undefined) break;
      if (twin.fingerprint !== claim.fingerprint) throw reused();
      twin.callers.add(signal);
      twin.deadline.extendTo(deadline);
      const first = await within(twin.done, TWIN_WAIT_MS);
      if (first === 'late') throw inProgress();
      if (first !== null) return replayed(first);
      // The first twin threw an error and stored no answer, so the next one may try.
    }
    let finish!: (answer: Answer | null) => void;
    const done = new Promise<Answer | null>((resolve) => (finish = resolve));
    const callers = new Callers();
    callers.add(signal);
    this.#running.set(name, { fingerprint: claim.fingerprint, done, callers, deadline });
    let answer: Answer | null = null;
    try {
      answer = await work(callers.allGone);
      return answer;
    } finally {
      this.#running.delete(name);
      finish(answer);
    }
  }
}

/** Those who wait for one piece of work. */
class Callers {
  readonly #gone = new AbortController();
  #waiting = 0;

  /** Aborted when all of them have hung up. */
  get allGone(): AbortSignal {
    return this.#gone.signal;
  }

  /** A caller without a signal waits to the end. */
  add(signal: AbortSignal | undefined): void {
    this.#waiting += 1;
    const leave = () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#gone.abort();
    };
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
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

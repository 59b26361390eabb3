import { Worker } from 'node:worker_threads';
import type { Other, OtherParts } from '../test/support/abuse/others.ts';
import type { Bench } from './support.ts';

/** How long somebody waited, in milliseconds, and what else they noticed. */
export interface Wait {
  who: Other;
  waited: number;
  p99: number;
  /** How many answers they got. */
  answered: number;
  troubles: string[];
}

/** People of another organization, who send requests all the time. */
export interface Others {
  /** Starts measuring anew. */
  forget(): void;
  waits(): Promise<Wait[]>;
}

export async function startOthers(
  bench: Bench,
  url: string,
  parts: OtherParts,
  who: readonly Other[],
): Promise<Others> {
  const worker = new Worker(new URL('./abuse-bystander.ts', import.meta.url), { workerData: { url, parts, who } });
  bench.later(() => worker.terminate());
  await new Promise((resolve) => worker.once('message', resolve));
  return {
    forget: () => worker.postMessage('forget'),
    waits: () => {
      const answer = new Promise<Wait[]>((resolve) => worker.once('message', resolve));
      worker.postMessage('waited');
      return answer;
    },
  };
}

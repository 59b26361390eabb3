import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

/** More than 500 rows are imported in the background. */
const ROWS = 600;
const IMPORTS = 4;
const EXPORTS = 4;
const EVERY_MS = 1_000;
const DONE_WITHIN_MS = 240_000;

interface Job {
  id: string;
  status: string;
  counts: { created?: number } | null;
}

/** Asks for imports and exports, one of each a second, as a client that tries again. `done` throws unless all of them finish. */
export function startJobs(stage: Stage, event: string): { done(): Promise<void> } {
  const late = performance.now() + DONE_WITHIN_MS;
  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Job> => {
    const key = randomUUID();
    for (;;) {
      const answer = await fetch(`${stage.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${stage.key}`, 'content-type': 'application/json', 'idempotency-key': key },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      if (answer?.ok) return (await answer.json()) as Job;
      const isAgain = answer === null || answer.status >= 500 || answer.status === 409;
      if (!isAgain) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      if (performance.now() > late) throw new Error(`${method} ${path} was not answered`);
      await sleep(1_000);
    }
  };
  const finish = async (job: Job): Promise<Job> => {
    for (let now = job; ; now = await ask('GET', `/jobs/${job.id}`)) {
      if (now.status === 'succeeded') return now;
      if (now.status === 'failed' || performance.now() > late)
        throw new Error(`a job is ${now.status}: ${JSON.stringify(now)}`);
      await sleep(500);
    }
  };
  const importOne = async (n: number) => {
    const rows = Array.from({ length: ROWS }, (_, i) => `Imported,n${n}x${i},imported-${n}-${i}@example.org,open,d1`);
    const csv = ['first_name,last_name,email,attendee_type,days', ...rows].join('\n');
    const { counts } = await finish(await ask('POST', `/events/${event}/imports`, { csv }));
    if (counts?.created !== ROWS) throw new Error(`an import created ${counts?.created} of ${ROWS} people`);
  };
  const exportOne = async () => {
    await finish(await ask('POST', '/exports', { what: 'people', event, format: 'xlsx' }));
  };
  const later = (n: number, work: () => Promise<void>) => sleep(n * EVERY_MS).then(work);
  const all = Promise.all([
    ...Array.from({ length: IMPORTS }, (_, n) => later(n, () => importOne(n))),
    ...Array.from({ length: EXPORTS }, (_, n) => later(n, exportOne)),
  ]);
  all.catch(() => {});
  return { done: async () => void (await all) };
}

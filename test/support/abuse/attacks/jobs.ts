import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, type Ground } from './attack.ts';

const PATIENCE_MS = 120_000;

interface Job {
  status: string;
  counts: Record<string, number>;
}

/** Waits until no job of the organization is waiting or under way. All of them must have succeeded: a failed one is cheap. */
export async function settled(ground: Ground): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
    const list = await attempt<{ data: Job[] }>(ground, 'GET', '/jobs?limit=50');
    if (list === null || list.data.some(({ status }) => status === 'queued' || status === 'running')) continue;
    const failed = list.data.filter(({ status, counts }) => status !== 'succeeded' || (counts.failed ?? 0) > 0);
    if (failed.length > 0) throw new Error(`A job of the attack did not succeed: ${JSON.stringify(failed[0])}`);
    return;
  }
  throw new Error('The jobs that the attack started did not end.');
}

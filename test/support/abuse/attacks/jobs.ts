import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, type Ground } from './attack.ts';

const PATIENCE_MS = 120_000;

/** Waits until no job of the organization is waiting or under way. */
export async function settled(ground: Ground): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
    const list = await attempt<{ data: { status: string }[] }>(ground, 'GET', '/jobs?limit=50');
    if (list?.data.every(({ status }) => status !== 'queued' && status !== 'running')) return;
  }
  throw new Error('The jobs that the attack started did not end.');
}

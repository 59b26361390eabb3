import { EngineError } from '../engine/errors.ts';
import type { Ask, FromWorker, RosterApi } from './api.ts';

const METHODS = [
  'open',
  'load',
  'relink',
  'changes',
  'look',
  'decide',
  'search',
  'registered',
  'counts',
  'attendance',
  'attendanceList',
  'note',
  'fold',
  'rewrite',
] as const satisfies readonly (keyof RosterApi)[];

export interface RosterClient extends RosterApi {
  close(): void;
}

/** Starts the worker. `progress` is told how many tickets of a download have arrived. */
export function startRoster(progress: (tickets: number) => void): RosterClient {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'roster' });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let last = 0;
  let closed = false;
  const closedError = () => new EngineError('stopped', 'The roster is closed.');
  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if ('progress' in data) return progress(data.progress);
    const answer = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) answer?.reject(Object.assign(new Error(data.error), { name: data.name }));
    else answer?.resolve(data.value);
  };
  worker.onerror = (event) => fail(new Error(`The roster's worker stopped: ${event.message}`));
  const ask = (method: keyof RosterApi) => (argument: unknown) => {
    const answer = new Promise<unknown>((resolve, reject) => {
      // A worker that has ended would never answer, and other scans wait behind the one that asks.
      if (closed) return reject(closedError());
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ id: last, method, argument } as Ask);
    });
    // Somebody who waits for something else first hears of it later; until then it is no error of the page.
    answer.catch(() => {});
    return answer;
  };
  const api = Object.fromEntries(METHODS.map((method) => [method, ask(method)]));
  return {
    ...(api as unknown as RosterApi),
    close: () => {
      closed = true;
      worker.terminate();
      fail(closedError());
    },
  };
}

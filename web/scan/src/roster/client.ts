import type { Ask, FromWorker, RosterApi } from './api.ts';

const METHODS = [
  'open',
  'load',
  'relink',
  'changes',
  'look',
  'decide',
  'search',
  'counts',
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
  const fail = (message: string) => {
    for (const { reject } of waiting.values()) reject(new Error(message));
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if ('progress' in data) return progress(data.progress);
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) asked?.reject(Object.assign(new Error(data.error), { name: data.name }));
    else asked?.resolve(data.value);
  };
  worker.onerror = (event) => fail(`The roster's worker stopped: ${event.message}`);
  const ask = (method: keyof RosterApi) => (argument: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ id: last, method, argument } as Ask);
    });
  const api = Object.fromEntries(METHODS.map((method) => [method, ask(method)]));
  return {
    ...(api as unknown as RosterApi),
    close: () => {
      worker.terminate();
      fail('The roster was closed.');
    },
  };
}

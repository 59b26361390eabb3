import { Db } from '../store/db.ts';
import type { Ask, FromWorker } from './api.ts';
import { Keeper } from './keeper.ts';

/** The worker that holds the roster: receives questions and sends answers. */

const send = (message: FromWorker): void => (self as unknown as Worker).postMessage(message);
const keeper = new Keeper(new Db(), (progress) => send({ progress }));

self.onmessage = async ({ data }: MessageEvent<Ask>) => {
  const { id, method, argument } = data;
  try {
    const value = await (keeper[method] as (argument: unknown) => Promise<unknown>)(argument);
    send({ id, value });
  } catch (error) {
    send({ id, error: String((error as Error)?.message ?? error), name: (error as Error)?.name ?? 'Error' });
  }
};

import { parentPort } from 'node:worker_threads';
import type { Order } from './printer.ts';

/** A printing thread that never ends with a ticket whose code is ENDLESS. */
parentPort!.on('message', ({ tickets }: Order) => {
  while (tickets[0]?.code === 'ENDLESS');
  parentPort!.postMessage({ pdf: new TextEncoder().encode('printed') });
});

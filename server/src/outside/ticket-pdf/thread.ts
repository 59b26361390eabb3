import { parentPort } from 'node:worker_threads';
import type { Order, Printed } from './printer.ts';
import { renderTicketsPdf } from './render.ts';

/** The thread that printer.ts starts. It prints one order after the other. */
parentPort!.on('message', async ({ tickets, format }: Order) => {
  let printed: Printed;
  try {
    printed = { pdf: new Uint8Array(await renderTicketsPdf(tickets, format)) };
  } catch (error) {
    printed = { error: String((error as Error).stack ?? error) };
  }
  parentPort!.postMessage(printed, 'pdf' in printed ? [printed.pdf.buffer as ArrayBuffer] : []);
});

import { parentPort, workerData } from 'node:worker_threads';
import type { Order, Printed, ThreadData } from './printer.ts';
import { renderTicketsPdf } from './render.ts';

/** How much processor time an order may take, in milliseconds. It is looked at before each ticket. */
const { processorLimit } = workerData as ThreadData;

const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

class TooLong extends Error {}

/** The thread that printer.ts starts. It prints one order after the other. */
parentPort!.on('message', async ({ tickets, format }: Order) => {
  const started = processorTime();
  const between = () => {
    if (processorTime() - started > processorLimit) throw new TooLong();
  };
  let printed: Printed;
  try {
    printed = { pdf: new Uint8Array(await renderTicketsPdf(tickets, format, between)) };
  } catch (error) {
    printed = error instanceof TooLong ? { tooLong: true } : { error: String((error as Error).stack ?? error) };
  }
  parentPort!.postMessage(printed, 'pdf' in printed ? [printed.pdf.buffer as ArrayBuffer] : []);
});

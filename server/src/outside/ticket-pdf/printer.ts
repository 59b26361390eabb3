import { Worker } from 'node:worker_threads';
import { Refusal } from '../../road/refusal.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';

export interface Order {
  tickets: TicketPrint[];
  format: TicketFormat;
}
export type Printed = { pdf: Uint8Array } | { error: string };

interface Job {
  order: Order;
  done: (pdf: Buffer) => void;
  failed: (error: Error) => void;
}

/** How many orders of one organization may wait. Each holds its tickets in memory and keeps its caller waiting. */
const MOST_WAITING = 50;

/**
 * Prints tickets on a thread of its own: a ticket with two hundred long names takes up to a second, and scans must not wait for
 * it. Organizations take turns, so one with many orders delays another only by the order that is being printed and one more.
 */
export class Printer {
  readonly #waiting = new Map<string, Job[]>();
  #thread: Worker | null = null;
  #at: Job | null = null;

  print(order: Order, whose: string): Promise<Buffer> {
    return new Promise((done, failed) => {
      const queue = this.#waiting.get(whose) ?? [];
      if (queue.length >= MOST_WAITING) {
        failed(
          new Refusal('unavailable', {
            message: `${MOST_WAITING} of your requests for tickets are already waiting to be printed. Try again in a moment.`,
          }),
        );
        return;
      }
      queue.push({ order, done, failed });
      this.#waiting.set(whose, queue);
      this.#next();
    });
  }

  #next(): void {
    if (this.#at !== null) return;
    const [turn] = this.#waiting;
    if (turn === undefined) {
      this.#thread?.unref(); // an idle thread must not keep the process alive
      return;
    }
    const [whose, queue] = turn;
    this.#at = queue.shift()!;
    // If the organization has more orders, it goes behind all others.
    this.#waiting.delete(whose);
    if (queue.length > 0) this.#waiting.set(whose, queue);
    this.#thread ??= this.#start();
    this.#thread.ref();
    this.#thread.postMessage(this.#at.order);
  }

  #start(): Worker {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    thread.on('message', (printed: Printed) => this.#end(printed));
    const lost = (error: Error) => {
      if (this.#thread !== thread) return;
      this.#thread = null; // the next order starts a new one
      this.#end({ error: error.message });
    };
    thread.on('error', lost);
    thread.on('exit', (code) => lost(new Error(`The printing thread ended with code ${code}.`)));
    return thread;
  }

  #end(printed: Printed): void {
    const job = this.#at;
    this.#at = null;
    if ('pdf' in printed) job?.done(Buffer.from(printed.pdf.buffer, printed.pdf.byteOffset, printed.pdf.byteLength));
    else job?.failed(new Error(`The ticket could not be printed: ${printed.error}`));
    this.#next();
  }
}

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

/** So many orders of one organization wait; each keeps its tickets, and whoever asked, waiting. */
const MOST_WAITING = 50;

/**
 * Prints tickets on a thread of its own: a ticket with two hundred long names takes up to a second, and scans must not wait for
 * it. Those whose tickets wait take turns, so that one who asks for many delays another by the order at work
 * and one more.
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
            message: `${MOST_WAITING} tickets of yours wait to be printed. Ask again in a moment.`,
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
      this.#thread?.unref(); // nothing to print: it does not keep the process alive
      return;
    }
    const [whose, queue] = turn;
    this.#at = queue.shift()!;
    // Behind all others, if there is more.
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
      this.#thread = null; // the next order starts another one
      this.#end({ error: error.message });
    };
    thread.on('error', lost);
    thread.on('exit', (code) => lost(new Error(`the printing thread ended with ${code}`)));
    return thread;
  }

  #end(printed: Printed): void {
    const job = this.#at;
    this.#at = null;
    if ('pdf' in printed) job?.done(Buffer.from(printed.pdf.buffer, printed.pdf.byteOffset, printed.pdf.byteLength));
    else job?.failed(new Error(`the ticket was not printed: ${printed.error}`));
    this.#next();
  }
}

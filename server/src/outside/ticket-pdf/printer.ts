import { Worker } from 'node:worker_threads';
import { Refusal } from '../../common/refusal.ts';
import { PrintQueue } from './print-queue.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';

export interface Order {
  tickets: TicketPrint[];
  format: TicketFormat;
}
export type Printed = { pdf: Uint8Array } | { tooLong: true } | { error: string };

interface Job {
  order: Order;
  done: (pdf: Buffer) => void;
  failed: (error: Error) => void;
}

/** What the thread is started with. */
export interface ThreadData {
  /** How much processor time an order may take, in milliseconds. The thread itself stops what takes longer. */
  processorLimit: number;
}

export interface Printing extends ThreadData {
  /** After how many milliseconds the thread is ended if it has not answered. */
  limit: number;
  /** How many orders may wait: of one organization, and of all. Each holds its tickets in memory and keeps its caller waiting. */
  waiting: { each: number; all: number };
  /** The program of the thread. */
  thread: URL;
}

/**
 * The thread itself stops an order at its limit of processor time (thread.ts); the most expensive orders that we know use less than two
 * seconds. Ending the thread is for what nobody has thought of, so a busy machine has time enough before that.
 */
const USUAL: Printing = {
  processorLimit: 3000,
  limit: 20_000,
  waiting: { each: 50, all: 500 },
  thread: new URL('./thread.ts', import.meta.url),
};

/** An order that was stopped at the time limit. Trying again would not help. */
export class PrintedTooLong extends Refusal {
  constructor() {
    super('unavailable', {
      message:
        'Printing took too long and was stopped. Print fewer tickets at once, or shorten the names and terms on them.',
    });
  }
}

/**
 * Prints tickets on a thread of its own: a ticket with two hundred long names in rare letters takes up to a second, and scans
 * must not wait for it. Organizations take turns, so one with many orders delays another only by the order that is being
 * printed. An order that exceeds the time limit is refused, and its thread is replaced.
 */
export class Printer {
  readonly #printing: Printing;
  readonly #waiting: PrintQueue<Job>;
  #thread: Worker | null = null;
  #at: { job: Job; organization: string } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(printing: Partial<Printing> = {}) {
    this.#printing = { ...USUAL, ...printing };
    this.#waiting = new PrintQueue(this.#printing.waiting);
  }

  print(order: Order, organization: string): Promise<Buffer> {
    return new Promise((done, failed) => {
      const refused = this.#waiting.add(organization, { order, done, failed });
      refused?.failed(
        new Refusal('unavailable', { message: 'Too many tickets are waiting to be printed. Try again in a moment.' }),
      );
      this.#next();
    });
  }

  #next(): void {
    if (this.#at !== null) return;
    this.#at = this.#waiting.take();
    if (this.#at === null) {
      this.#thread?.unref(); // an idle thread must not keep the process alive
      return;
    }
    const thread = this.#thread ?? this.#start();
    this.#thread = thread;
    thread.ref();
    thread.postMessage(this.#at.job.order);
    this.#timer = setTimeout(() => this.#stop(thread), this.#printing.limit);
  }

  #start(): Worker {
    const { thread: program, processorLimit } = this.#printing;
    const workerData: ThreadData = { processorLimit };
    const thread = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: 512 } });
    thread.on('message', (printed: Printed) => {
      // A thread that was stopped may have finished at the last moment.
      if (this.#thread === thread) this.#end(printed);
    });
    const lost = (error: Error) => {
      if (this.#thread !== thread) return;
      this.#thread = null; // the next order starts a new one
      this.#end({ error: error.message });
    };
    thread.on('error', lost);
    thread.on('exit', (code) => lost(new Error(`The printing thread ended with code ${code}.`)));
    return thread;
  }

  /** Ends a thread whose order takes too long. Nobody waits until it has ended: the next order starts a new one. */
  #stop(thread: Worker): void {
    this.#thread = null;
    void thread.terminate();
    this.#end({ tooLong: true });
  }

  #end(printed: Printed): void {
    clearTimeout(this.#timer);
    const job = this.#at?.job;
    this.#at = null;
    if ('tooLong' in printed) job?.failed(new PrintedTooLong());
    else if ('pdf' in printed) {
      job?.done(Buffer.from(printed.pdf.buffer, printed.pdf.byteOffset, printed.pdf.byteLength));
    } else job?.failed(new Error(`The ticket could not be printed: ${printed.error}`));
    this.#next();
  }
}

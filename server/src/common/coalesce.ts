import { type Span, tracing } from './tracing.ts';

/**
 * Puts the questions of many callers into one statement. While one batch is on its way, the next one gathers. A question is only
 * added to a batch that was not sent yet, so nobody gets an answer that is older than their question. There is no timer: if
 * nothing is on its way, a batch is sent at once.
 */
export class Coalescer<Ask, Answer> {
  readonly #send: (asks: Ask[]) => Promise<Answer[]>;
  readonly #max: number;
  #waiting: Waiting<Ask, Answer>[] = [];
  #inFlight = 0;
  readonly #lines: number;

  constructor(send: (asks: Ask[]) => Promise<Answer[]>, options: { max?: number; lines?: number } = {}) {
    this.#send = send;
    this.#max = options.max ?? 500;
    this.#lines = options.lines ?? 1;
  }

  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject, span: tracing === null ? null : tracing.current });
      // Questions of the same turn of the event loop are sent together.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#pump());
    });
  }

  #pump(): void {
    while (this.#inFlight < this.#lines && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#max);
      this.#inFlight += 1;
      const asks = batch.map((item) => item.ask);
      // The statement belongs to the trace of the first who asked.
      (tracing === null ? this.#send(asks) : tracing.within(batch[0]!.span, this.#send, asks))
        .then(
          (answers) => {
            for (const [i, item] of batch.entries()) item.resolve(answers[i]!);
          },
          (error) => {
            for (const item of batch) item.reject(error);
          },
        )
        .finally(() => {
          this.#inFlight -= 1;
          this.#pump();
        });
    }
  }
}

interface Waiting<Ask, Answer> {
  ask: Ask;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
  span: Span | null;
}

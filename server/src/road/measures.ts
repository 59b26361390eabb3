import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What `/metrics` shows. */
export class Measures {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'turnout_requests_total',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [this.registry],
  });
  readonly #seconds = new Histogram({
    name: 'turnout_request_seconds',
    help: 'Time to answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  request(operation: string, status: number, ms: number): void {
    this.#requests.inc({ operation, status: String(status) });
    this.#seconds.observe({ operation }, ms / 1000);
  }

  /** A value that is asked when the metrics are read. */
  watch(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read());
      },
    });
  }
}

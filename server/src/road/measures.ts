import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics that `/metrics` shows. */
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

  /** A value that is read whenever the metrics are. */
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

  /** One value for each label, read whenever the metrics are. There are none while `read` answers null. */
  watchEach(name: string, help: string, label: string, read: () => Promise<Record<string, number> | null>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const [of, value] of Object.entries((await read()) ?? {})) this.set({ [label]: of }, value);
      },
    });
  }

  /** Several values that come from one question. They are NaN while it is not answered. */
  watchTogether<Name extends string>(helps: Record<Name, string>, read: () => Promise<Record<Name, number>>): void {
    const ask = seldom(read);
    for (const name of Object.keys(helps) as Name[]) {
      this.watch(name, helps[name], async () => (await ask())?.[name] ?? Number.NaN);
    }
  }
}

/** Asks at most every ten seconds, however often it is called. Null if there is no answer within two seconds. */
export function seldom<T>(read: () => Promise<T>): () => Promise<T | null> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<T | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - askedAt >= FRESH_MS) {
      askedAt = performance.now();
      const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref());
      answer = Promise.race([read().catch(() => null), late]);
    }
    return answer;
  };
}

const FRESH_MS = 10_000;
const PATIENCE_MS = 2000;

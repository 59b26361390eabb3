import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What became of an attempt to deliver a webhook, of an e-mail, of a run of a job, of a scheduled task. */
const OUTCOMES = {
  delivery: ['delivered', 'retried', 'given_up'],
  mail: ['sent', 'retried', 'failed', 'withdrawn'],
  job: ['succeeded', 'retried', 'failed'],
  task: ['succeeded', 'failed'],
} as const;
export type OutcomeOf<What extends keyof typeof OUTCOMES> = (typeof OUTCOMES)[What][number];

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics that `/metrics` shows. This is the only list of them: what is exported by OTLP is read from the registry, too. */
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
    buckets: SECONDS,
    registers: [this.registry],
  });
  readonly #laneWait = new Histogram({
    name: 'turnout_lane_wait_seconds',
    help: 'How long calls waited for their turn in an event.',
    buckets: SECONDS,
    registers: [this.registry],
  });
  readonly #deliveries = new Counter({
    name: 'turnout_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #mails = new Counter({
    name: 'turnout_mails_total',
    help: 'Attempts to send an e-mail, by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #jobs = new Counter({
    name: 'turnout_jobs_total',
    help: 'Runs of jobs, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });
  readonly #tasks = new Counter({
    name: 'turnout_tasks_total',
    help: 'Runs of scheduled tasks, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers: [this.registry],
  });
  readonly #loopFailures = new Counter({
    name: 'turnout_worker_failures_total',
    help: 'Steps of worker loops that failed and are tried again, by loop.',
    labelNames: ['loop'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // A counter that appears with its first failure has not risen for whoever looks at its rise.
    for (const outcome of OUTCOMES.delivery) this.#deliveries.inc({ outcome }, 0);
    for (const outcome of OUTCOMES.mail) this.#mails.inc({ outcome }, 0);
  }

  laneWait(ms: number): void {
    this.#laneWait.observe(ms / 1000);
  }

  delivery(outcome: OutcomeOf<'delivery'>): void {
    this.#deliveries.inc({ outcome });
  }

  mail(outcome: OutcomeOf<'mail'>): void {
    this.#mails.inc({ outcome });
  }

  /** What can be counted by `job`, `task` and `workerFailure`. */
  expect({ jobs = [], tasks = [], loops = [] }: Partial<Record<'jobs' | 'tasks' | 'loops', readonly string[]>>): void {
    for (const kind of jobs) for (const outcome of OUTCOMES.job) this.#jobs.inc({ kind, outcome }, 0);
    for (const task of tasks) for (const outcome of OUTCOMES.task) this.#tasks.inc({ task, outcome }, 0);
    for (const loop of loops) this.#loopFailures.inc({ loop }, 0);
  }

  job(kind: string, outcome: OutcomeOf<'job'>): void {
    this.#jobs.inc({ kind, outcome });
  }

  task(task: string, outcome: OutcomeOf<'task'>): void {
    this.#tasks.inc({ task, outcome });
  }

  workerFailure(loop: string): void {
    this.#loopFailures.inc({ loop });
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

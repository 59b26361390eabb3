import { randomUUID } from 'node:crypto';
import { MINUTE } from '../clock.ts';
import { type Id, toUlid } from '../common/ids.ts';
import { Refusal } from '../common/refusal.ts';
import { tracing } from '../common/tracing.ts';
import { type Job, JobFailure, type JobParts } from '../road/for-areas/job.ts';
import type { Measures } from '../road/measures.ts';
import { sql } from '../store/sql.ts';
import { jobTransaction } from '../store/tx.ts';
import { type Claimed, LEASE, leaseFrom, MadeRoom, NotOurs, RunningJob } from './running-job.ts';
import { inLine, isKnown, MAX_SIDE_JOBS, othersWait } from './shares.ts';
import { isTransient } from './transient.ts';

/**
 * The runner claims jobs and runs them, two at a time in each process. These are the states of a job, as its row says:
 *
 * | state | moved by | next |
 * |---|---|---|
 * | queued | a runner claims it | running |
 * | queued, running | somebody cancels it | cancelled |
 * | running | its work is done | succeeded |
 * | running | it fails for a reason that trying again does not remove, or five runs in a row made no progress | failed |
 * | running | the process stops | queued, due at once |
 * | running | the database or the store of files went away | queued, due after a pause |
 * | running | it has run for a while, and another organization waits for a slot | queued, behind that one |
 * | running | its runner did not renew the lease in time | running, by another runner |
 *
 * The row names the runner that has the job. Every transaction of a runner checks this in its own update of the row, so a runner
 * whose job was cancelled or taken over cannot commit anything more.
 */
const HEARTBEAT = LEASE / 3;
const MAX_ATTEMPTS = 5;
/** Of each organization, so that a process whose first choice another one is just claiming finds one more. */
const CANDIDATES = 2;
/** How long to wait, in milliseconds, after the first run in a row that the database interrupted, the second, and so on. */
const RETRY_AFTER = [1000, 5000, 30_000, 2 * MINUTE];

interface RunnerParts extends JobParts {
  measures?: Measures;
}

/** Several processes may run one each; they share the jobs. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #kinds: ReadonlyMap<string, Job>;
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  /**
   * Running jobs that cannot be interrupted although others wait. They do not count against the limit, so another job may run
   * beside each of them.
   */
  readonly #beside = new Set<RunningJob>();
  readonly #stopping = new AbortController();
  /** The organization whose turn was last. */
  #last: Id | null = null;
  /** Called when there is room for another job. */
  onRoom: () => void = () => {};

  constructor(parts: RunnerParts, jobs: readonly Job[], most = 2) {
    this.#parts = parts;
    parts.measures?.expect({ jobs: jobs.map((one) => one.kind) });
    this.#kinds = new Map(jobs.map((one) => [one.kind, one]));
    this.#most = most;
  }

  /** Starts as many jobs as there is room for, and answers how many. */
  async fill(): Promise<number> {
    let started = 0;
    while (this.#running.size - this.#beside.size < this.#most && !this.#stopping.signal.aborted) {
      const claimed = await this.#claim();
      if (claimed === null) break;
      started += 1;
      const running = this.#begin(claimed).finally(() => {
        this.#running.delete(running);
        this.onRoom();
      });
      this.#running.add(running);
    }
    return started;
  }

  /** Runs jobs until none is due. For tests, which move the clock. */
  async drain(): Promise<number> {
    let ran = 0;
    for (;;) {
      const started = await this.fill();
      ran += started;
      if (this.#running.size > 0) await Promise.race([...this.#running, this.#room()]);
      else if (started === 0) return ran;
    }
  }

  /** Resolves when another job may run beside one that goes on. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onBeside = resolve;
    });
  }
  #onBeside: () => void = () => {};

  /**
   * Lets every running job finish its step. The jobs are then queued again and go on in another process, or after the next start.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  /**
   * Claims the next job: of the organization that has the fewest jobs running, and of those the one that comes next in their line (shares.ts);
   * there, the one that has been due longest. So however many jobs others have, a job waits for one of each at most, and a job that made room
   * comes after those it made room for.
   */
  async #claim(): Promise<Claimed | null> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    return jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
      const { orgs, next } = await inLine(tx, now, this.#last);
      const known = isKnown([...this.#kinds.values()]);
      const claimed = await tx.maybe<Claimed>(sql`
        with running as materialized (
          select org_id, count(*) as jobs from jobs where status = 'running' group by org_id),
        candidates as materialized (
          select c.*, o.turn from unnest(${orgs}::uuid[]) with ordinality as o(org_id, turn) cross join lateral (
            select j.org_id, j.id from jobs j where j.status = 'queued' and j.org_id = o.org_id and j.due_at <= ${now} and ${known}
            order by j.due_at, j.id limit ${CANDIDATES}) c
          union all
          select j.org_id, j.id, 0 from jobs j where j.status = 'running' and j.lease_until <= ${now} and ${known}),
        next as materialized (
          select j.org_id, j.id from candidates c join jobs j on j.org_id = c.org_id and j.id = c.id
          left join running r on r.org_id = j.org_id
          where case j.status when 'queued' then j.due_at when 'running' then j.lease_until end <= ${now}
          order by coalesce(r.jobs, 0), c.turn, j.due_at, j.id
          limit 1 for update of j skip locked)
        update jobs j set status = 'running', runner = ${randomUUID()}, lease_until = ${leaseFrom(now)},
          attempts = j.attempts + 1, started_at = coalesce(j.started_at, ${now}), updated_at = ${now}
        from next where j.org_id = next.org_id and j.id = next.id
        returning j.org_id, j.id, j.kind, j.event_id, j.group_id, j.test, j.actor, j.format, j.input, j.source, j.state, j.done, j.total,
          j.counts, j.runner, j.attempts`);
      this.#last = claimed?.org_id ?? next;
      return claimed;
    });
  }

  /** A job goes on in the trace of the request that started it. */
  #begin(claimed: Claimed): Promise<void> {
    if (tracing === null) return this.#run(claimed);
    const { trace = null, requestId } = claimed.actor;
    const told = {
      'turnout.job': toUlid(claimed.id),
      'turnout.job.kind': claimed.kind,
      ...(requestId !== null && { 'turnout.request_id': requestId }),
    };
    const span = tracing.begin(`job ${claimed.kind}`, { parent: trace, kind: 'consumer', told });
    return tracing.during(span, () => this.#run(claimed));
  }

  async #run(claimed: Claimed): Promise<void> {
    const run = new RunningJob(this.#parts, claimed, this.#stopping.signal, {
      wait: () => othersWait(this.#parts, [...this.#kinds.values()], claimed.org_id).catch(() => false),
      comeBeside: () => this.#openBeside(run),
    });
    const beat = setInterval(() => void run.renew(), HEARTBEAT);
    try {
      if (claimed.attempts > MAX_ATTEMPTS) {
        throw new JobFailure(
          `The job was interrupted ${MAX_ATTEMPTS} times in a row without making progress. Start it again.`,
        );
      }
      const kind = this.#kinds.get(claimed.kind)!;
      await run.upgrade(kind);
      const files = await kind.run(run);
      await run.end('succeeded', files ?? {}, null);
      this.#parts.measures?.job(claimed.kind, 'succeeded');
    } catch (error) {
      await this.#interrupted(run, claimed, error).catch((failure) => {
        // The lease runs out, and then another runner takes the job over.
        run.log.warn({ err: failure }, 'the end of a job could not be written');
      });
    } finally {
      clearInterval(beat);
      this.#beside.delete(run);
      await run.cleanUp();
    }
  }

  #openBeside(run: RunningJob): void {
    if (this.#beside.size >= MAX_SIDE_JOBS) return;
    this.#beside.add(run);
    this.#onBeside();
    this.onRoom();
  }

  /** Decides what becomes of a job whose run threw an error. */
  async #interrupted(run: RunningJob, claimed: Claimed, error: unknown): Promise<void> {
    if (error instanceof NotOurs) return;
    if (error instanceof MadeRoom) return run.handBack(0, 0);
    if (this.#stopping.signal.aborted) return run.handBack(0, claimed.attempts - 1);
    if (error instanceof JobFailure || error instanceof Refusal) {
      const detail = error instanceof Refusal ? error.options.log : error.cause;
      tracing?.current?.fail('failed');
      run.log.warn({ why: error.message, ...(detail !== undefined && { err: detail }) }, 'a job failed');
      await run.end('failed', {}, error.message);
      return this.#parts.measures?.job(claimed.kind, 'failed');
    }
    const pause = isTransient(error) ? RETRY_AFTER[claimed.attempts - 1] : undefined;
    if (pause !== undefined) {
      run.log.warn({ err: error, again_in_ms: pause }, 'a job was interrupted and will be tried again');
      await run.handBack(pause, claimed.attempts);
      return this.#parts.measures?.job(claimed.kind, 'retried');
    }
    tracing?.current?.fail('failed');
    run.log.error({ err: error }, 'a job failed');
    await run.end(
      'failed',
      {},
      'Something went wrong on our side. What the job had done before is kept. Start it again.',
    );
    this.#parts.measures?.job(claimed.kind, 'failed');
  }
}

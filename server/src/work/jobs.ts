import { randomUUID } from 'node:crypto';
import type { Mode } from '@turnout/contract';
import { MINUTE } from '../clock.ts';
import { storeFile } from '../outside/files.ts';
import {
  type Counts,
  DOWNLOADABLE,
  type Job,
  type JobActor,
  JobFailure,
  type JobFiles,
  type JobParts,
  type Run,
  type Step,
  type StoredFile,
} from '../road/job.ts';
import { JOB_LIMITS, requireJobRoom } from '../road/job-room.ts';
import type { Change, Occurrence } from '../road/operation.ts';
import { writeAudit, writeOutbox } from '../road/record.ts';
import { Refusal } from '../road/refusal.ts';
import { type Id, toUlid } from '../store/ids.ts';
import { type Sql, sql } from '../store/sql.ts';
import { CommitUnknown, type Tx, transaction } from '../store/tx.ts';
import { MOST_BESIDE, othersWait, SLICE } from './shares.ts';

/**
 * | state | moved by | next |
 * |---|---|---|
 * | queued | a runner claims it | running |
 * | queued, running | somebody cancels it | cancelled |
 * | running | its work is done | succeeded |
 * | running | it fails for a reason, or five runs in a row got nowhere | failed |
 * | running | the process stops, or the database went away | queued |
 * | running | it had its place for a while, and another organization waits for one | queued |
 * | running | its runner's lease is over | running, by another runner |
 *
 * The row says whose the job is. Every write of a runner asks for it in the same transaction, so whoever was cancelled or
 * taken over commits nothing more.
 */
const LEASE = MINUTE / 2;
const HEARTBEAT = LEASE / 3;
const MAX_ATTEMPTS = 5;
/** After the n-th run in a row that the database broke off. */
const RETRY_AFTER = [1000, 5000, 30_000, 2 * MINUTE];

interface Claimed {
  org_id: Id;
  id: Id;
  kind: string;
  event_id: Id | null;
  group_id: Id | null;
  test: boolean;
  actor: JobActor;
  input: unknown;
  source: StoredFile | null;
  state: unknown;
  done: number;
  total: number | null;
  counts: Counts;
  runner: Id;
  attempts: number;
}

/** Claims jobs and runs a few at a time. Several processes share them. */
export class Runner {
  readonly #parts: JobParts;
  readonly #kinds: ReadonlyMap<string, Job>;
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  /** Those that could not make room where others waited: they do not count as having a place. */
  readonly #beside = new Set<Running>();
  readonly #stopping = new AbortController();
  /** Told when there is room for another. */
  onRoom: () => void = () => {};

  constructor(parts: JobParts, jobs: readonly Job[], most = 2) {
    this.#parts = parts;
    this.#kinds = new Map(jobs.map((one) => [one.kind, one]));
    this.#most = most;
  }

  /** Starts what there is room for; answers how many. */
  async fill(): Promise<number> {
    let started = 0;
    while (this.#running.size - this.#beside.size < this.#most && !this.#stopping.signal.aborted) {
      const claimed = await this.#claim();
      if (claimed === null) break;
      started += 1;
      const running = this.#run(claimed).finally(() => {
        this.#running.delete(running);
        this.onRoom();
      });
      this.#running.add(running);
    }
    return started;
  }

  /** Runs what is due until nothing is: for tests, which move the clock. */
  async drain(): Promise<number> {
    let ran = 0;
    for (;;) {
      const started = await this.fill();
      ran += started;
      if (this.#running.size > 0) await Promise.race([...this.#running, this.#room()]);
      else if (started === 0) return ran;
    }
  }

  /** When a place is opened beside a job that goes on. */
  #room(): Promise<void> {
    return new Promise((there) => {
      this.#onBeside = there;
    });
  }
  #onBeside: () => void = () => {};

  /** The step that runs is finished; then its job is handed back, and goes on elsewhere or at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  /**
   * Whose organization has the fewest running comes first, and then who waits longest: a thousand jobs of one hold up nobody
   * else's, and one that made room is behind those it made room for.
   */
  async #claim(): Promise<Claimed | null> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    return transaction(pool, clock, { role: 'system' }, (tx) =>
      tx.maybe<Claimed>(sql`
        with running as materialized (
          select org_id, count(*) as jobs from jobs where status = 'running' group by org_id),
        next as materialized (
          select j.org_id, j.id from jobs j left join running r on r.org_id = j.org_id
          where j.status in ('queued', 'running') and j.kind = any(${[...this.#kinds.keys()]})
            and case j.status when 'queued' then j.due_at else j.lease_until end <= ${now}
          order by coalesce(r.jobs, 0), j.due_at, j.id
          limit 1 for update of j skip locked)
        update jobs j set status = 'running', runner = ${randomUUID()}, lease_until = ${until(now)},
          attempts = j.attempts + 1, started_at = coalesce(j.started_at, ${now}), updated_at = ${now}
        from next where j.org_id = next.org_id and j.id = next.id
        returning j.org_id, j.id, j.kind, j.event_id, j.group_id, j.test, j.actor, j.input, j.source, j.state, j.done, j.total,
          j.counts, j.runner, j.attempts`),
    );
  }

  async #run(claimed: Claimed): Promise<void> {
    const run = new Running(this.#parts, claimed, this.#stopping.signal, {
      wait: () => othersWait(this.#parts, [...this.#kinds.keys()], claimed.org_id).catch(() => false),
      comeBeside: () => this.#openBeside(run),
    });
    const beat = setInterval(() => void run.renew(), HEARTBEAT);
    try {
      if (claimed.attempts > MAX_ATTEMPTS) {
        throw new JobFailure(`It was interrupted ${MAX_ATTEMPTS} times in a row without getting further.`);
      }
      const files = await this.#kinds.get(claimed.kind)!.run(run);
      await run.end('succeeded', files ?? {}, null);
    } catch (error) {
      await this.#broken(run, claimed, error).catch((failure) => {
        // The lease ends by itself, and then the job is taken over.
        run.log.warn({ err: failure }, 'could not tell how a job ended');
      });
    } finally {
      clearInterval(beat);
      this.#beside.delete(run);
      await run.cleanUp();
    }
  }

  #openBeside(run: Running): void {
    if (this.#beside.size >= MOST_BESIDE) return;
    this.#beside.add(run);
    this.#onBeside();
    this.onRoom();
  }

  async #broken(run: Running, claimed: Claimed, error: unknown): Promise<void> {
    if (error instanceof NotOurs) return;
    if (error instanceof MadeRoom) return run.handBack(0, 0);
    if (this.#stopping.signal.aborted) return run.handBack(0, claimed.attempts - 1);
    if (error instanceof JobFailure || error instanceof Refusal) {
      const kept = error instanceof Refusal ? error.options.log : error.cause;
      run.log.warn({ why: error.message, ...(kept !== undefined && { err: kept }) }, 'a job failed');
      return run.end('failed', {}, error.message);
    }
    const pause = isTransient(error) ? RETRY_AFTER[claimed.attempts - 1] : undefined;
    if (pause !== undefined) {
      run.log.warn({ err: error, again_in_ms: pause }, 'a job was broken off');
      return run.handBack(pause, claimed.attempts);
    }
    run.log.error({ err: error }, 'a job failed');
    return run.end('failed', {}, 'Something went wrong on our side. What was done before stands; start it again.');
  }
}

const until = (now: Date): Date => new Date(now.getTime() + LEASE);

/** Cancelled, or another runner's by now. */
class NotOurs extends Error {}
/** The process stops. */
class HandedBack extends Error {}
/** Others wait, and the job can go on later where it is. */
class MadeRoom extends Error {}

/** Jobs of other organizations, as one that runs meets them. */
interface Others {
  wait(): Promise<boolean>;
  comeBeside(): void;
}

class Running implements Run<unknown, unknown> {
  readonly id: Id;
  readonly org: Id;
  readonly event: Id | null;
  readonly group: Id | null;
  readonly mode: Mode;
  readonly actor: JobActor;
  readonly input: unknown;
  readonly source: StoredFile | null;
  state: unknown;
  done: number;
  total: number | null;
  counts: Counts;
  readonly clock: JobParts['clock'];
  readonly log: JobParts['log'];
  readonly outside: JobParts['outside'];
  readonly signal: AbortSignal;
  readonly #parts: JobParts;
  readonly #stopping: AbortSignal;
  readonly #others: Others;
  /** When it last had its place to itself for certain. */
  #looked: number;
  readonly #lost = new AbortController();
  readonly #mine: Sql;
  /** Written here and not (yet) offered by the row. */
  readonly #loose = new Set<string>();

  constructor(parts: JobParts, claimed: Claimed, stopping: AbortSignal, others: Others) {
    this.id = claimed.id;
    this.org = claimed.org_id;
    this.event = claimed.event_id;
    this.group = claimed.group_id;
    this.mode = claimed.test ? 'test' : 'live';
    this.actor = claimed.actor;
    this.input = claimed.input;
    this.source = claimed.source;
    this.state = claimed.state;
    this.done = claimed.done;
    this.total = claimed.total;
    this.counts = claimed.counts;
    this.clock = parts.clock;
    this.log = parts.log.child({ job: toUlid(claimed.id), kind: claimed.kind });
    this.outside = parts.outside;
    this.signal = AbortSignal.any([stopping, this.#lost.signal]);
    this.#parts = parts;
    this.#stopping = stopping;
    this.#others = others;
    this.#looked = parts.clock.now().getTime();
    this.#mine = sql`org_id = ${this.org} and id = ${this.id} and runner = ${claimed.runner} and status = 'running'`;
  }

  async step(work: (tx: Tx) => Promise<Step<unknown>>): Promise<void> {
    this.#mayGoOn();
    let step: Step<unknown> = {};
    const stands = await this.#transaction(async (tx) => {
      step = await work(tx);
      const now = this.clock.now();
      const stands = {
        state: step.state ?? this.state,
        done: step.done ?? this.done,
        total: step.total ?? this.total,
        counts: { ...this.counts, ...step.counts },
      };
      // Last, so that the lock on the row is held for a moment only: polling, cancelling and renewing never wait for a step.
      await this.#keep(
        tx,
        sql`state = ${json(stands.state)}, done = ${stands.done}, total = ${stands.total}, counts = ${json(stands.counts)},
          attempts = case when ${step.state !== undefined} then 0 else attempts end, lease_until = ${until(now)}, updated_at = ${now}`,
      );
      return stands;
    });
    Object.assign(this, stands);
    if (!(await this.#shouldMakeRoom())) return;
    if (step.state !== undefined) throw new MadeRoom();
    // Interrupted it would start over, and over again.
    if (this.state === null) this.#others.comeBeside();
  }

  /** Asked once a while: after that time a look costs nothing, and nobody waits much longer. */
  async #shouldMakeRoom(): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (now - this.#looked < SLICE) return false;
    this.#looked = now;
    return this.#others.wait();
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#mayGoOn();
    return this.#transaction(work, true);
  }

  async write(filename: string, mediaType: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const owner = { org: this.org, job: this.id };
    const bounded = upTo(JOB_LIMITS[this.mode].bytes, chunks);
    const file = await storeFile(this.outside.files, this.clock, owner, { filename, mediaType, chunks: bounded });
    this.#loose.add(file.key);
    return file;
  }

  audit(tx: Tx, action: string, changes: readonly Change[]): void {
    const { kind, id, name, source, client, requestId } = this.actor;
    const caller = { actor: { kind, id, name }, mode: this.mode };
    writeAudit(
      tx,
      this.org,
      changes.map((change) => ({ ...change, action: change.action ?? action, caller, source, client, requestId })),
    );
  }

  raise(tx: Tx, occurrences: readonly Occurrence[]): void {
    writeOutbox(tx, this.org, occurrences);
  }

  async renew(): Promise<void> {
    try {
      await this.#transaction((tx) => this.#keep(tx, sql`lease_until = ${until(this.clock.now())}`));
    } catch (error) {
      if (error instanceof NotOurs) this.#lost.abort();
    }
    // A step that takes so long, or waits for somebody outside, holds up nobody else's job.
    if (await this.#shouldMakeRoom()) this.#others.comeBeside();
  }

  async end(status: 'succeeded' | 'failed', files: JobFiles, error: string | null): Promise<void> {
    const now = this.clock.now();
    const kept = Object.values(files);
    const expires = kept.length === 0 ? null : new Date(now.getTime() + DOWNLOADABLE);
    const bytes = kept.reduce((sum, file) => sum + file.size, 0);
    await this.#transaction(async (tx) => {
      if (bytes > 0) await requireJobRoom(tx, this.org, this.mode, { jobs: 0, bytes }, this.id);
      await this.#keep(
        tx,
        sql`status = ${status}, files = ${json(files)}, expires_at = ${expires}, error = ${error}, input = null, source = null,
          state = null, runner = null, lease_until = null, finished_at = ${now}, updated_at = ${now}`,
      );
    });
    for (const file of kept) this.#loose.delete(file.key);
    if (this.source !== null) this.#loose.add(this.source.key);
  }

  async handBack(pause: number, attempts: number): Promise<void> {
    const now = this.clock.now();
    await this.#transaction((tx) =>
      this.#keep(
        tx,
        sql`status = 'queued', runner = null, lease_until = null, attempts = ${attempts},
          due_at = ${new Date(now.getTime() + pause)}, updated_at = ${now}`,
      ),
    );
  }

  /** What fails here is swept with the other leftovers. */
  async cleanUp(): Promise<void> {
    for (const key of this.#loose) await this.outside.files.delete(key).catch(() => {});
  }

  #mayGoOn(): void {
    if (this.#stopping.aborted) throw new HandedBack();
    if (this.#lost.signal.aborted) throw new NotOurs();
  }

  #transaction<T>(work: (tx: Tx) => Promise<T>, readOnly = false): Promise<T> {
    const { pool, clock } = this.#parts;
    return transaction(pool, clock, { role: 'app', org: this.org }, work, { readOnly });
  }

  async #keep(tx: Tx, change: Sql): Promise<void> {
    if ((await tx.run(sql`update jobs set ${change} where ${this.#mine}`)) === 0) throw new NotOurs();
  }
}

/** One file alone never takes more room than all of them may. */
async function* upTo(most: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most)
      throw new JobFailure('The file would be larger than all files of this organization may be together.');
    yield chunk;
  }
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The connection, or PostgreSQL itself, went away or had no room: the same step may well succeed in a moment. */
function isTransient(error: unknown): boolean {
  if (error instanceof CommitUnknown) return true;
  const { code, message, syscall } = error as { code?: string; message?: string; syscall?: string };
  return (
    syscall === 'connect' ||
    /^(08|40|53|57P|55P03|ECONNRESET|EPIPE|ETIMEDOUT)/.test(code ?? '') ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      message ?? '',
    )
  );
}

import type { Mode } from '@turnout/contract';
import { MINUTE } from '../clock.ts';
import { type Id, toUlid } from '../common/ids.ts';
import type { StoredFile } from '../common/stored-file.ts';
import { storeFile } from '../outside/files.ts';
import {
  type Counts,
  DOWNLOADABLE,
  formatOf,
  type Job,
  type JobActor,
  JobFailure,
  type JobFiles,
  type JobParts,
  type Run,
  type Step,
  type StoredJob,
} from '../road/for-areas/job.ts';
import { JOB_LIMITS, requireJobRoom } from '../road/for-areas/job-room.ts';
import type { Change, Occurrence } from '../road/operation.ts';
import { writeAudit, writeOutbox } from '../road/write/record.ts';
import { inSandboxRoom } from '../road/write/sandbox-room.ts';
import { type Sql, sql } from '../store/sql.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';
import { GiveWay, servedBy } from './give-way.ts';
import { SLICE } from './shares.ts';
import { isTransient } from './transient.ts';

/** How long a runner has a job without renewing its lease. */
export const LEASE = MINUTE / 2;
export const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE);

/** A row of `jobs`, as a runner has claimed it. */
export interface Claimed {
  org_id: Id;
  id: Id;
  kind: string;
  event_id: Id | null;
  group_id: Id | null;
  test: boolean;
  actor: JobActor;
  format: number;
  input: unknown;
  source: StoredFile | null;
  state: unknown;
  done: number;
  total: number | null;
  counts: Counts;
  runner: Id;
  attempts: number;
}

/** The job was cancelled, or another runner has it now. */
export class NotOurs extends Error {}
/** The process is stopping. */
class HandedBack extends Error {}
/** Others wait for a slot, and this job can go on later from where it is. */
export class MadeRoom extends Error {}

/** How a running job deals with the jobs of other organizations. */
interface OtherJobs {
  /** Whether one of them waits for a slot. */
  wait(): Promise<boolean>;
  /** Lets another job run beside this one, which cannot be interrupted. */
  comeBeside(): void;
}

/** One run of a job: what the job’s code sees of it, and how its result is written. */
export class RunningJob implements Run<unknown, unknown> {
  readonly id: Id;
  readonly org: Id;
  readonly event: Id | null;
  readonly group: Id | null;
  readonly mode: Mode;
  readonly actor: JobActor;
  input: unknown;
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
  readonly #others: OtherJobs;
  /** When it last looked whether others wait, or began. */
  #lookedAt: number;
  readonly #lost = new AbortController();
  readonly #mine: Sql;
  readonly #way: GiveWay;
  readonly #format: number;
  /** Files that this run has stored and that the row does not refer to (yet). They are deleted when the run is over. */
  readonly #unclaimedFiles = new Set<string>();

  constructor(parts: JobParts, claimed: Claimed, stopping: AbortSignal, others: OtherJobs) {
    this.id = claimed.id;
    this.org = claimed.org_id;
    this.event = claimed.event_id;
    this.group = claimed.group_id;
    this.mode = claimed.test ? 'test' : 'live';
    this.actor = claimed.actor;
    this.#format = claimed.format;
    this.input = claimed.input;
    this.source = claimed.source;
    this.state = claimed.state;
    this.done = claimed.done;
    this.total = claimed.total;
    this.counts = claimed.counts;
    this.clock = parts.clock;
    const { requestId } = claimed.actor;
    this.log = parts.log.child({
      job: toUlid(claimed.id),
      kind: claimed.kind,
      ...(requestId !== null && { request_id: requestId }),
    });
    this.outside = parts.outside;
    this.signal = AbortSignal.any([stopping, this.#lost.signal]);
    this.#parts = parts;
    this.#stopping = stopping;
    this.#others = others;
    this.#way = new GiveWay(servedBy(parts.pool), this.signal);
    this.#lookedAt = parts.clock.now().getTime();
    this.#mine = sql`org_id = ${this.org} and id = ${this.id} and runner = ${claimed.runner} and status = 'running'`;
  }

  /** Brings what an earlier version of the app has queued to the format of this one, before anything reads it. */
  async upgrade({ upgrades = [] }: Pick<Job, 'upgrades'>): Promise<void> {
    const missing = upgrades.slice(this.#format - 1);
    if (missing.length === 0) return;
    const before: StoredJob = { input: this.input, state: this.state };
    const { input, state } = missing.reduce((stored, next) => next(stored), before);
    const format = formatOf({ upgrades });
    await this.#transaction((tx) =>
      this.#update(tx, sql`input = ${json(input)}, state = ${json(state)}, format = ${format}`),
    );
    this.input = input;
    this.state = state;
  }

  async step(work: (tx: Tx) => Promise<Step<unknown>>): Promise<void> {
    await this.#way.begin();
    this.#requireOurs();
    let step: Step<unknown> = {};
    const inRoom = (tx: Tx) => inSandboxRoom(tx, this.org, () => advance(tx));
    const advance = async (tx: Tx) => {
      step = await work(tx);
      const now = this.clock.now();
      const progress = {
        state: step.state ?? this.state,
        done: step.done ?? this.done,
        total: step.total ?? this.total,
        counts: { ...this.counts, ...step.counts },
      };
      // The job's row is updated last, so that its lock is held only for a moment. Polling, cancelling and renewing never wait for
      // a step.
      await this.#update(
        tx,
        sql`state = ${json(progress.state)}, done = ${progress.done}, total = ${progress.total}, counts = ${json(progress.counts)},
          attempts = case when ${step.state !== undefined} then 0 else attempts end, lease_until = ${leaseFrom(now)}, updated_at = ${now}`,
      );
      return progress;
    };
    Object.assign(this, await this.#transaction(inRoom));
    await this.#way.end();
    if (!(await this.#shouldMakeRoom())) return;
    if (step.state !== undefined) throw new MadeRoom();
    // A job without a stored state would start from the beginning each time it is interrupted, so it goes on beside the others.
    if (this.state === null) this.#others.comeBeside();
  }

  /** Looks no more often than once in each slice of time: often enough for those who wait, and the look costs little. */
  async #shouldMakeRoom(): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (now - this.#lookedAt < SLICE) return false;
    this.#lookedAt = now;
    return this.#others.wait();
  }

  async read<T>(work: (tx: Tx) => Promise<T>, { long = false }: { long?: boolean } = {}): Promise<T> {
    await this.#way.begin();
    this.#requireOurs();
    const read = await (long ? this.#readLong(work) : this.#transaction(work, true));
    await this.#way.end();
    return read;
  }

  async #readLong<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { pool, clock, replica } = this.#parts;
    if (replica && (await replica.shows(pool))) {
      try {
        return await jobTransaction(replica.pool, clock, { role: 'app', org: this.org }, work, { readOnly: true });
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.log.warn({ err: error }, 'the standby went away, so the job begins again with the primary');
      }
    }
    return this.#transaction(work, true);
  }

  async giveWay(): Promise<void> {
    await this.#way.pause();
    this.#requireOurs();
  }

  async write(filename: string, mediaType: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const owner = { org: this.org, job: this.id };
    const bounded = upTo(JOB_LIMITS[this.mode].bytes, chunks);
    const file = await storeFile(this.outside.files, this.clock, owner, { filename, mediaType, chunks: bounded });
    this.#unclaimedFiles.add(file.key);
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
      await this.#transaction((tx) => this.#update(tx, sql`lease_until = ${leaseFrom(this.clock.now())}`));
    } catch (error) {
      if (error instanceof NotOurs) this.#lost.abort();
    }
    // A step that takes very long, or waits for an outside service, must not hold up the jobs of others.
    if (await this.#shouldMakeRoom()) this.#others.comeBeside();
  }

  async end(status: 'succeeded' | 'failed', files: JobFiles, error: string | null): Promise<void> {
    const now = this.clock.now();
    const stored = Object.values(files);
    const expires = stored.length === 0 ? null : new Date(now.getTime() + DOWNLOADABLE);
    const bytes = stored.reduce((sum, file) => sum + file.size, 0);
    await this.#transaction(async (tx) => {
      if (bytes > 0) await requireJobRoom(tx, this.org, this.mode, { jobs: 0, bytes }, this.id);
      await this.#update(
        tx,
        sql`status = ${status}, files = ${json(files)}, expires_at = ${expires}, error = ${error}, input = null, source = null,
          state = null, runner = null, lease_until = null, finished_at = ${now}, updated_at = ${now}`,
      );
    });
    for (const file of stored) this.#unclaimedFiles.delete(file.key);
    if (this.source !== null) this.#unclaimedFiles.add(this.source.key);
  }

  async handBack(pause: number, attempts: number): Promise<void> {
    const now = this.clock.now();
    await this.#transaction((tx) =>
      this.#update(
        tx,
        sql`status = 'queued', runner = null, lease_until = null, attempts = ${attempts},
          due_at = ${new Date(now.getTime() + pause)}, updated_at = ${now}`,
      ),
    );
  }

  /** A file that cannot be deleted here is removed later by the job that sweeps up leftover files. */
  async cleanUp(): Promise<void> {
    for (const key of this.#unclaimedFiles) await this.outside.files.delete(key).catch(() => {});
  }

  #requireOurs(): void {
    if (this.#stopping.aborted) throw new HandedBack();
    if (this.#lost.signal.aborted) throw new NotOurs();
  }

  #transaction<T>(work: (tx: Tx) => Promise<T>, readOnly = false): Promise<T> {
    const { pool, clock } = this.#parts;
    return jobTransaction(pool, clock, { role: 'app', org: this.org }, work, { readOnly });
  }

  /** Updates the job's row, and throws if the job is not ours any more. */
  async #update(tx: Tx, change: Sql): Promise<void> {
    if ((await tx.run(sql`update jobs set ${change} where ${this.#mine}`)) === 0) throw new NotOurs();
  }
}

/** Fails as soon as one file is larger than all files together may be. */
async function* upTo(most: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most)
      throw new JobFailure('The file would be larger than the storage of the whole organization allows.');
    yield chunk;
  }
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

import type { AuditSource, Mode } from '@turnout/contract';
import type { Logger } from 'pino';
import { type Clock, DAY } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import type { StoredFile } from '../../common/stored-file.ts';
import type { Pool } from '../../store/pool.ts';
import type { Replica } from '../../store/replica.ts';
import type { Tx } from '../../store/tx.ts';
import type { Actor } from '../caller.ts';
import type { Change, Occurrence, Outside } from '../operation.ts';

/** What scheduled work gets. It acts as the system, across organizations. */
export interface JobParts {
  pool: Pool;
  clock: Clock;
  log: Logger;
  outside: Outside;
  /** A standby, if there is one. */
  replica?: Replica | null;
}

/** Work that runs on a schedule (UTC), on one worker at a time. */
export interface Cron {
  name: string;
  /** The five fields of crontab. */
  pattern: string;
  run: (parts: JobParts) => Promise<void>;
}
export const cron = (definition: Cron): Cron => definition;

/** How long the links to the files of a job work. */
export const DOWNLOADABLE = DAY;

/** The files that a finished job offers for download. */
export interface JobFiles {
  result?: StoredFile;
  rejects?: StoredFile;
}

export type Counts = Readonly<Record<string, number>>;

/** How far a job is after a step. Fields that are left out stay as they were. */
export interface Step<State> {
  state?: State;
  done?: number;
  total?: number;
  counts?: Counts;
}

/** Who started a job. Its steps write their audit rows in that name. */
export interface JobActor {
  kind: Actor['kind'];
  id: Id | null;
  name: string;
  source: AuditSource;
  client: string | null;
  requestId: string | null;
  /** The `traceparent` of the span that started it, if that was recorded. */
  trace?: string;
}

/**
 * A job while it runs. If the process is killed at any point, nothing that a step has committed is lost or done again: the next
 * runner calls `run` again, with the `state` that the last step left.
 */
export interface Run<Input, State> {
  readonly id: Id;
  readonly org: Id;
  readonly event: Id | null;
  /** The group that the job is limited to. Null: it reaches the whole organization. */
  readonly group: Id | null;
  readonly mode: Mode;
  readonly actor: JobActor;
  readonly input: Input;
  /** The file that it was started with. */
  readonly source: StoredFile | null;
  /** Null until a step has set it. */
  readonly state: State | null;
  readonly done: number;
  readonly total: number | null;
  readonly counts: Counts;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outside: Outside;
  /** Aborted when the process stops. Code that waits for other services outside a step should then stop waiting. */
  readonly signal: AbortSignal;

  /**
   * Runs `work` in one transaction of the organization. What it writes and how far the job is after it are committed together or
   * not at all. `work` may run again after a deadlock, so it must change nothing but rows. Throws if the job was cancelled, taken
   * over by another process, or has to go back to the queue; do not catch that.
   */
  step(work: (tx: Tx) => Promise<Step<State>>): Promise<void>;
  /**
   * Runs `work` in a transaction that only reads. Throws like `step` when the process stops. `long` work is read from a standby, if there
   * is one that shows all that the primary does; if that goes away meanwhile, `work` runs again.
   */
  read<T>(work: (tx: Tx) => Promise<T>, options?: { long?: boolean }): Promise<T>;
  /**
   * Rests while callers are being served. Every `step` and `read` does so before it begins; a long one calls this between its parts, as
   * long as it holds nothing that others need.
   */
  giveWay(): Promise<void>;
  /** Writes a file completely or not at all. It is kept only if `run` returns it. */
  write(filename: string, mediaType: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredFile>;
  /** Writes audit rows inside a step, in the name of whoever started the job. */
  audit(tx: Tx, action: string, changes: readonly Change[]): void;
  /** Raises occurrences inside a step. */
  raise(tx: Tx, occurrences: readonly Occurrence[]): void;
}

/** What a job keeps in its row: what it was started with, and how far it is. */
export interface StoredJob {
  input: unknown;
  state: unknown;
}

/** Work in the background, declared in an area's jobs.ts. When `run` returns, the job has `succeeded` and offers its files. */
// biome-ignore lint/suspicious/noExplicitAny: input and state are checked where a job is declared and started
export interface Job<Input = any> {
  kind: string;
  /**
   * What an earlier version of the app has queued, made into what this one reads: from format 1 to 2, from 2 to 3, and so on. One that was
   * released never changes. Left out: there has been only format 1.
   */
  upgrades?: readonly ((stored: StoredJob) => StoredJob)[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  // biome-ignore lint/suspicious/noConfusingVoidType: a job without files returns nothing
  run(run: Run<Input, any>): Promise<JobFiles | void>;
}
export const job = <Input, State = null>(definition: {
  kind: string;
  upgrades?: NonNullable<Job['upgrades']>;
  // biome-ignore lint/suspicious/noConfusingVoidType: as above
  run(run: Run<Input, State>): Promise<JobFiles | void>;
}): Job<Input> => definition;

/** The format of the input and the state of new jobs. */
export const formatOf = ({ upgrades = [] }: Pick<Job, 'upgrades'>): number => upgrades.length + 1;

/** Ends the job as `failed`. The message is for whoever started the job, the cause for the log. */
export class JobFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

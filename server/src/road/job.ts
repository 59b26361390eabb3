import type { AuditSource, Mode } from '@turnout/contract';
import type { Logger } from 'pino';
import { type Clock, DAY } from '../clock.ts';
import type { Id } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import type { Tx } from '../store/tx.ts';
import type { Actor } from './caller.ts';
import type { Change, Occurrence, Outside } from './operation.ts';

/** What background work gets: it acts as the system, across organizations. */
export interface JobParts {
  pool: Pool;
  clock: Clock;
  log: Logger;
  outside: Outside;
}

/** Work that runs on a schedule (UTC), on one worker at a time. */
export interface Cron {
  name: string;
  /** crontab's five fields. */
  pattern: string;
  run: (parts: JobParts) => Promise<void>;
}
export const cron = (definition: Cron): Cron => definition;

/** A file that a job was given or made. */
export interface StoredFile {
  key: string;
  filename: string;
  mediaType: string;
  size: number;
}

/** Links to what a job made work for one day. */
export const DOWNLOADABLE = DAY;

/** What a finished job offers for download. */
export interface JobFiles {
  result?: StoredFile;
  rejects?: StoredFile;
}

export type Counts = Readonly<Record<string, number>>;

/** Where a job stands after a step; what is left out stays as it was. */
export interface Step<State> {
  state?: State;
  done?: number;
  total?: number;
  counts?: Counts;
}

/** Who started a job: its steps write their audit rows in that name. */
export interface JobActor {
  kind: Actor['kind'];
  id: Id | null;
  name: string;
  source: AuditSource;
  client: string | null;
  requestId: string | null;
}

/**
 * One job at work. `kill -9` between any two lines repeats nothing and loses nothing that a step committed: the next runner
 * begins `run` again, with `state` as the last step left it.
 */
export interface Run<Input, State> {
  readonly id: Id;
  readonly org: Id;
  readonly event: Id | null;
  /** The part of the organization that the job is limited to. */
  readonly group: Id | null;
  readonly mode: Mode;
  readonly actor: JobActor;
  readonly input: Input;
  /** The file it was started with. */
  readonly source: StoredFile | null;
  /** null: no step has set one yet. */
  readonly state: State | null;
  readonly done: number;
  readonly total: number | null;
  readonly counts: Counts;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outside: Outside;
  /** Fires when the process stops: whoever waits for others outside a step should stop waiting. */
  readonly signal: AbortSignal;

  /**
   * One transaction in the organization: what `work` writes, and where the job stands after it, commit together or not at
   * all. `work` may run again after a deadlock, so it touches nothing but `tx`. Throws when the job was cancelled, was taken
   * over or is to be handed back; let it through.
   */
  step(work: (tx: Tx) => Promise<Step<State>>): Promise<void>;
  /** A transaction that only reads; ends like `step` when the process stops. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Writes a file, whole or not at all. It counts once `run` has returned it; else it is removed. */
  write(filename: string, mediaType: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredFile>;
  /** Tells the audit log, inside a step, in the name of whoever started the job. */
  audit(tx: Tx, action: string, changes: readonly Change[]): void;
  /** Inside a step. */
  raise(tx: Tx, occurrences: readonly Occurrence[]): void;
}

/** Work in the background, declared in an area's jobs.ts. What `run` returns becomes downloadable, and the job `succeeded`. */
// biome-ignore lint/suspicious/noExplicitAny: input and state are checked where a job is declared and started
export interface Job<Input = any> {
  kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  // biome-ignore lint/suspicious/noConfusingVoidType: a job without files returns nothing
  run(run: Run<Input, any>): Promise<JobFiles | void>;
}
export const job = <Input, State = null>(definition: {
  kind: string;
  // biome-ignore lint/suspicious/noConfusingVoidType: as above
  run(run: Run<Input, State>): Promise<JobFiles | void>;
}): Job<Input> => definition;

/** Ends the job as `failed`. The words are for whoever started it; the cause is for the log. */
export class JobFailure extends Error {
  constructor(words: string, cause?: unknown) {
    super(words, { cause });
  }
}

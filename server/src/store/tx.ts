import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Clock } from '../clock.ts';
import { tracing } from '../common/tracing.ts';
import { type Authority, type Beginning, type Begun, begin } from './begin.ts';
import { CallTookTooLong } from './deadline.ts';
import { NOT_WRITABLE } from './hosts.ts';
import { answerLimit, CallerGone, type Kind, TookTooLong } from './kinds.ts';
import type { Meter } from './meter.ts';
import { gather } from './pipeline.ts';
import type { Client, Pool } from './pool.ts';
import { SharedRead } from './shared-read.ts';
import { type Sql, statement } from './sql.ts';

export type { Authority };

/**
 * A transaction that has entered its role and organization. There is no other way to reach a table of an organization:
 * queries take a Tx, and a Tx exists only inside `transaction`.
 */
export class Tx {
  readonly clock: Clock;
  readonly #connect: () => Promise<Client>;
  readonly #answerMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #isLate: () => boolean;
  /** A statement was not sent any more, so nothing of this transaction may be committed. */
  #stopped: CallTookTooLong | null = null;
  #client: Client | null = null;
  /** The error of a statement that nobody waited for. Every later failure in this transaction follows from it. */
  failed: unknown = null;
  /** Set if somebody wants to know how much is written. */
  meter: Meter | null = null;
  /** The transaction was committed or rolled back, and its connection may be in use by another one. */
  #over = false;

  /**
   * `answerMs`: how long a statement may go unanswered. Statements fail once `signal` is aborted, or once the call `isLate`.
   */
  constructor(
    clock: Clock,
    connect: () => Promise<Client>,
    answerMs: number,
    { signal, isLate = () => false }: { signal?: AbortSignal | undefined; isLate?: (() => boolean) | undefined },
  ) {
    this.#isLate = isLate;
    this.#answerMs = answerMs;
    this.clock = clock;
    this.#connect = connect;
    this.#signal = signal;
  }

  async open(): Promise<Client> {
    this.#client ??= await this.#connect();
    return this.#client;
  }

  /** From here on statements fail. Work that still runs in the background must not write into somebody else's transaction. */
  close(): void {
    this.#over = true;
  }

  /** Fails if a statement was refused because the call was late, whatever the work made of that. */
  requireWhole(): void {
    if (this.#stopped !== null) throw this.#stopped;
  }

  async #query(query: Sql): Promise<pg.QueryResult> {
    if (this.#over) throw new Error('the transaction is over');
    if (this.#signal?.aborted === true) throw new CallerGone();
    if (this.#isLate()) {
      this.#stopped = new CallTookTooLong();
      throw this.#stopped;
    }
    return this.#send(this.#client ?? (await this.open()), query);
  }

  /**
   * This is not `async`: the answer to COMMIT may come in the same packet as the error of a statement, and a function that is `async` would
   * pass the error on too late.
   */
  #send(client: Client, query: Sql): Promise<pg.QueryResult> {
    gather(client);
    const given = statement(query);
    const sent = client.query({ ...given, query_timeout: this.#answerMs } as pg.QueryConfig);
    if (tracing !== null) tracing.statement(given.text, sent);
    const { meter } = this;
    if (meter !== null) {
      meter.sent(query.values);
      sent.then(
        (result) => meter.answered(result),
        () => {}, // whoever sent it gets the error
      );
    }
    return sent;
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return (await this.#query(query)).rows as Row[];
  }

  async maybe<Row>(query: Sql): Promise<Row | null> {
    return (await this.all<Row>(query))[0] ?? null;
  }

  async one<Row>(query: Sql): Promise<Row> {
    const row = await this.maybe<Row>(query);
    if (row === null) throw new Error(`expected a row: ${query.text}`);
    return row;
  }

  /** Returns the number of rows that the statement affected. */
  async run(query: Sql): Promise<number> {
    return (await this.#query(query)).rowCount ?? 0;
  }

  /**
   * Sends a statement without waiting for the answer. A failure is not lost: PostgreSQL aborts the transaction, so the next
   * awaited statement or the commit fails, and `transaction` throws the original error.
   */
  send(query: Sql): void {
    if (this.#client === null) throw new Error('only a transaction that writes can send a statement without waiting');
    if (this.#over) throw new Error('the transaction is over');
    this.#send(this.#client, query).catch((error) => {
      this.failed ??= error;
    });
  }

  /** Lets the statements sent so far leave in a packet of their own, so that the database works on them while we prepare the rest. */
  flush(): Promise<void> {
    return new Promise((resolve) => process.nextTick(resolve));
  }
}

/** Serialization failure and deadlock. */
const RETRIED = new Set(['40001', '40P01']);
const TRIES = 4;
/** The statement was stopped by its limit, or by somebody who may stop statements. */
const CANCELLED = '57014';
const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

/** The connection broke between COMMIT and its answer, so nobody knows whether the work was committed. */
export class CommitUnknown extends Error {}

export interface TransactionOptions {
  readOnly?: boolean;
  /** What it is for. If left out, it is a read or a write of the API, which have the strictest limits. */
  kind?: Kind;
  /**
   * Aborted when the caller has hung up. A transaction that has not begun then never does, and a read is stopped unless somebody
   * else waits for it. A write that has begun goes on: its caller cannot know how far it came, and a retry gets its answer.
   */
  signal?: AbortSignal | undefined;
  /** Whether nobody gets the answer in time any more. A write is then stopped before its next statement, and rolled back. */
  isLate?: (() => boolean) | undefined;
}

/**
 * Runs the work in one transaction and commits. After a deadlock or a serialization failure it runs the work again, up to three
 * times, so the work must not change anything outside the transaction.
 */
export function transaction<T>(
  pool: Pool,
  clock: Clock,
  authority: Authority,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return tracing === null
    ? attempts(pool, clock, authority, work, options)
    : tracing.step(
        options.readOnly === true ? 'read' : 'transaction',
        attempts<T>,
        pool,
        clock,
        authority,
        work,
        options,
      );
}

async function attempts<T>(
  pool: Pool,
  clock: Clock,
  authority: Authority,
  work: (tx: Tx) => Promise<T>,
  { readOnly = false, kind = readOnly ? 'read' : 'write', signal, isLate }: TransactionOptions,
): Promise<T> {
  const how = { authority, kind, readOnly, signal };
  let alone = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return readOnly ? await read(pool, clock, how, work, alone) : await write(pool, clock, how, work, isLate);
    } catch (error) {
      if (error instanceof Spoiled) {
        alone = true;
        continue;
      }
      const code = codeOf(error) ?? '';
      if (attempt < TRIES && RETRIED.has(code)) {
        await nextTurn();
        continue;
      }
      throw code === CANCELLED ? new TookTooLong(kind, error) : error;
    }
  }
}

/** A transaction of background work, or of the operator: nobody waits for it as a caller does, so its statements may take longer. */
export const jobTransaction = <T>(
  pool: Pool,
  clock: Clock,
  authority: Authority,
  work: (tx: Tx) => Promise<T>,
  options: Pick<TransactionOptions, 'readOnly'> = {},
): Promise<T> => transaction(pool, clock, authority, work, { ...options, kind: 'job' });

async function read<T>(
  pool: Pool,
  clock: Clock,
  { authority, kind, signal }: Beginning,
  work: (tx: Tx) => Promise<T>,
  alone: boolean,
): Promise<T> {
  let shared: SharedRead | null = null;
  let leave = () => {};
  // A connection is taken with the first statement: a read without statements (the profile) needs none.
  const connect = async () => {
    if (shared === null) {
      shared = alone ? SharedRead.alone(pool, authority, kind) : SharedRead.join(pool, authority, kind);
      leave = shared.enter(signal);
    }
    return (await shared.opening).client;
  };
  try {
    return await work(new Tx(clock, connect, answerLimit(kind), { signal }));
  } catch (error) {
    if (signal?.aborted === true) throw new CallerGone();
    const open = shared as SharedRead | null;
    const code = codeOf(error);
    if (open !== null && code !== undefined && error instanceof pg.DatabaseError) open.failed ??= error;
    if (code !== '25P02') throw error;
    if (!alone) throw new Spoiled('another read of the same transaction failed');
    throw open?.failed ?? error;
  } finally {
    leave();
  }
}

/** The statement of another read failed in the transaction that we shared with it. */
class Spoiled extends Error {}

async function write<T>(
  pool: Pool,
  clock: Clock,
  how: Beginning,
  work: (tx: Tx) => Promise<T>,
  isLate?: () => boolean,
): Promise<T> {
  let tx!: Tx;
  const open = await begin(pool, how, (error) => {
    tx.failed ??= error;
  });
  tx = new Tx(clock, async () => open.client, answerLimit(how.kind), { isLate });
  await tx.open();
  let result: T;
  try {
    result = await work(tx);
    tx.requireWhole();
  } catch (error) {
    tx.close();
    // A primary that has become a standby: this connection will never write again.
    if (codeOf(error) === NOT_WRITABLE || codeOf(tx.failed) === NOT_WRITABLE) open.breaks(error as Error);
    await open.end('rollback').catch(open.breaks).finally(open.done);
    // "Current transaction is aborted" (25P02) only follows from an earlier error: throw that one.
    throw codeOf(error) === '25P02' ? (tx.failed ?? error) : error;
  }
  tx.close();
  await commit(open, tx);
  return result;
}

async function commit(open: Begun, tx: Tx): Promise<void> {
  let end: pg.QueryResult;
  try {
    end = await open.end('commit');
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC') throw error;
    // The connection was lost, or PostgreSQL went away during the commit: the work may have been committed.
    open.breaks(error as Error);
    throw new CommitUnknown((error as Error).message);
  } finally {
    open.done();
  }
  // PostgreSQL answers the COMMIT of an aborted transaction with ROLLBACK: a statement that nobody waited for has failed.
  if (end.command === 'ROLLBACK') throw tx.failed ?? new Error('the transaction was rolled back');
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Id } from './ids.ts';
import type { Client, Pool } from './pool.ts';
import { type Sql, sql, statement } from './sql.ts';

/** Who the database takes us for. `app` sees one organization; `system` (workers, operator) sees all. */
export type Authority = { role: 'app'; org: Id } | { role: 'system' };

/**
 * A transaction that has entered its role and organization. There is no other way to reach a table of an organization:
 * queries take a Tx, and a Tx exists only inside `transaction`.
 */
export class Tx {
  readonly #client: Client;
  readonly clock: Clock;
  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.clock = clock;
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    const result = await this.#client.query(statement(query));
    return result.rows as Row[];
  }

  async maybe<Row>(query: Sql): Promise<Row | null> {
    return (await this.all<Row>(query))[0] ?? null;
  }

  async one<Row>(query: Sql): Promise<Row> {
    const row = await this.maybe<Row>(query);
    if (row === null) throw new Error(`expected a row: ${query.text}`);
    return row;
  }

  /** How many rows it touched. */
  async run(query: Sql): Promise<number> {
    return (await this.#client.query(statement(query))).rowCount ?? 0;
  }

  /**
   * Sends without waiting. Its failure is not lost: PostgreSQL aborts the transaction, so the next awaited statement or the
   * commit fails with it.
   */
  send(query: Sql): void {
    this.#client.query(statement(query)).catch(() => {});
  }
}

const enter = (authority: Authority): Sql =>
  authority.role === 'app'
    ? sql`select set_config('role', 'turnout_app', true), set_config('turnout.org', ${authority.org}, true)`
    : sql`select set_config('role', 'turnout_system', true), set_config('turnout.org', '', true)`;

const RETRIED = new Set(['40001', '40P01']);
const TRIES = 3;

/** Raised when COMMIT was sent and the connection broke before its answer: the work may or may not stand. */
export class CommitUnknown extends Error {}

/**
 * Runs the work in one transaction and commits. Deadlocks and serialization failures are retried three times, so the work
 * must not touch anything but the transaction.
 */
export async function transaction<T>(
  pool: Pool,
  clock: Clock,
  authority: Authority,
  work: (tx: Tx) => Promise<T>,
  options: { readOnly?: boolean } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, clock, authority, work, options.readOnly ?? false);
    } catch (error) {
      if (attempt < TRIES && RETRIED.has((error as { code?: string }).code ?? '')) {
        await nextTurn();
        continue;
      }
      throw error;
    }
  }
}

async function once<T>(
  pool: Pool,
  clock: Clock,
  authority: Authority,
  work: (tx: Tx) => Promise<T>,
  readOnly: boolean,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const done = () => {
    client.removeListener('error', onError);
    client.release(broken ?? false);
  };
  // One packet: begin, the role, the organization and whatever the work asks first.
  const begun = client.query(
    readOnly ? { name: 'begin_read', text: 'begin read only' } : { name: 'begin', text: 'begin' },
  );
  const entered = client.query(statement(enter(authority)));
  begun.catch(() => {});
  entered.catch(() => {});
  let result: T;
  try {
    result = await work(new Tx(client, clock));
    await entered;
  } catch (error) {
    await client.query({ name: 'rollback', text: 'rollback' }).catch((failure: Error) => {
      broken = failure;
    });
    done();
    // A statement fails with "aborted" when an unawaited one before it failed: tell the cause, not the echo.
    const cause =
      (error as { code?: string }).code === '25P02'
        ? await entered.then(
            () => error,
            (e) => e,
          )
        : error;
    throw cause;
  }
  if (readOnly) {
    // Nothing to lose: the answer need not wait for the end of a read.
    client
      .query({ name: 'commit', text: 'commit' })
      .catch((failure: Error) => {
        broken = failure;
      })
      .finally(done);
    return result;
  }
  try {
    const end = await client.query({ name: 'commit', text: 'commit' });
    // An aborted transaction answers COMMIT with ROLLBACK: a sent statement failed unseen.
    if ((end as { command: string }).command === 'ROLLBACK') throw new Error('the transaction was rolled back');
  } catch (error) {
    if (
      (error as { code?: string }).code === undefined &&
      (error as Error).message !== 'the transaction was rolled back'
    ) {
      broken = error as Error;
      throw new CommitUnknown((error as Error).message);
    }
    throw error;
  } finally {
    done();
  }
  return result;
}

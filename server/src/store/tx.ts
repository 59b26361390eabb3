import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Id } from './ids.ts';
import type { Client, Pool } from './pool.ts';
import { type Sql, statement } from './sql.ts';

/** Who the database takes us for. `app` sees one organization; `system` (workers, operator) sees all. */
export type Authority = { role: 'app'; org: Id } | { role: 'system' };

/**
 * A transaction that has entered its role and organization. There is no other way to reach a table of an organization:
 * queries take a Tx, and a Tx exists only inside `transaction`.
 */
export class Tx {
  readonly clock: Clock;
  readonly #connect: () => Promise<Client>;
  #client: Client | null = null;
  /** Why a statement that nobody waited for failed: the cause of every failure after it. */
  failed: unknown = null;
  /** It was committed or rolled back, and its connection is somebody else's. */
  #over = false;

  constructor(clock: Clock, connect: () => Promise<Client>) {
    this.clock = clock;
    this.#connect = connect;
  }

  async open(): Promise<Client> {
    this.#client ??= await this.#connect();
    return this.#client;
  }

  /** From here on its statements fail: work that was left to itself must not write into the transaction of another. */
  close(): void {
    this.#over = true;
  }

  async #query(query: Sql): Promise<pg.QueryResult> {
    if (this.#over) throw new Error('the transaction is over');
    const client = this.#client ?? (await this.open());
    gather(client);
    return client.query(statement(query));
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

  /** How many rows it touched. */
  async run(query: Sql): Promise<number> {
    return (await this.#query(query)).rowCount ?? 0;
  }

  /**
   * Sends without waiting. Its failure is not lost: PostgreSQL aborts the transaction, so the next awaited statement or the
   * commit fails, and with this cause.
   */
  send(query: Sql): void {
    if (this.#client === null) throw new Error('only a transaction that writes sends without waiting');
    if (this.#over) throw new Error('the transaction is over');
    gather(this.#client);
    this.#client.query(statement(query)).catch((error) => {
      this.failed ??= error;
    });
  }

  /** What was sent goes now, in a packet of its own: the database works at it while we prepare the rest. */
  flush(): Promise<void> {
    return new Promise((resolve) => process.nextTick(resolve));
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Plans are made anew now and then. One that was made while a table was empty looks through the whole of it, and would stay
 * until PostgreSQL's next look at the table: the rush into a new event is over by then. Each time after twice as long: what
 * was planned half of a connection's life ago was planned for half as much at least, and planning anew takes an import's step
 * three times as long [m].
 */
const PLANS_MS = 5_000;
const PLANS_MOST_MS = 300_000;
const planned = new WeakMap<Client, { at: number; for: number }>();
function freshPlans(client: Client, failed: (error: unknown) => void): void {
  const now = Date.now();
  const last = planned.get(client);
  if (last !== undefined && now - last.at < last.for) return;
  planned.set(client, { at: now, for: last === undefined ? PLANS_MS : Math.min(PLANS_MOST_MS, last.for * 2) });
  if (last !== undefined) client.query('discard plans').catch(failed);
}

/** Begins and enters in one simple message: a statement, its binding and its answer less, twice. */
function beginning(authority: Authority, readOnly: boolean): string {
  const begin = readOnly ? 'begin isolation level repeatable read read only' : 'begin';
  if (authority.role === 'system') return `${begin}; set local role turnout_system; set local turnout.org = ''`;
  if (!UUID.test(authority.org)) throw new Error('an organization is named by its id');
  return `${begin}; set local role turnout_app; set local turnout.org = '${authority.org}'`;
}

const RETRIED = new Set(['40001', '40P01']);
const TRIES = 4;

const gathering = new WeakSet<Socket>();

/** What is sent in one turn of the event loop travels in one packet: a system call for all instead of one a statement. */
function gather(client: Client): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}

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
  let alone = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return options.readOnly === true
        ? await read(pool, clock, authority, work, alone)
        : await write(pool, clock, authority, work);
    } catch (error) {
      if (error instanceof Spoiled) {
        alone = true;
        continue;
      }
      if (attempt < TRIES && RETRIED.has((error as { code?: string }).code ?? '')) {
        await nextTurn();
        continue;
      }
      throw error;
    }
  }
}

/** A connection that has begun and entered its role; `done` gives it back, or away if it broke. */
async function begin(pool: Pool, authority: Authority, readOnly: boolean, failed: (error: unknown) => void) {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  // One packet: begin, the role, the organization and whatever the work asks first. Reads see one instant throughout.
  gather(client);
  freshPlans(client, failed);
  client.query(beginning(authority, readOnly)).catch(failed);
  return {
    client,
    breaks: onError,
    end: (how: 'commit' | 'rollback') => client.query(how) as Promise<pg.QueryResult>,
    done: () => {
      client.removeListener('error', onError);
      client.release(broken ?? false);
    },
  };
}
type Begun = Awaited<ReturnType<typeof begin>>;

/**
 * Reads of one organization that ask at the same moment share a transaction: one begin, one commit and one packet for all of
 * them (GET /v1/events: a quarter less CPU in Node, a third less in PostgreSQL [m]). Whoever joins does so before the first
 * statement is sent, so nobody reads from before the own question. A statement that fails spoils it for all: the others are
 * then run again, each alone.
 */
class SharedRead {
  static readonly #open = new WeakMap<Pool, Map<string, SharedRead>>();
  static readonly MOST = 16;
  readonly opening: Promise<Begun>;
  failed: unknown = null;
  #users = 1;

  private constructor(pool: Pool, authority: Authority, sealed: () => void) {
    this.opening = begin(pool, authority, true, (error) => {
      this.failed ??= error;
    }).finally(sealed);
  }

  /** For itself only. */
  static alone(pool: Pool, authority: Authority): SharedRead {
    return new SharedRead(pool, authority, () => {});
  }

  static join(pool: Pool, authority: Authority): SharedRead {
    let reads = SharedRead.#open.get(pool);
    if (reads === undefined) {
      reads = new Map();
      SharedRead.#open.set(pool, reads);
    }
    const name = authority.role === 'app' ? authority.org : 'system';
    const waiting = reads.get(name);
    if (waiting !== undefined && waiting.#users < SharedRead.MOST) {
      waiting.#users += 1;
      return waiting;
    }
    const fresh = new SharedRead(pool, authority, () => {
      if (reads.get(name) === fresh) reads.delete(name);
    });
    reads.set(name, fresh);
    return fresh;
  }

  /** The last one to leave ends it. Nothing to lose: no answer waits for the end of a read. */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.opening.then(
      (open) =>
        open
          .end(this.failed === null ? 'commit' : 'rollback')
          .catch(open.breaks)
          .finally(open.done),
      () => {},
    );
  }
}

async function read<T>(
  pool: Pool,
  clock: Clock,
  authority: Authority,
  work: (tx: Tx) => Promise<T>,
  alone: boolean,
): Promise<T> {
  let shared: SharedRead | null = null;
  // A read that asks nothing (the profile) takes no connection.
  const tx = new Tx(clock, async () => {
    shared ??= alone ? SharedRead.alone(pool, authority) : SharedRead.join(pool, authority);
    return (await shared.opening).client;
  });
  try {
    return await work(tx);
  } catch (error) {
    const open = shared as SharedRead | null;
    const { code } = error as { code?: string };
    if (open !== null && code !== undefined && error instanceof pg.DatabaseError) open.failed ??= error;
    if (code !== '25P02') throw error;
    if (!alone) throw new Spoiled('another read of the same transaction failed');
    throw open?.failed ?? error;
  } finally {
    (shared as SharedRead | null)?.leave();
  }
}

/** Somebody else's statement failed in the transaction that we shared. */
class Spoiled extends Error {}

async function write<T>(pool: Pool, clock: Clock, authority: Authority, work: (tx: Tx) => Promise<T>): Promise<T> {
  let tx!: Tx;
  const open = await begin(pool, authority, false, (error) => {
    tx.failed ??= error;
  });
  tx = new Tx(clock, async () => open.client);
  await tx.open();
  let result: T;
  try {
    result = await work(tx);
  } catch (error) {
    tx.close();
    await open.end('rollback').catch(open.breaks).finally(open.done);
    // A statement fails with "aborted" when an unawaited one before it failed: tell the cause, not the echo.
    throw (error as { code?: string }).code === '25P02' ? (tx.failed ?? error) : error;
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
    // The connection was lost, or PostgreSQL went away while it committed: the work may stand.
    open.breaks(error as Error);
    throw new CommitUnknown((error as Error).message);
  } finally {
    open.done();
  }
  // An aborted transaction answers COMMIT with ROLLBACK: a sent statement failed unseen.
  if (end.command === 'ROLLBACK') throw tx.failed ?? new Error('the transaction was rolled back');
}

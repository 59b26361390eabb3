import type pg from 'pg';
import type { Id } from '../common/ids.ts';
import { tracing } from '../common/tracing.ts';
import { answerLimit, CallerGone, type Kind, statementLimits } from './kinds.ts';
import { gather } from './pipeline.ts';
import { type Client, connectTo, type Pool } from './pool.ts';

/** As whom a transaction acts. `app` sees one organization; `system` (workers and the operator) sees all. */
export type Authority = { role: 'app'; org: Id } | { role: 'system' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How a transaction is begun. */
export interface Beginning {
  authority: Authority;
  kind: Kind;
  readOnly: boolean;
  /** Aborted when nobody waits for the work any more: what has not begun then never does. */
  signal?: AbortSignal | undefined;
}

/**
 * Begins, sets the limit of statements and enters the role in one simple query, which saves three statements with their binding and
 * answer. All of it is local to the transaction, so it also holds behind a pooler.
 */
function beginning({ authority, kind, readOnly }: Beginning): string {
  const begin = readOnly ? 'begin isolation level repeatable read read only' : 'begin';
  const limited = `${begin}; set local statement_timeout = ${statementLimits[kind]}`;
  if (authority.role === 'system') return `${limited}; set local role turnout_system; set local turnout.org = ''`;
  if (!UUID.test(authority.org)) throw new Error('an organization is named by its id');
  return `${limited}; set local role turnout_app; set local turnout.org = '${authority.org}'`;
}

/**
 * From time to time a connection throws its plans away. A plan that was made while a table was empty reads the whole table, and
 * PostgreSQL keeps it until it next analyzes the table; by then the rush into a new event is over. The interval doubles each time:
 * a plan then is at most half as old as its connection, so the table has at most about doubled since. More often would cost too
 * much: with new plans, a step of an import takes three times as long (measured).
 */
const FIRST_PLANS_MS = 5_000;
const LONGEST_PLANS_MS = 300_000;
const planned = new WeakMap<Client, { at: number; for: number }>();
function refreshPlans(client: Client, failed: (error: unknown) => void): void {
  const now = Date.now();
  const last = planned.get(client);
  if (last !== undefined && now - last.at < last.for) return;
  planned.set(client, { at: now, for: last === undefined ? FIRST_PLANS_MS : Math.min(LONGEST_PLANS_MS, last.for * 2) });
  if (last !== undefined) client.query('discard plans').catch(failed);
}

/** A connection, after a place for it if the kind needs one. What is returned gives both back. */
async function connect(pool: Pool, { authority, kind, signal }: Beginning) {
  const isGone = () => signal?.aborted === true;
  if (isGone()) throw new CallerGone();
  const org = authority.role === 'app' ? authority.org : null;
  const leave = kind === 'lookup' ? () => {} : await pool.places.take(kind, org, signal);
  try {
    const client = await connectTo(pool);
    const release = (broken: Error | undefined) => {
      client.release(broken ?? false);
      leave();
    };
    if (!isGone()) return { client, release };
    release(undefined);
  } catch (error) {
    leave();
    throw error;
  }
  throw new CallerGone();
}

/**
 * A connection with a transaction that has entered its role. `done` returns it to the pool, or removes it if it broke. If one
 * of the first statements fails, `failed` gets the error, because nobody waits for them.
 */
export async function begin(pool: Pool, how: Beginning, failed: (error: unknown) => void) {
  const { client, release } = await (tracing === null
    ? connect(pool, how)
    : tracing.step('connection', connect, pool, how));
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  // One packet carries begin, the limit, the role, the organization and the first statement of the work.
  gather(client);
  refreshPlans(client, failed);
  const query_timeout = answerLimit(how.kind);
  const query = (name: string, text = name): Promise<pg.QueryResult> => {
    const sent = client.query({ text, query_timeout } as pg.QueryConfig);
    if (tracing !== null) tracing.statement(name, sent);
    return sent;
  };
  query('begin', beginning(how)).catch(failed);
  return {
    client,
    breaks: onError,
    end: (end: 'commit' | 'rollback') => query(end),
    done: () => {
      client.removeListener('error', onError);
      release(broken);
    },
  };
}
export type Begun = Awaited<ReturnType<typeof begin>>;

import type pg from 'pg';
import type { Id } from './ids.ts';
import { gather } from './pipeline.ts';
import type { Client, Pool } from './pool.ts';

/** As whom a transaction acts. `app` sees one organization; `system` (workers and the operator) sees all. */
export type Authority = { role: 'app'; org: Id } | { role: 'system' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Begins and enters the role in one simple query, which saves two statements with their binding and answer. */
function beginning(authority: Authority, readOnly: boolean): string {
  const begin = readOnly ? 'begin isolation level repeatable read read only' : 'begin';
  if (authority.role === 'system') return `${begin}; set local role turnout_system; set local turnout.org = ''`;
  if (!UUID.test(authority.org)) throw new Error('an organization is named by its id');
  return `${begin}; set local role turnout_app; set local turnout.org = '${authority.org}'`;
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

/**
 * A connection with a transaction that has entered its role. `done` returns it to the pool, or removes it if it broke. If one
 * of the first statements fails, `failed` gets the error, because nobody waits for them.
 */
export async function begin(pool: Pool, authority: Authority, readOnly: boolean, failed: (error: unknown) => void) {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  // One packet carries begin, the role, the organization and the first statement of the work.
  gather(client);
  refreshPlans(client, failed);
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
export type Begun = Awaited<ReturnType<typeof begin>>;

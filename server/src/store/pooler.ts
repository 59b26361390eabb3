import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { DatabaseRefused } from './database-refused.ts';
import { connectOnce } from './hosts.ts';
import type { Pool } from './pool.ts';

const SEEN = `select current_setting('turnout.session', true) as seen`;

/**
 * Refuses a connection that goes through a transaction pooler: it has no session of its own, so a lock of its session would stay on a
 * connection of the pooler, and the next start would wait for it forever. Whether that is so shows in what another connection sees.
 */
export async function requireDirect(client: pg.Client, url: string): Promise<void> {
  const mark = randomBytes(8).toString('hex');
  await client.query(`select set_config('turnout.session', $1, false)`, [mark]);
  const other = await connectOnce(url, { application_name: 'turnout-migrate', connectionTimeoutMillis: 10_000 });
  const seenBy = async (one: pg.Client): Promise<string | null> => (await one.query(SEEN)).rows[0].seen;
  try {
    let isPooled = (await seenBy(other)) === mark;
    if (!isPooled) {
      // While it is in a transaction, the pooler has to give the other one another session.
      await other.query('begin');
      isPooled = (await seenBy(other)) === mark || (await seenBy(client)) !== mark;
    }
    if (isPooled)
      throw new DatabaseRefused(
        'A connection pooler is between Turnout and PostgreSQL. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself: migrations and the schedule need sessions of their own.',
      );
  } finally {
    await other.end();
  }
}

/** A statement of this name does not exist; it exists already, with another text. */
const MIXED_UP = ['26000', '42P05'];
const NEEDED =
  'Turnout needs PgBouncer 1.21 or newer, in transaction mode with max_prepared_statements above 0 (such as 200).';

/** Refuses a pooler that mixes up the prepared statements of those who share its connections. */
export async function requirePreparedStatements(pool: Pool): Promise<void> {
  const clients: pg.PoolClient[] = [];
  try {
    for (let i = 0; i < 2; i += 1) clients.push(await pool.connect());
    for (let round = 0; round < 3; round += 1) {
      for (const [i, client] of clients.entries()) {
        await client.query({ name: 'turnout_probe', text: `select ${i} as number` });
      }
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (/unsupported startup parameter/.test(message))
      throw new DatabaseRefused(`The pooler in DATABASE_URL is too old (${message}). ${NEEDED}`);
    if (MIXED_UP.includes(code ?? ''))
      throw new DatabaseRefused(`The pooler in DATABASE_URL mixes up prepared statements. ${NEEDED}`);
    throw error;
  } finally {
    for (const client of clients) client.release(true);
  }
}

import type pg from 'pg';
import { tracing } from '../common/tracing.ts';
import { answerLimit, statementLimits, TookTooLong } from './kinds.ts';
import { gather } from './pipeline.ts';
import { connectTo, type Pool } from './pool.ts';

/**
 * One statement without a role, for what has to be known before the organization is: keys, sessions, rates, health. It needs no place
 * (places.ts). The transaction around it exists for its time limit; all of it travels in one packet.
 */
// biome-ignore lint/suspicious/noExplicitAny: as with `pool.query`, whoever asks knows the columns
export async function lookup<Row extends pg.QueryResultRow = any>(
  pool: Pool,
  query: { name?: string; text: string; values?: unknown[] },
): Promise<pg.QueryResult<Row>> {
  const client = await connectTo(pool);
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  gather(client);
  const query_timeout = answerLimit('lookup');
  const opening = `begin; set local statement_timeout = ${statementLimits.lookup}`;
  client.query({ text: opening, query_timeout } as pg.QueryConfig).catch(() => {}); // then the statement fails, too
  const answer = client.query<Row>({ ...query, query_timeout } as pg.QueryConfig);
  if (tracing !== null) tracing.statement(query.text, answer);
  const ended = client.query({ text: 'commit', query_timeout } as pg.QueryConfig);
  ended.catch(onError);
  try {
    const result = await answer;
    await ended;
    return result;
  } catch (error) {
    await ended.catch(() => {});
    throw (error as { code?: string }).code === '57014' ? new TookTooLong('lookup', error) : error;
  } finally {
    client.removeListener('error', onError);
    client.release(broken ?? false);
  }
}

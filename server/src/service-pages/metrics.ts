import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../common/refusal.ts';
import type { Config } from '../config.ts';
import { hashSecret } from '../road/gate/authenticate.ts';
import { isNear } from '../road/gate/near.ts';
import type { Measures } from '../road/measures.ts';
import { lookup } from '../store/lookup.ts';
import type { Pool } from '../store/pool.ts';

export interface MetricsParts {
  measures: Measures;
  metrics: Config['metrics'];
  trustedProxies: readonly string[];
}

/** Metrics are for the operator. They are shown to this machine, to networks that the configuration names, and with the token. */
export function metricsPage(app: FastifyInstance, { measures, metrics, trustedProxies }: MetricsParts): void {
  const wanted = metrics.token === null ? null : hashSecret(metrics.token);
  const hasToken = ({ headers }: FastifyRequest): boolean => {
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return wanted !== null && given !== undefined && timingSafeEqual(hashSecret(given), wanted);
  };
  app.get('/metrics', async (request, reply) => {
    const near = isNear(request, metrics.networks, trustedProxies);
    if (!near && !hasToken(request)) refuse('metrics_token_required', { headers: { 'WWW-Authenticate': 'Bearer' } });
    return reply.type(measures.registry.contentType).send(await measures.registry.metrics());
  });
}

/**
 * The lengths of the queues, taken from PostgreSQL's statistics: counting the rows would be slowest just when a queue is long. The
 * number for the outbox follows every change. Those for mails and jobs are the size of the index of open ones at its last vacuum.
 */
export function watchQueues(measures: Measures, pool: Pool): void {
  measures.watchTogether(
    {
      turnout_outbox_rows: 'Occurrences not yet fanned out (estimate).',
      turnout_mails_queued: 'Mails not yet sent (estimate).',
      turnout_jobs_open: 'Jobs that wait or run (estimate).',
    },
    async () => (await lookup(pool, { name: 'queue_sizes', text: QUEUE_SIZES })).rows[0],
  );
}

const openRows = (table: string) => `
  select coalesce(sum(open), 0)::float8 from (
    select greatest(max(c.reltuples), 0) as open from pg_partition_tree('${table}') t
    join pg_index i on i.indrelid = t.relid join pg_class c on c.oid = i.indexrelid
    where t.isleaf and pg_get_expr(i.indpred, i.indrelid) like '%queued%' group by t.relid) parts`;
const QUEUE_SIZES = `
  select (select coalesce(sum(n_live_tup), 0)::float8 from pg_stat_user_tables where relid = 'outbox'::regclass)
      as turnout_outbox_rows,
    (${openRows('mails')}) as turnout_mails_queued,
    (${openRows('jobs')}) as turnout_jobs_open`;

import { parseCronItems, run, Logger as WorkerLogger } from 'graphile-worker';
import pg from 'pg';
import { tracing } from '../common/tracing.ts';
import type { Cron, JobParts } from '../road/for-areas/job.ts';
import type { Measures } from '../road/measures.ts';
import { Hosts, requireWritable } from '../store/hosts.ts';

/**
 * Runs the scheduled tasks by graphile-worker: each of them at its times, in one process. It needs a direct connection to
 * PostgreSQL, not one through a pooler.
 */
export async function startSchedule(
  directUrl: string,
  crons: readonly Cron[],
  parts: JobParts & { measures?: Measures },
): Promise<{ stop(): Promise<void> }> {
  // graphile-worker would remove the error listener of a pool of its own before the connections of that pool have ended. If the
  // embedded database stopped in that moment, the error (57P01) would end the process. So it gets this pool.
  parts.measures?.expect({ tasks: crons.map((one) => one.name) });
  const { Client } = new Hosts(directUrl);
  const pgPool = new pg.Pool({
    Client: Client as never,
    onConnect: requireWritable,
    max: 3,
    application_name: 'turnout-schedule',
  });
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  const runner = await run({
    pgPool,
    concurrency: 1,
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') parts.log.warn({ worker: message });
    }),
    taskList: Object.fromEntries(crons.map((one) => [one.name, () => runTask(one, parts)])),
    parsedCronItems: parseCronItems(
      crons.map((one) => ({
        task: one.name,
        match: one.pattern,
        identifier: one.name,
        options: { backfillPeriod: 0 },
      })),
    ),
  });
  return {
    stop: async () => {
      await runner.stop().finally(() => pgPool.end());
    },
  };
}

async function runTask(task: Cron, parts: JobParts & { measures?: Measures }): Promise<void> {
  try {
    if (tracing === null) await task.run(parts);
    else await tracing.during(tracing.begin(`task ${task.name}`, { parent: null }), task.run, parts);
    parts.measures?.task(task.name, 'succeeded');
  } catch (error) {
    parts.measures?.task(task.name, 'failed');
    throw error;
  }
}

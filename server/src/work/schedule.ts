import { parseCronItems, run, Logger as WorkerLogger } from 'graphile-worker';
import pg from 'pg';
import type { Cron, JobParts } from '../road/job.ts';

/** graphile-worker: cron with catching up, one worker at a time per run. Goes by the direct address, around a pooler. */
export async function startSchedule(
  directUrl: string,
  crons: readonly Cron[],
  parts: JobParts,
): Promise<{ stop(): Promise<void> }> {
  // A pool of ours: the one it would make loses its error listener before its connections end, and an embedded database
  // that stops in that moment would then end the process (57P01).
  const pgPool = new pg.Pool({ connectionString: directUrl, max: 3, application_name: 'turnout-schedule' });
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  const runner = await run({
    pgPool,
    concurrency: 1,
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') parts.log.warn({ worker: message });
    }),
    taskList: Object.fromEntries(crons.map((one) => [one.name, () => one.run(parts)])),
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

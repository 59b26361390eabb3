import { parseCronItems, type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import pg from 'pg';
import type { Cron, JobParts } from '../road/job.ts';

/** graphile-worker: cron with catching up, one worker at a time per run. Goes by the direct address, around a pooler. */
export async function startSchedule(directUrl: string, crons: readonly Cron[], parts: JobParts): Promise<Runner> {
  const pgPool = new pg.Pool({ connectionString: directUrl, max: 3, application_name: 'turnout-jobs' });
  pgPool.on('error', () => {});
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
  const stop = runner.stop.bind(runner);
  runner.stop = async (reason?: string) => {
    await stop(reason);
    await pgPool.end();
  };
  return runner;
}

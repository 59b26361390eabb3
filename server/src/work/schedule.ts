import { parseCronItems, type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import type { Cron, JobParts } from '../road/job.ts';

/** graphile-worker: cron with catching up, one worker at a time per run. Goes by the direct address, around a pooler. */
export async function startSchedule(directUrl: string, crons: readonly Cron[], parts: JobParts): Promise<Runner> {
  return run({
    connectionString: directUrl,
    maxPoolSize: 3,
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
}

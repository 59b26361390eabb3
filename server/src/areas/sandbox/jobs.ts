import { cron } from '../../road/for-areas/job.ts';
import { isSandboxOpen } from './close.ts';
import { REFRESH_HOUR, refreshSandbox } from './sandbox.ts';

export const crons = [
  cron({
    name: 'refresh-sandbox',
    pattern: `0 ${REFRESH_HOUR} * * *`,
    run: async ({ pool, clock, log }) => {
      // Another process, which was started with the sandbox off, may have closed it.
      if (!(await isSandboxOpen(pool, clock))) return;
      const refreshed = await refreshSandbox(pool, clock);
      log.info({ job: 'refresh-sandbox', ...refreshed });
    },
  }),
];

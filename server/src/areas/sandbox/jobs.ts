import { cron } from '../../road/job.ts';
import { refreshSandbox } from './sandbox.ts';

export const crons = [
  cron({
    name: 'refresh-sandbox',
    pattern: '0 3 * * *',
    run: async ({ pool, clock, log }) => {
      const refreshed = await refreshSandbox(pool, clock);
      log.info({ job: 'refresh-sandbox', ...refreshed });
    },
  }),
];

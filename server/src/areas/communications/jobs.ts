import { cron } from '../../road/for-areas/job.ts';
import { endAbandoned, keepSent, startDue } from './schedule.ts';
import { sending } from './send.ts';

export const jobs = [sending];

export const crons = [
  cron({
    name: 'communications',
    pattern: '* * * * *',
    run: async (parts) => {
      const done = { started: await startDue(parts), sent: await keepSent(parts), ended: await endAbandoned(parts) };
      if (done.started + done.sent + done.ended > 0) parts.log.info({ job: 'communications', ...done });
    },
  }),
];

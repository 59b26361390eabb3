import { cron } from '../../road/for-areas/job.ts';
import { sweepWrongCodes } from './codes.ts';

export const crons = [
  cron({
    name: 'sweep-wrong-codes',
    pattern: '*/10 * * * *',
    run: async ({ pool, clock }) => {
      await sweepWrongCodes({ pool, clock });
    },
  }),
];

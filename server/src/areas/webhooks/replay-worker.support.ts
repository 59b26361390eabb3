import '../../../../test/support/dies.ts';
import { pino } from 'pino';
import { MovedClock } from '../../clock.ts';
import { openPool } from '../../store/pool.ts';
import { Runner } from '../../work/jobs.ts';
import { replayAll } from './replay-all.ts';

/** A process that runs the replays that are due and kills itself with kill -9 where CRASH says. AHEAD moves its clock. */
const { AHEAD, DATABASE_URL } = process.env;
const clock = new MovedClock();
clock.advance(Number(AHEAD));
const pool = openPool({ url: DATABASE_URL! });
await new Runner({ pool, clock, log: pino({ level: 'silent' }), outside: {} as never }, [replayAll]).drain();
await pool.end();

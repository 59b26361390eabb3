import { pino } from 'pino';
import { MovedClock } from '../../server/src/clock.ts';
import { folderFiles } from '../../server/src/outside/files.ts';
import { openPool } from '../../server/src/store/pool.ts';
import { Runner } from '../../server/src/work/jobs.ts';
import { toyHooks, toyJob } from './toy-job.ts';

/**
 * A process that runs what is due. CRASH=in:4 ends it with kill -9 inside the step that begins at 4, CRASH=after:4 right after
 * its commit. AHEAD moves its clock.
 */
const { CRASH, AHEAD, DATABASE_URL, FILES } = process.env;
const [where, at] = (CRASH ?? '').split(':');
const dieAt = (place: string) => (from: number) => {
  if (where === place && from === Number(at)) process.kill(process.pid, 'SIGKILL');
};
toyHooks.inStep = dieAt('in');
toyHooks.afterStep = dieAt('after');
const clock = new MovedClock();
clock.advance(Number(AHEAD));
const pool = openPool({ url: DATABASE_URL! });
const outside = { files: folderFiles(FILES!) } as never;
await new Runner({ pool, clock, log: pino({ level: 'silent' }), outside }, [toyJob]).drain();
await pool.end();

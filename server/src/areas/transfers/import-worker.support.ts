import { pino } from 'pino';
import { MovedClock } from '../../clock.ts';
import { folderFiles } from '../../outside/files.ts';
import type { Run } from '../../road/job.ts';
import { openPool } from '../../store/pool.ts';
import { Runner } from '../../work/jobs.ts';
import { importJob } from './import-job.ts';

/**
 * A process that runs the imports that are due. CRASH=in:2 kills it with kill -9 inside its third step, when everything is
 * written and nothing is committed; CRASH=after:2 kills it right after that step's commit. AHEAD moves its clock.
 */
const { CRASH, AHEAD, DATABASE_URL, FILES } = process.env;
const [where, at] = (CRASH ?? '').split(':');
const die = () => process.kill(process.pid, 'SIGKILL');

// biome-ignore lint/suspicious/noExplicitAny: it works for any job
const crashing = (run: Run<any, any>): Run<any, any> => {
  let steps = -1;
  const step: (typeof run)['step'] = async (work) => {
    steps += 1;
    const here = steps === Number(at);
    await run.step(async (tx) => {
      const stands = await work(tx);
      if (here && where === 'in') die();
      return stands;
    });
    if (here && where === 'after') die();
  };
  return new Proxy(run, {
    get: (_, name) => {
      if (name === 'step') return step;
      const value = run[name as keyof typeof run];
      return typeof value === 'function' ? value.bind(run) : value;
    },
  });
};

const clock = new MovedClock();
clock.advance(Number(AHEAD));
const pool = openPool({ url: DATABASE_URL! });
const outside = { files: folderFiles(FILES!) } as never;
const job = { ...importJob, run: (run: Parameters<typeof importJob.run>[0]) => importJob.run(crashing(run)) };
await new Runner({ pool, clock, log: pino({ level: 'silent' }), outside }, [job]).drain();
await pool.end();

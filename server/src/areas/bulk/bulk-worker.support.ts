import { pino } from 'pino';
import { MovedClock } from '../../clock.ts';
import { folderFiles } from '../../outside/files.ts';
import type { Run, Step } from '../../road/job.ts';
import { openPool } from '../../store/pool.ts';
import { transaction } from '../../store/tx.ts';
import { Runner } from '../../work/jobs.ts';
import { bulkJob } from './job.ts';

/**
 * A process that runs the bulk actions that are due. CRASH=in:2 kills it (kill -9) inside its third step, when the step has written
 * everything and committed nothing; CRASH=after:2 kills it right after that step's commit. APART=1 commits the work before the
 * progress, for the control. AHEAD moves its clock forward by this many milliseconds.
 */
const { CRASH, AHEAD, APART, DATABASE_URL, FILES } = process.env;
const [where, at] = (CRASH ?? '').split(':');
const die = () => process.kill(process.pid, 'SIGKILL');

const clock = new MovedClock();
clock.advance(Number(AHEAD));
const pool = openPool({ url: DATABASE_URL! });
const outside = { files: folderFiles(FILES!) } as never;

// biome-ignore lint/suspicious/noExplicitAny: of any job
const crashing = (run: Run<any, any>): Run<any, any> => {
  let steps = -1;
  const step: (typeof run)['step'] = async (work) => {
    steps += 1;
    const here = steps === Number(at);
    let early: Step<unknown> | null = null;
    if (APART === '1') early = await transaction(pool, clock, { role: 'app', org: run.org }, work);
    await run.step(async (tx) => {
      const step = early ?? (await work(tx));
      if (here && where === 'in') die();
      return step;
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

const job = { ...bulkJob, run: (run: Parameters<typeof bulkJob.run>[0]) => bulkJob.run(crashing(run)) };
await new Runner({ pool, clock, log: pino({ level: 'silent' }), outside }, [job]).drain();
await pool.end();

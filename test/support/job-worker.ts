import { pino } from 'pino';
import { MovedClock } from '../../server/src/clock.ts';
import { folderFiles } from '../../server/src/outside/folder-files.ts';
import type { Job, Run, Step } from '../../server/src/road/for-areas/job.ts';
import { openPool } from '../../server/src/store/pool.ts';
import { type Tx, transaction } from '../../server/src/store/tx.ts';
import { Runner } from '../../server/src/work/jobs.ts';

/**
 * What a process that runs jobs, and is killed at it, is made of. Its environment says the rest: DATABASE_URL, the folder FILES,
 * and AHEAD, the milliseconds that its clock is ahead: past the leases of those that were killed before it.
 */
const { CRASH, AHEAD, APART, DATABASE_URL, FILES } = process.env;
const clock = new MovedClock();
clock.advance(Number(AHEAD ?? 0));
const pool = openPool({ url: DATABASE_URL! });
const outside = { files: FILES === undefined ? undefined : folderFiles(FILES) } as never;

export const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** CRASH=in:2 or after:2. */
const [where, at] = (CRASH ?? '').split(':');
/** Whether the process has to end here: inside the step of that number, or right after its commit. */
export const isCrash = (place: 'in' | 'after', step: number): boolean => where === place && step === Number(at);

/** Runs the jobs of this kind that are due, and ends. */
// biome-ignore lint/suspicious/noExplicitAny: a job of any kind
export async function drain(job: Job<any>): Promise<void> {
  await new Runner({ pool, clock, log: pino({ level: 'silent' }), outside }, [job]).drain();
  await pool.end();
}

/**
 * The job, with CRASH=in:2 ended by kill -9 inside its third step, when all of it is written and nothing committed; with
 * CRASH=after:2 right after that step's commit. APART=1 commits the work of a step before its progress, as a control.
 */
// biome-ignore lint/suspicious/noExplicitAny: a job of any kind
export function crashing<J extends Job<any>>(job: J): J {
  return { ...job, run: (run: Parameters<J['run']>[0]) => job.run(crashingSteps(run)) };
}

// biome-ignore lint/suspicious/noExplicitAny: a job of any kind
function crashingSteps(run: Run<any, any>): Run<any, any> {
  let steps = -1;
  const step = async (work: (tx: Tx) => Promise<Step<unknown>>): Promise<void> => {
    steps += 1;
    const number = steps;
    const early = APART === '1' ? await transaction(pool, clock, { role: 'app', org: run.org }, work) : null;
    await run.step(async (tx) => {
      const done = early ?? (await work(tx));
      if (isCrash('in', number)) die();
      return done;
    });
    if (isCrash('after', number)) die();
  };
  return new Proxy(run, {
    get: (_, name) => {
      if (name === 'step') return step;
      const value = run[name as keyof typeof run];
      return typeof value === 'function' ? value.bind(run) : value;
    },
  });
}

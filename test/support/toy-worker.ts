import { die, drain, isCrash } from './job-worker.ts';
import { toyHooks, toyJob } from './toy-job.ts';

/**
 * A process that runs the toy jobs that are due. CRASH=in:4 ends it with kill -9 inside the step that begins at 4, CRASH=after:4
 * right after the commit of that step.
 */
toyHooks.inStep = (from) => {
  if (isCrash('in', from)) die();
};
toyHooks.afterStep = (from) => {
  if (isCrash('after', from)) die();
};
await drain(toyJob);

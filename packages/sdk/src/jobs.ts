import type { CallOptions } from './call.ts';
import { TimeoutError } from './errors.ts';
import { JobsResource } from './generated/resources.ts';
import type { Job } from './generated/schemas.ts';
import { sleep } from './sleep.ts';

export interface WaitOptions extends Pick<CallOptions, 'signal'> {
  /** How long to wait at most, in milliseconds. The default is an hour. */
  timeout?: number | undefined;
  /** Called with the job each time that it was looked at. */
  onProgress?: ((job: Job) => void) | undefined;
}

const FIRST_MS = 250;
const LONGEST_MS = 5000;

/** `turnout.jobs` */
export class JobsAndWaiting extends JobsResource {
  /**
   * Wait until a job has ended. Look at `status` then: a job may also have `failed` or been `cancelled`.
   *
   * @param job The job, or its id.
   * @throws TimeoutError
   */
  async wait(job: string | Job, { signal, timeout = 3_600_000, onProgress }: WaitOptions = {}): Promise<Job> {
    const id = typeof job === 'string' ? job : job.id;
    const until = Date.now() + timeout;
    let found = typeof job === 'string' ? await this.get(id, { signal }) : job;
    for (let pause = FIRST_MS; ; pause = Math.min(LONGEST_MS, pause * 1.5)) {
      onProgress?.(found);
      // Not by the status: words may be added to it.
      if (found.finished_at !== null) return found;
      if (Date.now() + pause > until)
        throw new TimeoutError('jobs.wait', `Job ${id} had not ended after ${timeout} ms.`);
      await sleep(pause, signal);
      found = await this.get(id, { signal });
    }
  }
}

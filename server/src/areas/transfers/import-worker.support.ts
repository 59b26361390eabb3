import { crashing, drain } from '../../../../test/support/job-worker.ts';
import { importJob } from './import-job.ts';

/** A process that runs the imports that are due, and is killed where CRASH says. */
await drain(crashing(importJob));

import { crashing, drain } from '../../../../test/support/job-worker.ts';
import { batchJob } from './discount-batch.ts';

/** A process that makes the codes that are due, and is killed where CRASH says. */
await drain(crashing(batchJob));

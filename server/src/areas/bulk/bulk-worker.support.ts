import { crashing, drain } from '../../../../test/support/job-worker.ts';
import { bulkJob } from './job.ts';

/** A process that runs the bulk actions that are due, and is killed where CRASH says. */
await drain(crashing(bulkJob));

import '../../../../test/support/dies.ts';
import { drain } from '../../../../test/support/job-worker.ts';
import { replayAll } from './replay-all.ts';

/** A process that runs the replays that are due, and is killed at the statement that CRASH names. */
await drain(replayAll);

export { backlog, watchBacklog } from './backlog.ts';
export { Deliverer } from './deliver.ts';
export { eraseEnvelopes } from './erase.ts';
export { fanOut } from './fan-out.ts';
export { crons, jobs } from './jobs.ts';
export { operations } from './operations.ts';
export { followPlan } from './plan.ts';
export { countTroubled } from './queries.ts';

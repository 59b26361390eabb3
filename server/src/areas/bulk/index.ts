import { bulkJob } from './job.ts';

export { crons } from './job.ts';
export { operations } from './operations.ts';
export const jobs = [bulkJob];

export { crons } from './jobs.ts';

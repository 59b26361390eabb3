export { expireFiles, jobLink, removeLater } from './files.ts';
export { crons } from './jobs.ts';
export { operations } from './operations.ts';

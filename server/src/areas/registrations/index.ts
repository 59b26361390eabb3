export { Book, raiseAll } from './book.ts';
export { crons, expireUnpaid, promoteWaitlists } from './jobs.ts';
export { operations } from './operations.ts';
export { receive } from './payments.ts';
export { register } from './register.ts';

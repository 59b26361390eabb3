export { Book, raiseAll } from './book.ts';
export { crons, expireUnpaid, promoteWaitlists } from './jobs.ts';
export { renderLetter } from './letters.ts';
export { operations } from './operations.ts';
export { receive } from './payments.ts';
export { takeProviderEvent } from './provider-events.ts';
export { anAttendee } from './references.ts';
export { register } from './register.ts';

export { crons, jobs } from './jobs.ts';
export { isMessage, messageRenderer, settleMessage } from './mails.ts';
export { operations } from './operations.ts';
export { eraseRecipients } from './recipients.ts';
export { unsubscribePage } from './unsubscribe-page.ts';

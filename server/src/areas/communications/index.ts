export { listAttendeeMessages } from './attendee-messages.ts';
export { eraseRecipients } from './erase.ts';
export { crons, jobs } from './jobs.ts';
export { isMessage, messageRenderer, settleMessage } from './mails.ts';
export { type Block, type Inline, plainText, readMarkdown } from './markdown.ts';
export { operations } from './operations.ts';
export { unsubscribePage } from './unsubscribe-page.ts';

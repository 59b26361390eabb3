export { accountOperations } from './account-operations.ts';
export { invitationRenderer, isInvitation } from './invitation-mail.ts';
export { createInvitation } from './invitations.ts';
export { crons } from './jobs.ts';
export { operations } from './operations.ts';

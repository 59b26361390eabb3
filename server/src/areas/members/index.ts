export { accountOperations } from './account-operations.ts';
export { invitationRenderer, isInvitation } from './invitation-mail.ts';
export { invitations } from './invitation-queries.ts';
export { createInvitation, sendInvitation } from './invitations.ts';
export { crons } from './jobs.ts';
export { changeMember, removeMember } from './members.ts';
export { operations } from './operations.ts';
export { type MemberRow, members } from './queries.ts';

export {
  endInvitations,
  INVITATION_BACKED,
  PAIRING_CODE_BACKED,
  STANDS,
  withdrawal,
  withdrawUnbacked,
} from './given.ts';
export { aGroup, createGroup } from './groups.ts';
export { noteDeleted, noteEndpointLeft, noteEventLeft } from './left-reach.ts';
export { membersToTell } from './members-to-tell.ts';
export { operations } from './operations.ts';
export { findGroup, type GroupRow } from './queries.ts';
export {
  aboveReach,
  attendeeInReach,
  checkInInReach,
  eventGroup,
  handOutInReach,
  inOneLine,
  inReach,
  inSubtree,
  type Limit,
  limitOf,
  registrantInReach,
  registrationFullyInReach,
  registrationInReach,
  ticketFullyInReach,
  ticketInReach,
} from './reach.ts';
export {
  isTakenForRegistrant,
  reducedAttendee,
  reducedData,
  reducedRegistration,
  reducedTicket,
  type Visibility,
} from './reduced.ts';

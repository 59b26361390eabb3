export { aGroup, createGroup } from './groups.ts';
export { operations } from './operations.ts';
export { findGroup, type GroupRow } from './queries.ts';
export {
  aboveReach,
  checkInInReach,
  inReach,
  inSubtree,
  known,
  type Limit,
  limitOf,
  personInReach,
  registrantInReach,
  registrationInReach,
  registrationWhole,
  ticketInReach,
  ticketWhole,
} from './reach.ts';
export { reducedAttendee, reducedData, reducedRegistration, reducedTicket, type Seen } from './reduced.ts';

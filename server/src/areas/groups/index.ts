export { aGroup, createGroup } from './groups.ts';
export { operations } from './operations.ts';
export { aboveReach, findGroup, type GroupRow, inReach } from './queries.ts';
export {
  checkInInReach,
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

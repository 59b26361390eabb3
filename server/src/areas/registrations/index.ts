export { type Answered, currentAnswered, everyAnswerIn, findAnswered } from './answer-filter.ts';
export { checkAnswers, tooMuchFault } from './answers.ts';
export { changeContactEverywhere } from './apply-contact.ts';
export { appointmentsOf } from './appointments.ts';
export { changeAttendeesTogether } from './attendee-actions.ts';
export { appendAttendee, applyDetails, movePlaces } from './attendees.ts';
export { attendeeFacts, auditCreation, hideGroup } from './audit.ts';
export { Book } from './book.ts';
export { checkedIn, type EventClock, readClock } from './checked-in.ts';
export { askCheckout, type CheckoutOrder, openCheckout } from './checkout.ts';
export { attendeeCells, recount } from './counts.ts';
export { countsOfEvents, type EventCounts } from './counts-of-events.ts';
export { isRefunding, refundDuplicates } from './duplicates.ts';
export { eraseContact } from './erase.ts';
export { Findings } from './findings.ts';
export { forecastTickets, type TicketCounts } from './forecast-tickets.ts';
export { changeFaults, type FormDraft, formFindings } from './form-faults.ts';
export { type Summed, sumUpHeld } from './held-mails.ts';
export { isUnderWay, keptUntil } from './holds.ts';
export { type AttendeeDetails, keepsDays, readDays } from './input.ts';
export { crons, expireUnpaid, forgetHolds, keepCounts, promoteWaitlists } from './jobs.ts';
export { linkOfAttendee } from './letter-links.ts';
export { letterRenderer } from './letters.ts';
export { isOfferedTo } from './lines.ts';
export { loadRegistrations } from './load.ts';
export { moreThan, needsOf } from './needs.ts';
export { byEvent, DETAILS, PRODUCTS } from './operation-parts.ts';
export { operations } from './operations.ts';
export { receive } from './payments.ts';
export { Places } from './places.ts';
export { agreedPrice, priceNow } from './price.ts';
export { copyFor, printOf } from './print.ts';
export { isProven, markProven } from './proven-addresses.ts';
export { takeProviderEvent } from './provider-events.ts';
export {
  anAttendee,
  aRegistration,
  ownMode,
  type PartRef,
  type RegistrationRef,
  requireOwnMode,
  wholeRegistration,
} from './references.ts';
export { enroll, register } from './register.ts';
export { approve, cancel, decline, promoteByHand } from './registration-actions.ts';
export { createRegistration } from './registration-operations.ts';
export { forecastRoom, type RoomForecast } from './room.ts';
export {
  canCancelAll,
  cancelOwnPlace,
  cancelOwnRegistration,
  canDo,
  changeOwnPlace,
  changeOwnProducts,
  changeSharedProducts,
  handOnPlace,
  isAllowed,
  isPaid,
  keepOwnPlaces,
  type LinkHolder,
  ownPlaces,
  type SelfServiceAction,
} from './self-service.ts';
export { dayCodes, productShapes, ticketShape } from './shapes.ts';
export {
  type AttendeeState,
  activeAttendees,
  type BookedLine,
  balanceOf,
  holdsPlaces,
  isHandedOn,
  NO_LINES,
  type RegistrationState,
  type TicketState,
} from './state.ts';
export { takeTurns } from './stranger-mails.ts';
export { ATTENDEE_TEXTS, attendeeTexts, NO_TEXTS } from './texts.ts';
export { reissueTogether } from './ticket-actions.ts';
export { sendTogether } from './ticket-files.ts';
export { ticketsDue } from './tickets.ts';
export { attendeeCap } from './with-book.ts';
export { daysOf, type EventWorld, worldOf } from './world.ts';

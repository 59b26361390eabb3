import type { EventType } from '@turnout/contract';

/** When each type is raised, as the API describes it. */
export const RAISED: Readonly<Record<EventType, string>> = {
  'registration.created': 'A registration was made, in whatever status.',
  'registration.updated':
    'A registration, its attendees, tickets or payments changed. Raised once per commit, in addition to the specific type, but not on creation.',
  'registration.approved': 'An organizer approved the registration.',
  'registration.declined': 'An organizer declined the registration.',
  'registration.confirmed': 'The registration was confirmed, so its tickets are issued.',
  'registration.cancelled':
    'The registration was cancelled. (One that expires unpaid raises `registration.updated` instead.)',
  'registration.waitlisted': 'The registration was put on the waitlist.',
  'registration.promoted': 'The registration left the waitlist because a place became free.',
  'registration.attendee_added': 'An attendee was added to an existing registration; `attendee` is the new one.',
  'registration.attendee_removed': 'An attendee of a registration was cancelled; `attendee` is that one.',
  'ticket.issued': 'A ticket was issued.',
  'ticket.reissued': 'A ticket replaced another one; `replaces` is the old ticket.',
  'ticket.voided': 'A ticket was voided.',
  'checkin.recorded':
    'A scan was decided. Raised once for each attendee of the ticket, also for refusals (see `result` and `admitted`).',
  'checkin.overridden': 'Somebody at the door overrode a refusal and gave a reason.',
  'checkin.undone': 'An admission was undone.',
  'payment.received': 'A payment was received.',
  'payment.refunded': 'A payment was refunded, in full or in part.',
  'payment.failed': 'An online payment failed.',
};

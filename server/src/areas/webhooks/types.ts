import type { EventType } from '@turnout/contract';

/** When each type is raised. */
export const RAISED: Readonly<Record<EventType, string>> = {
  'registration.created': 'A registration came in, whatever its status.',
  'registration.updated':
    'A registration, its people, tickets or payments changed: once per commit, beside the specific type, never on creation.',
  'registration.approved': 'An organizer approved it.',
  'registration.declined': 'An organizer declined it.',
  'registration.confirmed': 'It was confirmed, so its tickets are issued.',
  'registration.cancelled': 'It was cancelled. (One that expires unpaid raises `registration.updated`.)',
  'registration.waitlisted': 'It was put on the waitlist.',
  'registration.promoted': 'It left the waitlist because a place came free.',
  'registration.attendee_added': 'A person was added to an existing registration; `attendee` is the person.',
  'registration.attendee_removed': 'A person of a registration was cancelled; `attendee` is the person.',
  'ticket.issued': 'A ticket was issued.',
  'ticket.reissued': 'A ticket took the place of another; `replaces` is the old one.',
  'ticket.voided': 'A ticket was voided.',
  'checkin.recorded': 'A scan was decided: one per person of the ticket, refusals too (`result`, `admitted`).',
  'checkin.overridden': 'A person at the door overrode a refusal, with a reason.',
  'checkin.undone': 'An admission was taken back.',
  'payment.received': 'A payment came in.',
  'payment.refunded': 'A payment was refunded, wholly or in part.',
  'payment.failed': 'An online payment failed.',
};

import type { Attendee, CheckIn, Payment, Registration, Ticket } from './payloads.ts';

/** What each of the 19 event types carries as `data`. */
export interface Payloads {
  'registration.created': Registration;
  'registration.updated': Registration;
  'registration.approved': Registration;
  'registration.declined': Registration;
  'registration.confirmed': Registration;
  'registration.cancelled': Registration;
  'registration.waitlisted': Registration;
  'registration.promoted': Registration;
  'registration.attendee_added': Registration & { attendee: Attendee };
  'registration.attendee_removed': Registration & { attendee: Attendee };
  'ticket.issued': Ticket;
  'ticket.reissued': Ticket & { replaces: string };
  'ticket.voided': Ticket;
  'checkin.recorded': CheckIn;
  'checkin.overridden': CheckIn;
  'checkin.undone': CheckIn;
  'payment.received': Payment;
  'payment.refunded': Payment;
  'payment.failed': Payment;
}
export type EventType = keyof Payloads;

/**
 * The signed body. `Envelope` is a union, so checking `type` also narrows `data`. An endpoint that subscribes to `*` also gets types
 * that are added later, so give a `switch` over `type` a default.
 */
export type Envelope<Type extends EventType = EventType> = {
  [T in Type]: {
    /** `evt_` and a ULID. Retries and replays of an occurrence have the same id, so remember it to recognize repeats. */
    id: string;
    type: T;
    /** May be absent in a test event. */
    api_version?: string;
    created_at: string;
    /** False for test events and for everything that was done with a test key. */
    livemode: boolean;
    data: Payloads[T];
  };
}[Type];

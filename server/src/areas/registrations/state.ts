import {
  type Attendee,
  type EventType,
  type FieldOf,
  HOLDING_PLACES,
  type PaymentMethod,
  type PaymentStatus,
  type Registration,
  type RegistrationSource,
  type RegistrationStatus,
} from '@turnout/contract';
import type { Id } from '../../common/ids.ts';

/** What people typed about an attendee, and about the registrant. */
export type AttendeeTexts = Pick<Attendee, FieldOf<'attendee', { typed: true }>>;
export type RegistrantTexts = Pick<Registration['contact'], FieldOf<'registrant', { typed: true }>>;

/** A registration with its attendees and tickets, in memory between the reads and the writes of one transaction. */
export interface RegistrationState {
  id: Id;
  code: string;
  status: RegistrationStatus;
  source: RegistrationSource;
  test: boolean;
  group_id: Id | null;
  contact: RegistrantTexts & {
    id: Id | null;
    /** The language of mails to the registrant. Null: the event's language. */
    language: string | null;
  };
  currency: string;
  /** What was booked for the registration as a whole. */
  products: BookedLine[];
  /** The discount that was registered with; its code is kept as it was then. */
  discount_id: Id | null;
  discount_code: string | null;
  /** What the discount took off in all. */
  discount_minor: number;
  total_minor: number;
  paid_minor: number;
  send_emails: boolean;
  payment_due_at: string | null;
  /** What else is known of its hold on its places; null: nothing. Only while it is pending_payment. */
  hold: PaymentHold | null;
  waitlisted_at: string | null;
  waiting_for: Id[] | null;
  confirmed_at: string | null;
  cancelled_at: string | null;
  created_at: string;
  updated_at: string;
  attendees: AttendeeState[];
  tickets: TicketState[];
  /** Created in this transaction. */
  fresh: boolean;
  /** Changed in this transaction: it is saved and gets the event clock's stamp. */
  touched: boolean;
  /** Only the payment page of its hold changed. No caller sees this, so by itself it sets no new stamp. */
  pageChanged?: boolean;
  /** The hold is stored, and deleted if there is none any more. */
  holdIsStored?: boolean;
  /** It waits for other scopes than before. No caller sees this, so by itself it sets no new stamp. */
  waitingForChanged?: boolean;
  /** Why it was declined or cancelled, for the mail to the registrant. */
  reason?: string;
  /** The registrant's details changed, so their contact is looked up in the address book again. */
  relink?: boolean;
  /** It was declined, cancelled or expired in this transaction. */
  ended?: boolean;
  /** A refund, a chargeback or a failed payment in this transaction left a balance, so it has to be paid again. */
  reopened?: boolean;
  /** Whether this transaction's mails are sent. If absent, `send_emails` decides. */
  sendMails?: boolean;
  /** It was made or changed in this transaction by somebody who came by the form or by a link. */
  byVisitor?: boolean;
  /** Places that went from one person to another in this transaction. */
  handedOn?: { attendee: AttendeeState; from: { first_name: string; last_name: string; email: string | null } }[];
  /** What happened to it in this transaction, in order. Webhooks and mails are made from this. */
  happened: Happening[];
}

/** What is known of an unpaid registration's hold on its places beside its deadline (holds.ts). */
export interface PaymentHold {
  /** A keyed hash of the network that the form came from. Null: the registration did not come from the form. */
  network: string | null;
  /** Nobody has shown yet that they read the registrant's mails. */
  unproven: boolean;
  /** How often the deadline was moved behind the end of a payment page. */
  extensions: number;
  /** The payment page that was opened last, as the provider calls it. Null once its payment was reported. */
  session: string | null;
  /** The deadline before a payment was under way. */
  due_before: string | null;
}

/** Units of a product that were booked at one price. `price_minor` is that of one unit, `discount_minor` of all together. */
export interface BookedLine {
  product_id: Id;
  option_id: Id | null;
  quantity: number;
  price_minor: number;
  discount_minor: number;
  handed_out: number;
}

/** Nothing is booked. One list for all: `insertAll` sends a value that all rows share only once. */
export const NO_LINES: BookedLine[] = [];

export interface AttendeeState extends AttendeeTexts {
  id: Id;
  position: number;
  contact_id: Id | null;
  attendee_type_id: Id;
  /** The attendee's own group, or the registration's. Null if neither has one: then the event's group applies. */
  group_id: Id | null;
  day_ids: Id[];
  answers: Record<string, unknown>;
  price_minor: number;
  /** The phase of the type's price that held when they registered. Null: the regular price. */
  price_name: string | null;
  /** What a discount took off the price. */
  discount_minor: number;
  /** The discount that covers this attendee: one use of it. Null: none. */
  discount_id: Id | null;
  products: BookedLine[];
  cancelled: boolean;
  /** When this attendee was cancelled alone. With a cancelled registration, the registration's own time says it. */
  cancelled_at: string | null;
  checked_in_at: string | null;
  /** When the place went to another person by a link. */
  handed_on_at: string | null;
  created_at: string;
  updated_at: string;
  fresh: boolean;
  touched: boolean;
}

export interface TicketState {
  id: Id;
  code: string;
  status: 'valid' | 'voided';
  /** The days it is for. Null: the days of its attendees. */
  day_ids: Id[] | null;
  extra: boolean;
  attendee_ids: Id[];
  issued_at: string;
  voided_at: string | null;
  void_reason: string | null;
  replaced_by: Id | null;
  created_at: string;
  updated_at: string;
  fresh: boolean;
  touched: boolean;
  attendeesChanged: boolean;
}

export interface PaymentState {
  id: Id;
  registration_id: Id;
  amount_minor: number;
  refunded_minor: number;
  charged_back_minor: number;
  currency: string;
  method: PaymentMethod;
  reference: string | null;
  status: PaymentStatus;
  test: boolean;
  provider: string | null;
  provider_reference: string | null;
  created_at: string;
  updated_at: string;
  fresh: boolean;
}

export type Happening =
  | {
      type: Exclude<
        EventType,
        `ticket.${string}` | `payment.${string}` | `checkin.${string}` | `registration.attendee_${string}`
      >;
    }
  | { type: 'registration.attendee_added' | 'registration.attendee_removed'; attendee: AttendeeState }
  | { type: 'ticket.issued' | 'ticket.voided'; ticket: TicketState }
  | { type: 'ticket.reissued'; ticket: TicketState; replaces: Id }
  | { type: 'payment.received' | 'payment.refunded' | 'payment.failed'; payment: PaymentState };

export const holdsPlaces = (registration: Pick<RegistrationState, 'status'>): boolean =>
  HOLDING_PLACES.includes(registration.status);

/**
 * What is due (positive) or in credit (negative). A registration that holds no places owes nothing, so everything paid for it is
 * in credit. The database computes the same in `balance_minor`, for filters.
 */
export const balanceOf = (registration: RegistrationState): number =>
  (holdsPlaces(registration) ? registration.total_minor : 0) - registration.paid_minor;

/**
 * Whether the place was handed to somebody else and is theirs alone: the registrant neither sees nor changes it any more. A place that
 * came back to the registrant's own address is the registrant's.
 */
export const isHandedOn = (
  { contact }: Pick<RegistrationState, 'contact'>,
  { handed_on_at, email }: Pick<AttendeeState, 'handed_on_at' | 'email'>,
): boolean => handed_on_at !== null && email?.toLowerCase() !== contact.email?.toLowerCase();

export const activeAttendees = (registration: RegistrationState): AttendeeState[] =>
  registration.attendees.filter((attendee) => !attendee.cancelled);

export const touch = (registration: RegistrationState, withAttendees = false): void => {
  registration.touched = true;
  if (withAttendees) for (const attendee of registration.attendees) attendee.touched = true;
};

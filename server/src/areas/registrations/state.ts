import type {
  EventType,
  PaymentMethod,
  PaymentStatus,
  RegistrationSource,
  RegistrationStatus,
} from '@turnout/contract';
import type { Id } from '../../store/ids.ts';
import type { Needs } from './places.ts';

/** A registration with its people and tickets, in memory, between the read and the write of one transaction. */
export interface RegistrationState {
  id: Id;
  code: string;
  status: RegistrationStatus;
  source: RegistrationSource;
  test: boolean;
  group_id: Id | null;
  contact: {
    id: Id | null;
    first_name: string | null;
    last_name: string | null;
    email: string | null;
    phone: string | null;
    /** Of mails; null: the event's. */
    language: string | null;
  };
  currency: string;
  total_minor: number;
  paid_minor: number;
  send_emails: boolean;
  payment_due_at: string | null;
  waitlisted_at: string | null;
  waiting_for: Id[] | null;
  confirmed_at: string | null;
  cancelled_at: string | null;
  created_at: string;
  updated_at: string;
  people: AttendeeState[];
  tickets: TicketState[];
  fresh: boolean;
  touched: boolean;
  /** It waits for other scopes than before: nothing that anybody sees, so no new stamp. */
  rewaits?: boolean;
  /** Tickets that left the roster of a group, because a person of it left or moved. */
  departed?: { code: string; group_id: Id | null }[];
  /** Told to the registrant with a decline or a cancellation. */
  reason?: string;
  /** The registrant is another one, or known by something else: found again in the address book. */
  relink?: boolean;
  /** Its time to pay, or all of it, ended in this transaction. */
  ended?: boolean;
  /** What was paid is gone, and has to be paid again. */
  reopened?: boolean;
  /** Whether this transaction's mails go out; left out: as `send_emails` says. */
  tell?: boolean;
  /** What happened to it in this transaction, in order: becomes occurrences and mails. */
  happened: Happening[];
}

export interface AttendeeState {
  id: Id;
  position: number;
  contact_id: Id | null;
  attendee_type_id: Id;
  /** Its own, or the registration's; null where neither has one: then the event's. */
  group_id: Id | null;
  day_ids: Id[];
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  date_of_birth: string | null;
  external_id: string | null;
  answers: Record<string, unknown>;
  price_minor: number;
  cancelled: boolean;
  checked_in_at: string | null;
  created_at: string;
  updated_at: string;
  fresh: boolean;
  touched: boolean;
}

export interface TicketState {
  id: Id;
  code: string;
  status: 'valid' | 'voided';
  /** null: the people's own days. */
  day_ids: Id[] | null;
  extra: boolean;
  people: Id[];
  issued_at: string;
  voided_at: string | null;
  void_reason: string | null;
  replaced_by: Id | null;
  created_at: string;
  updated_at: string;
  fresh: boolean;
  touched: boolean;
  peopleChanged: boolean;
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
  | { type: 'registration.attendee_added' | 'registration.attendee_removed'; person: AttendeeState }
  | { type: 'ticket.issued' | 'ticket.voided'; ticket: TicketState }
  | { type: 'ticket.reissued'; ticket: TicketState; replaces: Id }
  | { type: 'payment.received' | 'payment.refunded' | 'payment.failed'; payment: PaymentState };

/** Those whose people hold their places. */
export const HOLDING: readonly RegistrationStatus[] = ['pending_approval', 'pending_payment', 'confirmed'];
export const holds = (registration: Pick<RegistrationState, 'status'>): boolean =>
  HOLDING.includes(registration.status);

/**
 * What is due (above 0) or in credit (below 0). One that waits or is over owes nothing, so all that was paid for it is in credit.
 * The database keeps the same (`balance_minor`), to be looked for.
 */
export const balanceOf = (registration: RegistrationState): number =>
  (holds(registration) ? registration.total_minor : 0) - registration.paid_minor;

export const active = (registration: RegistrationState): AttendeeState[] =>
  registration.people.filter((person) => !person.cancelled);

/** One place in the event, one of the type, one on each day. */
export function needsOf(event: Id, people: readonly Pick<AttendeeState, 'attendee_type_id' | 'day_ids'>[]): Needs {
  const needs: Needs = new Map();
  const add = (scope: Id) => needs.set(scope, (needs.get(scope) ?? 0) + 1);
  for (const person of people) {
    add(event);
    add(person.attendee_type_id);
    for (const day of person.day_ids) add(day);
  }
  return needs;
}

export const touch = (registration: RegistrationState, everybody = false): void => {
  registration.touched = true;
  if (everybody) for (const person of registration.people) person.touched = true;
};

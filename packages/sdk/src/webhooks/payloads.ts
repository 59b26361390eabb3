/**
 * The resources of API v1 that webhooks carry. A test compares them with the schemas of the contract. Fields may be added to v1 at
 * any time, but none is removed.
 */

export type RegistrationStatus =
  | 'pending_approval'
  | 'waitlisted'
  | 'pending_payment'
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'expired';

export interface Registration {
  id: string;
  code: string;
  event_id: string;
  status: RegistrationStatus;
  source: 'form' | 'api' | 'import' | 'platform';
  test: boolean;
  group: string | null;
  contact: {
    id: string | null;
    first_name: string | null;
    last_name: string | null;
    email: string | null;
    phone: string | null;
    language: string | null;
  };
  /** Without `checked_in`: `checkin.recorded` and the attendee itself tell whether somebody is checked in. */
  attendees: Omit<Attendee, 'checked_in'>[];
  /** Null if the registration has attendees outside of the endpoint’s group. */
  total_minor: number | null;
  paid_minor: number | null;
  /** Above 0 if something is still to be paid, below 0 if too much was paid. */
  balance_minor: number | null;
  currency: string;
  send_emails: boolean;
  payment_due_at: string | null;
  confirmed_at: string | null;
  cancelled_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface Attendee {
  id: string;
  registration_id: string;
  event_id: string;
  contact_id: string | null;
  attendee_type: string;
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  date_of_birth: string | null;
  external_id: string | null;
  group: string | null;
  days: string[];
  answers: Record<string, unknown>;
  status: RegistrationStatus;
  price_minor: number;
  /** The code is null if the ticket also admits attendees outside of the endpoint’s group. */
  tickets: { id: string; code: string | null; status: 'valid' | 'voided' }[];
  checked_in: boolean;
  test: boolean;
  created_at: string;
  updated_at: string;
}

export interface Ticket {
  id: string;
  /** Null if the ticket also admits attendees outside of the endpoint’s group. */
  code: string | null;
  status: 'valid' | 'voided';
  event_id: string;
  registration_id: string;
  attendees: { id: string; first_name: string; last_name: string; attendee_type: string }[];
  days: string[];
  test: boolean;
  issued_at: string;
  voided_at: string | null;
  void_reason: string | null;
  replaced_by: string | null;
  created_at: string;
  updated_at: string;
}

export interface CheckIn {
  id: string;
  event_id: string;
  /** More results may be added. For those that you do not know, look at `admitted`. */
  result: string;
  admitted: boolean;
  reason: string | null;
  attendee_id: string;
  ticket_id: string;
  day: string | null;
  check_in_point: string;
  scanned_at: string;
  recorded_at: string;
  client_uuid: string | null;
  test: boolean;
  skewed: boolean;
  offline_result: string | null;
  actor: { kind: string; id: string | null; name: string };
  /** Only for an override at a scanner that a member has unlocked with a PIN. */
  device?: { id: string; name: string };
  override: { of: string; reason: string } | null;
  undone_at: string | null;
}

export interface Payment {
  id: string;
  registration_id: string;
  event_id: string;
  amount_minor: number;
  currency: string;
  method: 'cash' | 'transfer' | 'card' | 'online' | 'other';
  reference: string | null;
  status: 'received' | 'refunded' | 'failed';
  refunded_minor: number;
  charged_back_minor: number;
  test: boolean;
  created_at: string;
  updated_at: string;
}

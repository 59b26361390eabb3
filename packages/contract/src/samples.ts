import { API_VERSION, type EventType } from './event-types.ts';
import type { Attendee, Payment, Registration, Ticket } from './resources/people.ts';
import type { CheckIn } from './resources/scanning.ts';
import type { WebhookEnvelope } from './resources/webhook.ts';

/** Registrations of a made-up fair as API v1 shows them: examples for the reference and samples of webhooks. */
/** Times as the API writes them: `updated_at` with six decimals, the others without a fraction if it is zero. */
const stamps = { created_at: '2026-11-10T10:00:00.482Z', updated_at: '2026-11-12T16:45:10.123000Z' };
const ids = {
  event: '01JBJ4V7Q2N8H5T3B6C9D1F4KE',
  registration: '01JCAX9M4T7V2W5Y8Z1A6B3C0R',
  attendee: '01JCAX9M5D8E3F6G1H4J9K2M7A',
  ticket: '01JCAXB2N5P8Q1R4S7T0V3W6XT',
  contact: '01JCAX9M3H6J1K4M9N2P7Q5R8C',
  payment: '01JCAXA7R4S9T2V5W8X1Y6Z3AP',
  checkIn: '01JD1A4C7E0G3J6M9P2R5T8W1C',
};
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '+49 30 901820' };
const code = '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N';

const workshop = { product: 'workshop', option: null, quantity: 1, price_minor: 500, discount_minor: 0 };
const attendee: Attendee = {
  id: ids.attendee,
  registration_id: ids.registration,
  event_id: ids.event,
  contact_id: ids.contact,
  attendee_type: 'adult',
  ...ada,
  date_of_birth: null,
  external_id: null,
  group: 'rowing',
  days: ['day1', 'day2'],
  answers: { diet: 'No nuts, please' },
  status: 'confirmed',
  price_name: null,
  price_minor: 1800,
  discount_minor: 300,
  products: [{ ...workshop, handed_out: 0 }],
  tickets: [{ id: ids.ticket, code, status: 'valid' }],
  checked_in: false,
  test: false,
  ...stamps,
};

const { checked_in: _, ...registered } = attendee;
const registration: Registration = {
  id: ids.registration,
  code: 'K7M2XQ9R4T',
  event_id: ids.event,
  status: 'confirmed',
  source: 'api',
  test: false,
  group: 'rowing',
  contact: { id: ids.contact, ...ada, language: null },
  attendees: [{ ...registered, products: [workshop] }],
  products: [],
  discount_code: 'FRIENDS-25',
  discount_minor: 300,
  total_minor: 2000,
  paid_minor: 2000,
  balance_minor: 0,
  currency: 'EUR',
  send_emails: true,
  payment_due_at: null,
  confirmed_at: '2026-11-12T16:45:10.123Z',
  cancelled_at: null,
  ...stamps,
};

const ticket: Ticket = {
  id: ids.ticket,
  code,
  status: 'valid',
  event_id: ids.event,
  registration_id: ids.registration,
  attendees: [{ id: ids.attendee, first_name: 'Ada', last_name: 'Lovelace', attendee_type: 'adult' }],
  days: ['day1', 'day2'],
  test: false,
  issued_at: '2026-11-12T16:45:10.123Z',
  voided_at: null,
  void_reason: null,
  replaced_by: null,
  ...stamps,
};

const payment: Payment = {
  id: ids.payment,
  registration_id: ids.registration,
  event_id: ids.event,
  amount_minor: 2000,
  currency: 'EUR',
  method: 'transfer',
  reference: 'Bank statement 14/2026',
  status: 'received',
  refunded_minor: 0,
  charged_back_minor: 0,
  test: false,
  ...stamps,
};

const checkIn: CheckIn = {
  id: ids.checkIn,
  event_id: ids.event,
  result: 'accepted',
  admitted: true,
  reason: null,
  attendee_id: ids.attendee,
  ticket_id: ids.ticket,
  day: 'day1',
  check_in_point: 'main-gate',
  scanned_at: '2026-11-20T08:12:03Z',
  recorded_at: '2026-11-20T08:12:03.214Z',
  client_uuid: '0d9c4b4e-5f0f-4a63-8f3e-1b6f0f6b8f5a',
  test: false,
  skewed: false,
  offline_result: null,
  actor: { kind: 'device', id: '01JCZX5B8D1F4H7K0N3Q6S9V2D', name: 'Gate 1' },
  override: null,
  undone_at: null,
};

export const SAMPLES = { attendee, registration, ticket, payment, checkIn };

const unpaid = { paid_minor: 0, balance_minor: 0 };
const voided = { status: 'voided', voided_at: '2026-11-14T09:00:00.307Z' } as const;

const DATA: Readonly<Record<EventType, Record<string, unknown>>> = {
  'registration.created': registration,
  'registration.updated': registration,
  'registration.approved': registration,
  'registration.declined': { ...registration, status: 'declined', confirmed_at: null, ...unpaid },
  'registration.confirmed': registration,
  'registration.cancelled': {
    ...registration,
    status: 'cancelled',
    cancelled_at: '2026-11-14T09:00:00.307Z',
    balance_minor: -2000,
  },
  'registration.waitlisted': { ...registration, status: 'waitlisted', confirmed_at: null, ...unpaid },
  'registration.promoted': registration,
  'registration.attendee_added': { ...registration, attendee },
  'registration.attendee_removed': { ...registration, attendee: { ...attendee, status: 'cancelled' } },
  'ticket.issued': ticket,
  'ticket.reissued': { ...ticket, replaces: '01JCAXA1M4N7P0Q3R6S9T2V5WT' },
  'ticket.voided': { ...ticket, ...voided, void_reason: 'Lost' },
  'checkin.recorded': checkIn,
  'checkin.overridden': { ...checkIn, override: { of: '01JD1A3B6D9F2H5K8N1Q4S7V0C', reason: 'Knows the band' } },
  'checkin.undone': { ...checkIn, undone_at: '2026-11-20T08:13:40.916Z' },
  'payment.received': payment,
  'payment.refunded': { ...payment, status: 'refunded', refunded_minor: 2000 },
  'payment.failed': { ...payment, status: 'failed', method: 'card' },
};

/** An example of the envelope of a type. */
export const sampleEnvelope = (type: EventType): WebhookEnvelope => ({
  id: 'evt_01JD1A4C8F1H4K7N0Q3S6V9X2E',
  type,
  api_version: API_VERSION,
  created_at: '2026-11-20T08:12:03.214Z',
  livemode: false,
  data: DATA[type],
});

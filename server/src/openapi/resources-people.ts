import type {
  Attendee,
  AttendeeChange,
  AttendeeInput,
  Contact,
  ContactChange,
  Payment,
  PaymentCreate,
  PaymentRefund,
  Reason,
  Registration,
  RegistrationCreate,
  Ticket,
  TicketIssue,
  TicketVoid,
} from '@turnout/contract';

/** The people of the fair that resources.ts tells of. */
const stamps = { created_at: '2026-11-10T10:00:00.000000Z', updated_at: '2026-11-12T16:45:10.123456Z' };
const ids = {
  event: '01JBJ4V7Q2N8H5T3B6C9D1F4KE',
  registration: '01JCAX9M4T7V2W5Y8Z1A6B3C0R',
  attendee: '01JCAX9M5D8E3F6G1H4J9K2M7A',
  ticket: '01JCAXB2N5P8Q1R4S7T0V3W6XT',
  contact: '01JCAX9M3H6J1K4M9N2P7Q5R8C',
  payment: '01JCAXA7R4S9T2V5W8X1Y6Z3AP',
};
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '+49 30 901820' };
const code = '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N';

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
  days: ['fri', 'sat'],
  answers: { diet: 'No nuts, please' },
  status: 'confirmed',
  price_minor: 1800,
  tickets: [{ id: ids.ticket, code, status: 'valid' }],
  checked_in: false,
  test: false,
  ...stamps,
};
const attendeeInput: AttendeeInput = {
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
  days: ['fri', 'sat'],
};
const attendeeChange: AttendeeChange = { days: ['sat', 'sun'] };

const registration: Registration = {
  id: ids.registration,
  code: 'K7M2XQ9R4T',
  event_id: ids.event,
  status: 'confirmed',
  source: 'api',
  test: false,
  group: 'rowing',
  contact: { id: ids.contact, ...ada },
  attendees: [attendee],
  total_minor: 1800,
  paid_minor: 1800,
  currency: 'EUR',
  payment_due_at: null,
  confirmed_at: '2026-11-12T16:45:10Z',
  cancelled_at: null,
  ...stamps,
};
const registrationCreate: RegistrationCreate = {
  attendees: [attendeeInput, { attendee_type: 'child', first_name: 'Byron', last_name: 'Lovelace', days: ['sat'] }],
  contact: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
};
const reason: Reason = { reason: 'We have to keep the number of boats small this year.' };

const contact: Contact = {
  id: ids.contact,
  ...ada,
  date_of_birth: null,
  external_id: 'M-1024',
  group: 'rowing',
  test: false,
  erased_at: null,
  ...stamps,
};
const contactChange: ContactChange = { phone: '+49 30 901821' };

const ticket: Ticket = {
  id: ids.ticket,
  code,
  status: 'valid',
  event_id: ids.event,
  registration_id: ids.registration,
  attendees: [{ id: ids.attendee, first_name: 'Ada', last_name: 'Lovelace', attendee_type: 'adult' }],
  days: ['fri', 'sat'],
  test: false,
  issued_at: '2026-11-12T16:45:10Z',
  voided_at: null,
  void_reason: null,
  replaced_by: null,
  ...stamps,
};
const ticketIssue: TicketIssue = { attendee: ids.attendee, days: ['fri'] };
const ticketVoid: TicketVoid = { reason: 'Lost' };

const payment: Payment = {
  id: ids.payment,
  registration_id: ids.registration,
  event_id: ids.event,
  amount_minor: 1800,
  currency: 'EUR',
  method: 'transfer',
  reference: 'Bank statement 14/2026',
  status: 'received',
  refunded_minor: 0,
  test: false,
  ...stamps,
};
const paymentCreate: PaymentCreate = {
  amount_minor: 1800,
  method: 'transfer',
  reference: 'Bank statement 14/2026',
};
const paymentRefund: PaymentRefund = { amount_minor: 900, reason: 'Comes for one day only' };

/** By the name of the component. */
export const PEOPLE: Readonly<Record<string, unknown>> = {
  Attendee: attendee,
  AttendeeInput: attendeeInput,
  AttendeeChange: attendeeChange,
  Registration: registration,
  RegistrationCreate: registrationCreate,
  Reason: reason,
  Contact: contact,
  ContactChange: contactChange,
  Ticket: ticket,
  TicketIssue: ticketIssue,
  TicketVoid: ticketVoid,
  Payment: payment,
  PaymentCreate: paymentCreate,
  PaymentRefund: paymentRefund,
};

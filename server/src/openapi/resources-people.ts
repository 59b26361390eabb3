import {
  type AttendeeChange,
  type AttendeeInput,
  type Contact,
  type ContactChange,
  type PaymentCreate,
  type PaymentRefund,
  type Reason,
  type RegistrationChange,
  type RegistrationCreate,
  SAMPLES,
  type TicketIssue,
  type TicketReissue,
  type TicketSend,
  type TicketVoid,
} from '@turnout/contract';

/** Registrations and attendees of the fair of resources.ts. */
const stamps = { created_at: '2026-11-10T10:00:00.000000Z', updated_at: '2026-11-12T16:45:10.123456Z' };
const { attendee, registration, ticket, payment } = SAMPLES;
const { language: _, ...person } = registration.contact;

const attendeeInput: AttendeeInput = {
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
  days: ['day1', 'day2'],
};
const attendeeChange: AttendeeChange = { days: ['day2', 'day3'] };

const registrationCreate: RegistrationCreate = {
  attendees: [attendeeInput, { attendee_type: 'child', first_name: 'Byron', last_name: 'Lovelace', days: ['day2'] }],
  contact: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
};
const registrationChange: RegistrationChange = { contact: { email: 'ada@example.org', language: 'de' } };
const reason: Reason = { reason: 'We have to keep the number of boats small this year.' };

const contact: Contact = {
  ...person,
  id: person.id!,
  date_of_birth: null,
  external_id: 'M-1024',
  group: 'rowing',
  test: false,
  erased_at: null,
  ...stamps,
};
const contactChange: ContactChange = { phone: '+49 30 901821' };

const ticketIssue: TicketIssue = { attendee: attendee.id, days: ['day1'] };
const ticketVoid: TicketVoid = { reason: 'Lost' };
const ticketReissue: TicketReissue = { send: true };
const ticketSend: TicketSend = { email: 'ada.at.home@example.org' };

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
  AttendeeCreate: attendeeInput,
  AttendeeChange: attendeeChange,
  Registration: registration,
  RegistrationCreate: registrationCreate,
  RegistrationChange: registrationChange,
  Reason: reason,
  Contact: contact,
  ContactChange: contactChange,
  ContactChanged: { ...contact, applied_to_registrations: 0 },
  Ticket: ticket,
  TicketIssue: ticketIssue,
  TicketVoid: ticketVoid,
  TicketReissue: ticketReissue,
  TicketReissued: { ...ticket, told: true },
  TicketSend: ticketSend,
  Payment: payment,
  PaymentCreate: paymentCreate,
  PaymentRefund: paymentRefund,
};

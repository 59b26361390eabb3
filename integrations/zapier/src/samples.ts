/** What the API answers, of a made-up fair. Zapier shows it until somebody's own records are there. */
const ids = {
  event: '01JBJ4V7Q2N8H5T3B6C9D1F4KE',
  registration: '01JCAX9M4T7V2W5Y8Z1A6B3C0R',
  attendee: '01JCAX9M5D8E3F6G1H4J9K2M7A',
  ticket: '01JCAXB2N5P8Q1R4S7T0V3W6XT',
  contact: '01JCAX9M3H6J1K4M9N2P7Q5R8C',
};
const stamps = { created_at: '2026-11-10T10:00:00.482Z', updated_at: '2026-11-12T16:45:10.123000Z' };
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '+49 30 901820' };
const code = '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N';

const workshop = { product: 'workshop', option: null, quantity: 1, price_minor: 500, discount_minor: 0 };

const registered = {
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
  price_name: null,
  discount_minor: 300,
  products: [workshop],
  tickets: [{ id: ids.ticket, code, status: 'valid' }],
  test: false,
  ...stamps,
};

export const attendee = { ...registered, products: [{ ...workshop, handed_out: 0 }], checked_in: false };

export const registration = {
  id: ids.registration,
  code: 'K7M2XQ9R4T',
  event_id: ids.event,
  status: 'confirmed',
  source: 'form',
  test: false,
  group: 'rowing',
  contact: { id: ids.contact, ...ada, language: null },
  attendees: [registered],
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

export const ticket = {
  id: ids.ticket,
  code,
  status: 'valid',
  event_id: ids.event,
  registration_id: ids.registration,
  attendees: [{ id: ids.attendee, first_name: 'Ada', last_name: 'Lovelace', attendee_type: 'adult' }],
  days: ['fri', 'sat'],
  test: false,
  issued_at: '2026-11-12T16:45:10.123Z',
  voided_at: null,
  void_reason: null,
  replaced_by: null,
  ...stamps,
};

export const payment = {
  id: '01JCAXA7R4S9T2V5W8X1Y6Z3AP',
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

export const checkIn = {
  id: '01JD1A4C7E0G3J6M9P2R5T8W1C',
  event_id: ids.event,
  result: 'accepted',
  admitted: true,
  reason: null,
  attendee_id: ids.attendee,
  ticket_id: ids.ticket,
  day: 'fri',
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

const person = {
  id: ids.attendee,
  first_name: 'Ada',
  last_name: 'Lovelace',
  attendee_type: 'adult',
  group: 'rowing',
  result: 'accepted',
  reason: null,
  admitted: true,
  first_admission: null,
};

/** The answer to a scan, and the id that Zapier needs. */
export const scan = {
  id: checkIn.id,
  result: 'accepted',
  admitted: true,
  reason: null,
  message: { title: 'Admitted', text: 'Welcome.', tone: 'success' },
  person,
  people: [person],
  ticket: { id: ids.ticket, status: 'valid', registration_id: ids.registration, days: ['fri', 'sat'] },
  checkins: [checkIn],
  test: false,
  scanned_at: '2026-11-20T08:12:03Z',
};

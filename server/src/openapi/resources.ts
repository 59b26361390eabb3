import {
  type AttendeeType,
  type AttendeeTypeChange,
  type AttendeeTypeCreate,
  type AuditEntry,
  type CheckInPoint,
  type CheckInPointChange,
  type CheckInPointCreate,
  type Day,
  type DayChange,
  type DayCreate,
  type DayLock,
  DEFAULT_REGISTRATION_RULES,
  DEFAULT_TERMINOLOGY,
  type Discount,
  type DiscountBatch,
  type DiscountChange,
  type DiscountCreate,
  type Event,
  type EventChange,
  type EventCreate,
  type Group,
  type GroupChange,
  type GroupCreate,
  type GroupMove,
  type OrganizationChange,
  type OrganizationSettings,
  PLANS,
  type Product,
  type ProductChange,
  type ProductCreate,
  type Profile,
  type Question,
  type QuestionChange,
  type QuestionCreate,
  type Quota,
  type QuotaChange,
  type QuotaCreate,
  type TenantHost,
} from '@turnout/contract';
import { DOOR } from './resources-door.ts';
import { PEOPLE } from './resources-people.ts';
import { WORK } from './resources-work.ts';

/**
 * Hand-written examples, which tell more than what can be made from a schema. They are kept together and not beside the schemas
 * because they all belong to one made-up fair. A resource without an entry here gets an example made from its schema.
 */
const stamps = { created_at: '2026-11-01T08:00:00.000000Z', updated_at: '2026-11-15T09:30:00.123456Z' };

const group: Group = {
  id: '01JBJ4T0E8W5G2K7M1Q9R3X6ZA',
  code: 'rowing',
  name: 'Rowing club',
  parent: 'clubs',
  ...stamps,
};
const tenantHost: TenantHost = {
  id: '01JBJ4S5C8D1F4H7K0M3P6R9TB',
  host: 'tickets.example.org',
  state: 'proved',
  primary: true,
  record: {
    type: 'TXT',
    name: '_turnout.tickets.example.org',
    value: 'turnout-4k7m2q9r3x6z8b1c5d0f2g4h',
  },
  proved_at: '2026-11-14T10:02:11Z',
  proved_by: 'dns',
  checked_at: '2026-11-15T09:30:00Z',
  check: 'found',
  missing_since: null,
  drops_at: null,
  ...stamps,
};

const groupCreate: GroupCreate = { code: 'archery', name: 'Archery club', parent: 'clubs' };
const groupChange: GroupChange = { name: 'Rowing and canoe club' };
const groupMove: GroupMove = { parent: null };

export const event: Event = {
  id: '01JBJ4V7Q2N8H5T3B6C9D1F4KE',
  code: 'lakeside-fair',
  name: 'Lakeside Fair',
  status: 'published',
  test: false,
  group: null,
  timezone: 'Europe/Berlin',
  starts_at: '2026-11-20T07:00:00Z',
  ends_at: '2026-11-22T20:00:00Z',
  venue: 'Boathouse, Lake Road 1',
  currency: 'EUR',
  capacity: 2000,
  ticketing: 'per_person',
  language: 'en',
  terms: 'Please bring this ticket. Dogs on the lead.',
  description: 'Three days of **boats, food and music** on the lake.',
  image: 'https://turnout.example/o/lakeside/assets/01JBJ4V7Q2N8H5T3B6C9D1F4KG-1600.webp',
  listed: true,
  public_url: 'https://turnout.example/o/lakeside/lakeside-fair',
  payment_instructions: null,
  self_service: {
    change_until: '2026-11-19T22:00:00Z',
    cancel_until: null,
    transfer_until: '2026-11-19T22:00:00Z',
    products_until: null,
  },
  registration: { ...DEFAULT_REGISTRATION_RULES, waitlist: true, max_people: 8 },
  door: { name_search: true, kiosk: false, questions: ['diet'] },
  ...stamps,
};
const eventCreate: EventCreate = {
  // without a code, so that every reader of the reference page can try it
  name: 'Spring Regatta',
  timezone: 'Europe/Berlin',
  venue: 'Boathouse, Lake Road 1',
  capacity: 500,
  registration: { waitlist: true, max_people: 8 },
};
const eventChange: EventChange = { venue: 'Old harbour', capacity: 2200 };

const day: Day = {
  id: '01JBJ4W1Z6M3P8R5S2T7V4X9YD',
  code: 'day1',
  name: 'First day',
  date: '2026-11-20',
  opens_at: '2026-11-19T23:00:00Z',
  closes_at: '2026-11-20T23:00:00Z',
  capacity: 900,
  locked_at: null,
  ...stamps,
};
const dayCreate: DayCreate = { code: 'mon', name: 'Clean-up day', date: '2026-11-23', capacity: 50 };
// Without times: whoever tries it changes a day of the sandbox, which would be over once these are.
const dayChange: DayChange = { name: 'Opening day', capacity: 950 };
const dayLock: DayLock = { at: '2026-11-20T18:00:00Z' };

const attendeeType: AttendeeType = {
  id: '01JBJ4W9A5B2C7D4E1F8G3H6JT',
  code: 'adult',
  name: 'Adult',
  description: null,
  price_minor: 1800,
  prices: [{ name: 'Early bird', from: null, until: '2026-10-31T23:00:00Z', price_minor: 1500 }],
  current_price_minor: 1500,
  current_price_until: '2026-10-31T23:00:00Z',
  on_sale: null,
  min_per_registration: null,
  max_per_registration: null,
  capacity: null,
  days: null,
  pass_days: null,
  approval: false,
  visible: true,
  ...stamps,
};
const { current_price_minor: _price, current_price_until: _until, ...scannerAttendeeType } = attendeeType;
const attendeeTypeCreate: AttendeeTypeCreate = {
  code: 'student',
  name: 'Student',
  price_minor: 900,
  capacity: 200,
  days: ['day1', 'day2'],
};
const attendeeTypeChange: AttendeeTypeChange = { price_minor: 2000 };

const product: Product = {
  id: '01JBJ4WC1H6T9K3N8Q2V5Y7ZAD',
  code: 'workshop',
  name: 'Bread workshop',
  description: 'Two hours at the oven of the boathouse.',
  price_minor: 2500,
  options: [
    { code: 'morning', name: 'In the morning', capacity: null },
    { code: 'evening', name: 'In the evening', capacity: 12 },
  ],
  capacity: 40,
  per: 'attendee',
  max: 1,
  required: false,
  attendee_types: null,
  days: null,
  on_sale: { from: null, until: '2026-11-18T23:00:00Z' },
  visible: true,
  ...stamps,
};
const productCreate: ProductCreate = {
  code: 'dinner',
  name: 'Dinner at the boathouse',
  price_minor: 2900,
  capacity: 120,
  days: ['day1'],
};
const productChange: ProductChange = { capacity: 60 };

const quota: Quota = {
  id: '01JBJ4WD7M2R4X6B8E1G3J5MQT',
  code: 'kitchen',
  name: 'Seats in the kitchen',
  capacity: 40,
  attendee_types: null,
  days: null,
  products: ['workshop'],
  ...stamps,
};
const quotaCreate: QuotaCreate = {
  code: 'first-weekend',
  name: 'Adults on the first two days',
  capacity: 1200,
  attendee_types: ['adult'],
  days: ['day1', 'day2'],
};
const quotaChange: QuotaChange = { capacity: 48 };

const discount: Discount = {
  id: '01JBJ4WE3P8T1V5Z7C9F2H4KNR',
  code: 'FRIENDS-25',
  name: 'Friends of the house',
  kind: 'percent',
  value: 25,
  attendee_types: null,
  products: [],
  reveals: [],
  opens_at: null,
  closes_at: '2026-11-18T23:00:00Z',
  max_people: 100,
  max_people_per_registration: 4,
  min_people: null,
  group: null,
  note: 'On the card to our regulars.',
  active: true,
  used: 31,
  given_minor: 13_950,
  ...stamps,
};
const discountCreate: DiscountCreate = {
  code: 'REGATTA-10',
  name: 'Guests of the regatta',
  kind: 'percent',
  value: 10,
  attendee_types: ['adult'],
};
const discountBatch: DiscountBatch = {
  count: 20,
  prefix: 'PRESS-',
  name: 'Press',
  kind: 'percent',
  value: 100,
  max_people: 1,
};
const discountChange: DiscountChange = { max_people: 150 };

const question: Question = {
  id: '01JBJ4WK8N5Q2R7S4T1V6W3X9Q',
  code: 'diet',
  label: 'Anything we should know about food?',
  kind: 'text',
  required: false,
  options: null,
  attendee_types: null,
  filterable: false,
  ...stamps,
};
const questionCreate: QuestionCreate = {
  code: 'arrival',
  label: 'How do you get here?',
  kind: 'choice',
  options: ['On foot', 'By bicycle', 'By train', 'By car'],
};
const questionChange: QuestionChange = { required: false };

const checkInPoint: CheckInPoint = {
  id: '01JBJ4X2C9D6E3F8G5H1J7K4MP',
  code: 'jetty',
  name: 'Jetty',
  kind: 'zone',
  policy: {
    attendee_types: null,
    groups: null,
    days: null,
    products: null,
    opens_minutes_before: 0,
    closes_minutes_after: 0,
    limit: 'unlimited',
    cooldown_seconds: 0,
    requires: 'entry',
    capacity: 40,
    leaves: null,
  },
  ...stamps,
};
const checkInPointCreate: CheckInPointCreate = {
  code: 'east-gate',
  name: 'East gate',
  kind: 'entry',
  policy: { opens_minutes_before: 60, limit: 'once_per_day' },
};
const checkInPointChange: CheckInPointChange = { policy: { opens_minutes_before: 90 } };

const scale = PLANS.find((plan) => plan.code === 'scale')!;
const profile: Profile = {
  organization: {
    id: '01JBJ4R5F2G9H6J3K8M1N7P4QS',
    code: 'sandbox',
    name: 'Lakeside Events (sandbox)',
    timezone: 'Europe/Berlin',
  },
  key: {
    id: '01JBJ4R6W3X8Y5Z2A7B4C9D1EK',
    name: 'Public test key',
    mode: 'test',
    scopes: ['read', 'write', 'scanner'],
    group: null,
    expires_at: null,
    requests_per_minute: 600,
  },
  plan: { code: scale.code, entitlements: [...scale.entitlements], limits: { ...scale.limits } },
  usage: { month: '2026-11', calls: 4211, allowance: 1_000_000 },
  terminology: DEFAULT_TERMINOLOGY,
};

export const organization: OrganizationSettings = {
  id: profile.organization.id,
  code: 'lakeside',
  name: 'Lakeside Events',
  timezone: 'Europe/Berlin',
  defaults: { currency: 'EUR', language: 'en' },
  terminology: DEFAULT_TERMINOLOGY,
  accent: '#0b6e66',
  logo: 'https://turnout.example/o/lakeside/assets/01JBJ4R5F2G9H6J3K8M1N7P4QT-logo.png',
  imprint_url: 'https://lakeside.example/imprint',
  privacy_url: 'https://lakeside.example/privacy',
  embed_origins: ['https://lakeside.example'],
  pages_url: 'https://turnout.example/o/lakeside',
  require_second_factor: false,
  agents: false,
  ...stamps,
};
const organizationChange: OrganizationChange = {
  imprint_url: 'https://lakeside.example/imprint',
  embed_origins: ['https://lakeside.example'],
};

const auditEntry: AuditEntry = {
  id: '01JCQ90D3F8G5H2J7K4M9N1P6R',
  at: '2026-11-15T09:30:00.123456Z',
  action: 'event.changed',
  actor: { kind: 'key', id: '01JBJ4R6W3X8Y5Z2A7B4C9D1EK', name: 'Ticket office' },
  source: 'api',
  client: null,
  request_id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA',
  object: { kind: 'event', id: event.id },
  objects: [{ kind: 'event', id: event.id }],
  event_id: event.id,
  test: false,
  changes: { fields: { capacity: { before: 2000, after: 2200 } }, objects: [], details: {} },
};

/** By the name of the component. */
export const RESOURCES: Readonly<Record<string, unknown>> = {
  TenantHost: tenantHost,
  Group: group,
  GroupCreate: groupCreate,
  GroupChange: groupChange,
  GroupMove: groupMove,
  Event: event,
  EventCreate: eventCreate,
  EventChange: eventChange,
  Day: day,
  DayCreate: dayCreate,
  DayChange: dayChange,
  DayLock: dayLock,
  AttendeeType: attendeeType,
  ScannerAttendeeType: scannerAttendeeType,
  AttendeeTypeCreate: attendeeTypeCreate,
  AttendeeTypeChange: attendeeTypeChange,
  Product: product,
  ProductCreate: productCreate,
  ProductChange: productChange,
  Quota: quota,
  QuotaCreate: quotaCreate,
  QuotaChange: quotaChange,
  Discount: discount,
  DiscountCreate: discountCreate,
  DiscountChange: discountChange,
  DiscountBatch: discountBatch,
  Question: question,
  QuestionCreate: questionCreate,
  QuestionChange: questionChange,
  CheckInPoint: checkInPoint,
  CheckInPointCreate: checkInPointCreate,
  CheckInPointChange: checkInPointChange,
  Profile: profile,
  OrganizationSettings: organization,
  OrganizationChange: organizationChange,
  AuditEntry: auditEntry,
  ...PEOPLE,
  ...DOOR,
  ...WORK,
  PageInfo: { next_cursor: null, has_more: false },
};

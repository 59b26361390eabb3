import type { Attendee, Event, Job, Membership } from '@turnout/client';
import { PERMISSIONS } from '@turnout/contract/access';
import { type FieldOf, fieldsOf } from '@turnout/contract/person-fields';
import { NO_LIMITS } from '@turnout/contract/plans';

/** Made-up answers for the pages that show components: an organization, events of 5,000 and of 1,000,000 people, and a job. */
const stamps = { created_at: '2026-11-01T08:00:00Z', updated_at: '2026-11-10T08:00:00Z' };
const membership: Membership = {
  member: {
    id: 'm1',
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    role: 'owner',
    permissions: [...PERMISSIONS],
    group: null,
    door_pin: false,
  },
  organization: {
    id: 'o1',
    code: 'acme',
    name: 'Acme Events',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    accent: null,
    sandbox: false,
  },
  plan: {
    code: 'scale',
    entitlements: [],
    limits: NO_LIMITS,
  },
  usage: { month: '2026-11', calls: 12, allowance: null },
  terminology: {},
  online_payments: false,
  license: null,
};
const eventOf = (code: string): Event => ({
  id: code,
  code,
  name: code === 'million' ? 'World Fair' : 'Summer School of Typography and Printing',
  status: code === 'draft' ? 'draft' : 'published',
  test: false,
  group: null,
  timezone: 'America/Lima',
  starts_at: '2027-06-12T13:00:00Z',
  ends_at: '2027-06-14T22:00:00Z',
  venue: 'Town hall',
  currency: 'EUR',
  capacity: 400,
  ticketing: 'per_person',
  language: 'en',
  terms: null,
  description: null,
  image: null,
  listed: true,
  public_url: `https://turnout.example/o/gallery/${code}`,
  payment_instructions: null,
  self_service: { change_until: null, cancel_until: null, transfer_until: null, products_until: null },
  registration: {
    opens_at: null,
    closes_at: null,
    approval: false,
    waitlist: true,
    max_people: null,
    unique_email: false,
    payment_hours: 48,
    checkout_minutes: 30,
    confirm_hours: 24,
  },
  door: { name_search: false, kiosk: false, questions: [] },
  ...stamps,
});
const days = [12, 13, 14].map((day, i) => ({
  id: `d${i + 1}`,
  code: `d${i + 1}`,
  name: ['Friday', 'Saturday', 'Sunday'][i],
  date: `2027-06-${day}`,
  opens_at: `2027-06-${day}T13:00:00Z`,
  closes_at: `2027-06-${day}T22:00:00Z`,
  capacity: 200,
  locked_at: null,
  ...stamps,
}));
const types = [
  ['adult', 'Adult', 2500],
  ['crew', 'Crew', 0],
  ['child', 'Child under twelve years of age', 1250],
].map(([code, name, price_minor]) => ({
  ...{ id: code, code, name, description: null, price_minor, prices: [], current_price_minor: price_minor },
  ...{ current_price_until: null, on_sale: null, min_per_registration: null, max_per_registration: null },
  ...{ capacity: null, days: null, pass_days: null, approval: false, visible: true },
  ...stamps,
}));
const questions = [
  ['diet', 'What do you eat?', 'choice', true, ['Everything', 'No meat', 'Vegan']],
  ['shirt', 'Size of your T-shirt', 'choice', false, ['S', 'M', 'L', 'XL']],
  ['tours', 'Which tours do you join?', 'choices', false, ['Press', 'Paper mill', 'Type foundry']],
  ['first', 'Is this your first time here?', 'yes_no', true, null],
  ['age', 'How many years have you been printing?', 'number', false, null],
  ['wish', 'Anything else?', 'long_text', false, null],
].map(([code, label, kind, required, options]) => ({
  ...{ id: code, code, label, kind, required, options, attendee_types: null },
  ...stamps,
}));

const FIRST = ['Ada', 'Björn', 'Chloé', 'דוד', 'Eszter', 'فاطمة', 'Grażyna', 'Maximiliane-Theodora', 'Ngô', 'Zoë'];
const LAST = ['Lovelace', 'Ångström', 'García Márquez', 'כהן', 'von und zu Hohenlohe-Langenburg', 'Kim', 'الزهراء'];
const STATUSES = ['confirmed', 'confirmed', 'pending_payment', 'waitlisted', 'pending_approval', 'cancelled'] as const;
const NOTHING_TYPED = Object.fromEntries(fieldsOf('attendee', { typed: true }).map((field) => [field, null])) as Record<
  FieldOf<'attendee', { typed: true }>,
  null
>;
const person = (i: number): Attendee => ({
  id: `a${i}`,
  registration_id: `r${i}`,
  event_id: 'e1',
  contact_id: null,
  attendee_type: ['adult', 'crew', 'child'][i % 3]!,
  ...NOTHING_TYPED,
  first_name: FIRST[i % FIRST.length]!,
  last_name: `${LAST[i % LAST.length]} ${i + 1}`,
  email: `person${i + 1}@example.org`,
  external_id: String(100_000 + i),
  group: null,
  days: ['d1', 'd2', 'd3'].slice(0, 1 + (i % 3)),
  answers: {},
  status: STATUSES[i % STATUSES.length]!,
  price_minor: [2500, 0, 1250][i % 3]!,
  price_name: null,
  discount_minor: 0,
  products: [],
  tickets: [],
  checked_in: i % 4 === 0,
  test: false,
  ...stamps,
});

function attendees(event: string, query: URLSearchParams) {
  const count = event === 'million' ? 1_000_000 : 5000;
  const [search, status] = [query.get('search')?.toLowerCase(), query.get('status')];
  const limit = Number(query.get('limit') ?? 50);
  const data: Attendee[] = [];
  let i = Number(query.get('cursor') ?? 0);
  for (; i < count && data.length < limit; i++) {
    const one = person(query.get('order') === 'name' ? count - 1 - i : i);
    const matches = search === undefined || `${one.first_name} ${one.last_name}`.toLowerCase().includes(search);
    if (matches && (status === null || status.split(',').includes(one.status))) data.push(one);
  }
  return { data, page: { next_cursor: i < count ? String(i) : null, has_more: i < count } };
}

/** A made-up job takes a minute. Its id is the time at which it was started, so that it goes on while the page is loaded again. */
const JOB_MS = 60_000;
function job(id: string): Job {
  const done = Math.min(600, Math.floor(((Date.now() - Number(id)) / JOB_MS) * 600));
  const over = done === 600;
  return {
    ...{ id, kind: 'import', status: over ? 'succeeded' : 'running', test: false, event_id: 'e1', group: null },
    actor: { kind: 'member', id: 'm1', name: 'Ada Lovelace' },
    ...{ preview: false, what: null, format: null, columns: null, columns_total: null },
    progress: { done, total: 600 },
    counts: { created: Math.floor(done * 0.9), unchanged: Math.floor(done * 0.05), rejected: Math.floor(done * 0.05) },
    result_url: null,
    rejects_url: over ? 'http://localhost:3000/links/jobs/rejects' : null,
    ...{ expires_at: null, error: null, started_at: null, finished_at: null, ...stamps },
  };
}
const REJECTS = `First name;Last name;E-mail;import_error\r\n${Array.from(
  { length: 60 },
  (_, i) => `${FIRST[i % 10]};"${LAST[i % 7]};";person${i}@;"validation_failed: The e-mail address is not valid."`,
).join('\r\n')}\r\n`;

const list = (data: unknown) => ({ data, page: { next_cursor: null, has_more: false } });

function answer(path: string, query: URLSearchParams): unknown {
  const [, org, first, code = '', part] = path.split('/');
  if (org === '-') return { name: 'Ada Lovelace', email: 'ada@example.org', organizations: [] };
  if (first === 'membership') return membership;
  if (first === 'jobs') return job(code);
  if (first === 'groups') return list([]);
  if (first === 'audit-log') return list([]);
  if (part === undefined) return eventOf(code);
  if (part === 'attendees') return attendees(code, query);
  return list({ days, 'attendee-types': types, questions, 'check-in-points': [] }[part] ?? []);
}

/** Answers calls of the app in the page itself. Each answer takes as long as a near server's. */
export function fakeServer(): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input), location.href);
    const wait = () => new Promise((resolve) => setTimeout(resolve, 40));
    if (pathname.startsWith('/links/')) return wait().then(() => new Response(REJECTS));
    if (!pathname.startsWith('/app/api/')) return real(input, init);
    await wait();
    init?.signal?.throwIfAborted();
    return Response.json(answer(pathname.slice('/app/api'.length), searchParams));
  };
}

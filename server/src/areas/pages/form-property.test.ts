import type { QuestionKind, RegistrationCreate } from '@turnout/contract';
import type { Words } from '@turnout/words';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { Secrets } from '../../common/secrets.ts';
import { makeToken } from './form-token.ts';
import { Form, faultsOf, openPages, type Pages, tokensOf } from './pages.support.ts';
import { wordsFor } from './words.ts';

/**
 * The form and the API are two ways to the same function. Random registrations are sent by the form to an event of one organization and by
 * the API to its twin in another one, one after the other, so that both fill up alike. The outcomes must be the same, and so must be
 * everything that is registered in the end. What may differ is written at `agree`. Try more with
 *   FORM_RUNS=500 FORM_SEED=2 npm test -- server/src/areas/pages/form-property.test.ts
 */
const RUNS = Number(process.env.FORM_RUNS ?? 16);
const SEED = Number(process.env.FORM_SEED ?? 3);

let x: Pages;
let twin: string;
let words: Words;
const secrets = new Secrets(Buffer.alloc(32, 7));
beforeAll(async () => {
  words = await wordsFor('en', {});
  x = await openPages({ env: { FORM_SUBMISSIONS: '1000000' } });
  await x.t.org('twin');
  await x.t.plan('twin', 'scale', [['api_rate_per_min', '1000000']]);
  twin = (await x.t.key('twin')).secret;
  template = await makeTemplate();
});
afterAll(() => x.t.stop());

// ---- events

const TYPES = [
  { code: 'adult', name: 'Adult', price_minor: 1000 },
  { code: 'child', name: 'Child', capacity: 2 },
  { code: 'pass', name: 'Pass', pass_days: 2, price_minor: 500 },
  { code: 'one-day', name: 'One day', days: ['d2'] },
  { code: 'vip', name: 'Guest', approval: true },
  { code: 'crew', name: 'Crew', visible: false },
];
const QUESTIONS: {
  code: string;
  kind: QuestionKind;
  required?: boolean;
  options?: string[];
  attendee_types?: string[];
}[] = [
  { code: 'text', kind: 'text', required: true, attendee_types: ['adult', 'crew'] },
  { code: 'long', kind: 'long_text' },
  { code: 'number', kind: 'number' },
  { code: 'email', kind: 'email' },
  { code: 'phone', kind: 'phone' },
  { code: 'date', kind: 'date' },
  { code: 'yes', kind: 'yes_no', required: true, attendee_types: ['child'] },
  { code: 'choice', kind: 'choice', options: ['S', 'M & L'] },
  { code: 'choices', kind: 'choices', options: ['a', 'b', 'c'] },
];
const PRODUCTS = [
  {
    code: 'shirt',
    name: 'T-shirt',
    price_minor: 1500,
    options: [
      { code: 's', name: 'Small', capacity: 3 },
      { code: 'm', name: 'Medium' },
    ],
  },
  { code: 'meal', name: 'Meal', price_minor: 999, max: 3 },
  { code: 'boat', name: 'Boat', days: ['d2'], price_minor: 250 },
  { code: 'wine', name: 'Wine', attendee_types: ['adult', 'crew'], required: true },
  { code: 'parking', name: 'Parking', price_minor: 333, per: 'registration', capacity: 4 },
];
/** What a form may say of each product, and what a program sends for it. */
const CHOICES: Readonly<Record<string, readonly [typed: string, choice: object | null][]>> = {
  shirt: [
    ['', null],
    ['m', { product: 'shirt', option: 'm' }],
    ['s', { product: 'shirt', option: 's' }],
  ],
  meal: [
    ['0', null],
    ['1', { product: 'meal' }],
    ['3', { product: 'meal', quantity: 3 }],
  ],
  boat: [
    ['', null],
    ['1', { product: 'boat' }],
  ],
  wine: [['1', { product: 'wine' }]],
  parking: [
    ['', null],
    ['', null],
    ['1', { product: 'parking' }],
  ],
};
const DISCOUNTS = [
  { code: 'TENTH', name: 'A tenth', kind: 'percent', value: 10, products: null, reveals: ['crew'], max_people: 5 },
  { code: 'LESS', name: 'Less', kind: 'amount', value: 333, attendee_types: ['adult'], max_people_per_registration: 1 },
  { code: 'OFF', name: 'Off', kind: 'price', value: 0, active: false },
];
const worlds = fc.record({
  capacity: fc.constantFrom(null, 2, 4, 6),
  day: fc.constantFrom(null, 2, 3),
  waitlist: fc.boolean(),
  approval: fc.constantFrom(false, false, true),
  unique_email: fc.boolean(),
  max_people: fc.constantFrom(null, null, 2),
  open: fc.constantFrom(true, true, true, true, true, true, false),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

let template: Reply['body'];
let serial = 0;
async function makeTemplate(): Promise<Reply['body']> {
  const { id } = await x.api('POST', '/events', { name: 'Event' });
  const make = (path: string, body: object) => x.api('POST', `/events/${id}/${path}`, body);
  await make('days', { code: 'd1', date: '2030-06-01' });
  await make('days', { code: 'd2', date: '2030-06-02' });
  for (const type of TYPES) await make('attendee-types', type);
  for (const question of QUESTIONS) await make('questions', { label: question.code, ...question });
  for (const product of PRODUCTS) await make('products', product);
  await make('quotas', { code: 'seats', name: 'Seats', capacity: 7, products: ['meal', 'boat'] });
  return x.api('GET', `/events/${id}/template`);
}

async function makeEvent(key: string, { capacity, day, open, ...rules }: World): Promise<{ id: Id; code: string }> {
  const code = `p${++serial}`;
  const [first, ...others] = template.days;
  // Unpaid places of the form are first held for confirm_hours. They are all the hours to pay here, so that deadlines are the same, too.
  const { payment_hours: confirm_hours } = template.event.registration;
  const registration = { ...template.event.registration, confirm_hours, ...rules };
  const { event_id: id } = await x.api(
    'POST',
    '/event-templates/imports',
    {
      template: {
        ...template,
        event: { ...template.event, capacity, registration },
        days: [{ ...first, capacity: day }, ...others],
      },
      event: { code, name: code, first_day: '2030-06-01' },
    },
    key,
  );
  for (const discount of DISCOUNTS) await x.api('POST', `/events/${id}/discounts`, discount, key);
  await x.api('POST', `/events/${id}/publish`, undefined, key);
  if (!open) await x.api('POST', `/events/${id}/close`, undefined, key);
  return { id: toUuid(id), code };
}

// ---- registrations: what is typed into the form, and what a program sends for it

interface Said {
  typed: string[];
  /** Undefined: a program leaves it out. */
  value: unknown;
}
const both = (text: string): Said => ({ typed: [text], value: text });
const typedAs = (typed: string, value: unknown): Said => ({ typed: [typed], value });
const nothing: Said = { typed: [], value: undefined };
/** First nothing, then two that are right, then others. */
const ANSWERS: Record<QuestionKind, readonly Said[]> = {
  text: [
    nothing,
    both('x'),
    both('x'),
    typedAs('  spaced ', 'spaced'),
    typedAs('   ', undefined),
    both('y'.repeat(501)),
    both('🧑‍🚀'),
  ],
  long_text: [nothing, both('x'), typedAs('a\r\nb', 'a\nb'), both(' kept '), both('z'.repeat(5001))],
  number: [
    nothing,
    typedAs('3', 3),
    typedAs(' -3,25 ', -3.25),
    typedAs('+7.5', 7.5),
    both('many'),
    both('1e5'),
    both('1.000,5'),
  ],
  email: [nothing, both('a@example.org'), typedAs(' a@example.org ', 'a@example.org'), both('nobody')],
  phone: [nothing, both('+49 30 1'), typedAs(' 0049 (30) 1 ', '0049 (30) 1'), both('no')],
  date: [nothing, both('2030-02-28'), both('1985-12-10'), both('2030-02-30'), both('28.2.2030')],
  yes_no: [nothing, typedAs('yes', true), typedAs('no', false), typedAs('yes', true), both('perhaps')],
  choice: [nothing, both('S'), both('M & L'), both('XL')],
  choices: [
    nothing,
    { typed: ['a'], value: ['a'] },
    { typed: ['a', 'c'], value: ['a', 'c'] },
    { typed: ['', 'b'], value: ['b'] },
    { typed: ['a', 'a'], value: ['a', 'a'] },
    { typed: ['d'], value: ['d'] },
  ],
};
/** The days that can be chosen, by type. */
const DAYS: Readonly<Record<string, string[][]>> = {
  adult: [['d1'], ['d2'], ['d1', 'd2']],
  ADULT: [['D1']],
  child: [['d1'], ['d2']],
  pass: [[], ['d1', 'd2']],
  'one-day': [[], ['d2']],
  vip: [['d1'], ['d2']],
};
/** Most take few products: otherwise nobody would be free of cost, and everything soon be sold out. */
const pickedOf = (codes: readonly string[]) =>
  Object.fromEntries(
    codes.map((code) => {
      const [usual, ...others] = CHOICES[code]!;
      const rare = others.map((one) => ({ weight: 1, arbitrary: fc.constant(one) }));
      return [code, fc.oneof({ weight: 16, arbitrary: fc.constant(usual!) }, ...rare)];
    }),
  );

/** A registration that the form takes, if there is room; or one in which anything may be wrong, though most is right. */
function registering(faulty: boolean) {
  const some = <T>(good: readonly T[], bad: readonly T[]): fc.Arbitrary<T> =>
    faulty
      ? fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) })
      : fc.constantFrom(...good);
  const name = some(['Ada', ' Grace ', 'Ζωή', '</b>'], ['', '  ', '\u200b', 'n'.repeat(201)]);
  const answers = fc.record(
    Object.fromEntries(
      QUESTIONS.map(({ code, kind, required }) => {
        const [, ...given] = ANSWERS[kind];
        const good = required === true ? given.slice(0, 2) : [nothing, ...given.slice(0, 2)];
        return [code, some(good, ANSWERS[kind])];
      }),
    ),
  );
  const person = some(Object.keys(DAYS), ['crew', 'nobody', '']).chain((type) =>
    fc.record({
      type: fc.constant(type),
      first: name,
      last: name,
      email: some(
        ['', '', 'ada@example.org', 'ADA@example.org', 'eve@example.org', ' kim@example.org '],
        ['nobody', `${'e'.repeat(250)}@example.org`],
      ),
      days: some(DAYS[type] ?? DAYS.adult!, [[], ['d1'], ['d3'], ['d2', 'd2'], ['']]),
      answers,
      products: fc.record(pickedOf(['shirt', 'meal', 'boat', 'wine'])),
    }),
  );
  return fc.record({
    first: some(['Ada', ' Grace ', 'Zoë'], ['\u200b', 'n'.repeat(201)]),
    last: some(['Lovelace', 'Hopper'], ['l'.repeat(201)]),
    email: some(
      ['ada@example.org', 'eve@example.org', 'kim@example.org', 'lee@example.org', 'mia@example.org'],
      ['nobody', 'a b@example.org'],
    ),
    phone: some(['', '+49 30 901820'], ['p'.repeat(51)]),
    /** Whether the first place is for whoever registers. */
    self: fc.constantFrom(true, true, false),
    people: fc.array(person, { minLength: 1, maxLength: 3 }),
    together: fc.record(pickedOf(['parking'])),
    code: some(['', '', '', '', '', 'tenth', 'LE-SS'], ['off', 'none']),
  });
}
const registrations = fc.oneof(
  { weight: 3, arbitrary: registering(false) },
  { weight: 2, arbitrary: registering(true) },
);
type Registering = typeof registrations extends fc.Arbitrary<infer T> ? T : never;
type Person = Registering['people'][number];

/** The form offers the boat to whoever comes on its day, and the wine to adults. What it cannot have offered is left out by it. */
const productsFor = ({ type, days, products }: Person): [code: string, typed: string, choice: object | null][] =>
  Object.entries(products).flatMap(([code, [typed, choice]]) => {
    const of = type.toLowerCase();
    const isOnBoat = of === 'pass' || of === 'one-day' || days.some((day) => day.toLowerCase() === 'd2');
    if (code === 'boat' && !isOnBoat) return [];
    if (code === 'wine' && of !== 'adult' && of !== 'crew') return [];
    return [[code, typed, choice]];
  });

const questionsFor = ({ type }: Person) =>
  QUESTIONS.filter(({ attendee_types: of }) => of === undefined || of.includes(type.toLowerCase()));
const isSelf = ({ self, people: [first] }: Registering, i: number): boolean =>
  i === 0 && (self || (first!.first.trim() === '' && first!.last.trim() === '' && first!.email.trim() === ''));

function fieldsOf(of: Registering): [string, string][] {
  return [
    ['c-first', of.first],
    ['c-last', of.last],
    ['c-email', of.email],
    ['c-phone', of.phone],
    ['code', of.code],
    ...Object.entries(of.together).map(([code, [typed]]): [string, string] => [`r-x-${code}`, typed]),
    ...of.people.flatMap((one, i): [string, string][] => [
      [`p${i}-type`, one.type],
      [`p${i}-first`, isSelf(of, i) ? '' : one.first],
      [`p${i}-last`, isSelf(of, i) ? '' : one.last],
      [`p${i}-email`, isSelf(of, i) ? '' : one.email],
      ...one.days.map((day): [string, string] => [`p${i}-days`, day]),
      ['seen', `p${i}-x-boat`],
      ...productsFor(one).map(([code, typed]): [string, string] => [`p${i}-x-${code}`, typed]),
      ...questionsFor(one).flatMap(({ code }) =>
        one.answers[code]!.typed.map((text): [string, string] => [`p${i}-q-${code}`, text]),
      ),
    ]),
  ];
}

function bodyOf(of: Registering): RegistrationCreate {
  const given = (fields: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([key, text]) => (text.trim() === '' ? [] : [[key, text.trim()]])),
    );
  const contact = given({ first_name: of.first, last_name: of.last, email: of.email, phone: of.phone });
  const attendees = of.people.map((one, i) => {
    const said = questionsFor(one).flatMap(({ code }) => {
      const { value } = one.answers[code]!;
      return value === undefined ? [] : [[code, value] as const];
    });
    return {
      attendee_type: one.type,
      ...(isSelf(of, i) ? contact : given({ first_name: one.first, last_name: one.last, email: one.email })),
      ...(one.days.length > 0 && { days: one.days }),
      ...(said.length > 0 && { answers: Object.fromEntries(said) }),
      ...chosen(productsFor(one).map(([, , choice]) => choice)),
    };
  });
  const together = chosen(Object.values(of.together).map(([, choice]) => choice));
  const code = of.code === '' ? {} : { discount_code: of.code };
  return { attendees, ...together, ...code, contact: { ...contact, language: 'en' } } as RegistrationCreate;
}

const chosen = (choices: readonly (object | null)[]): { products?: object[] } => {
  const products = choices.filter((choice) => choice !== null);
  return products.length === 0 ? {} : { products };
};

// ---- outcomes

interface ByForm {
  status: number;
  location: string | undefined;
  title: string | undefined;
  /** Names of the fields that are wrong. */
  fields: string[];
}

async function byForm(event: { id: Id; code: string }, of: Registering): Promise<ByForm> {
  const path = `/o/acme/${event.code}/register`;
  const token = makeToken(secrets, event.id, x.clock.now().getTime() - MINUTE);
  let got = await x.post(path, new URLSearchParams([...fieldsOf(of), ['token', token], ['do', 'review']]));
  if (got.status === 200) {
    // Where there is no room, the page has no such button. What it would do is refused all the same.
    const sent = new Form(got.text, 'register').put('token', [token]).sent();
    sent.append('do', 'book');
    got = await x.post(path, sent);
  }
  const fields = tokensOf(got.text).flatMap((one) =>
    one.is === 'start' && one.tag === 'a' && /^#([cpr]\d*-|code$)/.test(one.attributes.href ?? '')
      ? [one.attributes.href!.slice(1)]
      : [],
  );
  return { status: got.status, location: got.headers.location, title: faultsOf(got.text).title, fields };
}

const FIELD: Readonly<Record<string, string>> = {
  first_name: 'first',
  last_name: 'last',
  email: 'email',
  phone: 'phone',
};
/** The field of the form in which somebody would mend this fault of the API. */
function fieldOf(of: Registering, path: string): string | null {
  const [where, place = '', what = '', code = ''] = path.split('/');
  if (where === 'contact') return `c-${FIELD[place]}`;
  if (where !== 'attendees' || place === '') return null;
  if (what === 'answers') return `p${place}-q-${code}`;
  if (what === 'days') return `p${place}-days`;
  if (what === 'attendee_type') return `p${place}-type`;
  return isSelf(of, Number(place)) ? `c-${FIELD[what]}` : `p${place}-${FIELD[what]}`;
}

const CLOSED = 'Registration is closed.';
const FULL = ['attendee_cap_reached', 'event_full', 'type_full', 'day_full', 'quota_full'] as const;
const ABOUT_CODES = ['discount_unknown', 'discount_not_applicable', 'discount_used_up'];

/** Checks that the form has said the same as the API. */
function agree(of: Registering, { unique_email, open }: World, form: ByForm, api: Reply): void {
  if (api.status === 201) {
    expect(form).toMatchObject({ status: 303, location: expect.stringMatching(unique_email ? /\/done$/ : /\/my\//) });
    return;
  }
  const { code, details = [] } = api.body.error as { code: string; details?: { path: string }[] };
  // The form of a closed event is not read. The API says first what is wrong with the body.
  if (!open) {
    expect(['registration_closed', 'validation_failed']).toContain(code);
    expect(form).toMatchObject({ status: 422, title: CLOSED });
  } else if (code === 'duplicate_email') {
    // The pages tell nobody who is registered. What else is in the way is said first; one address twice in a form is its own fault.
    const repeats = form.status === 422 && form.fields.every((field) => field.endsWith('-email'));
    const sold = form.status === 422 && form.fields.some((field) => field.includes('-x-') || field === 'code');
    const full = sold || (form.status === 409 && FULL.some((one) => words.find('refusals', one) === form.title));
    expect({ form, fits: repeats || full || form.status === 303 }).toMatchObject({ fits: true });
  } else if (ABOUT_CODES.includes(code)) {
    // Why a code is none is said to organizers only. All that is wrong is said at once.
    expect(form.fields).toContain('code');
  } else if (code === 'product_required') {
    expect(form).toMatchObject({ status: 422, fields: expect.arrayContaining([expect.stringMatching(/-x-wine$/)]) });
  } else if (code === 'product_full' || code === 'quota_full') {
    expect([409, 422]).toContain(form.status);
    expect(form.fields.some((field) => field.includes('-x-')) || form.status === 409).toBe(true);
  } else if (code === 'validation_failed' || code === 'answer_required') {
    expect(form.status).toBe(422);
    const named = new Set(details.map(({ path }) => fieldOf(of, path)).filter((field) => field !== null));
    expect(form.fields).toEqual(expect.arrayContaining([...named]));
  } else {
    // What is also wrong with the products or the code is said first, beside the fields.
    const saidBeside = form.status === 422 && form.fields.length > 0;
    if (!saidBeside) expect(form).toMatchObject({ status: api.status, title: words.find('refusals', code) });
  }
}

/** A registration without what is different for each. Contacts are told apart by the order in which they come. */
function plain(all: Reply['body'][]): unknown[] {
  const contacts: string[] = [];
  const nth = (id: string | null) =>
    id === null ? null : contacts.includes(id) ? contacts.indexOf(id) : contacts.push(id) - 1;
  const order = [...all].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  return order.map(
    ({ id: _id, code: _code, event_id: _event, source: _source, updated_at: _at, contact, attendees, ...rest }) => ({
      ...rest,
      contact: { ...contact, id: nth(contact.id) },
      attendees: attendees.map(({ tickets, ...one }: Record<string, Reply['body']>) => ({
        ...one,
        id: null,
        registration_id: null,
        event_id: null,
        contact_id: nth(one.contact_id),
        updated_at: null,
        tickets: tickets.length,
      })),
    }),
  );
}

test(
  'by the form and by the API, the same is registered or refused',
  async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(worlds, fc.array(registrations, { minLength: 3, maxLength: 8 }), async (world, sequence) => {
        const [event, other] = await Promise.all([makeEvent(x.key, world), makeEvent(twin, world)]);
        for (const of of sequence) {
          x.clock.advance(MINUTE);
          const [form, api] = await Promise.all([
            byForm(event, of),
            x.t.call('POST', `/v1/events/${other.code}/registrations`, { key: twin, body: bodyOf(of) }),
          ]);
          const outcome = api.body.error?.code ?? api.body.status;
          met.set(outcome, (met.get(outcome) ?? 0) + 1);
          agree(of, world, form, api);
        }
        const here = await x.api('GET', `/events/${event.code}/registrations?limit=200`);
        const there = await x.api('GET', `/events/${other.code}/registrations?limit=200`, undefined, twin);
        expect(here.data.map(({ source }: { source: string }) => source)).toEqual(here.data.map(() => 'form'));
        expect(plain(here.data)).toEqual(plain(there.data));
        for (const { discount_minor, attendees } of here.data) {
          const isSold = attendees.some(({ products }: { products: object[] }) => products.length > 0);
          if (isSold) met.set('with products', (met.get('with products') ?? 0) + 1);
          if (discount_minor > 0) met.set('discounted', (met.get('discounted') ?? 0) + 1);
        }
      }),
      { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 6000 * RUNS },
    );
    // The control: the registrations were neither all good nor all bad.
    if (process.env.FORM_RUNS !== undefined) console.log(JSON.stringify(Object.fromEntries(met)));
    const all = ['confirmed', 'pending_payment', 'waitlisted', 'validation_failed', 'with products', 'discounted'];
    for (const outcome of all) expect([outcome, (met.get(outcome) ?? 0) > 0]).toEqual([outcome, true]);
  },
  8000 * RUNS,
);

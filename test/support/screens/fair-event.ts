import { setTimeout } from 'node:timers/promises';
import type { AppWorld } from '../app-world.ts';
import { sender } from './sender.ts';

/** As long as a code may be. */
const CODE = 'internationale-fachmesse-fuer-veranstaltungstechnik-2026-berlin';
const WORD = 'Rindfleischetikettierungsüberwachungsaufgabenübertragung';
/** Names as people have them, or type them: sixty letters, right to left, emoji of several parts, characters without width. */
const NAMES = [
  ['Wolfgang-Amadeus-Leopold', 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis'],
  ['محمد بن عبد الرحمن', 'الخوارزمي البغدادي'],
  ['שולמית', 'בן־גוריון־רבינוביץ׳'],
  ['👩‍👩‍👧‍👦 Familie', 'Zero\u200bWidth\u2060Müller'],
  ['O', 'Ng'],
] as const;
const KINDS = ['text', 'long_text', 'number', 'email', 'phone', 'date', 'yes_no'] as const;

/** What the screens of the door, the form, money, messages and files show: as much, as long and as odd as it may be. */
export interface FairAt {
  /** The address of the event. */
  event: string;
  id: string;
  /** Somebody whose registration is paid, with a contact. */
  contact: string;
  registration: string;
  payment: string;
  /** A code that is used, and a registration with products and that code, with its only person. */
  discount: string;
  booked: string;
  bookedPerson: string;
  sent: string;
  draft: string;
  /** An import that left rows out. */
  import: string;
  /** A ticket that nobody has used, and one that was refused. */
  ticket: string;
}

export async function fillFair({ t }: AppWorld, session: string): Promise<FairAt> {
  const { send, post } = sender(t, session);
  const at = `/events/${CODE}`;
  const now = Date.now();
  const hours = {
    opens_at: new Date(now - 86_400_000).toISOString(),
    closes_at: new Date(now + 86_400_000).toISOString(),
  };
  const name = 'Internationale Fachmesse für Veranstaltungstechnik und Bühnenbau';
  const { id } = await post('/events', {
    code: CODE,
    name,
    timezone: 'America/Argentina/ComodRivadavia',
    currency: 'EUR',
    capacity: 1_250_000,
  });
  await post(`${at}/days`, {
    code: 'd1',
    name: 'Today',
    date: new Date(now).toISOString().slice(0, 10),
    capacity: 40_000,
    ...hours,
  });
  for (let i = 2; i <= 30; i++)
    await post(`${at}/days`, {
      ...{ code: `d${i}`, date: `2100-01-${String(i).padStart(2, '0')}` },
      ...(i % 7 === 0 && { name: `${WORD} ${i}` }),
    });
  await post(`${at}/attendee-types`, { code: 'adult', name: 'Adult', capacity: 1_000_000 });
  await post(`${at}/attendee-types`, {
    code: 'patron',
    name: `${WORD}: ganz vorn`,
    price_minor: 123_456_789,
    approval: false,
  });
  await post(`${at}/attendee-types`, { code: 'pass', name: 'تذكرة كاملة', price_minor: 9_999_900, pass_days: 5 });
  await post(`${at}/attendee-types`, { code: 'crew', name: 'Crew', visible: false, days: ['d1', 'd2'] });
  await post(`${at}/questions`, {
    ...{
      code: 'diet',
      label: 'What do you eat?',
      kind: 'choice',
      options: ['Everything', 'Vegan', `${WORD} ohne Soße`],
    },
    ...{ filterable: true, required: true },
  });
  for (let i = 2; i <= 40; i++)
    await post(`${at}/questions`, {
      ...{
        code: `q${i}`,
        label: i % 9 === 0 ? `${WORD}sformularnummer ${i}?` : `Question ${i}: what should we know about you?`,
      },
      ...(i % 8 === 0 ? { kind: 'choices', options: ['One', 'Two', 'Three'] } : { kind: KINDS[i % KINDS.length] }),
      ...(i % 10 === 0 && { attendee_types: ['crew', 'patron'] }),
    });
  await post(`${at}/products`, {
    ...{ code: 'workshop', name: 'Bread workshop', price_minor: 1500, capacity: 40 },
    description: 'From sourdough to the loaf, with a baker of the house. Bring an apron.',
  });
  await post(`${at}/products`, {
    ...{ code: 'shirt', name: `${WORD}-T-Shirt`, price_minor: 12_345_678, capacity: 1_250_000, max: 5 },
    options: ['XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL', `${WORD} nach Maß`].map((name, i) => ({
      ...{ code: `s${i}`, name, capacity: i % 3 === 0 ? null : 100_000 * i },
    })),
    ...{ attendee_types: ['adult', 'patron'], days: ['d1', 'd7'], on_sale: { until: '2099-12-31T00:00:00Z' } },
  });
  await post(`${at}/products`, { code: 'parking', name: 'Parkplatz', per: 'registration', max: 3, visible: false });
  await post(`${at}/products`, {
    ...{ code: 'dinner', name: 'Dinner', on_sale: { until: '2020-01-01T00:00:00Z' } },
    options: [{ name: 'Vegan' }, { name: `${WORD} mit Soße` }],
  });
  await post(`${at}/quotas`, {
    ...{ code: 'kitchen', name: `Plätze in der ${WORD}`, capacity: 1_000_000 },
    ...{ attendee_types: ['patron'], days: ['d1', 'd7', 'd14'], products: ['workshop', 'shirt'] },
  });
  await post(`${at}/quotas`, { code: 'bus', name: 'Bus', capacity: 49, products: ['parking'] });
  await post(`${at}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
  await post(`${at}/check-in-points`, {
    ...{ code: 'stage', name: `Hinterbühne der ${WORD}`, kind: 'zone' },
    policy: {
      ...{
        attendee_types: ['crew', 'patron'],
        groups: ['inseln'],
        days: ['d1', 'd2', 'd3'],
        capacity: 250,
        limit: 'once_until_exit',
      },
      ...{ requires: 'entry', cooldown_seconds: 300, opens_minutes_before: 90, closes_minutes_after: 45 },
    },
  });
  await post(`${at}/check-in-points`, { code: 'out', name: 'Ausgang', kind: 'exit', policy: { leaves: 'stage' } });
  await post(`${at}/publish`);
  const { id: discount } = await post(`${at}/discounts`, {
    ...{ code: 'FREUNDE-DER-MESSE-25', name: `Freunde: ${WORD}`, kind: 'percent', value: 25, max_people: 1_000_000 },
    ...{ attendee_types: ['patron', 'pass'], products: ['workshop', 'shirt'], reveals: ['crew'], group: 'inseln' },
    ...{ note: 'Mit der Geschäftsstelle abgesprochen.', opens_at: '2020-01-01T00:00:00Z' },
  });
  for (const body of [
    { code: 'PRESS', name: 'Press', kind: 'price', value: 0 },
    { code: 'AUTUMN', name: 'Autumn', kind: 'amount', value: 1_234_567, active: false },
    { code: 'SUMMER', name: 'Summer', kind: 'amount', value: 500, closes_at: '2020-01-01T00:00:00Z' },
    { code: 'SPRING', name: 'Spring', kind: 'percent', value: 100, opens_at: '2100-01-01T00:00:00Z' },
    { code: 'CREW-ONLY', name: 'Crew', kind: 'percent', value: 10, attendee_types: [], reveals: ['crew'] },
  ])
    await post(`${at}/discounts`, body);

  const register = (i: number, more: object = {}) => {
    const [first_name, last_name] = NAMES[i % NAMES.length]!;
    const email = `${'a.very.long.address.of.somebody'.slice(0, 31 - i)}@subdomain.of.a.long.example.org`;
    return post(`${at}/registrations`, {
      ...{ contact: { first_name, last_name, email, phone: '+49 30 901820' }, send_emails: false },
      attendees: [
        { first_name, last_name, email, attendee_type: 'adult', days: ['d1'], answers: { diet: 'Vegan' }, ...more },
      ],
    });
  };
  const guests: { attendees: { tickets: { code: string }[] }[] }[] = [];
  for (let i = 0; i < NAMES.length; i++) guests.push(await register(i));
  const codeOf = (i: number): string => guests[i]!.attendees[0]!.tickets[0]!.code;
  const scan = (code: string, check_in_point = 'gate', more: object = {}) =>
    post(`${at}/scan`, { code, check_in_point, client_uuid: crypto.randomUUID(), ...more });
  for (const i of [0, 1, 2, 0]) await scan(codeOf(i));
  await scan(codeOf(1), 'stage');
  await scan('NO-SUCH-CODE');
  await scan(codeOf(3), 'gate', { test: true });
  await offline();

  const patron = await register(0, { attendee_type: 'patron' });
  await register(1, { attendee_type: 'patron' });
  const booked = await post(`${at}/registrations`, {
    ...{ contact: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' }, send_emails: false },
    attendees: [
      {
        ...{
          first_name: 'Ada',
          last_name: 'Lovelace',
          attendee_type: 'patron',
          days: ['d1'],
          answers: { diet: 'Vegan' },
        },
        products: [
          { product: 'workshop' },
          { product: 'shirt', option: 's1', quantity: 2 },
          { product: 'shirt', option: 's7', quantity: 1 },
        ],
      },
    ],
    ...{ products: [{ product: 'parking', quantity: 2 }], discount_code: 'freunde der messe 25' },
  });
  const reference = 'Überweisung RF18 5390 0754 7034 vom Fördererkonto';
  const received = await post(`${at}/registrations/${patron.id}/payments`, {
    amount_minor: 123_456_789,
    method: 'transfer',
    reference,
  });
  await post(`/payments/${received.id}/refund`, { amount_minor: 1_000_050 });
  const draft = await post(`${at}/communications`, {
    subject: `${WORD}: was Sie vor der Anreise noch wissen sollten`,
    text: '# Doors open at nine\n\nDear {{first_name|guest}},\n\nsee you **soon**:\n\n- bring your ticket\n- [find us](https://example.org)',
    audience: {
      attendee_types: ['adult', 'patron'],
      days: ['d1', 'd7'],
      groups: ['inseln'],
      statuses: ['confirmed', 'pending_payment'],
    },
  });
  const sent = await post(`${at}/communications`, {
    subject: 'Doors open at nine',
    text: 'Dear {{first_name}}, see you soon.',
  });
  await post(`${at}/communications/${sent.id}/send`);
  return {
    ...{ event: `/app/rhein${at}`, id, contact: patron.contact.id, registration: patron.code },
    ...{ discount, booked: booked.code, bookedPerson: booked.attendees[0].id },
    ...{ payment: received.id, sent: sent.id, draft: draft.id, import: await imported(), ticket: codeOf(4) },
  };

  /** A scanner that was offline let somebody in whom the server refuses, and sent somebody away. */
  async function offline(): Promise<void> {
    const { code } = await post(`${at}/devices/pairing-codes`, { name: `Telefon am Haupteingang (${WORD})` });
    const paired = await t.call('POST', '/api/v1/devices/pair', { key: null, body: { code } });
    const key: string = paired.body.token;
    const scans = [
      ['0', codeOf(0), 'accepted'],
      ['1', codeOf(3), 'unknown'],
      ['2', 'NEVER-SEEN', 'accepted'],
    ].map(([, of, offline_result]) => ({
      ...{ code: of, check_in_point: 'gate', client_uuid: crypto.randomUUID() },
      ...{ scanned_at: new Date(now).toISOString(), offline_result },
    }));
    const reply = await t.call('POST', `/api/v1${at}/scan/batch`, { key, body: { scans } });
    if (reply.status !== 200) throw new Error(reply.text);
    await t.call('PUT', '/api/v1/devices/self/heartbeat', { key, body: { queue_length: 12, battery: 15 } });
  }

  async function imported(): Promise<string> {
    const rows = ['First name,Last name,Type,Days,Diet', 'Ada,Lovelace,adult,d1,Vegan', 'Kit,Lovelace,kid,d1,Vegan'];
    const reply = await t.call('POST', `/app/api${at}/imports`, {
      ...{ org: 'rhein', body: rows.join('\n') },
      headers: { cookie: `turnout_session=${session}`, 'content-type': 'text/csv' },
    });
    if (reply.status >= 300) throw new Error(reply.text);
    const { id } = reply.body;
    for (const over = ['succeeded', 'failed', 'cancelled']; ; await setTimeout(50))
      if (over.includes((await send('GET', `/jobs/${id}`)).status)) return id;
  }
}

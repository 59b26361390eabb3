import { randomUUID } from 'node:crypto';
import { type FieldOf, fieldsOf, type Owner, PERSON_FIELDS, pickFields } from '@turnout/contract';
import { expect } from 'vitest';
import { crons } from '../../server/src/areas/index.ts';
import { Pages } from '../../server/src/areas/pages/my.support.ts';
import { markProven } from '../../server/src/areas/registrations/index.ts';
import { impatient, mapAll } from '../../server/src/areas/transfers/platform.support.ts';
import { type Id, newId, toUuid } from '../../server/src/common/ids.ts';
import { Outbound } from '../../server/src/outside/https.ts';
import { sql } from '../../server/src/store/sql.ts';
import { noonClock } from './clock.ts';
import { EventbriteDouble } from './eventbrite-double.ts';
import { Authority, answer, startReceiver } from './receivers.ts';
import type { Needle } from './traces.ts';
import { type Reply, startTest, type TestTurnout } from './turnout.ts';

/** The fields that people type about an attendee. */
type Typed = FieldOf<'attendee', { typed: true; personal: true }>;
/** The person who is to be erased. No value of hers occurs anywhere else. */
export const HER = {
  first_name: 'Zoë-Marie',
  last_name: 'Quíxotl',
  email: 'zoe.quixotl@example.org',
  phone: '+49 170 5557319',
  date_of_birth: '1987-06-05',
  external_id: 'MEM-882317',
} satisfies Record<Typed, string>;
const LATER = {
  first_name: 'Zoraïda',
  email: 'zoraida.neu@example.org',
  phone: '+33 612 998877',
} satisfies Partial<Record<Typed, string>>;
/** Her other personal fields: the answer to a question, and the language of the registrant. */
const HER_OTHERS = {
  answers: 'Quellwasserallergie',
  language: 'fr-zamboula',
} satisfies Record<FieldOf<Owner, { typed: false; personal: true }>, string>;
/** What the organizer writes about an event. */
const EVENT_TEXTS = {
  venue: 'Town hall',
  description: 'A day for everybody.',
  terms: 'Be kind.',
  payment_instructions: 'By transfer.',
  self_service: { change_until: null, cancel_until: null, transfer_until: '2199-01-01T00:00:00Z' },
};
const OTHER = { first_name: 'Otto', last_name: 'Other', email: 'otto@example.org' };

/**
 * An organization in which one person leaves traces wherever possible: by every way of registering, in every kind of copy, in what
 * was sent and in what is still waiting to be sent.
 */
export interface World {
  t: TestTurnout;
  key: string;
  /** The id of her contact. */
  contact: string;
  needles: Needle[];
  post(path: string, body?: unknown): Promise<Reply>;
  /** Runs all background work that is due. */
  settle(): Promise<void>;
  /** Runs what the schedule runs within ten minutes. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const authority = await Authority.make();
  const receiver = await startReceiver(await authority.issue(['hooks.example.org']));
  receiver.behaviour = (socket, received, tcp) =>
    answer(received.path.endsWith('/down') ? 500 : 200, received.body.toString())(socket, received, tcp);
  const webhooks = new Outbound({
    ca: authority.pem,
    allowedNetworks: ['127.0.0.1/32'],
    resolve: async (host) => (host === 'hooks.example.org' ? [{ address: '127.0.0.1', family: 4 }] : []),
  });
  const double = await EventbriteDouble.start();
  const t = await startTest({ clock: noonClock(), webhooks, eventbrite: impatient(double) });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const key = (await t.key('acme')).secret;
  const session = await t.session('acme', 'owner');
  const world: World = {
    t,
    key,
    contact: '',
    needles: [],
    post: (path, body) => t.call('POST', `/v1${path}`, { key, body }),
    settle: async () => {
      while ((await t.step.relay()) > 0);
      while ((await t.step.deliveries()) > 0);
      await t.step.jobs();
      while ((await t.step.mails()) > 0);
    },
    sweep: async () => {
      const soon = crons.filter(({ pattern }) => /^(\*|\*\/10) \* \* \* \*$/.test(pattern));
      const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} } as never;
      for (const one of soon) await one.run({ pool: t.pool, clock: t.clock, log, outside: t.outside });
    },
    stop: async () => {
      await t.stop();
      await receiver.stop();
      await double.stop();
    },
  };
  await live(world, session, receiver.url('hooks.example.org'), double);
  return world;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Any = any;

async function live(world: World, session: string, hookUrl: string, double: EventbriteDouble): Promise<void> {
  const { t, key } = world;
  const codes = new Set<string>();
  const make = async (path: string, body?: unknown, status = 300): Promise<Any> => {
    const reply = await world.post(path, body);
    expect(reply.status, `${path}: ${reply.text}`).toBeLessThan(status);
    return reply.body;
  };
  const patch = async (path: string, body: unknown): Promise<Any> => {
    const reply = await t.call('PATCH', `/v1${path}`, { key, body, headers: { 'x-service-client': 'zapier' } });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  const app = async (path: string, body: object): Promise<Any> => {
    const headers = { cookie: `turnout_session=${session}` };
    const reply = await t.call('POST', `/app/api${path}`, { headers, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const event = async (code: string, more: object = {}, price = 0): Promise<void> => {
    await make('/events', { code, name: `Event ${code}`, currency: 'EUR', ...EVENT_TEXTS, ...more });
    await make(`/events/${code}/days`, { code: 'd1', date: t.clock.now().toISOString().slice(0, 10) });
    await make(`/events/${code}/attendee-types`, {
      ...{ code: 'adult', name: 'Adult', description: 'With lunch.', price_minor: price },
      prices: [{ name: 'Early bird', price_minor: price }],
      on_sale: { from: '2020-01-01T00:00:00Z' },
    });
    await make(`/events/${code}/questions`, { code: 'diet', label: 'Diet', kind: 'text' });
    // So that the name is also kept beside an answer.
    await make(`/events/${code}/questions`, { code: 'photo', label: 'Photo', kind: 'yes_no', filterable: true });
    await make(`/events/${code}/questions`, {
      code: 'size',
      label: 'Size',
      kind: 'choice',
      options: ['S', 'M'],
    });
    await make(`/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
    await make(`/events/${code}/check-in-points`, {
      code: 'hall',
      name: 'Hall',
      kind: 'zone',
      policy: { requires: 'entry' },
    });
    await make(`/events/${code}/publish`);
  };
  const her = { attendee_type: 'adult', ...HER, answers: { diet: HER_OTHERS.answers, photo: true } };
  const other = { attendee_type: 'adult', ...OTHER };
  const codesOf = async (registration: Any, of: string): Promise<void> => {
    for (const { id, tickets } of registration.attendees) {
      if (id === of) for (const { code } of tickets) codes.add(code);
    }
  };
  const registration = async (code: string, id: string) =>
    (await t.call('GET', `/v1/events/${code}/registrations/${id}`, { key })).body;

  await event('expo', {}, 100);
  await event('gala', { registration: { unique_email: true } });
  await event('club', { ticketing: 'shared' });
  await make('/webhooks', { url: hookUrl, events: ['*'] });
  const down = await make('/webhooks', { url: `${hookUrl}/down`, description: 'Down', events: ['ticket.voided'] });
  await make(`/webhooks/${down.id}/rotate-secret`);

  // Her own registration, which includes somebody else; the reference of its payment contains her name.
  const own = await make('/events/expo/registrations', { attendees: [her, other] });
  const me = own.attendees[0];
  world.contact = me.contact_id;
  await make(`/events/expo/registrations/${own.id}/payments`, {
    amount_minor: 200,
    method: 'transfer',
    reference: `Invoice 4711 ${HER.last_name}`,
  });
  await codesOf(await registration('expo', own.id), me.id);
  // Somebody else's registration, which includes her.
  const theirs = await make('/events/expo/registrations', { attendees: [other, her], contact: OTHER });
  const guest = theirs.attendees[1];
  await make(`/events/expo/registrations/${theirs.id}/payments`, {
    amount_minor: 200,
    method: 'transfer',
    reference: `for ${HER.first_name} ${HER.last_name}`,
  });
  await codesOf(await registration('expo', theirs.id), guest.id);
  // In another event she registers herself and a child without an address, who share a ticket: its code belongs to the child,
  // too.
  const child = { attendee_type: 'adult', first_name: 'Kim', last_name: 'Child' };
  const registrant = { ...pickFields(fieldsOf('registrant', { typed: true }), HER), language: HER_OTHERS.language };
  await make('/events/gala/registrations', { attendees: [child], contact: registrant });
  const shared = await make('/events/club/registrations', { attendees: [her, child] });
  // She hands a place on.
  const handed = await make('/events/club/registrations', { attendees: [other, her], contact: OTHER });
  const pages = new Pages(t, []);
  const place = `${await pages.link(handed, handed.attendees[1])}/people/${handed.attendees[1].id}/hand-on`;
  expect((await pages.send(place, { first_name: 'Nora', last_name: 'New', email: 'nora@example.org' })).status).toBe(
    303,
  );
  // Her address is registered already; the refusal that says so is stored for retries.
  await make('/events/gala/registrations', { attendees: [{ ...her, phone: null }] });
  expect((await world.post('/events/gala/registrations', { attendees: [{ ...her, last_name: 'X' }] })).status).toBe(
    422,
  );
  await world.settle();

  // Her details change; the old values stay in the audit log and in webhooks.
  await patch(`/events/expo/attendees/${me.id}`, { first_name: LATER.first_name, email: LATER.email });
  await patch(`/contacts/${world.contact}`, { phone: LATER.phone });
  // Tickets: sent again, reissued, an extra one issued, one voided with a reason.
  const [ticket] = (await registration('expo', own.id)).attendees[0].tickets;
  await make(`/tickets/${ticket.id}/send`);
  const reissued = await make(`/tickets/${ticket.id}/reissue`);
  // Her ticket is sent to another address, and somebody else's ticket to hers.
  await make(`/tickets/${reissued.id}/send`, { email: 'front-desk@hotel.example' });
  for (const { attendees } of [own, theirs]) {
    const beside = attendees.find((one: { id: string }) => one.id !== me.id && one.id !== guest.id);
    const [held] = (await t.call('GET', `/v1/events/expo/attendees/${beside.id}`, { key })).body.tickets;
    await make(`/tickets/${held.id}/send`, { email: HER.email });
  }
  // The registrant is corrected; she is cancelled while somebody else in the registration stays.
  await patch(`/events/expo/registrations/${own.id}`, {
    contact: { phone: LATER.phone, language: HER_OTHERS.language },
  });
  const left = await make('/events/expo/registrations', { attendees: [other, her], contact: OTHER });
  await make(`/events/expo/registrations/${left.id}/payments`, { amount_minor: 200, method: 'card' });
  await make(`/events/expo/attendees/${left.attendees[1].id}/cancel`);
  const extra = await make('/events/expo/tickets', { attendee: me.id });
  await make(`/tickets/${extra.id}/void`, { reason: `${LATER.first_name} lost it` });
  codes.add(reissued.code).add(extra.code);
  // At the door: admitted, refused, overridden with a reason, an unknown code, test scans that were cleared.
  const scan = (code: string, as = key) =>
    t.call('POST', '/v1/events/expo/scan', {
      key: as,
      body: { code, check_in_point: 'gate', client_uuid: randomUUID() },
    });
  const testKey = (await t.key('acme', { mode: 'test' })).secret;
  expect((await scan(reissued.code)).body.result).toBe('accepted');
  const refused = (await scan(reissued.code)).body;
  await app(`/checkins/${refused.checkins[0].id}/override`, { reason: `I know ${HER.last_name}` });
  // Handed out at the gate, to her and to her registration as a whole, and taken back with a reason.
  await make('/events/expo/products', {
    ...{ code: 'shirt', name: 'T-shirt', description: 'Of cotton.', on_sale: { from: '2020-01-01T00:00:00Z' } },
    options: [{ code: 'm', name: 'Medium' }],
  });
  for (const owner of [{ attendee: me.id }, { registration: own.id }]) {
    const unit = { product: 'shirt', option: 'm', check_in_point: 'gate', client_uuid: randomUUID(), offline: true };
    const { id } = await make('/events/expo/hand-outs', { ...owner, ...unit });
    await app(`/events/expo/hand-outs/${id}/undo`, { reason: `${HER.first_name} has two of them` });
  }
  // Booked with a code, by a person and for a registration as a whole.
  await make('/events/expo/products', { code: 'parking', name: 'Parking', per: 'registration' });
  await make('/events/expo/quotas', { code: 'stock', name: 'Stock', capacity: 100, products: ['shirt'] });
  const friends = { code: 'FRIENDS-25', name: 'Friends', kind: 'percent', value: 25, note: 'For the house.' };
  await make('/events/expo/discounts', friends);
  await make('/events/expo/registrations', {
    attendees: [{ ...other, products: [{ product: 'shirt', option: 'm' }] }],
    products: [{ product: 'parking' }],
    discount_code: 'friends 25',
  });
  await scan('NOBODYHASTHISCODE');
  const walkedIn = { code: 'NOBODYHASTHISCODE', check_in_point: 'gate', client_uuid: randomUUID() };
  const batch = { scans: [{ ...walkedIn, offline_result: 'accepted' }] };
  expect((await t.call('POST', '/api/v1/events/expo/scan/batch', { key, body: batch })).status).toBe(200);
  const offline = { ...walkedIn, code: reissued.code, client_uuid: randomUUID() };
  const again = { scans: [{ ...offline, offline_result: 'accepted' }] };
  expect((await t.call('POST', '/api/v1/events/expo/scan/batch', { key, body: again })).status).toBe(200);
  expect((await scan(reissued.code, testKey)).status).toBe(200);
  expect((await t.call('DELETE', '/v1/events/expo/checkins/test', { key })).status).toBe(204);
  await scan(reissued.code, testKey);

  await messages(world, make, me.id);
  await make(`/webhooks/${down.id}/pause`);
  await files(world, make);

  // From another platform.
  const source = double.addEvent('Elsewhere', ['Adult']);
  double.addOrder(
    source,
    [
      {
        ticket_class: 'Adult',
        first_name: HER.first_name,
        last_name: HER.last_name,
        email: HER.email,
        cell_phone: HER.phone,
        birth_date: HER.date_of_birth,
        gross: 500,
      },
    ],
    { first_name: HER.first_name, last_name: HER.last_name, email: HER.email },
  );
  const connection = (await app('/platform-connections', { platform: 'eventbrite', token: double.token })).id;
  await app('/events/expo/platform-imports', mapAll(source, connection));
  await t.step.jobs();
  await world.settle();

  // The answers of mail servers, which name her address.
  const says = `550 <${HER.email}> is unknown here`;
  await t.system(async (tx) => {
    await tx.run(sql`update mails set last_error = ${says} where recipient = ${HER.email}`);
    await tx.run(sql`update communication_recipients set error = ${says} where email = ${HER.email}`);
    // A mail as earlier versions stored it: written out.
    const words = `Dear ${HER.first_name}`;
    await tx.run(sql`
      insert into mails (org_id, id, kind, recipient, subject, text, html, attachments, event_id, object_id, next_attempt_at, created_at)
      select org_id, ${newId(t.clock.now())}, 'attendee_ticket', email, 'Ticket', ${words}, ${words},
        ${JSON.stringify([{ name: `${HER.first_name}.pdf`, content: '' }])}, event_id, id, updated_at, updated_at
      from attendees where id = ${toUuid(guest.id)}`);
    // A member overrode a refusal at a scanner, and a payment came from a provider.
    await tx.run(sql`update checkins set device_name = 'North gate' where override_of is not null`);
    await tx.run(sql`
      update payments set provider = 'stripe', provider_reference = 'pi_1' where registration_id = ${toUuid(left.id)}`);
  });
  for (const { code } of (await t.call('GET', `/v1/events/expo/tickets?limit=200&attendee=${me.id}`, { key })).body
    .data) {
    codes.add(code);
  }
  // Mails and deliveries that wait, and an occurrence that the relay has not taken yet.
  await make('/groups', { code: 'north', name: 'North' });
  // The child joins a group and leaves it, and the ticket that they share leaves the group's roster.
  for (const group of ['north', null]) await patch(`/events/club/attendees/${shared.attendees[1].id}`, { group });
  const rest = await make('/events/expo/registrations', {
    attendees: [her, { ...other, group: 'north' }],
    contact: OTHER,
  });
  await t.step.relay();
  await codesOf(rest, rest.attendees[0].id);
  await make(`/events/expo/attendees/${rest.attendees[0].id}/cancel`);
  const all = await t.system((tx) =>
    tx.all<{ id: string }>(sql`select id from attendees where contact_id = ${toUuid(world.contact)}`),
  );
  expect(all.length).toBeGreaterThanOrEqual(6); // one contact for all of them
  // Her address as a hash: it is proven, and strangers have caused mails to it.
  await t.system(async (tx) => {
    const { id: org } = await tx.one<{ id: Id }>(sql`select id from organizations where code = 'acme'`);
    markProven(tx, org, HER.email);
    await tx.run(sql`
      insert into stranger_mails (org_id, address, sent, over_at) select org_id, address, array[proven_at], proven_at from proven_addresses`);
    // The network that she sent a form from, as a hash.
    await tx.run(sql`
      insert into payment_holds (org_id, registration_id, event_id, network, unproven, extensions, session)
      select org_id, id, event_id, 'of her network', true, 0, 'cs_1' from registrations where contact_id = ${toUuid(world.contact)}`);
  });
  // A job that is still to run.
  const people = Array.from({ length: 501 }, (_, i) => `Somebody,Number${i},adult,d1`);
  await make('/events/gala/imports', { csv: ['first name,last name,type,day', ...people].join('\n'), preview: true });
  for (const field of fieldsOf('attendee', { typed: true, personal: true })) {
    const phone = PERSON_FIELDS[field].kind === 'phone';
    for (const one of [HER, LATER])
      if (field in one) world.needles.push({ kind: field, text: one[field as 'email'], phone });
  }
  for (const [field, text] of Object.entries(HER_OTHERS)) world.needles.push({ kind: field, text });
  for (const code of codes) world.needles.push({ kind: 'ticket code', text: code });
}

type Make = (path: string, body?: unknown, status?: number) => Promise<Any>;

/** Communications: a preview, a test mail, one that was sent and one that waits. */
async function messages(world: World, make: Make, attendee: string): Promise<void> {
  const at = '/events/expo/communications';
  const words = { subject: 'Dear {{first_name}}', text: 'Dear {{first_name}} {{last_name}}: {{ticket_codes}}' };
  const { id } = await make(at, words);
  await make(`${at}/${id}/preview`, { attendee });
  await make(`${at}/${id}/test`, { to: ['organizer@example.org'], attendee });
  await make(`${at}/${id}/send`, {});
  await make('/events/gala/communications', words).then((gala) =>
    make(`/events/gala/communications/${gala.id}/send`, {}),
  );
  await world.settle();
  // Their counts are kept, and a filter is written that remembers how far it came in the order of names: to her.
  await make('/events/club/questions', { code: 'film', label: 'Film', kind: 'yes_no', filterable: true });
  await world.sweep();
  const cancelled = await make(at, words);
  await make(`${at}/${cancelled.id}/send`, {});
  await world.t.step.jobs();
  await make(`${at}/${cancelled.id}/cancel`);
  const waiting = await make(at, words);
  await make(`${at}/${waiting.id}/send`, {});
  await world.t.step.jobs();
}

/** Imported and exported files, with her in a row that was accepted and in one that was rejected. */
async function files(world: World, make: Make): Promise<void> {
  const imported = fieldsOf('attendee', { typed: true, imported: true });
  const head = [...imported.map((field) => PERSON_FIELDS[field].heading), 'type', 'day'].join();
  const row = (values: Record<(typeof imported)[number], string>, type = 'adult') =>
    [...imported.map((field) => values[field]), type, 'd1'].join();
  await make('/events/expo/imports', { csv: [head, row(HER), row(HER, 'nosuchtype')].join('\n') });
  const nobody = Object.fromEntries(imported.map((field) => [field, ''])) as typeof HER;
  const many = Array.from({ length: 501 }, (_, i) => row({ ...nobody, first_name: 'Row', last_name: `Number${i}` }));
  const broken = row({ ...HER, email: `"${HER.email} and more"` });
  const changed = row({ ...HER, phone: LATER.phone });
  await make('/events/club/imports', { csv: [head, changed, broken, ...many].join('\n'), preview: true });
  await world.t.step.jobs();
  for (const what of ['people', 'registrations', 'tickets', 'products', 'hand_outs', 'checkins']) {
    for (const format of ['csv', 'xlsx']) await make('/exports', { what, format, event: 'expo' });
  }
  // The job runs at once, so she is in its report.
  await make('/events/expo/bulk', { action: 'promote', filter: {} });
  await world.t.step.jobs();
}

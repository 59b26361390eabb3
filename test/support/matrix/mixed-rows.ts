import { randomUUID } from 'node:crypto';
import { EXPORT_COLUMNS, EXPORTED, type ReferenceKind } from '@turnout/contract';
import { expect } from 'vitest';
import type { Operation } from '../../../server/src/road/operation.ts';
import type { Reply } from '../turnout.ts';
import { arrange, canWork, type Mount, pathOfOperation, type Row, refused, send } from './calls.ts';
import { DATE, type Made } from './fixtures.ts';
import type { Callers } from './reference-rows.ts';
import { uniqueCode } from './schema.ts';
import { HOME, type World } from './world.ts';

/**
 * Registrations (and, in events with shared tickets, tickets) with people of two groups: a caller limited to `home-north` reaches
 * `home-city` and not `home-south`. Whatever that caller does, no answer says anything about the other person, the other person stays
 * unchanged, and an action on the whole registration or ticket is refused.
 */
interface Person {
  id: string;
  contact_id: string;
  tickets: { id: string; code: string }[];
  words: string[];
}
interface Mixed {
  event: Made;
  mine: Person;
  other: Person;
  at: Partial<Record<ReferenceKind, string>>;
  codes: string[];
}

const TICKETINGS = ['per_person', 'shared'] as const;
type Ticketing = (typeof TICKETINGS)[number];

const openEvent = (world: World, ticketing: Ticketing) =>
  world.keep(`mixed event ${ticketing}`, async () => {
    const { api, open, point } = world.tools(HOME);
    const event = await api('POST', '/events', { code: uniqueCode('mixed'), name: 'Mixed', ticketing });
    const lunch = await api('POST', `/events/${event.id}/products`, { name: 'Lunch', price_minor: 700 });
    const hall = await api('POST', `/events/${event.id}/products`, { name: 'Hall', per: 'registration' });
    return { event, type: (await open(event)).type, point: await point(event), lunch, hall };
  });

async function makeMixed(world: World, ticketing: Ticketing): Promise<Mixed> {
  const { event, type, point, lunch, hall } = await openEvent(world, ticketing);
  const { api } = world.tools(HOME);
  const inputs = ['home-city', 'home-south'].map((group) => {
    const name = uniqueCode('person');
    return {
      attendee_type: type.id,
      first_name: `First${name}`,
      last_name: `Last${name}`,
      email: `${name}@example.org`,
      phone: `+49 ${Number.parseInt(randomUUID().slice(0, 8), 16)}`,
      external_id: `ext-${name}`,
      products: [{ product: lunch.id }],
      group,
    };
  });
  // The registrant is the person out of reach.
  const { attendee_type: _t, external_id: _e, group: _g, products: _p, ...contact } = inputs[1]!;
  // Everything is free with a code, which is known to those who see the registration as a whole.
  const code = uniqueCode('code');
  const free = { name: 'Free', kind: 'percent', value: 100, products: null };
  await api('POST', `/events/${event.id}/discounts`, { code, ...free });
  const registration = await api<{ id: string; code: string; attendees: Person[] }>(
    'POST',
    `/events/${event.id}/registrations`,
    { attendees: inputs, contact, send_emails: false, products: [{ product: hall.id }], discount_code: code },
  );
  const people = registration.attendees.map((person, i) => {
    const { first_name, last_name, email, phone, external_id } = inputs[i]!;
    return { ...person, words: [person.id, person.contact_id, first_name, last_name, email, phone, external_id] };
  });
  const [mine, other] = people as [Person, Person];
  const path = `/events/${event.id}/registrations/${registration.id}/payments`;
  const payment = await api('POST', path, { amount_minor: 4711, method: 'cash', reference: `paid-${other.words[3]}` });
  other.words.push(`paid-${other.words[3]}`, code);
  const checkIns: Record<string, string> = {};
  for (const person of people) {
    const { checkins } = await api<{ checkins: { id: string; attendee_id: string }[] }>(
      'POST',
      `/events/${event.id}/scan`,
      {
        code: person.tickets[0]!.code,
        check_in_point: point.id,
        client_uuid: randomUUID(),
        scanned_at: `${DATE}T12:00:00Z`,
      },
    );
    for (const one of checkins) checkIns[one.attendee_id] ??= one.id;
    const unit = { attendee: person.id, product: lunch.id, client_uuid: randomUUID() };
    await api('POST', `/events/${event.id}/hand-outs`, unit);
  }
  const ofAll = { registration: registration.id, product: hall.id, client_uuid: randomUUID() };
  await api('POST', `/events/${event.id}/hand-outs`, ofAll);
  return {
    event,
    mine,
    other,
    at: {
      event: event.id,
      registration: registration.id,
      attendee: mine.id,
      ticket: mine.tickets[0]!.id,
      payment: payment.id,
      contact: mine.contact_id,
      check_in: checkIns[mine.id]!,
    },
    codes: other.tickets.map((ticket) => ticket.code),
  };
}

/** Objects that calls which only read can share. */
const standing = (world: World, ticketing: Ticketing) =>
  world.keep(`mixed standing ${ticketing}`, () => makeMixed(world, ticketing));

/** The answer together with what its links lead to: rosters and exported files. */
async function everythingIn(world: World, reply: Reply): Promise<string> {
  const links = [...reply.text.matchAll(/"https?:\/\/[^"\s]+(\/links\/[^"\s]+)"/g)].map((match) => match[1]!);
  const files = await Promise.all(links.map(async (link) => (await fetch(world.t.url + link)).text()));
  return [reply.text, ...files].join('\n');
}

function tellsNothing(text: string, { other, codes }: Mixed): void {
  expect([...other.words, ...codes].filter((word) => text.includes(word))).toEqual([]);
}

const textFilters = (op: Operation): string[] =>
  Object.entries(
    (op.query as { properties?: Record<string, { type?: string; format?: string; 'x-reference'?: string }> })
      ?.properties ?? {},
  ).flatMap(([name, { type, format, ...node }]) =>
    type === 'string' && format === undefined && node['x-reference'] === undefined && name !== 'cursor' ? [name] : [],
  );

const KINDS_HERE = ['event', 'registration', 'attendee', 'ticket', 'payment', 'contact', 'check_in'];

export function mixedRows(op: Operation, mount: Mount, { limited }: Callers): Row[] {
  const path = pathOfOperation(op);
  if (op.organizationWide === true || !canWork(op) || !path.every(([, kind]) => KINDS_HERE.includes(kind))) return [];
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const last = path.at(-1)?.[1];
  const changes = op.method !== 'GET';
  const call = async (world: World, mixed: Mixed, sent: { query?: Record<string, string>; body?: unknown } = {}) => {
    const subject = await arrange(world, op);
    const refs = Object.fromEntries(path.map(([name, kind]) => [name, mixed.at[kind]!]));
    return send(world, op, mount, await limited(world, 'home-north'), subject, { refs, ...sent });
  };
  const shown = async (world: World, { event, other }: Mixed) => {
    const { updated_at: _, ...person } = await world
      .tools(HOME)
      .api<{ updated_at: string }>('GET', `/events/${event.id}/attendees/${other.id}`);
    return person;
  };

  for (const ticketing of TICKETINGS) {
    const shared = ticketing === 'shared';
    const where = shared ? 'on one ticket' : 'in one registration';
    const needsWhole = last === 'registration' || (last === 'ticket' && shared);
    const asWhole = needsWhole && (changes || op.refusals.includes('mixed_groups'));
    const gone = last === 'payment';
    const says = asWhole ? '' : gone ? ': hidden' : ': its own people, nobody else';
    row(`limited to a group, people of several ${where}${says}`, async (world) => {
      const mixed = changes ? await makeMixed(world, ticketing) : await standing(world, ticketing);
      const before = await shown(world, mixed);
      const reply = await call(world, mixed);
      tellsNothing(await everythingIn(world, reply), mixed);
      expect(await shown(world, mixed)).toEqual(before);
      if (asWhole) refused(op, reply, 409, 'mixed_groups');
      else if (gone) refused(op, reply, 404, 'not_found');
      else if (last !== undefined && last !== 'event') expect(reply.status, reply.text).not.toBe(404);
    });
  }
  if (last === 'attendee' || last === 'ticket' || last === 'contact' || last === 'check_in') {
    row('limited to a group, another’s in a registration with its own', async (world) => {
      const mixed = changes ? await makeMixed(world, 'per_person') : await standing(world, 'per_person');
      const { other } = mixed;
      const theirs = { attendee: other.id, ticket: other.tickets[0]!.id, contact: other.contact_id };
      const at = { ...mixed.at, check_in: world.unknown().id, ...theirs };
      refused(op, await call(world, { ...mixed, at }), 404, 'not_found');
    });
  }
  if (!changes) {
    for (const filter of textFilters(op)) {
      row(`limited to a group, ${filter} of somebody else in its registration finds nobody`, async (world) => {
        for (const ticketing of TICKETINGS) {
          const mixed = await standing(world, ticketing);
          for (const word of [...mixed.other.words, ...mixed.codes]) {
            const reply = await call(world, mixed, { query: { [filter]: word } });
            if (reply.status === 200) tellsNothing(reply.text, mixed);
            else expect(reply.status).toBe(400);
          }
        }
      });
    }
  }
  if (op.id === 'createExport') {
    for (const what of EXPORTED) {
      row(`limited to a group, every column of an export of ${what}`, async (world) => {
        for (const ticketing of TICKETINGS) {
          const mixed = await standing(world, ticketing);
          const { usual, more } = EXPORT_COLUMNS[what];
          const body = { what, format: 'csv', event: mixed.event.id, columns: [...usual, ...more] };
          const text = await everythingIn(world, await call(world, mixed, { body }));
          tellsNothing(text, mixed);
          // A payment is for the whole registration, so nobody who reaches only some of its people sees its payments.
          if (what === 'payments') expect(text).not.toContain(mixed.at.registration);
          // A report counts and names nobody.
          else if (what.startsWith('report_')) expect(text).not.toContain(mixed.mine.id);
          else expect(text).toContain(what === 'registrations' ? mixed.at.registration : mixed.mine.id);
          if (what === 'registrations') expect(text).not.toContain('47.11');
        }
      });
    }
  }
  return rows;
}

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Hooks, startHooks } from '../server/src/areas/webhooks/hooks.support.ts';
import type { Reply } from './support/turnout.ts';

/**
 * Random registrations and tickets with people of several groups, and random calls: a caller limited to a group reaches exactly the
 * people of its subtree, in every list, export, roster and envelope, and cannot act on something that is only partly within its reach.
 * What is within reach is computed here in a few lines that share no code with the server.
 */
const TREE: Record<string, string | null> = { a: null, a1: 'a', a2: 'a1', b: null, b1: 'b' };
const GROUPS = Object.keys(TREE);
const pathOf = (group: string | null): string[] => (group === null ? [] : [group, ...pathOf(TREE[group]!)]);
const reaches = (caller: string | null, group: string | null): boolean =>
  caller === null || pathOf(group).includes(caller);
/** null: the whole organization. */
const CALLERS = [null, ...GROUPS];

interface Person {
  id: string;
  group: string | null;
  /** The groups whose address book has ever contained the person. */
  known: Set<string | null>;
  words: string[];
}
interface Ticket {
  id: string;
  code: string;
  people: string[];
}
interface Registered {
  id: string;
  event: string;
  own: string | null;
  people: Person[];
  tickets: Ticket[];
  /** A registrant who is not one of the attendees. */
  registrant: string[];
}

let hooks: Hooks;
const keys = new Map<string | null, string>();
beforeAll(async () => {
  hooks = await startHooks();
  for (const code of GROUPS) await made('POST', '/groups', { code, name: code, parent: TREE[code] });
  for (const group of CALLERS) {
    keys.set(group, group === null ? hooks.key : (await hooks.t.key('acme', { group })).secret);
    await hooks.endpoint({ url: `${hooks.receiver.url}/${group ?? 'all'}`, group });
  }
});
afterAll(() => hooks?.stop());

async function made(method: string, path: string, body?: unknown): Promise<Reply['body']> {
  const reply = await hooks.t.call(method, `/v1${path}`, { key: hooks.key, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}

let serial = 0;
const word = (what: string) => `${what}${(++serial).toString(36)}q`;
const named = () => ({ first_name: word('First'), last_name: word('Last'), email: `${word('mail')}@example.org` });

class World {
  readonly events = ['per_person', 'shared', 'owned'].map((kind) => ({ kind, code: word('event') }));
  readonly registered: Registered[] = [];

  async open(): Promise<this> {
    for (const { kind, code } of this.events) {
      const more = kind === 'owned' ? { group: 'a1' } : { ticketing: kind };
      await made('POST', '/events', { code, name: code, ...more });
      await made('POST', `/events/${code}/days`, { code: 'd1', date: '2055-03-02' });
      await made('POST', `/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
      await made('POST', `/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
      await made('POST', `/events/${code}/publish`);
    }
    return this;
  }

  groupOf(of: Registered, person: Person): string | null {
    return person.group ?? of.own ?? this.#eventGroup(of);
  }
  ownOf(of: Registered): string | null {
    return of.own ?? this.#eventGroup(of);
  }
  #eventGroup(of: Registered): string | null {
    return this.events.find((event) => event.code === of.event)!.kind === 'owned' ? 'a1' : null;
  }

  /** The events: of a group below, of a group above, and of the whole organization. */
  sees(caller: string | null, event: string): boolean {
    const group = this.events.find((one) => one.code === event)!.kind === 'owned' ? 'a1' : null;
    return group === null || reaches(caller, group) || pathOf(caller).includes(group);
  }

  async register(event: number, own: string | null | undefined, groups: (string | null | undefined)[], apart: boolean) {
    const { code, kind } = this.events[event % this.events.length]!;
    const inputs = groups.map((group) => ({ ...named(), attendee_type: 'adult', external_id: word('ext'), group }));
    const contact = apart ? named() : undefined;
    const body = { attendees: inputs, contact, group: own };
    const { id } = await made('POST', `/events/${code}/registrations`, body);
    const settled = own === undefined && kind === 'owned' ? 'a1' : (own ?? null);
    const registrant = contact === undefined ? [] : Object.values(contact);
    const registration: Registered = { id, event: code, own: settled, people: [], tickets: [], registrant };
    this.registered.push(registration);
    const { attendees } = await made('GET', `/events/${code}/registrations/${id}`);
    for (const [i, input] of inputs.entries()) {
      const words = [attendees[i].id, input.first_name, input.last_name, input.email, input.external_id];
      const person: Person = { id: attendees[i].id, group: input.group ?? null, known: new Set(), words };
      person.known.add(this.groupOf(registration, person));
      registration.people.push(person);
    }
    await this.#readTickets(registration);
  }

  async #readTickets(registration: Registered): Promise<void> {
    const { data } = await made(
      'GET',
      `/events/${registration.event}/tickets?registration=${registration.id}&limit=200`,
    );
    registration.tickets = data.map((one: { id: string; code: string; attendees: { id: string }[] }) => ({
      id: one.id,
      code: one.code,
      people: one.attendees.map((person) => person.id),
    }));
  }

  /** The answer that a caller must get when acting on these people. */
  #verdict(of: Registered, people: readonly Person[], caller: string | null): 'gone' | 'mixed' | 'may' {
    const mine = people.filter((person) => reaches(caller, this.groupOf(of, person)));
    return mine.length === 0 ? 'gone' : mine.length < people.length ? 'mixed' : 'may';
  }

  #hold(reply: Reply, verdict: 'gone' | 'mixed' | 'may'): void {
    const code = reply.body?.error?.code;
    const said = code === 'not_found' ? 'gone' : code === 'mixed_groups' ? 'mixed' : 'may';
    expect([said, reply.status < 500], reply.text).toEqual([verdict, true]);
  }

  async act({ what, who, which, group, caller }: Act): Promise<void> {
    const registration = this.registered[which % Math.max(1, this.registered.length)];
    if (registration === undefined) return;
    const at = `/v1/events/${registration.event}`;
    const as = CALLERS[caller % CALLERS.length]!;
    const key = keys.get(as)!;
    const person = registration.people[who % registration.people.length]!;
    const ticket = registration.tickets[who % Math.max(1, registration.tickets.length)];
    const on = (ids: readonly string[]) => registration.people.filter((one) => ids.includes(one.id));
    const all = registration.people;
    if (what === 'move') {
      const to = CALLERS[group % CALLERS.length]!;
      await made('PATCH', `/events/${registration.event}/attendees/${person.id}`, { group: to }).catch(() => {});
      const now = await made('GET', `/events/${registration.event}/attendees/${person.id}`);
      person.group = now.group;
      person.known.add(this.groupOf(registration, person));
    } else if (what === 'leave') {
      const reply = await hooks.t.call('POST', `${at}/attendees/${person.id}/cancel`, { key });
      this.#hold(reply, this.sees(as, registration.event) ? this.#verdict(registration, [person], as) : 'gone');
    } else if (what === 'cancel' || what === 'pay') {
      const path = `${at}/registrations/${registration.id}/${what === 'pay' ? 'payments' : 'cancel'}`;
      const body = what === 'pay' ? { amount_minor: 5, method: 'cash' } : {};
      const verdict = this.sees(as, registration.event) ? this.#verdict(registration, all, as) : 'gone';
      this.#hold(await hooks.t.call('POST', path, { key, body }), verdict);
    } else if (what === 'reissue' && ticket !== undefined) {
      const reply = await hooks.t.call('POST', `/v1/tickets/${ticket.id}/reissue`, { key });
      this.#hold(reply, this.#verdict(registration, on(ticket.people), as));
    } else if (ticket !== undefined) {
      const body = {
        code: ticket.code,
        check_in_point: 'gate',
        client_uuid: randomUUID(),
        scanned_at: '2055-03-02T12:00:00Z',
      };
      await hooks.t.call('POST', `${at}/scan`, { key: hooks.key, body });
    }
    await this.#readTickets(registration);
  }

  /** The words that a caller must not see and, for lists of people, those that it must see. */
  secretsFrom(caller: string | null): string[] {
    return this.registered.flatMap((of) => [
      ...of.people.flatMap((person) => (reaches(caller, this.groupOf(of, person)) ? [] : person.words)),
      ...(reaches(caller, this.ownOf(of)) ? [] : of.registrant),
      ...of.tickets.flatMap((ticket) => {
        const people = of.people.filter((person) => ticket.people.includes(person.id));
        return people.every((person) => reaches(caller, this.groupOf(of, person))) ? [] : [ticket.code];
      }),
    ]);
  }

  /** What each endpoint has received since the last call. */
  async heard(): Promise<void> {
    while ((await hooks.t.step.relay()) > 0);
    await hooks.deliver();
    for (const one of hooks.receiver.got.splice(0)) {
      const group = one.path.split('/').at(-1)!;
      const caller = group === 'all' ? null : group;
      const text = one.body.toString();
      expect(
        this.secretsFrom(caller).filter((secret) => text.includes(secret)),
        `${group} heard`,
      ).toEqual([]);
    }
  }

  async seen(): Promise<void> {
    for (const caller of CALLERS) {
      const key = keys.get(caller)!;
      const secrets = this.secretsFrom(caller);
      const mine = this.registered
        .filter((of) => this.sees(caller, of.event))
        .flatMap((of) => of.people.filter((person) => reaches(caller, this.groupOf(of, person))));
      const shown: string[] = [];
      const look = async (path: string) => {
        const reply = await hooks.t.call('GET', path, { key });
        expect(reply.status, `${path}: ${reply.text}`).toBe(200);
        expect(
          secrets.filter((secret) => reply.text.includes(secret)),
          `${caller} saw in ${path}`,
        ).toEqual([]);
        shown.push(reply.text);
        return reply;
      };
      for (const { code } of this.events.filter((event) => this.sees(caller, event.code))) {
        for (const list of ['registrations', 'attendees', 'tickets'])
          await look(`/v1/events/${code}/${list}?limit=200`);
        await look(`/api/v1/events/${code}/checkins?limit=200`);
        const { body } = await look(`/api/v1/events/${code}/scan/manifest`);
        const roster = await fetch(hooks.t.url + new URL(body.roster.url).pathname);
        shown.push(await roster.text());
        for (const what of ['registrations', 'people', 'tickets', 'products', 'hand_outs', 'checkins']) {
          const order = { what, format: 'csv', event: code };
          const job = await hooks.t.call('POST', '/v1/exports', { key, body: order });
          const file = await fetch(hooks.t.url + new URL(job.body.result_url).pathname);
          shown.push(await file.text());
        }
      }
      const all = shown.join('\n');
      expect(
        secrets.filter((secret) => all.includes(secret)),
        `${caller} saw`,
      ).toEqual([]);
      expect(
        mine.flatMap((person) => person.words).filter((own) => !all.includes(own)),
        `${caller} missed`,
      ).toEqual([]);
      // An address book keeps everybody whom it has ever contained.
      for (const of of this.registered) {
        for (const person of of.people) {
          const known = [...person.known].some((group) => reaches(caller, group));
          const found = await hooks.t.call('GET', `/v1/contacts?search=${person.words[2]!}`, { key });
          expect(found.body.data.length > 0, `${caller} knows ${person.words[2]}`).toBe(known);
        }
      }
    }
  }
}

interface Act {
  what: 'move' | 'leave' | 'cancel' | 'pay' | 'reissue' | 'scan';
  who: number;
  which: number;
  group: number;
  caller: number;
}
const group = fc.constantFrom<(string | null | undefined)[]>(...GROUPS, null, undefined);
const joined = fc.record({
  event: fc.nat(2),
  own: group,
  groups: fc.array(group, { minLength: 1, maxLength: 4 }),
  apart: fc.boolean(),
});
const acts = fc.record<Act>({
  what: fc.constantFrom('move', 'leave', 'cancel', 'pay', 'reissue', 'scan'),
  who: fc.nat(3),
  which: fc.nat(4),
  group: fc.nat(5),
  caller: fc.nat(5),
});

test('a caller limited to a group reaches exactly the people of its subtree', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(joined, { minLength: 1, maxLength: 4 }),
      fc.array(acts, { maxLength: 8 }),
      async (comers, happenings) => {
        const world = await new World().open();
        for (const { event, own, groups, apart } of comers) {
          await world.register(event, own, groups, apart);
          await world.heard();
        }
        for (const one of happenings) {
          await world.act(one);
          await world.heard();
        }
        await world.seen();
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
});

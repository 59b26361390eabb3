import { randomUUID } from 'node:crypto';
import type { Mode, ReferenceKind } from '@turnout/contract';
import { hashSecret } from '../../../server/src/road/gate/authenticate.ts';
import { sql } from '../../../server/src/store/sql.ts';
import type { Reply, TestTurnout } from '../turnout.ts';
import type { Random } from './random.ts';
import { type Rule, Secrets, type Viewer } from './secrets.ts';

/** Somebody who can call. */
export interface Caller extends Viewer {
  headers: Record<string, string>;
  by: 'key' | 'member';
}
/** The ids of one registration and its event. */
export interface Subject {
  org: string;
  event: string;
  refs: Partial<Record<ReferenceKind, string>>;
  ticketCode: string;
  hiddenFromLive: boolean;
  /** Texts to search for. */
  words: string[];
}
interface Endpoint extends Viewer {
  path: string;
}

export const ORGS = ['acme', 'bolt'] as const;
const GROUPS = [null, 'north', 'city', 'south'] as const;
const DATE = '2055-05-01';
export const AT_THE_DOOR = `${DATE}T12:00:00Z`;

interface Event {
  id: string;
  group: string | null;
  test: boolean;
}

/** Two organizations with the same groups; events of the organization and of groups; registrations with people of several groups and modes. */
export class WalledWorld {
  readonly secrets = new Secrets();
  readonly callers: Caller[] = [];
  readonly subjects: Subject[] = [];
  readonly endpoints: Endpoint[] = [];
  readonly #people = new Map<string, Rule>();
  readonly #t: TestTurnout;
  readonly #random: Random;

  constructor(t: TestTurnout, random: Random) {
    this.#t = t;
    this.#random = random;
  }

  async furnish(receiver: string): Promise<void> {
    for (const org of ORGS) {
      await this.#t.org(org);
      await this.#t.plan(org, 'scale', [['api_rate_per_min', '1000000']]);
      await this.#groups(org);
      await this.#callers(org);
      await this.#endpoints(org, receiver);
      for (const [group, test] of [
        [null, false],
        ['north', false],
        [this.#random.pick(GROUPS), false],
        [null, true],
      ] as const) {
        const event = await this.#event(org, group, test);
        for (let i = 0; i < 5; i++) await this.#registration(org, event);
      }
    }
  }

  caller(org: string, group: string | null, mode: Mode, by: 'key' | 'member' = 'key'): Caller {
    return this.callers.find((one) => one.org === org && one.group === group && one.mode === mode && one.by === by)!;
  }

  /** A call with all rights. */
  async #api(org: string, mode: Mode, method: string, path: string, body?: unknown): Promise<Reply['body']> {
    const { headers } = this.caller(org, null, mode);
    const reply = await this.#t.call(method, `/v1${path}`, { headers, body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  }

  async #groups(org: string): Promise<void> {
    const { secret } = await this.#t.key(org);
    for (const [code, parent] of [
      ['north', null],
      ['city', 'north'],
      ['south', null],
    ]) {
      const reply = await this.#t.call('POST', '/v1/groups', { key: secret, body: { code, name: code, parent } });
      if (reply.status !== 201) throw new Error(reply.text);
    }
  }

  async #callers(org: string): Promise<void> {
    for (const group of GROUPS) {
      for (const mode of ['live', 'test'] as const) {
        const { secret } = await this.#t.key(org, { mode, ...(group !== null && { group }) });
        const name = `${mode} key of ${org}, ${group ?? 'unlimited'}`;
        this.callers.push({ name, org, group, mode, by: 'key', headers: { authorization: `Bearer ${secret}` } });
      }
      this.callers.push(await this.#member(org, group));
    }
  }

  async #member(org: string, group: string | null): Promise<Caller> {
    const token = await this.#t.session(org, 'owner');
    await this.#limit(token, group);
    const name = `member of ${org}, ${group ?? 'unlimited'}`;
    return { name, org, group, mode: 'live', by: 'member', headers: { cookie: `turnout_session=${token}` } };
  }

  /** A new member who may see what this one may, for a call after which whoever makes it is no longer a member. */
  standIn({ org, group }: Caller): Promise<Caller> {
    return this.#member(org, group);
  }

  #limit(token: string, group: string | null): Promise<unknown> {
    return this.#t.system((tx) =>
      tx.run(sql`
        update members m set group_id = g.id from account_sessions s, groups g
        where s.hash = ${hashSecret(token)} and m.account_id = s.account_id and g.org_id = m.org_id
          and g.code = ${group}`),
    );
  }

  /** The path of its URL says whose it is. An endpoint is sent live and test activity, so it may see what a test key sees. */
  async #endpoints(org: string, receiver: string): Promise<void> {
    for (const group of GROUPS) {
      const path = `/${org}/${group ?? 'all'}`;
      await this.#api(org, 'live', 'POST', '/webhooks', { url: receiver + path, events: ['*'], group });
      this.endpoints.push({ name: `endpoint ${path}`, org, group, mode: 'test', path });
    }
  }

  async #event(org: string, group: string | null, test: boolean): Promise<Event> {
    const mode = test ? 'test' : 'live';
    const ticketing = this.#random.pick(['per_person', 'per_day', 'shared', 'shared']);
    const code = `e-${randomUUID().slice(0, 8)}`;
    const { id } = await this.#api(org, mode, 'POST', '/events', { code, name: 'An event', group, ticketing });
    const days = [
      { code: 'd1', date: DATE },
      { code: 'd2', date: '2055-05-02' },
    ];
    for (const day of days) await this.#api(org, mode, 'POST', `/events/${id}/days`, day);
    await this.#api(org, mode, 'POST', `/events/${id}/attendee-types`, { code: 'adult', name: 'Adult' });
    await this.#api(org, mode, 'POST', `/events/${id}/questions`, { code: 'note', label: 'Note', kind: 'text' });
    await this.#api(org, mode, 'POST', `/events/${id}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
    await this.#api(org, mode, 'POST', `/events/${id}/publish`);
    return { id, group, test };
  }

  async #registration(org: string, event: Event): Promise<void> {
    const random = this.#random;
    const mode: Mode = event.test || random.chance(0.3) ? 'test' : 'live';
    const hiddenFromLive = mode === 'test' && !event.test;
    const group = random.pick(GROUPS);
    const own = Array.from({ length: 1 + random.below(3) }, () =>
      random.pick([undefined, undefined, ...GROUPS.slice(1)]),
    );
    const groups = own.map((one) => one ?? group ?? event.group);
    const about = (people: readonly (string | null)[], needs: Rule['needs']): Rule => ({
      org,
      groups: people,
      needs,
      hiddenFromLive,
    });
    const people = groups.map((one) => about([one], 'all'));
    const contact = random.chance(0.3) ? about([group ?? event.group], 'all') : null;
    const attendees = people.map((rule, i) => ({ ...this.#person(rule), ...(own[i] != null && { group: own[i] }) }));
    const made = await this.#api(org, mode, 'POST', `/events/${event.id}/registrations`, {
      attendees,
      group,
      send_emails: random.chance(0.5),
      ...(contact !== null && {
        contact: {
          first_name: this.secrets.word('contact’s first name', contact),
          last_name: this.secrets.word('contact’s last name', contact),
          email: `${this.secrets.word('contact’s address', contact)}@example.org`,
          phone: this.secrets.phone(contact),
        },
      }),
    });
    const one = about(groups, 'one');
    const whole = about(groups, 'all');
    this.secrets.add(made.id, 'registration’s id', one);
    this.secrets.add(made.code, 'registration’s code', one);
    const payment = await this.#api(org, mode, 'POST', `/events/${event.id}/registrations/${made.id}/payments`, {
      amount_minor: 100 + random.below(900),
      method: 'cash',
      reference: this.secrets.word('payment’s reference', whole),
    });
    this.secrets.add(payment.id, 'payment’s id', whole);
    for (const [i, attendee] of (made.attendees as { id: string }[]).entries()) {
      this.secrets.add(attendee.id, 'attendee’s id', people[i]!);
      this.#people.set(attendee.id, people[i]!);
    }
    const tickets = await this.learnTickets(org, event.id);
    for (const [i, attendee] of (made.attendees as Made['attendees']).entries()) {
      const ticket = tickets.find((one) => one.attendees.some(({ id }) => id === attendee.id));
      if (ticket === undefined) continue;
      const checkIn = random.chance(0.5) ? await this.#scan(org, mode, event, ticket.code, people[i]!) : undefined;
      this.subjects.push({
        org,
        event: event.id,
        ticketCode: ticket.code,
        hiddenFromLive,
        words: [
          made.code,
          attendees[i]!.email,
          attendees[i]!.last_name,
          attendees[i]!.phone,
          attendees[i]!.external_id,
        ],
        refs: {
          event: event.id,
          registration: made.id,
          attendee: attendee.id,
          ticket: ticket.id,
          payment: payment.id,
          ...(attendee.contact_id !== null && { contact: attendee.contact_id }),
          ...(checkIn !== undefined && { check_in: checkIn }),
          day: 'd1',
          attendee_type: 'adult',
          question: 'note',
          check_in_point: 'gate',
          group: random.pick(['north', 'city', 'south']),
        },
      });
    }
  }

  #person(rule: Rule) {
    const { secrets } = this;
    return {
      attendee_type: 'adult',
      first_name: secrets.word('first name', rule),
      last_name: secrets.word('last name', rule),
      email: `${secrets.word('address', rule)}@example.org`,
      phone: secrets.phone(rule),
      external_id: secrets.word('external id', rule),
      answers: { note: secrets.word('answer', rule) },
      days: ['d1', 'd2'],
    };
  }

  /** Reads anew who is on which ticket: if somebody was cancelled, those who are left may all be within reach. */
  async learnTickets(org: string, event: string): Promise<MadeTicket[]> {
    const list = await this.#api(org, 'test', 'GET', `/events/${event}/tickets?limit=200`);
    for (const ticket of list.data as MadeTicket[]) {
      const rules = ticket.attendees.flatMap(({ id }) => this.#people.get(id) ?? []);
      if (rules.length === 0) continue;
      const one: Rule = { ...rules[0]!, groups: rules.flatMap((rule) => rule.groups), needs: 'one' };
      this.secrets.add(ticket.id, 'ticket’s id', one);
      this.secrets.ticketCode(ticket.code, { ...one, needs: 'all' }, one);
    }
    return list.data;
  }

  /** Scans the first person of a ticket. The id of a check-in is as secret as the person's. */
  async #scan(org: string, mode: Mode, event: Event, code: string, rule: Rule): Promise<string | undefined> {
    const body = { code, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: AT_THE_DOOR };
    const scanned = await this.#api(org, mode, 'POST', `/events/${event.id}/scan`, body);
    const [first] = scanned.checkins as { id: string; attendee_id: string }[];
    if (first === undefined || scanned.checkins.length > 1) return undefined;
    this.secrets.add(first.id, 'check-in’s id', rule);
    return first.id;
  }
}
interface Made {
  attendees: { id: string; contact_id: string | null }[];
}
interface MadeTicket {
  id: string;
  code: string;
  attendees: { id: string }[];
}

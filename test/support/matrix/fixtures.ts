import { randomUUID } from 'node:crypto';
import {
  DEFAULT_REGISTRATION_RULES,
  type EventTemplate,
  type Mode,
  type ReferenceKind,
  TEMPLATE_KIND,
  TEMPLATE_VERSION,
} from '@turnout/contract';
import { uniqueCode } from './schema.ts';

/** Where an object belongs: to which organization, to which of its groups, live or test. */
export interface Place {
  org: string;
  /** The code of the group; null for the whole organization. */
  group: string | null;
  mode: Mode;
}
export interface Made {
  id: string;
  code: string | null;
}
export type Parents = Partial<Record<ReferenceKind, Made>>;
/** Calls with all rights in the organization and mode of the place. Returns the body; throws if it is refused. */
export type Api = <T = Made>(method: string, path: string, body?: unknown) => Promise<T>;
export interface Tools {
  api: Api;
  /** Gives the event a day and an attendee type and publishes it, unless that was done before. Then people can register. */
  open(event: Made): Promise<{ day: Made; type: Made }>;
  /** A check-in point of the event, the same each time. */
  point(event: Made): Promise<Made>;
  /** A product of the event, the same each time. */
  product(event: Made): Promise<Made>;
  /** A device of the event. It is not paired through the API, which allows only twenty tries a minute from one address. */
  device(event: Made): Promise<Made>;
  /** A connected account of another platform. It is not connected through the API, because keys cannot do that. */
  connection(): Promise<Made>;
  /** An API key of this group. It is not made through the API, because keys cannot make keys. */
  apiKey(group: string | null): Promise<Made>;
  /** A member of this group, who has no session. */
  member(group: string | null): Promise<Made>;
  /** An invitation into this group. Keys cannot invite. */
  invitation(group: string | null): Promise<Made>;
  /** A host of the organization. It is not made through the API, which allows ten of them. */
  tenantHost(host?: string): Promise<Made>;
  /** Runs the jobs that wait; an organization can have twenty of them. */
  finish?(): Promise<unknown>;
}

/** The day of every event here. It is far in the future, so that no test depends on today. */
export const DATE = '2099-05-01';

/** An address for webhooks. The tests resolve no name, so nothing is sent. */
export const ENDPOINT = { url: 'https://hooks.example.org/turnout', events: ['*'] };

/** How the matrix makes an object of a kind: through the API, as every caller does. */
export interface Fixture {
  /** Whether it has a group of its own, that of its place. Otherwise it has that of its event. */
  grouped: boolean;
  /** What a key or member limited to a group can do with one that belongs to the whole organization or to a group above. */
  above: 'read' | 'hidden';
  /** Whether there are test objects of this kind; `inside live`: also in live events, where live keys do not see them. */
  test: false | 'own' | 'inside live';
  /** Whether a reference may be a code instead of an id. */
  codes: boolean;
  /** The kind of object that it belongs to; the matrix makes one in the same place first. */
  inside: ReferenceKind | null;
  make(tools: Tools, place: Place, parents: Parents, wanted: object): Promise<Made>;
}

/** No operation makes one yet. Rows that need one are left out until the operation `until` exists; from then on a missing fixture fails. */
export interface NotYet {
  until: `${string} /${string}`;
}

const part = (kind: ReferenceKind, path: string, required: object): Fixture => ({
  grouped: false,
  above: 'read',
  test: 'own',
  codes: true,
  inside: 'event',
  make: ({ api }, _place, parents, wanted) =>
    api('POST', `/events/${parents.event!.id}/${path}`, { code: uniqueCode(kind), ...required, ...wanted }),
});

interface Registered extends Made {
  contact: { id: string };
  attendees: { id: string; tickets: Made[] }[];
}
/** One confirmed attendee with a ticket, in the group of the place. */
export async function register({ api, open }: Tools, { group }: Place, event: Made, wanted: object = {}) {
  const { day, type } = await open(event);
  const name = uniqueCode('person');
  return api<Registered>('POST', `/events/${event.id}/registrations`, {
    attendees: [
      { attendee_type: type.id, first_name: 'Ada', last_name: name, email: `${name}@example.org`, days: [day.id] },
    ],
    group,
    send_emails: false,
    ...wanted,
  });
}
const personal = { grouped: true, above: 'hidden', test: 'inside live', codes: false, inside: 'event' } as const;
const person = (pick: (registered: Registered, tools: Tools, event: Made) => Made | Promise<Made>): Fixture => ({
  ...personal,
  make: async (tools, place, parents, wanted) =>
    pick(await register(tools, place, parents.event!, wanted), tools, parents.event!),
});

const endpoint: Fixture['make'] = async ({ api }, { group }, _parents, wanted) => ({
  ...(await api('POST', '/webhooks', { ...ENDPOINT, group, ...wanted })),
  code: null,
});

/** The smallest event that can be made. */
export const TEMPLATE: EventTemplate = {
  kind: TEMPLATE_KIND,
  version: TEMPLATE_VERSION,
  event: {
    name: 'From a template',
    group: null,
    timezone: 'UTC',
    starts_at: null,
    ends_at: null,
    venue: null,
    currency: 'EUR',
    capacity: null,
    ticketing: 'per_person',
    language: 'en',
    terms: null,
    registration: DEFAULT_REGISTRATION_RULES,
  },
  days: [],
  attendee_types: [],
  questions: [],
  check_in_points: [],
};

/** Every kind of object that an operation refers to needs an entry here. */
export const FIXTURES: Partial<Record<ReferenceKind, Fixture | NotYet>> = {
  group: {
    grouped: true,
    above: 'hidden',
    test: false,
    codes: true,
    inside: null,
    make: ({ api }, { group }, _parents, wanted) =>
      api('POST', '/groups', { code: uniqueCode('group'), name: 'A group', parent: group, ...wanted }),
  },
  event: {
    grouped: true,
    above: 'read',
    test: 'own',
    codes: true,
    inside: null,
    make: ({ api }, { group }, _parents, wanted) =>
      api('POST', '/events', { code: uniqueCode('event'), name: 'An event', group, ...wanted }),
  },
  day: part('day', 'days', { date: DATE }),
  attendee_type: part('attendee_type', 'attendee-types', { name: 'A type' }),
  product: part('product', 'products', { name: 'A product' }),
  quota: {
    ...part('quota', 'quotas', {}),
    make: async (tools, _place, { event }, wanted) => {
      const { type } = await tools.open(event!);
      const code = uniqueCode('quota');
      const body = { code, name: 'A limit', capacity: 10_000, attendee_types: [type.id], ...wanted };
      return tools.api('POST', `/events/${event!.id}/quotas`, body);
    },
  },
  discount: {
    ...personal,
    test: 'own',
    codes: true,
    make: ({ api }, { group }, { event }, wanted) => {
      const body = { code: uniqueCode('discount'), name: 'A discount', kind: 'percent', value: 10, group, ...wanted };
      return api('POST', `/events/${event!.id}/discounts`, body);
    },
  },
  question: part('question', 'questions', { label: 'A question', kind: 'text' }),
  check_in_point: part('check_in_point', 'check-in-points', { name: 'A point', kind: 'entry' }),
  registration: { ...person((registered) => registered), codes: true },
  attendee: person((registered) => ({ id: registered.attendees[0]!.id, code: null })),
  ticket: person((registered) => registered.attendees[0]!.tickets[0]!),
  payment: person((registered, { api }, event) =>
    api('POST', `/events/${event.id}/registrations/${registered.id}/payments`, { amount_minor: 100, method: 'cash' }),
  ),
  contact: person((registered) => ({ id: registered.contact.id, code: null })),
  // With a time to be sent at, it is not a draft but scheduled.
  communication: {
    ...personal,
    make: async ({ api }, { group }, { event }, wanted) => {
      const path = `/events/${event!.id}/communications`;
      const { id } = await api('POST', path, { subject: 'Hello', text: 'Hello', group, ...wanted });
      if ('send_at' in wanted) await api('POST', `${path}/${id}/send`);
      return { id, code: null };
    },
  },
  device: {
    grouped: false,
    above: 'read',
    test: 'own',
    codes: false,
    inside: 'event',
    make: ({ device }, _place, { event }) => device(event!),
  },
  platform_connection: {
    grouped: false,
    above: 'hidden',
    test: false,
    codes: false,
    inside: null,
    make: ({ connection }) => connection(),
  },
  key: {
    grouped: true,
    above: 'hidden',
    test: false,
    codes: false,
    inside: null,
    make: ({ apiKey }, { group }) => apiKey(group),
  },
  webhook_endpoint: {
    grouped: true,
    above: 'hidden',
    test: 'own',
    codes: false,
    inside: null,
    make: endpoint,
  },
  // A delivery of a test event, which every endpoint can have.
  webhook_delivery: {
    grouped: true,
    above: 'hidden',
    test: 'own',
    codes: false,
    inside: null,
    make: async (tools, place, parents, wanted) => {
      const { id } = await endpoint(tools, place, parents, wanted);
      return { ...(await tools.api('POST', `/webhooks/${id}/test`, {})), code: null };
    },
  },
  member: {
    grouped: true,
    above: 'hidden',
    test: false,
    codes: false,
    inside: null,
    make: ({ member }, { group }) => member(group),
  },
  invitation: {
    grouped: true,
    above: 'hidden',
    test: false,
    codes: false,
    inside: null,
    make: ({ invitation }, { group }) => invitation(group),
  },
  tenant_host: {
    grouped: false,
    above: 'hidden',
    test: false,
    codes: false,
    inside: null,
    make: ({ tenantHost }) => tenantHost(),
  },
  // With a test key, this makes a test event; its jobs are seen by everybody who sees the event.
  job: {
    grouped: true,
    above: 'hidden',
    test: 'own',
    codes: false,
    inside: null,
    make: async ({ api }, { group }) => {
      const { id } = await api('POST', '/event-templates/imports', { template: TEMPLATE, event: { group } });
      return { id, code: null };
    },
  },
  // A unit that was given away offline to somebody who has booked none: it is kept as surplus.
  hand_out: {
    ...personal,
    make: async (tools, place, parents) => {
      const { attendees } = await register(tools, place, parents.event!);
      const product = await tools.product(parents.event!);
      const { id } = await tools.api('POST', `/events/${parents.event!.id}/hand-outs`, {
        attendee: attendees[0]!.id,
        product: product.id,
        client_uuid: randomUUID(),
        offline: true,
      });
      return { id, code: null };
    },
  },
  // The scan of a person who is admitted, unless it is scanned at another time than on the event's day.
  check_in: {
    ...personal,
    make: async (tools, place, parents, wanted) => {
      const { attendees } = await register(tools, place, parents.event!);
      const point = await tools.point(parents.event!);
      const { checkins } = await tools.api<{ checkins: Made[] }>('POST', `/events/${parents.event!.id}/scan`, {
        code: attendees[0]!.tickets[0]!.code,
        check_in_point: point.id,
        client_uuid: randomUUID(),
        scanned_at: `${DATE}T12:00:00Z`,
        ...wanted,
      });
      return { id: checkins[0]!.id, code: null };
    },
  },
};

/** The kinds of objects that can be made. */
export const KINDS = (Object.keys(FIXTURES) as ReferenceKind[]).filter((kind) => 'make' in FIXTURES[kind]!);

export const isMade = (fixture: Fixture | NotYet): fixture is Fixture => 'make' in fixture;

export function fixtureOf(kind: ReferenceKind): Fixture | NotYet {
  const fixture = FIXTURES[kind];
  if (fixture === undefined) {
    throw new Error(
      `There is no fixture for references to a ${kind}: add \`${kind}\` to FIXTURES in test/support/matrix/fixtures.ts, ` +
        'so that the access matrix can make one in another organization and in another group.',
    );
  }
  return fixture;
}

/** The kinds that belong to people: one event has them in several groups and modes. */
export const isPersonal = (fixture: Fixture): boolean => fixture.grouped && fixture.inside === 'event';

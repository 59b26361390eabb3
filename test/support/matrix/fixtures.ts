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

/** Where an object lies: in which organization, in which of its groups, live or test. */
export interface Place {
  org: string;
  /** Code of the group; null: of the whole organization. */
  group: string | null;
  mode: Mode;
}
export interface Made {
  id: string;
  code: string | null;
}
export type Parents = Partial<Record<ReferenceKind, Made>>;
/** A call with every right in the place's organization and mode; answers the body, throws when it is refused. */
export type Api = <T = Made>(method: string, path: string, body?: unknown) => Promise<T>;
export interface Tools {
  api: Api;
  /** Gives the event a day and an attendee type and publishes it, unless that was done before: people can come. */
  open(event: Made): Promise<{ day: Made; type: Made }>;
  /** An entry of the event, the same each time. */
  point(event: Made): Promise<Made>;
  /** A scanner paired with the event. Not by pairing: that takes twenty tries a minute from one address. */
  device(event: Made): Promise<Made>;
  /** An account of another platform, connected. Not by connecting: keys cannot. */
  connection(): Promise<Made>;
  /** Runs the jobs that wait: an organization has room for twenty. */
  finish?(): Promise<unknown>;
}

/** The day of every event here: far off, so that no test depends on today. */
export const DATE = '2099-05-01';

/** Where webhooks could go; the resolver of tests knows no name, so nothing does. */
export const ENDPOINT = { url: 'https://hooks.example.org/turnout', events: ['*'] };

/** How the matrix makes an object of a kind, through the API like everybody. */
export interface Fixture {
  /** Has a group of its own (its place's); else it lies where its event lies. */
  grouped: boolean;
  /** What a key or member limited to a group gets of one that belongs to the whole organization or to a group above. */
  above: 'read' | 'hidden';
  /** Whether there are test objects of this kind; `inside live`: also in live events, where live keys don't see them. */
  test: false | 'own' | 'inside live';
  /** Whether a reference takes a code beside the id. */
  codes: boolean;
  /** The kind that must be there before it; the matrix makes it in the same place. */
  inside: ReferenceKind | null;
  make(tools: Tools, place: Place, parents: Parents, wanted: object): Promise<Made>;
}

/** Nothing makes one yet: rows that need one are left out until `until` is offered; from then on its absence fails. */
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
/** One confirmed person with a ticket, of the place's group. */
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

/** The smallest event there is. */
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

/** A kind that an operation refers to needs a line here. */
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
  question: part('question', 'questions', { label: 'A question', kind: 'text' }),
  check_in_point: part('check_in_point', 'check-in-points', { name: 'A point', kind: 'entry' }),
  registration: { ...person((registered) => registered), codes: true },
  attendee: person((registered) => ({ id: registered.attendees[0]!.id, code: null })),
  ticket: person((registered) => registered.attendees[0]!.tickets[0]!),
  payment: person((registered, { api }, event) =>
    api('POST', `/events/${event.id}/registrations/${registered.id}/payments`, { amount_minor: 100, method: 'cash' }),
  ),
  contact: person((registered) => ({ id: registered.contact.id, code: null })),
  // With a time it is not a draft but scheduled.
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
  webhook_endpoint: {
    grouped: true,
    above: 'hidden',
    test: 'own',
    codes: false,
    inside: null,
    make: endpoint,
  },
  // Of a test event: every endpoint can have one.
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
  // With a test key it makes a test event, whose jobs everybody sees who sees the event.
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
  // Of a person who is let in, unless it is scanned at another time than that of the day.
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

/** The kinds that can be made. */
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

/** Of people, who are of several groups and modes in one event. */
export const isPersonal = (fixture: Fixture): boolean => fixture.grouped && fixture.inside === 'event';

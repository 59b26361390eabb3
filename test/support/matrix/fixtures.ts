import type { Mode, ReferenceKind } from '@turnout/contract';
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
export type Api = (method: string, path: string, body?: unknown) => Promise<Made>;

/** How the matrix makes an object of a kind, through the API like everybody. */
export interface Fixture {
  /** Has a group of its own (its place's); else it lies where its event lies. */
  grouped: boolean;
  /** What a key or member limited to a group gets of one that belongs to the whole organization or to a group above. */
  above: 'read' | 'hidden';
  /** Whether there are test objects of this kind. */
  test: boolean;
  /** The kind that must be there before it; the matrix makes it in the same place. */
  inside: ReferenceKind | null;
  make(api: Api, place: Place, parents: Parents, wanted: object): Promise<Made>;
}

/** Nothing makes one yet: rows that need one are left out until `until` is offered; from then on its absence fails. */
export interface NotYet {
  until: `${string} /${string}`;
}

const part = (kind: ReferenceKind, path: string, required: object): Fixture => ({
  grouped: false,
  above: 'read',
  test: true,
  inside: 'event',
  make: (api, _place, parents, wanted) =>
    api('POST', `/events/${parents.event!.id}/${path}`, { code: uniqueCode(kind), ...required, ...wanted }),
});

/** A kind that an operation refers to needs a line here. */
export const FIXTURES: Partial<Record<ReferenceKind, Fixture | NotYet>> = {
  group: {
    grouped: true,
    above: 'hidden',
    test: false,
    inside: null,
    make: (api, { group }, _parents, wanted) =>
      api('POST', '/groups', { code: uniqueCode('group'), name: 'A group', parent: group, ...wanted }),
  },
  event: {
    grouped: true,
    above: 'read',
    test: true,
    inside: null,
    make: (api, { group }, _parents, wanted) =>
      api('POST', '/events', { code: uniqueCode('event'), name: 'An event', group, ...wanted }),
  },
  day: part('day', 'days', { date: '2026-11-15' }),
  attendee_type: part('attendee_type', 'attendee-types', { name: 'A type' }),
  question: part('question', 'questions', { label: 'A question', kind: 'text' }),
  check_in_point: part('check_in_point', 'check-in-points', { name: 'A point', kind: 'entry' }),
  check_in: { until: 'POST /events/{event}/scan' },
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

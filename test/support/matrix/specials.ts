import type { ReferenceKind } from '@turnout/contract';
import type { Api, Made } from './fixtures.ts';

/** What an operation needs beyond what its declaration tells. Named by its id, or by id and field of a reference. */
export interface Special {
  /** Brings a fresh object of the path into the state from which the operation works. */
  prepare?: (api: Api, path: Record<string, Made>) => Promise<unknown>;
  /** Fields beside the required ones. */
  body?: Record<string, unknown>;
  /** How the objects of the path, or the one referred to, must be made. */
  path?: Partial<Record<ReferenceKind, object>>;
  referred?: object;
  /** A caller limited to a group may name any object of the organization here. */
  reach?: 'organization';
  /** A key limited to a group may do it in events of the whole organization and of groups above (spec 3), though it writes. */
  inEventsAbove?: 'allowed';
  /** A test key may do it to live objects: scanning, registering. */
  testKey?: 'allowed';
}

const addStructure = async (api: Api, { event }: Record<string, Made>): Promise<void> => {
  await api('POST', `/events/${event!.id}/days`, { date: '2026-11-15' });
  await api('POST', `/events/${event!.id}/attendee-types`, { name: 'Adult' });
};

export const SPECIALS: Record<string, Special> = {
  publishEvent: { prepare: addStructure },
  closeEvent: {
    prepare: async (api, path) => {
      await addStructure(api, path);
      await api('POST', `/events/${path.event!.id}/publish`);
    },
  },
  unlockDay: { prepare: (api, { event, day }) => api('POST', `/events/${event!.id}/days/${day!.id}/lock`, {}) },
  'createCheckInPoint policy/leaves': { body: { kind: 'exit' }, referred: { kind: 'zone' } },
  'changeCheckInPoint policy/leaves': { path: { check_in_point: { kind: 'exit' } }, referred: { kind: 'zone' } },
  // A point's policy decides who is admitted, not what a key sees.
  'createCheckInPoint policy/groups': { reach: 'organization' },
  'changeCheckInPoint policy/groups': { reach: 'organization' },
};

export const specialOf = (operation: string, field?: string): Special => ({
  ...SPECIALS[operation],
  ...(field !== undefined && SPECIALS[`${operation} ${field}`]),
});

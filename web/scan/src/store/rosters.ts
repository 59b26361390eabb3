import type { Manifest } from '@turnout/client';
import type { KeptEntry } from '../roster/entry.ts';
import type { OwnAdmission } from '../roster/own.ts';
import { below, type Db, result } from './db.ts';
import { isKnownFormat, type Mode, type OwnRow } from './rows.ts';

/** Which roster: of a paired event, in one mode. */
export interface RosterKey {
  readonly device: string;
  readonly mode: Mode;
}

/** The manifest and the state of its roster. Both are always written together with the data they describe. */
export interface RosterRow {
  /** Of the entries (roster/entry.ts) when the whole roster was loaded; missing in rows of before. */
  readonly format?: number;
  readonly manifest: Manifest;
  readonly etag: string | null;
  /** Everything up to this instant of the event's clock is in the packed roster and its overlay. */
  readonly as_of: string;
  /** When it was last brought up to date, by our clock. */
  readonly at: number;
}

interface OverlayRow extends RosterKey {
  readonly key: string;
  readonly entry: KeptEntry | null;
}

export interface StoredRoster extends RosterRow {
  readonly buffer: ArrayBuffer;
  readonly overlay: Map<string, KeptEntry | null>;
}

const keyOf = ({ device, mode }: RosterKey): [string, Mode] => [device, mode];

export const readStored = (db: Db, rosterKey: RosterKey): Promise<StoredRoster | null> =>
  db.run(['rosters', 'packed', 'overlay'], 'readonly', async (store) => {
    const [row, packed, overlay] = await Promise.all([
      result<RosterRow | undefined>(store('rosters').get(keyOf(rosterKey))),
      result<{ buffer: ArrayBuffer } | undefined>(store('packed').get(keyOf(rosterKey))),
      result<OverlayRow[]>(store('overlay').getAll(below(rosterKey.device, rosterKey.mode))),
    ]);
    if (row === undefined || packed === undefined) return null;
    return { ...row, buffer: packed.buffer, overlay: new Map(overlay.map(({ key, entry }) => [key, entry])) };
  });

export const readOwn = (db: Db, rosterKey: RosterKey): Promise<OwnRow[]> =>
  db.run('own', 'readonly', async (store) =>
    (await result<OwnRow[]>(store('own').getAll(below(rosterKey.device, rosterKey.mode)))).filter(isKnownFormat),
  );

/** A whole roster with its manifest, in place of everything before: the packed one and what lies over it. */
export const replaceRoster = (
  db: Db,
  rosterKey: RosterKey,
  row: RosterRow,
  { buffer, overlay }: Pick<StoredRoster, 'buffer' | 'overlay'>,
  own: { readonly forget: Iterable<OwnAdmission>; readonly put: Iterable<OwnAdmission> },
): Promise<void> =>
  db.run(['rosters', 'packed', 'overlay', 'own'], 'readwrite', (store) => {
    store('rosters').put({ ...rosterKey, ...row });
    store('packed').put({ ...rosterKey, buffer });
    store('overlay').delete(below(rosterKey.device, rosterKey.mode));
    for (const [key, entry] of overlay) store('overlay').put({ ...rosterKey, key, entry });
    for (const one of own.forget) store('own').delete([...keyOf(rosterKey), one.client_uuid, one.person]);
    for (const one of own.put) store('own').put({ ...rosterKey, ...one });
  });

/** Changes, together with the `as_of` that they bring the roster to. */
export const addChanges = (
  db: Db,
  rosterKey: RosterKey,
  row: RosterRow,
  changes: ReadonlyMap<string, KeptEntry | null>,
  forget: readonly OwnAdmission[],
): Promise<void> =>
  db.run(['rosters', 'overlay', 'own'], 'readwrite', (store) => {
    store('rosters').put({ ...rosterKey, ...row });
    for (const [key, entry] of changes) store('overlay').put({ ...rosterKey, key, entry });
    for (const one of forget) store('own').delete([...keyOf(rosterKey), one.client_uuid, one.person]);
  });

export const putOwn = (db: Db, rosterKey: RosterKey, own: Iterable<OwnAdmission>): Promise<void> =>
  db.run('own', 'readwrite', (store) => {
    for (const one of own) store('own').put({ ...rosterKey, ...one });
  });

import { createHash } from 'node:crypto';
import type { Manifest, RosterChanges } from '@turnout/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addChanges, putOwn, readOwn, readStored } from '../store/rosters.ts';
import { KeyRange, MemoryDb } from '../store/testing.ts';
import { FORMAT, type RosterEntry } from './entry.ts';
import { Keeper } from './keeper.ts';
import type { OwnAdmission } from './own.ts';
import { MANIFEST } from './testing.ts';

const LIVE = { device: 'device', token: 'token', mode: 'live' } as const;
const NOON = Date.parse('2027-06-12T12:00:00Z');
/** The event's clock, in seconds after noon. */
const at = (second: number): string => new Date(NOON + second * 1000).toISOString();

const manifestOf = (name: string): Manifest =>
  ({
    ...(MANIFEST as Manifest),
    event: { ...(MANIFEST as Manifest).event, id: 'fair', name },
    roster: { url: '/rosters/fair', as_of: at(0), count: 1 },
  }) as Manifest;

/** The ticket with this code, whose holder was admitted so many times. */
const ticket = (code: string, admitted = 0): RosterEntry =>
  ({
    code_sha256: createHash('sha256').update(code).digest('hex'),
    ticket_id: `ticket ${code}`,
    status: 'valid',
    test: false,
    people: [
      {
        id: `holder of ${code}`,
        ...{ first_name: 'Ada', last_name: code, attendee_type: 'adult', group: null, confirmed: true, days: ['sat'] },
        admissions: Array.from({ length: admitted }, (_, n) => ({
          ...{ check_in_point: 'gate', kind: 'entry', day: 'sat', at: at(n), seq: n + 1 },
        })),
      },
    ],
  }) as RosterEntry;

/** An own admission that the server has recorded. */
const own = (code: string, second: number): OwnAdmission => ({
  ...{ client_uuid: `scan of ${code}`, person: `holder of ${code}`, ticket: null, check_in_point: 'gate' },
  ...{ kind: 'entry', day: 'sat', at: NOON, n: 1, recorded: NOON + second * 1000, checkin: null },
});

/** What the server answers to the next question of its kind. */
const server = {
  roster: { as_of: at(0), data: [] as RosterEntry[] },
  changes: { as_of: at(0), data: [], removed: [] } as RosterChanges,
};
let db: MemoryDb;
let held: Promise<void>;
/** Rosters do not arrive until this is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return resolve;
}

beforeEach(() => {
  db = new MemoryDb();
  held = Promise.resolve();
  vi.stubGlobal('IDBKeyRange', KeyRange);
  vi.stubGlobal('self', { location: { origin: 'https://turnout.example' } });
  vi.stubGlobal('fetch', async (path: string) => {
    if (!path.startsWith('/rosters/')) return Response.json(server.changes);
    const { roster } = server;
    await held;
    return Response.json(roster);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** As after the page was loaded: only what is on disk is known. */
async function opened(): Promise<Keeper> {
  const keeper = new Keeper(db, () => {});
  await keeper.open(LIVE);
  return keeper;
}
function load(keeper: Keeper, name: string, second: number, data: RosterEntry[]) {
  server.roster = { as_of: at(second), data };
  return keeper.load({ manifest: manifestOf(name), etag: name, now: NOON });
}
function changes(keeper: Keeper, second: number, data: RosterEntry[], removed: RosterEntry[] = []) {
  server.changes = { as_of: at(second), data, removed: removed.map((one) => one.code_sha256) } as RosterChanges;
  return keeper.changes({ now: NOON });
}
/** How often the holder of the ticket was admitted; null if there is no such ticket. */
async function admitted(keeper: Keeper, code: string): Promise<number | null> {
  const { entry } = await keeper.look({ code });
  return entry === null ? null : entry.people[0]!.admissions.length;
}

describe('after a write has failed, and a later one has not', () => {
  test('the disk has the changes of both', async () => {
    const keeper = await opened();
    await load(keeper, 'Fair', 0, [ticket('A'), ticket('B'), ticket('C')]);
    db.full = () => true;
    expect(await changes(keeper, 5, [ticket('A', 1)], [ticket('C')])).toMatchObject({ kind: 'unwritten', full: true });
    expect((await (await opened()).open(LIVE))?.as_of).toBe(at(0));
    db.full = () => false;
    expect(await changes(keeper, 10, [ticket('B', 1)])).toMatchObject({ kind: 'done' });
    const again = await opened();
    expect((await again.open(LIVE))?.as_of).toBe(at(10));
    expect([await admitted(again, 'A'), await admitted(again, 'B'), await admitted(again, 'C')]).toEqual([1, 1, null]);
  });

  test('a whole roster is on disk together with its manifest, or neither is', async () => {
    const keeper = await opened();
    await load(keeper, 'Fair', 0, [ticket('A')]);
    db.full = (stores) => stores.includes('packed');
    expect(await load(keeper, 'Autumn fair', 5, [ticket('A'), ticket('B')])).toMatchObject({ kind: 'unwritten' });
    // Small writes would succeed, but they are about the new roster.
    expect(await changes(keeper, 10, [ticket('C')])).toMatchObject({
      kind: 'unwritten',
      state: { etag: 'Autumn fair' },
    });
    await expect(keeper.relink({ manifest: manifestOf('Autumn fair'), etag: 'newer' })).rejects.toThrow();
    const old = await opened();
    expect(await old.open(LIVE)).toMatchObject({ etag: 'Fair', as_of: at(0), tickets: 1 });
    db.full = () => false;
    await keeper.relink({ manifest: manifestOf('Autumn fair'), etag: 'newer' });
    const again = await opened();
    expect(await again.open(LIVE)).toMatchObject({ etag: 'newer', as_of: at(10), tickets: 3 });
    expect(await admitted(again, 'C')).toBe(0);
  });

  test('own admissions that the roster has are no longer on disk', async () => {
    await putOwn(db, LIVE, [own('A', 3)]);
    const keeper = await opened();
    await load(keeper, 'Fair', 0, [ticket('A')]);
    db.full = () => true;
    await changes(keeper, 5, [ticket('A', 1)]);
    expect(await readOwn(db, LIVE)).toHaveLength(1);
    db.full = () => false;
    await changes(keeper, 10, []);
    expect(await readOwn(db, LIVE)).toEqual([]);
  });
});

test.each([
  ['no roster', 'junk'],
  ['another roster', new ArrayBuffer(64)],
])('a stored roster that cannot be read (%s) is none, and is loaded again', async (_, buffer) => {
  await load(await opened(), 'Fair', 0, [ticket('A')]);
  await db.run('packed', 'readwrite', (store) => void store('packed').put({ ...LIVE, buffer }));
  const keeper = new Keeper(db, () => {});
  expect(await keeper.open(LIVE)).toBe(null);
  await load(keeper, 'Fair', 5, [ticket('A')]);
  expect(await admitted(await opened(), 'A')).toBe(0);
});

describe('a stored roster of a later format, as a device has it whose server went back to this version', () => {
  test.each<[string, () => Promise<void>]>([
    [
      'packed',
      async () => {
        const { buffer } = (await readStored(db, LIVE))!;
        const text = new TextDecoder('latin1').decode(buffer).replace(`"format":${FORMAT}`, `"format":${FORMAT + 1}`);
        const later = Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer;
        await db.run('packed', 'readwrite', (store) => void store('packed').put({ ...LIVE, buffer: later }));
      },
    ],
    [
      'changes',
      async () => addChanges(db, LIVE, { ...(await readStored(db, LIVE))!, format: FORMAT + 1 }, new Map(), []),
    ],
  ])('is not read, but loaded again, and own admissions stay (%s)', async (_, replace) => {
    await putOwn(db, LIVE, [own('A', 9)]);
    await load(await opened(), 'Fair', 0, [ticket('A')]);
    await replace();
    const keeper = new Keeper(db, () => {});
    expect(await keeper.open(LIVE)).toBe(null);
    expect(await readOwn(db, LIVE)).toHaveLength(1);
    expect(await load(keeper, 'Fair', 5, [ticket('A')])).toMatchObject({ kind: 'done', state: { outdated: false } });
    const scan = { named: { code: 'A' }, point: 'gate', at: NOON + 1, people: null, newest: 0 };
    expect((await keeper.decide(scan)).decision).toMatchObject({ result: 'duplicate' });
  });
});

describe('while a whole roster is loaded', () => {
  test('changes that are later than it are still known when it is here, and on disk', async () => {
    await putOwn(db, LIVE, [own('A', 12)]);
    const keeper = await opened();
    await load(keeper, 'Fair', 0, [ticket('A'), ticket('B'), ticket('C')]);
    const arrive = hold();
    const loading = load(keeper, 'Autumn fair', 10, [ticket('A'), ticket('B'), ticket('C')]);
    await changes(keeper, 14, [ticket('A', 1), ticket('D')]);
    // From here on only the roster tells of what this device admitted.
    expect(await readOwn(db, LIVE)).toEqual([]);
    await changes(keeper, 19, [ticket('B', 1)], [ticket('C')]);
    arrive();
    // Its `as_of` stays, so that the next changes are asked for since then.
    expect(await loading).toMatchObject({ kind: 'done', state: { as_of: at(10), etag: 'Autumn fair', tickets: 3 } });
    for (const one of [keeper, await opened()]) {
      expect(await Promise.all(['A', 'B', 'C', 'D'].map((code) => admitted(one, code)))).toEqual([1, 1, null, 0]);
    }
  });

  test('changes that are older than it do not replace what it says', async () => {
    const keeper = await opened();
    await load(keeper, 'Fair', 0, [ticket('A')]);
    const arrive = hold();
    const loading = load(keeper, 'Autumn fair', 10, [ticket('A', 2), ticket('B')]);
    await changes(keeper, 9, [ticket('A', 1)], [ticket('B')]);
    await changes(keeper, 10, [ticket('A', 1)]);
    arrive();
    await loading;
    expect([await admitted(keeper, 'A'), await admitted(keeper, 'B')]).toEqual([2, 0]);
  });
});

test.each([0, 1, 2])(
  'after it was deleted, it is written again whole or not at all: %i writes succeed',
  async (most) => {
    const keeper = await opened();
    await load(keeper, 'Fair', 0, [ticket('A')]);
    await changes(keeper, 5, [ticket('A', 1)]);
    await keeper.note({ scans: [], put: [own('B', 9)] });
    db.wipe();
    let writes = 0;
    db.full = () => ++writes > most;
    await keeper.rewrite().catch(() => {});
    const again = await opened();
    const state = await again.open(LIVE);
    expect([state?.as_of, await admitted(again, 'A')]).toEqual(most === 0 ? [undefined, null] : [at(5), 1]);
    expect(await readOwn(db, LIVE)).toHaveLength(most === 0 ? 0 : 1);
  },
);

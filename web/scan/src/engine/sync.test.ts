import type { Manifest } from '@turnout/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RosterOutcome, RosterState } from '../roster/api.ts';
import { MANIFEST } from '../roster/testing.ts';
import { Board } from './board.ts';
import type { Parts } from './parts.ts';
import { Sync } from './sync.ts';

const NOON = '2027-06-12T12:00:00.000Z';

/** A manifest whose link differs each time, as the server's do. */
let links = 0;
function manifestOf(structure: string): Manifest {
  links += 1;
  const { event, ...rest } = MANIFEST as Manifest;
  const roster = { url: `/rosters/${links}`, as_of: NOON, count: 1 };
  return { ...rest, event: { ...event, name: structure }, roster, server_time: NOON } as Manifest;
}

/** A question that waits until the test answers it. */
interface OpenQuestion<Q, A> {
  readonly question: Q;
  answer(with_: A): void;
}

/** The parts of an engine, with a server and a roster whose answers come when the test wants them to. */
function engine() {
  let steady = 0;
  const clock = { now: () => 0, off: () => null, heard: () => {}, steady: () => steady };
  const manifests: OpenQuestion<string, Manifest>[] = [];
  const loads: OpenQuestion<Manifest, RosterOutcome>[] = [];
  const changes: OpenQuestion<null, RosterOutcome>[] = [];
  const ask = <Q, A>(list: OpenQuestion<Q, A>[], question: Q) =>
    new Promise<A>((answer) => list.push({ question, answer }));
  vi.stubGlobal('fetch', async (path: string) => Response.json(await ask(manifests, path)));
  const board = new Board(clock, () => 0);
  const roster = {
    load: ({ manifest }: { manifest: Manifest }) => ask(loads, manifest),
    changes: () => ask(changes, null),
    relink: async () => {},
  };
  const parts = {
    event: { token: 't', event: { id: 'fair' } },
    clock,
    board,
    roster,
    mode: 'live',
  } as unknown as Parts;
  const sync = new Sync(parts);
  const settle = () => expect.poll(() => board.loading).toBeNull();
  return {
    ...{ board, changes, loads, manifests, parts, settle, sync },
    pass: (ms: number) => {
      steady += ms;
    },
    /** The server is asked for the manifest and answers. */
    hear: async (manifest: Manifest) => {
      const reply = sync.manifest();
      manifests.at(-1)!.answer(manifest);
      await reply;
    },
  };
}

const state = (manifest: Manifest): RosterState => ({
  tickets: 1,
  as_of: NOON,
  at: 0,
  manifest,
  etag: null,
  outdated: false,
});
const done = (manifest: Manifest): RosterOutcome => ({ kind: 'done', state: state(manifest) });

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a point can be chosen while the first roster loads, and a later manifest waits for its roster', async () => {
  const { board, hear, loads, settle } = engine();
  await hear(manifestOf('Fair'));
  expect([board.roster, board.manifest?.event.name]).toEqual([null, 'Fair']);
  expect(board.manifest?.check_in_points).not.toHaveLength(0);
  loads[0]!.answer(done(loads[0]!.question));
  await settle();
  await hear(manifestOf('Autumn fair'));
  expect(board.manifest?.event.name).toBe('Fair');
  loads[1]!.answer(done(loads[1]!.question));
  await settle();
  expect(board.manifest?.event.name).toBe('Autumn fair');
});

test('a roster that an earlier version has packed is loaded again, also if nothing else has changed', async () => {
  const { board, hear, loads, settle } = engine();
  const manifest = manifestOf('Fair');
  board.roster = { ...state(manifest), outdated: true };
  await hear(manifest);
  expect(loads).toHaveLength(1);
  loads[0]!.answer(done(manifest));
  await settle();
  await hear(manifest);
  expect(loads).toHaveLength(1);
});

describe('changes are asked for at once after a whole roster', () => {
  test('has arrived', async () => {
    const { board, changes, hear, loads, pass, settle, sync } = engine();
    board.roster = state(manifestOf('Fair'));
    await hear(manifestOf('Autumn fair'));
    pass(1);
    const turn = sync.turn();
    changes[0]!.answer(done(board.roster.manifest));
    await turn;
    expect(sync.dueAt()).toBeGreaterThan(1);
    loads[0]!.answer(done(loads[0]!.question));
    await settle();
    expect(sync.dueAt()).toBe(0);
  });

  test('has arrived while changes of the one before were asked for', async () => {
    const { board, changes, hear, loads, pass, settle, sync } = engine();
    board.roster = state(manifestOf('Fair'));
    await hear(manifestOf('Autumn fair'));
    pass(1);
    const turn = sync.turn();
    loads[0]!.answer(done(loads[0]!.question));
    await settle();
    changes[0]!.answer(done(loads[0]!.question));
    await turn;
    expect(sync.dueAt()).toBe(0);
  });
});

describe('manifests that come while a roster is loaded', () => {
  test('of the same structure: it is loaded once', async () => {
    const { board, hear, loads, settle } = engine();
    await hear(manifestOf('Fair'));
    await hear(manifestOf('Fair'));
    loads[0]!.answer(done(loads[0]!.question));
    await settle();
    expect(board.roster).toMatchObject({ manifest: loads[0]!.question });
    expect(loads).toHaveLength(1);
  });

  test('of the same structure, but it could not be loaded: it is tried again by the newest link', async () => {
    const { hear, loads } = engine();
    await hear(manifestOf('Fair'));
    const newer = manifestOf('Fair');
    await hear(newer);
    loads[0]!.answer({ kind: 'none', why: 'cut off' });
    await expect.poll(() => loads.map(({ question }) => question).slice(1)).toEqual([newer]);
  });

  test('of another structure: that one is loaded next', async () => {
    const { hear, loads } = engine();
    await hear(manifestOf('Fair'));
    const other = manifestOf('Autumn fair');
    await hear(other);
    loads[0]!.answer(done(loads[0]!.question));
    await expect.poll(() => loads.map(({ question }) => question).slice(1)).toEqual([other]);
  });

  test('of another structure, before test mode was switched: it is not loaded as the roster of test mode', async () => {
    const { hear, loads, parts, settle } = engine();
    await hear(manifestOf('Fair'));
    await hear(manifestOf('Autumn fair'));
    parts.mode = 'test';
    loads[0]!.answer({ kind: 'none', why: 'another roster was opened meanwhile' });
    await settle();
    expect(loads).toHaveLength(1);
  });
});

test('test mode is switched while the manifest is asked for: that of test mode is asked for at once', async () => {
  const { manifests, parts, sync } = engine();
  const reply = sync.manifest();
  parts.mode = 'test';
  sync.soon();
  manifests[0]!.answer(manifestOf('Fair'));
  await reply;
  expect(sync.dueAt()).toBe(0);
});

import type { Operation } from '../../../server/src/road/operation.ts';
import { type Mount, mountsOf, type Row } from './calls.ts';
import { fixtureOf, isMade } from './fixtures.ts';
import { groupRows, listRows } from './group-rows.ts';
import { keyRows } from './key-rows.ts';
import { deviceRows, memberRows } from './member-rows.ts';
import { mixedRows } from './mixed-rows.ts';
import { bodyRows, type Callers, kindsOf, pathRows } from './reference-rows.ts';
import { requestRows } from './request-rows.ts';
import { specialOf } from './specials.ts';
import type { World } from './world.ts';

const CALLERS: Record<Mount['by'] | 'member for one call', Callers> = {
  key: {
    full: async (world) => ({ key: await world.key('home') }),
    limited: async (world, group) => ({ key: await world.key('home', { group }) }),
  },
  member: {
    full: async (world) => ({ session: await world.session('home', 'owner') }),
    limited: async (world, group) => ({ session: await world.session('home', 'owner', { group }) }),
  },
  'member for one call': {
    full: async (world) => ({ session: await world.newSession('home', 'owner') }),
    limited: async (world, group) => ({ session: await world.newSession('home', 'owner', { group }) }),
  },
};

/** Every row of an operation on one mount. `all` are all operations: from them follow the other methods of a path and its list. */
export function rowsOf(op: Operation, mount: Mount, all: readonly Operation[]): Row[] {
  for (const kind of kindsOf(op)) requireFixture(op, kind, all);
  const callers = CALLERS[specialOf(op.id).removesCaller === true ? 'member for one call' : mount.by];
  const first = mountsOf(op)[0] === mount;
  const before = mount.by === 'key' ? [...keyRows(op, mount), ...deviceRows(op, mount)] : memberRows(op, mount);
  if (mount.by === 'key' && op.keysRefused !== undefined) return before;
  return [
    ...before,
    ...requestRows(op, mount, all, callers.full, first),
    ...pathRows(op, mount, callers, first),
    ...bodyRows(op, mount, callers, first),
    ...groupRows(op, mount, callers),
    ...listRows(op, mount, all, callers),
    ...mixedRows(op, mount, callers),
  ];
}

function requireFixture(op: Operation, kind: Parameters<typeof fixtureOf>[0], all: readonly Operation[]): void {
  const fixture = fixtureOf(kind);
  if (isMade(fixture)) return;
  if (all.some((one) => `${one.method} ${one.path}` === fixture.until)) {
    throw new Error(
      `${op.id} refers to a ${kind}, which had no fixture until ${fixture.until} is offered. It is now: ` +
        `give \`${kind}\` in FIXTURES of test/support/matrix/fixtures.ts a \`make\` in place of \`until\`.`,
    );
  }
}

/** Runs rows and returns those that failed. Used to show that the matrix finds a hole. */
export async function failing(world: World, rows: readonly Row[]): Promise<{ name: string; error: unknown }[]> {
  const failed: { name: string; error: unknown }[] = [];
  for (const { name, run } of rows) {
    try {
      await run(world);
    } catch (error) {
      failed.push({ name, error });
    }
  }
  return failed;
}

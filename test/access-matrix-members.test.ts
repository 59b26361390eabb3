import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { toUlid } from '../server/src/common/ids.ts';
import { type Operation, operation } from '../server/src/road/operation.ts';
import { sql } from '../server/src/store/sql.ts';
import { MOUNTS } from './support/matrix/calls.ts';
import { failing, rowsOf } from './support/matrix/rows.ts';
import { runMatrix } from './support/matrix/run.ts';
import { World } from './support/matrix/world.ts';

/**
 * The access matrix of the admin app (access-matrix.test.ts explains it): every operation that members have × every role × own
 * group, other group, other organization, signed out, session ended, role lowered or removed meanwhile. It is a file of its own so
 * that the two run at the same time.
 */
const common = { hosts: [], scope: 'admin', entitlement: null, at: {}, refusals: [], tag: 'Test' } as const;

/** Operations with a hole, how they were meant, and the rows that must find it. */
const looser: Operation = operation({
  ...common,
  id: 'holePermission',
  method: 'GET',
  path: '/holes/permission',
  member: 'events.read',
  reply: Type.Object({}),
  summary: 'A permission that is looser than meant',
  handle: async () => ({}),
});
const forgetful: Operation = operation({
  ...common,
  id: 'holeMembers',
  method: 'GET',
  path: '/holes/members',
  member: 'tenant.members',
  reply: Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) }),
  summary: 'A list without pages that forgets the group',
  handle: async ({ tx, org }) => {
    const rows = await tx.all<{ id: string }>(sql`select id from members where org_id = ${org}`);
    return { data: rows.map((row) => ({ id: toUlid(row.id) })) };
  },
});
const HOLES = [
  {
    name: 'a permission that is looser than meant',
    meant: { ...looser, member: 'tenant.members' } as Operation,
    seen: [
      'the role lowered meanwhile, to developer',
      ...['developer', 'manager', 'desk', 'door', 'viewer'].map((role) => `the role ${role}`),
    ],
  },
  {
    name: 'a list without pages that forgets the group',
    meant: forgetful,
    seen: ['limited to a group, lists nothing of another group'],
  },
];

let world: World;
beforeAll(async () => {
  world = await World.start([looser, forgetful]);
});
afterAll(() => world?.stop());

// claim: webhook-roles
describe('every operation, called by members', () => runMatrix('member', () => world));

test('operations that only members have are in the matrix', () => {
  const only = operations.filter((op) => op.hosts?.length === 0).map((op) => op.id);
  expect(only).toEqual(expect.arrayContaining(['listMembers', 'createInvitation', 'leaveOrganization', 'createKey']));
  for (const op of operations.filter((one) => only.includes(one.id))) {
    expect(rowsOf(op, MOUNTS[2], operations).length, op.id).toBeGreaterThan(15);
  }
});

describe('an operation with a hole is found, and nothing else is reported', () => {
  test.each(HOLES)('$name', async ({ meant, seen }) => {
    const failed = await failing(world, rowsOf(meant, MOUNTS[2], [...operations, looser, forgetful]));
    expect(failed.map((row) => row.name).sort()).toEqual([...seen].sort());
  });
});

import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { type Operation, operation } from '../server/src/road/operation.ts';
import { reference } from '../server/src/road/request/reference.ts';
import { MOUNTS, type Mount, mountsOf } from './support/matrix/calls.ts';
import { FIXTURES } from './support/matrix/fixtures.ts';
import { HOLES } from './support/matrix/holes.ts';
import { failing, rowsOf } from './support/matrix/rows.ts';
import { rowsOrFault, runMatrix } from './support/matrix/run.ts';
import { fieldOf, spotsOf } from './support/matrix/schema.ts';
import { SPECIALS } from './support/matrix/specials.ts';
import { World } from './support/matrix/world.ts';

/**
 * The access matrix: every operation × every way of calling it that must be refused or must work, generated from the declarations.
 * A new operation gets its rows without being listed here. A new kind of reference needs a fixture (support/matrix/fixtures.ts), and
 * what does not follow from a declaration is in support/matrix/specials.ts. This file tests keys and devices;
 * access-matrix-members.test.ts tests members in the admin app.
 */

const needsMore = operation({
  id: 'needsMore',
  method: 'POST',
  path: '/needs-more',
  scope: 'write',
  entitlement: 'api_write',
  member: null,
  audit: 'test.needed',
  at: {},
  body: Type.Object({ even: Type.Integer({ multipleOf: 2, minimum: 1 }) }),
  reply: Type.Object({}),
  refusals: [],
  tag: 'Test',
  summary: 'Takes what no generator guesses',
  handle: async () => ({}),
});
const mountedHere = [...HOLES.map((hole) => hole.mounted), needsMore];

let world: World;
beforeAll(async () => {
  world = await World.start(mountedHere);
});
afterAll(() => world?.stop());

// claim: bearer, clear-test-check-ins, code-or-id, error-api-key-required, error-api-key-unknown, error-entitlement-required
// claim: error-not-found, event-by-id-or-code, group-subtree, idempotency-key-required, plan-api-read, plan-api-scanner, plan-api-write
// claim: plan-webhooks, scopes-exact
describe('every operation, called with keys', () => runMatrix('key', () => world));

describe('besides the rows of the matrix', () => {
  // claim: key-identifies-organization, organization-runs-events
  test('a code that two organizations use leads each of them to its own object', async () => {
    const made: Record<string, string> = {};
    for (const org of ['home', 'other']) {
      const reply = await world.t.call('POST', '/v1/events', {
        key: await world.key(org),
        body: { code: 'In-Both', name: org },
      });
      made[org] = reply.body.id;
    }
    for (const org of ['home', 'other']) {
      const reply = await world.t.call('GET', '/v1/events/in-both', { key: await world.key(org) });
      expect(reply.body).toMatchObject({ id: made[org], name: org });
    }
    expect(made.home).not.toBe(made.other);
  });

  // claim: error-envelope
  test.each(['/v1/events/%ZZ', '/v1/events/%F0%9F', '/v1/nothing', '/api/v1/nothing', '/app/api/nothing', '/nothing'])(
    'an unknown address is answered with the usual error object: %s',
    async (path) => {
      const reply = await world.t.call('GET', path, { key: await world.key('home') });
      expect([400, 404]).toContain(reply.status);
      expect(reply.body.error).toMatchObject({
        code: reply.status === 404 ? 'not_found' : 'validation_failed',
        request_id: reply.headers.get('x-request-id'),
      });
    },
  );
});

describe('the matrix itself', () => {
  const v1 = MOUNTS[0];
  const names = (op: Operation, mount: Mount = v1) => rowsOf(op, mount, [...operations, op]).map((row) => row.name);
  const find = (id: string) => operations.find((op) => op.id === id)!;

  test('every operation is reached somewhere and has rows there', () => {
    for (const op of operations) {
      // What only the registration pages call is on no mount; server/src/areas/pages/my.test.ts shows who reaches it.
      if (op.visitor !== true) expect(mountsOf(op).length, op.id).toBeGreaterThan(0);
      for (const mount of mountsOf(op)) expect(rowsOrFault(op, mount).length, op.id).toBeGreaterThan(8);
    }
  });

  test('no two operations have the same id, and no two rows of an operation the same name', () => {
    expect(new Set(operations.map((op) => op.id)).size).toBe(operations.length);
    for (const op of operations) {
      for (const mount of mountsOf(op)) {
        const all = rowsOrFault(op, mount).map((row) => row.name);
        expect(new Set(all).size, op.id).toBe(all.length);
      }
    }
  });

  test('some of its rows, by name', () => {
    expect(names(find('changeDay'))).toEqual(
      expect.arrayContaining([
        'no key',
        'an unknown key',
        'a revoked key',
        'an expired key',
        'a wrong address',
        'over rate',
        'over quota',
        'over quota, and everything after that wrong',
        'only the scope read',
        'only the scope admin',
        'only the scope scanner',
        'X-Service-Client on free',
        'the plan growth',
        'a test key, on a live object',
        'a read-only installation',
        'an unknown field',
        'another method',
        '{event}: another organization’s, by id',
        '{event}: another organization’s, by code',
        '{day}: another organization’s, by id',
        '{day}: another event’s, by code',
        '{day}: by code in another case: works',
        'limited to a group, another group’s event by id',
        'limited to a group, an event of the whole organization',
      ]),
    );
    expect(names(find('createCheckInPoint'))).toEqual(
      expect.arrayContaining([
        'no Idempotency-Key',
        'body policy/days: another organization’s, by id',
        'body policy/days: another event’s, by code',
        'body policy/leaves: by id in lower case: works',
      ]),
    );
    expect(names(find('createEvent'), MOUNTS[2])).toEqual(
      expect.arrayContaining([
        'no session',
        'the role viewer',
        'the role manager: works',
        'body group: another group’s, by id',
      ]),
    );
  });

  test('every special case belongs to an operation and field that exist', () => {
    const known = new Set(
      operations.flatMap((op) => [
        op.id,
        ...[...spotsOf(op.body), ...spotsOf(op.query)].map((spot) => `${op.id} ${fieldOf(spot)}`),
      ]),
    );
    expect(Object.keys(SPECIALS).filter((name) => !known.has(name))).toEqual([]);
  });

  describe('an operation with a hole is found, and nothing else is reported', () => {
    test.each(HOLES)('$name', async ({ mounted, meant = mounted, seen }) => {
      const failed = await failing(world, rowsOf(meant, v1, [...operations, ...mountedHere]));
      expect(failed.map((row) => row.name).sort()).toEqual([...seen].sort());
    });
  });

  describe('what a declaration does not say must be added, and the failure says so', () => {
    const refersTo = (kind: string): Operation => ({
      ...find('getEvent'),
      id: 'refersToNew',
      path: '/new/{thing}',
      at: { thing: reference({ kind: kind as never, byCode: true, find: async () => null }) },
    });
    test('a reference to a kind without a fixture', () => {
      expect(() => names(refersTo('wristband'))).toThrow(
        /no fixture for references to a wristband: add `wristband` to FIXTURES in test\/support\/matrix\/fixtures\.ts/,
      );
    });
    test('a kind of object that no operation could make until now', () => {
      const before = { ...FIXTURES };
      FIXTURES.check_in = { until: 'POST /wristbands' };
      try {
        const refers = refersTo('check_in');
        const offers = { ...find('createEvent'), path: '/wristbands' };
        expect(() => rowsOf(refers, v1, [refers])).not.toThrow();
        expect(() => rowsOf(refers, v1, [refers, offers])).toThrow(/until POST \/wristbands is offered\. It is now/);
      } finally {
        Object.assign(FIXTURES, before);
      }
    });
    test('a body that is not valid as it is generated', async () => {
      const rows = rowsOf(needsMore, v1, mountedHere).filter((row) => row.name === 'only the scope write: works');
      const [failed] = await failing(world, rows);
      expect(String(failed?.error)).toMatch(/needsMore: .* Add what it needs .* to SPECIALS/);
    });
    test('a write that does not declare what it answers to test keys', async () => {
      const silent = { ...find('changeEvent'), refusals: ['not_found'] } as Operation;
      const rows = rowsOf(silent, v1, operations).filter((row) => row.name.startsWith('a test key, on a live'));
      const [failed] = await failing(world, rows);
      expect(String(failed?.error)).toMatch(/changeEvent .* does not declare the refusal test_key_live_object/);
    });
  });
});

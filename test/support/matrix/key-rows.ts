import { type Entitlement, type PlanCode, SCOPES } from '@turnout/contract';
import { expect } from 'vitest';
import type { Operation } from '../../../server/src/road/operation.ts';
import type { Reply } from '../turnout.ts';
import {
  type As,
  arrange,
  arrangeWorking,
  canWork,
  everythingWrong,
  type Mount,
  pathOfOperation,
  type Row,
  refused,
  type Sent,
  send,
  worked,
} from './calls.ts';
import { fixtureOf, isMade } from './fixtures.ts';
import { specialOf } from './specials.ts';
import { HOME, type KeyFaults, SMALL_PLANS, TEST, type World } from './world.ts';

/** The entitlements that each plan lacks, by the contract (authentication, 4); repeated here so that a change of the server's own table is noticed. */
const LACKS: Record<(typeof SMALL_PLANS)[number], readonly Entitlement[]> = {
  free: ['api_read', 'api_write', 'api_scanner', 'webhooks', 'client_apps', 'background_imports', 'platform_import'],
  starter: ['api_read', 'api_write', 'api_scanner', 'webhooks', 'client_apps'],
  growth: ['api_write', 'api_scanner'],
};
const UPGRADE: Record<Entitlement, PlanCode> = {
  api_read: 'growth',
  api_write: 'scale',
  api_scanner: 'scale',
  webhooks: 'growth',
  client_apps: 'growth',
  background_imports: 'starter',
  platform_import: 'starter',
};
export const plansWithout = (entitlement: Entitlement | null) =>
  entitlement === null ? [] : SMALL_PLANS.filter((plan) => LACKS[plan].includes(entitlement));

export function entitlementRefused(op: Operation, reply: Reply, entitlement: Entitlement): void {
  refused(op, reply, 403, 'entitlement_required');
  expect(reply.body.error).toMatchObject({ key: entitlement, upgrade_plan: UPGRADE[entitlement] });
}

/**
 * Every reason for which a call with a key is refused before the work: alone, and together with every fault that is checked later.
 * Both must be answered with the first fault.
 */
export function keyRows(op: Operation, mount: Mount): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const rowBefore = (name: string, run: Row['run']) => rows.push({ name, run, beforeOperation: true });
  const ask = async (world: World, as: As, org = 'home', sent: Sent = {}) =>
    send(world, op, mount, as, await arrange(world, op, { place: { ...HOME, org } }), sent);
  const askWrongly = (world: World, as: As) => ask(world, as, 'home', everythingWrong(op));
  const others = SCOPES.filter((scope) => scope !== op.scope);

  // ---- the key
  row('no key', async (world) => {
    for (const reply of [await ask(world, {}), await askWrongly(world, {})]) {
      refused(op, reply, 401, 'api_key_required');
      expect(reply.headers.get('x-ratelimit-limit')).toBe('0');
      expect(reply.headers.get('x-ratelimit-remaining')).toBe('0');
    }
  });
  rowBefore('another way of signing in', async (world) => {
    refused(op, await ask(world, { session: await world.session('home', 'owner') }), 401, 'api_key_required');
    refused(op, await ask(world, { authorization: 'Basic b3duZXI6cGFzcw==' }), 401, 'api_key_required');
  });
  rowBefore('an unknown key', async (world) => {
    const key = `svc_live_${'x'.repeat(32)}`;
    for (const reply of [await ask(world, { key }), await askWrongly(world, { key })]) {
      refused(op, reply, 401, 'api_key_unknown');
      expect(reply.headers.get('x-ratelimit-remaining')).toBe('0');
    }
  });
  const fails = (name: string, fault: KeyFaults, after: KeyFaults, check: (reply: Reply) => void) => {
    rowBefore(name, async (world) => {
      const key = await world.faultyKey(fault);
      check(await ask(world, { key }, fault.org));
    });
    rowBefore(`${name}, and everything after that wrong`, async (world) => {
      const key = await world.faultyKey({ ...after, ...fault, org: 'broke', scopes: others });
      check(await askWrongly(world, { key, client: 'matrix' }));
    });
  };
  fails('a revoked key', { revoked: true }, { address: true, rate: true }, (reply) =>
    refused(op, reply, 401, 'api_key_revoked'),
  );
  fails('an expired key', { expired: true }, { address: true, rate: true }, (reply) =>
    refused(op, reply, 401, 'api_key_expired'),
  );
  fails('a wrong address', { address: true }, { rate: true }, (reply) =>
    refused(op, reply, 403, 'api_key_ip_not_allowed'),
  );
  fails('over rate', { rate: true }, {}, (reply) => {
    refused(op, reply, 429, 'rate_limited');
    expect(reply.headers.get('x-ratelimit-limit')).toBe('1');
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(reply.headers.get('retry-after')).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
  });
  fails('over quota', { org: 'spent' }, {}, (reply) => refused(op, reply, 429, 'quota_exceeded'));

  // ---- what the key may do
  if (op.keysRefused !== undefined) {
    const refusal = op.keysRefused;
    row('any key', async (world) => {
      refused(op, await ask(world, { key: await world.key('home') }), 403, refusal);
      refused(op, await ask(world, { key: await world.key('home', { mode: 'test' }) }), 403, refusal);
      refused(op, await askWrongly(world, { key: await world.key('home', { scopes: others }) }), 403, refusal);
    });
    row('any key, on any plan', async (world) => {
      for (const plan of SMALL_PLANS) {
        const key = await world.key(plan, { scopes: others });
        refused(op, await askWrongly(world, { key, client: 'matrix' }), 403, refusal);
      }
    });
    return rows;
  }
  for (const scope of others) {
    row(`only the scope ${scope}`, async (world) =>
      refused(op, await ask(world, { key: await world.key('home', { scopes: [scope] }) }), 403, 'api_key_scope'),
    );
  }
  row(`every scope but ${op.scope}`, async (world) =>
    refused(op, await ask(world, { key: await world.key('home', { scopes: others }) }), 403, 'api_key_scope'),
  );
  row(`every scope but ${op.scope}, and everything after that wrong`, async (world) =>
    refused(
      op,
      await askWrongly(world, { key: await world.key('free', { scopes: others }), client: 'matrix' }),
      403,
      'api_key_scope',
    ),
  );
  if (canWork(op)) {
    row(`only the scope ${op.scope}: works`, async (world) =>
      worked(
        op,
        await send(
          world,
          op,
          mount,
          { key: await world.key('home', { scopes: [op.scope] }) },
          await arrangeWorking(world, op),
        ),
      ),
    );
  }

  // ---- what the plan includes
  for (const plan of plansWithout('client_apps')) {
    rowBefore(`X-Service-Client on ${plan}`, async (world) => {
      const as = { key: await world.key(plan), client: 'matrix' };
      entitlementRefused(op, await ask(world, as, plan), 'client_apps');
      entitlementRefused(op, await askWrongly(world, as), 'client_apps');
    });
  }
  if (canWork(op)) {
    rowBefore('X-Service-Client on scale: works', async (world) =>
      worked(
        op,
        await send(
          world,
          op,
          mount,
          { key: await world.key('home'), client: 'matrix' },
          await arrangeWorking(world, op),
        ),
      ),
    );
  }
  const { entitlement } = op;
  for (const plan of plansWithout(entitlement)) {
    row(`the plan ${plan}`, async (world) => {
      const as = { key: await world.key(plan) };
      entitlementRefused(op, await ask(world, as, plan), entitlement!);
      entitlementRefused(op, await askWrongly(world, as), entitlement!);
      // The plan is checked before the license.
      entitlementRefused(op, await ask(world, as, plan, { url: world.readOnly.url }), entitlement!);
    });
  }
  if (op.method === 'GET' && canWork(op)) {
    for (const plan of SMALL_PLANS.filter((one) => !plansWithout(entitlement).includes(one))) {
      row(`the plan ${plan}: works`, async (world) =>
        worked(op, await ask(world, { key: await world.key(plan) }, plan)),
      );
    }
  }
  return [...rows, ...testKeyRows(op, mount)];
}

/** A test key reads live and test objects and changes only test ones. */
function testKeyRows(op: Operation, mount: Mount): Row[] {
  const path = pathOfOperation(op);
  const kinds = path.map(([, kind]) => fixtureOf(kind));
  const asTest = async (world: World): Promise<As> => ({ key: await world.key('home', { mode: 'test' }) });
  const isTest = (reply: Reply) => {
    if (reply.body !== null && 'test' in reply.body) expect(reply.body.test).toBe(true);
  };
  const onTestObject = (reply: Reply) => {
    const { onTestObject: instead } = specialOf(op.id);
    if (instead === undefined) worked(op, reply);
    else refused(op, reply, instead.status, instead.code);
  };
  const rows: Row[] = [];
  const declares = op.refusals.includes('test_key_live_object');
  const allowed = specialOf(op.id).testKey === 'allowed';
  if (op.method === 'GET' || allowed) {
    rows.push({
      name: `a test key, ${op.method === 'GET' ? 'reading live' : 'acting on a live object'}: works`,
      run: async (world) => {
        const reply = await send(world, op, mount, await asTest(world), await arrangeWorking(world, op));
        worked(op, reply);
        if (op.method !== 'GET') isTest(reply);
      },
    });
  } else if (path.length > 0 || declares) {
    rows.push({
      name: 'a test key, on a live object',
      run: async (world) => {
        if (!declares) {
          throw new Error(
            `${op.id} changes an object of its path but does not declare the refusal test_key_live_object. ` +
              'Declare it, or if test keys may do this to live objects, say so with `testKey` in SPECIALS.',
          );
        }
        refused(
          op,
          await send(world, op, mount, await asTest(world), await arrange(world, op)),
          403,
          'test_key_live_object',
        );
      },
    });
  } else {
    rows.push({
      name: 'a test key creates a test object',
      run: async (world) => {
        const reply = await send(world, op, mount, await asTest(world), await arrangeWorking(world, op));
        worked(op, reply);
        isTest(reply);
      },
    });
  }
  if (path.length > 0 && kinds.every((kind) => isMade(kind) && kind.test !== false)) {
    rows.push({
      name: 'a test key, on a test object',
      run: async (world) => {
        const subject = await arrangeWorking(world, op, { place: TEST });
        onTestObject(await send(world, op, mount, await asTest(world), subject));
      },
    });
  }
  const last = kinds.at(-1);
  if (last !== undefined && isMade(last) && last.test === 'inside live') {
    const inLiveEvent = { working: true, placeOf: (kind: string) => (kind === 'event' ? HOME : TEST) };
    rows.push({
      name: 'a test key, on a test object in a live event',
      run: async (world) =>
        onTestObject(await send(world, op, mount, await asTest(world), await arrange(world, op, inLiveEvent))),
    });
    rows.push({
      name: 'a live key, on a test object in a live event',
      run: async (world) => {
        const as = { key: await world.key('home') };
        refused(op, await send(world, op, mount, as, await arrange(world, op, inLiveEvent)), 404, 'not_found');
      },
    });
  }
  return canWork(op) ? rows : [];
}

import { ROLE_PERMISSIONS, ROLES, type Role } from '@turnout/contract';
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
  succeeded,
  worked,
} from './calls.ts';
import { type Fixture, fixtureOf, type Place } from './fixtures.ts';
import { entitlementRefused, plansWithout } from './key-rows.ts';
import { specialOf } from './specials.ts';
import { CITY, HOME, type SessionWanted, SOUTH, type World } from './world.ts';

/** Members in the admin app: they need a session and a role with the permission. */
export function memberRows(op: Operation, mount: Mount): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const rowBefore = (name: string, run: Row['run']) => rows.push({ name, run, beforeOperation: true });
  const ask = async (world: World, as: As, org = 'home', sent: Sent = {}) =>
    send(world, op, mount, as, await arrange(world, op, { place: { ...HOME, org } }), sent);
  const askWrongly = (world: World, as: As) => ask(world, as, 'home', everythingWrong(op));
  const { seenWith, removesCaller } = specialOf(op.id);
  const hasGroup = canWork(op) && pathOfOperation(op).some(([, kind]) => (fixtureOf(kind) as Fixture).grouped);
  const sessionOf = (world: World, org: string, role: Role, more: SessionWanted = {}) =>
    removesCaller === true ? world.newSession(org, role, more) : world.session(org, role, more);

  row('no session', async (world) => {
    refused(op, await ask(world, {}), 401, 'sign_in_required');
    refused(op, await askWrongly(world, {}), 401, 'sign_in_required');
  });
  rowBefore('an unknown session', async (world) =>
    refused(op, await askWrongly(world, { session: 'x'.repeat(43) }), 401, 'sign_in_required'),
  );
  rowBefore('a session that has ended', async (world) => {
    const session = await world.session('home', 'owner', { expired: true });
    refused(op, await ask(world, { session }), 401, 'sign_in_required');
  });
  rowBefore('signed out', async (world) => {
    const session = await world.formerSession('signed out');
    refused(op, await ask(world, { session }), 401, 'sign_in_required');
    refused(op, await askWrongly(world, { session }), 401, 'sign_in_required');
  });
  rowBefore('a key in place of a session', async (world) =>
    refused(op, await ask(world, { key: await world.key('home') }), 401, 'sign_in_required'),
  );
  rowBefore('the organization of others in the address', async (world) => {
    const session = await world.session('home', 'owner');
    const id = await world.idOf('other');
    const nowhere = await ask(world, { session }, 'home', { org: 'no-such-organization' });
    refusedAnywhere(nowhere);
    // The objects are those of the other organization, and of the own one; whether it exists is not to be told from the answer.
    for (const org of ['other', id]) {
      for (const subject of ['other', 'home']) {
        const reply = await ask(world, { session }, subject, { org });
        refusedAnywhere(reply);
        expect(reply.body.error.message).toBe(nowhere.body.error.message);
      }
    }
    refusedAnywhere(await ask(world, { session }, 'home', { ...everythingWrong(op), org: 'other' }));
  });
  rowBefore('removed from the organization meanwhile', async (world) => {
    const session = await world.formerSession('removed');
    refusedAnywhere(await ask(world, { session }));
    refusedAnywhere(await ask(world, { session }, 'home', everythingWrong(op)));
  });
  const lower = ROLES.find((role) => !ROLE_PERMISSIONS[role].includes(op.member!));
  if (lower !== undefined) {
    row(`the role lowered meanwhile, to ${lower}`, async (world) => {
      const session = await world.formerSession(lower);
      refused(op, await ask(world, { session }), 403, 'permission_required');
      refused(op, await askWrongly(world, { session }), 403, 'permission_required');
    });
  }
  if (op.proved === true) {
    row('a proof that is too old', async (world) => {
      const session = await world.session('home', 'owner', { stale: true });
      refused(op, await ask(world, { session }), 403, 'sign_in_again');
      refused(op, await askWrongly(world, { session }), 403, 'sign_in_again');
    });
  }

  for (const role of ROLES) {
    if (!ROLE_PERMISSIONS[role].includes(op.member!)) {
      row(`the role ${role}`, async (world) => {
        for (const more of [{}, { group: 'home-north' }]) {
          const session = await world.session('home', role, more);
          refused(op, await ask(world, { session }), 403, 'permission_required');
          refused(op, await askWrongly(world, { session }), 403, 'permission_required');
        }
      });
    } else if (canWork(op)) {
      const sees = seenWith === undefined || ROLE_PERMISSIONS[role].includes(seenWith);
      const call = async (world: World, place: Place, more: SessionWanted) => {
        const session = await sessionOf(world, 'home', role, more);
        const reply = await send(world, op, mount, { session }, await arrangeWorking(world, op, { place }));
        if (sees) worked(op, reply);
        else refused(op, reply, 404, 'not_found');
      };
      // The rows about groups have an owner who is limited to one. Here every other role is, and not limited where that is cheap.
      const isLimited = role !== 'owner' && op.organizationWide !== true;
      row(`the role ${role}${sees ? ': works' : ''}`, async (world) => {
        if (isLimited) await call(world, CITY, { group: 'home-north' });
        if (!isLimited || op.method === 'GET') await call(world, HOME, {});
      });
      if (isLimited && hasGroup) {
        row(`the role ${role}, limited to a group, another group’s`, async (world) => {
          const session = await world.session('home', role, { group: 'home-north' });
          const reply = await send(world, op, mount, { session }, await arrange(world, op, { place: SOUTH }));
          refused(op, reply, 404, 'not_found');
        });
      }
    }
  }
  if (pathOfOperation(op).length > 0) {
    row('a member of another organization', async (world) =>
      refused(op, await ask(world, { session: await world.session('other', 'owner') }), 404, 'not_found'),
    );
  }

  for (const plan of plansWithout('client_apps')) {
    rowBefore(`X-Service-Client on ${plan}`, async (world) => {
      const as = { session: await world.session(plan, 'owner'), client: 'matrix' };
      entitlementRefused(op, await ask(world, as, plan), 'client_apps');
    });
  }
  // Members do not need the plan's API entitlements, which are for keys; every other entitlement applies to them, too.
  const ofTheApi = op.entitlement === null || op.entitlement.startsWith('api_');
  for (const plan of plansWithout(op.entitlement).slice(0, ofTheApi ? 1 : undefined)) {
    if (!ofTheApi) {
      row(`the plan ${plan}`, async (world) => {
        const as = { session: await world.session(plan, 'owner') };
        entitlementRefused(op, await ask(world, as, plan), op.entitlement!);
        entitlementRefused(op, await askWrongly(world, as), op.entitlement!);
      });
    } else if (canWork(op)) {
      rowBefore(`the plan ${plan}: works`, async (world) => {
        const as = { session: await sessionOf(world, plan, 'owner') };
        const subject = await arrangeWorking(world, op, { place: { ...HOME, org: plan } });
        worked(op, await send(world, op, mount, as, subject));
      });
    }
  }
  return rows;
}

/** The organization is not there for the caller. No operation declares this: it is answered before the operation is reached. */
function refusedAnywhere(reply: Reply): void {
  expect([reply.status, reply.body?.error?.code], reply.text).toEqual([404, 'not_found']);
}

/** Paired devices on the scanner host; on `/v1` their token is not accepted as a key. */
export function deviceRows(op: Operation, mount: Mount): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const ask = async (world: World, token: string) => send(world, op, mount, { key: token }, await arrange(world, op));
  const paired = async (world: World, revoked = false) =>
    world.keep(
      `device ${revoked}`,
      async () => (await world.device(await world.standing('event', HOME), { revoked })).token,
    );
  if (mount.prefix !== '/api/v1') {
    const run: Row['run'] = async (world) => refused(op, await ask(world, await paired(world)), 401, 'api_key_unknown');
    return [{ name: 'a paired device', run, beforeOperation: true }];
  }
  row('an unknown device', async (world) =>
    refused(op, await ask(world, `svc_device_${'X'.repeat(26)}`), 401, 'api_key_unknown'),
  );
  row('a device that was unpaired', async (world) =>
    refused(op, await ask(world, await paired(world, true)), 401, 'api_key_revoked'),
  );
  if (op.device !== true) {
    row('a paired device', async (world) => refused(op, await ask(world, await paired(world)), 404, 'not_found'));
  } else if (canWork(op)) {
    row('a paired device: works', async (world) => {
      const subject = await arrangeWorking(world, op);
      const event = subject.parents.event ?? (await world.standing('event', HOME));
      const { token } = await world.device(event, { unlocked: true });
      const reply = await send(world, op, mount, { key: token }, subject);
      const { onDevice } = specialOf(op.id);
      if (onDevice === undefined) succeeded(op, reply);
      else refused(op, reply, onDevice.status, onDevice.code);
    });
    if (pathOfOperation(op).some(([, kind]) => kind === 'event')) {
      row('a paired device, another event', async (world) => {
        const elsewhere = await world.keep('event of a device', () => world.make('event', HOME));
        refused(op, await ask(world, (await world.device(elsewhere)).token), 404, 'not_found');
      });
    }
  }
  return rows;
}

import { ROLE_PERMISSIONS, ROLES } from '@turnout/contract';
import type { Operation } from '../../../server/src/road/operation.ts';
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
import { entitlementRefused, plansWithout } from './key-rows.ts';
import { specialOf } from './specials.ts';
import { HOME, type World } from './world.ts';

/** Members in the admin app: they need a session and a role with the permission. */
export function memberRows(op: Operation, mount: Mount): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const ask = async (world: World, as: As, org = 'home', sent: Sent = {}) =>
    send(world, op, mount, as, await arrange(world, op, { place: { ...HOME, org } }), sent);
  const askWrongly = (world: World, as: As) => ask(world, as, 'home', everythingWrong(op));

  row('no session', async (world) => {
    refused(op, await ask(world, {}), 401, 'sign_in_required');
    refused(op, await askWrongly(world, {}), 401, 'sign_in_required');
  });
  row('an unknown session', async (world) =>
    refused(op, await askWrongly(world, { session: 'x'.repeat(43) }), 401, 'sign_in_required'),
  );
  row('a session that has ended', async (world) => {
    const session = await world.session('home', 'owner', { expired: true });
    refused(op, await ask(world, { session }), 401, 'sign_in_required');
  });
  row('a key in place of a session', async (world) =>
    refused(op, await ask(world, { key: await world.key('home') }), 401, 'sign_in_required'),
  );

  if (op.proved === true) {
    row('somebody who signed in long ago', async (world) => {
      const session = await world.session('home', 'owner', { unproved: true });
      refused(op, await ask(world, { session }), 403, 'sign_in_again');
      refused(op, await askWrongly(world, { session }), 403, 'sign_in_again');
    });
  }

  for (const role of ROLES) {
    if (!ROLE_PERMISSIONS[role].includes(op.member!)) {
      row(`the role ${role}`, async (world) => {
        const session = await world.session('home', role);
        refused(op, await ask(world, { session }), 403, 'permission_required');
        refused(op, await askWrongly(world, { session }), 403, 'permission_required');
      });
    } else if (canWork(op)) {
      row(`the role ${role}: works`, async (world) => {
        const session = await world.session('home', role);
        worked(op, await send(world, op, mount, { session }, await arrangeWorking(world, op)));
      });
    }
  }
  if (pathOfOperation(op).length > 0) {
    row('a member of another organization', async (world) =>
      refused(op, await ask(world, { session: await world.session('other', 'owner') }), 404, 'not_found'),
    );
  }

  for (const plan of plansWithout('client_apps')) {
    row(`X-Service-Client on ${plan}`, async (world) => {
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
      row(`the plan ${plan}: works`, async (world) => {
        const as = { session: await world.session(plan, 'owner') };
        const subject = await arrangeWorking(world, op, { place: { ...HOME, org: plan } });
        worked(op, await send(world, op, mount, as, subject));
      });
    }
  }
  return rows;
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
    row('a paired device', async (world) => refused(op, await ask(world, await paired(world)), 401, 'api_key_unknown'));
    return rows;
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

import {
  type DeviceMembers,
  type DeviceUnlock,
  type DeviceUnlocked,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from '@turnout/contract';
import { MINUTE } from '../../clock.ts';
import { type Id, toUlid, toUuid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Actor } from '../../road/caller.ts';
import type { BeforeCall, Work } from '../../road/operation.ts';
import type { Reach } from '../../road/request/reference.ts';
import { writeAudit } from '../../road/write/record.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import { inOneLine } from '../groups/index.ts';
import { returnPinTry, takePinTry } from './pin-tries.ts';
import { pinFits, renewPin } from './pins.ts';

/**
 * A member unlocks a paired scanner with a PIN, and may then override and undo there for 15 minutes. It ends before if the member
 * is removed, loses the permission or changes the PIN, if somebody else unlocks the scanner, or if the scanner is unpaired: all of
 * it is read anew with every call.
 */
const UNLOCKED_MS = 15 * MINUTE;
/** More names than this are no help to anybody at a gate. */
const MAX_MEMBERS = 200;
const MAY_OVERRIDE: readonly Role[] = ROLES.filter((role) => ROLE_PERMISSIONS[role].includes('door.override'));

interface Unlocker {
  id: Id;
  name: string;
  group_id: Id | null;
  pin_hash: string;
  pin_set_at: string;
}

type DeviceActor = Extract<Actor, { kind: 'device' }>;
/** Only devices unlock themselves. For others there is no such thing. */
const deviceOf = ({ caller: { actor } }: Reach): DeviceActor => (actor.kind === 'device' ? actor : refuse('not_found'));

/**
 * The members who have a PIN and may override where the device scans. One who is limited to a group must see the device's event,
 * and one of the two groups must lie within the other if the device is limited to one, too.
 */
const unlockers = ({ tx, org }: Reach, device: DeviceActor, where: Sql): Promise<Unlocker[]> =>
  tx.all<Unlocker>(sql`
    select m.id, a.name, m.group_id, m.pin_hash, m.pin_set_at
    from devices d
    join events e on e.org_id = d.org_id and e.id = d.event_id
    join members m on m.org_id = d.org_id and m.pin_hash is not null and m.role = any(${MAY_OVERRIDE})
    join accounts a on a.id = m.account_id
    where d.org_id = ${org} and d.id = ${device.id} and d.revoked_at is null and ${where}
      and ${inOneLine(org, sql`m.group_id`, sql`e.group_id`)} and ${inOneLine(org, sql`m.group_id`, sql`d.group_id`)}
    order by lower(a.name), m.id limit ${MAX_MEMBERS}`);

const shape = ({ id, name }: Unlocker) => ({ id: toUlid(id), name });

export async function listUnlockers(work: Work): Promise<DeviceMembers> {
  return { data: (await unlockers(work, deviceOf(work), sql`true`)).map(shape) };
}

async function findUnlocker(work: Work, device: DeviceActor, member: string): Promise<Unlocker> {
  const [found] = await unlockers(work, device, sql`m.id = ${toUuid(member)}`);
  return found ?? refuse('not_found', { message: 'This member cannot unlock this scanner. Load the names again.' });
}

/** Checks the PIN before the work, because that takes a moment. Brings when the PIN was set that was right. */
export async function checkPin(
  call: BeforeCall<Record<never, never>, unknown, DeviceUnlock>,
): Promise<() => Promise<string>> {
  const { org, secrets, body, caller, request, apart } = call;
  const device = deviceOf(call);
  const member = await findUnlocker(call, device, body.member);
  const tried = { org, member: member.id, device: device.id };
  return async () => {
    await apart((tx) => takePinTry(tx, secrets, tried));
    if (!(await pinFits(secrets, org, member.id, body.pin, member.pin_hash))) {
      await apart(async (tx) =>
        writeAudit(tx, org, [
          {
            ...changeOf(device, caller.group?.id ?? null, member),
            action: 'device.unlock_failed',
            caller: { actor: device, mode: 'live' },
            source: 'scanner',
            client: request.client,
            requestId: request.id,
          },
        ]),
      );
      refuse('pin_wrong');
    }
    await apart((tx) => returnPinTry(tx, secrets, tried));
    await renewPin(apart, secrets, { org, member: member.id, pin: body.pin, hash: member.pin_hash });
    return member.pin_set_at;
  };
}

export async function unlock(work: Work, body: DeviceUnlock, pinSetAt: string): Promise<DeviceUnlocked> {
  const { tx, org, caller } = work;
  const device = deviceOf(work);
  const member = await findUnlocker(work, device, body.member);
  if (member.pin_set_at !== pinSetAt) refuse('pin_wrong');
  const until = new Date(tx.clock.now().getTime() + UNLOCKED_MS);
  await tx.run(sql`
    update devices set unlocked_by = ${member.id}, unlocked_pin_at = ${member.pin_set_at}, unlocked_until = ${until}
    where org_id = ${org} and id = ${device.id}`);
  work.changed({ ...changeOf(device, caller.group?.id ?? null, member), by: memberOf(member) });
  return { member: shape(member), expires_at: iso(until) };
}

const memberOf = ({ id, name }: Unlocker) => ({ kind: 'member', id, name }) as const;

const changeOf = (device: DeviceActor, group: Id | null, member: Unlocker) => ({
  kind: 'device',
  id: device.id,
  event: device.event,
  group,
  details: { device: device.name, member: member.name },
  objects: [{ kind: 'member', id: member.id }],
});

/** Who decides about a check-in or a hand-out, and at which device if it is one. */
export interface Decider {
  by: Pick<Actor, 'kind' | 'id' | 'name'>;
  device: { id: Id; name: string } | null;
}

/**
 * A member decides as themselves. At a device, the member decides who has unlocked it, about people whom both may see: the path was
 * looked up with the reach of the device, so `seenBy` looks it up here with that of the member.
 */
export async function deciderOf(work: Work, seenBy: (asMember: Work) => Promise<unknown>): Promise<Decider> {
  const { caller, tx } = work;
  if (caller.actor.kind !== 'device') return { by: caller.actor, device: null };
  const device = caller.actor;
  const [member] = await unlockers(
    work,
    device,
    sql`m.id = d.unlocked_by and m.pin_set_at = d.unlocked_pin_at and d.unlocked_until > ${tx.clock.now()}::timestamptz`,
  );
  if (member === undefined) {
    return refuse('permission_required', {
      message: 'Ask a member to unlock the scanner with their PIN first.',
    });
  }
  if (member.group_id !== null) {
    const asMember = { ...work, caller: { ...caller, group: { id: member.group_id, code: '' } } };
    if ((await seenBy(asMember)) === null) {
      return refuse('permission_required', {
        message: `${member.name} is limited to a group to which this person does not belong. Ask someone who can see the person.`,
      });
    }
  }
  return { by: memberOf(member), device: { id: device.id, name: device.name } };
}

/** What the audit log says of the device at which a member decided. */
export const atDevice = (device: Decider['device']) => (device === null ? {} : { device: device.name });
export const deviceObject = (device: Decider['device']) => (device === null ? [] : [{ kind: 'device', id: device.id }]);

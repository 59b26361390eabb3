import type { Device, Heartbeat } from '@turnout/contract';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Caller } from '../../road/caller.ts';
import type { Work } from '../../road/operation.ts';
import { reference } from '../../road/request/reference.ts';
import { diff } from '../../road/write/diff.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { iso, stamps } from '../../store/stamps.ts';
import type { EventRow } from '../events/index.ts';
import { eventGroup, inReach } from '../groups/index.ts';

interface DeviceRow {
  id: Id;
  event_id: Id;
  in_group: { code: string; name: string } | null;
  name: string;
  version: string | null;
  queue_length: number | null;
  battery: number | null;
  seen_at: string | null;
  revoked_at: string | null;
  created_at: string;
  updated_at: string;
}
/** The group that a device is limited to, by its id. */
export const groupShape = (org: Sql, group: Sql): Sql =>
  sql`(select json_build_object('code', g.code, 'name', g.name) from groups g where g.org_id = ${org} and g.id = ${group})`;
const COLUMNS = sql`id, event_id, ${groupShape(sql`devices.org_id`, sql`devices.group_id`)} as in_group, name, version, queue_length, battery, seen_at, revoked_at, created_at, updated_at`;

export const deviceShape = (row: DeviceRow): Device => ({
  id: toUlid(row.id),
  name: row.name,
  group: row.in_group,
  version: row.version,
  queue_length: row.queue_length,
  battery: row.battery,
  seen_at: row.seen_at,
  revoked_at: row.revoked_at,
  ...stamps(row),
});

/** A member who is limited to a group sees the devices of that group and of those below it, as on the live page. */
const visible = (caller: Caller, event: EventRow): Sql =>
  inReach(caller, sql`coalesce(devices.group_id, ${eventGroup(event)})`);

export const aDevice = reference<DeviceRow, { event: EventRow }>({
  kind: 'device',
  byCode: false,
  find: async ({ tx, org, caller }, ref, { event }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return tx.maybe<DeviceRow>(
      sql`select ${COLUMNS} from devices where org_id = ${org} and event_id = ${event.id} and id = ${id} and ${visible(caller, event)}`,
    );
  },
});

export async function listDevices(work: Work, event: EventRow): Promise<Device[]> {
  const rows = await work.tx.all<DeviceRow>(sql`
    select ${COLUMNS} from devices where org_id = ${work.org} and event_id = ${event.id} and ${visible(work.caller, event)}
    order by revoked_at is not null, name, id`);
  return rows.map(deviceShape);
}

export async function revokeDevice(work: Work, event: EventRow, device: DeviceRow): Promise<undefined> {
  const now = work.tx.clock.now();
  await work.tx.run(sql`
    update devices set revoked_at = coalesce(revoked_at, ${now}::timestamptz), updated_at = ${now} where org_id = ${work.org} and id = ${device.id}`);
  work.changed({
    kind: 'device',
    id: device.id,
    event: event.id,
    group: event.group_id,
    changes: diff(deviceShape(device), { ...deviceShape(device), revoked_at: device.revoked_at ?? iso(now) }),
    details: { name: device.name },
  });
  return undefined;
}

export async function heartbeat(work: Work, body: Heartbeat): Promise<Device> {
  const { tx, org, caller } = work;
  if (caller.actor.kind !== 'device') return refuse('not_found');
  const now = tx.clock.now();
  const row = await tx.one<DeviceRow>(sql`
    update devices set seen_at = ${now}, updated_at = ${now}, queue_length = coalesce(${body.queue_length ?? null}::int, queue_length),
      battery = coalesce(${body.battery ?? null}::int, battery), version = coalesce(${body.version ?? null}, version)
    where org_id = ${org} and id = ${caller.actor.id} returning ${COLUMNS}`);
  return deviceShape(row);
}

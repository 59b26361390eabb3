import { randomBytes } from 'node:crypto';
import type { Device, Heartbeat } from '@turnout/contract';
import { type Clock, MINUTE } from '../../clock.ts';
import { DEVICE_TOKEN_PREFIX, hashSecret } from '../../road/authenticate.ts';
import type { Work } from '../../road/operation.ts';
import { reference } from '../../road/reference.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, newId, parseRef, toUlid } from '../../store/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { iso, stamps } from '../../store/stamps.ts';
import { transaction } from '../../store/tx.ts';
import { type EventRow, eventById, eventShape } from '../events/index.ts';

/**
 * A member makes a code of eight letters that lives ten minutes; whoever types it into a scanner gets a token for that event,
 * once. The token is shown once and stored as a hash; revoking it works on the next request.
 */
const CODE_LIFE = 10 * MINUTE;
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

interface DeviceRow {
  id: Id;
  event_id: Id;
  name: string;
  version: string | null;
  queue_length: number | null;
  battery: number | null;
  seen_at: string | null;
  revoked_at: string | null;
  created_at: string;
  updated_at: string;
}
const COLUMNS = sql`id, event_id, name, version, queue_length, battery, seen_at, revoked_at, created_at, updated_at`;

export const deviceShape = (row: DeviceRow): Device => ({
  id: toUlid(row.id),
  name: row.name,
  version: row.version,
  queue_length: row.queue_length,
  battery: row.battery,
  seen_at: row.seen_at,
  revoked_at: row.revoked_at,
  ...stamps(row),
});

export const aDevice = reference<DeviceRow, { event: EventRow }>({
  kind: 'device',
  byCode: false,
  find: async ({ tx, org }, ref, { event }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return tx.maybe<DeviceRow>(
      sql`select ${COLUMNS} from devices where org_id = ${org} and event_id = ${event.id} and id = ${id}`,
    );
  },
});

export async function makePairingCode(work: Work, event: EventRow, name: string | undefined) {
  const { tx, org } = work;
  const now = tx.clock.now();
  const letters = [...randomBytes(8)].map((byte) => LETTERS[byte & 31]).join('');
  const expires = new Date(now.getTime() + CODE_LIFE);
  const id = newId(now);
  await insertRow(tx, 'pairing_codes', {
    org_id: org,
    id,
    event_id: event.id,
    code_hash: hashSecret(letters),
    name: name ?? null,
    expires_at: expires,
    created_at: now,
  });
  work.changed({ kind: 'pairing_code', id, event: event.id, group: event.group_id });
  return { code: `${letters.slice(0, 4)}-${letters.slice(4)}`, expires_at: iso(expires) };
}

/** Turns a code into a token. Two devices with one code: the first gets it. */
export async function pair(pool: Pool, clock: Clock, body: { code: string; name?: string; version?: string }) {
  const letters = body.code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  const { rows } = await pool.query({
    name: 'find_pairing_code',
    text: 'select org_id, id from directory.find_pairing_code($1)',
    values: [hashSecret(letters)],
  });
  const found = rows[0] as { org_id: Id; id: Id } | undefined;
  const gone = () =>
    refuse('not_found', { message: 'This pairing code is not valid (any more). Ask an organizer for a new one.' });
  if (found === undefined) return gone();
  return transaction(pool, clock, { role: 'app', org: found.org_id }, async (tx) => {
    const now = clock.now();
    const code = await tx.maybe<{ event_id: Id; name: string | null }>(sql`
      update pairing_codes set used_at = ${now} where org_id = ${found.org_id} and id = ${found.id} and used_at is null and expires_at > ${now}
      returning event_id, name`);
    if (code === null) return gone();
    const token = DEVICE_TOKEN_PREFIX + randomBytes(24).toString('base64url');
    const id = newId(now);
    const name = body.name ?? code.name ?? 'Scanner';
    await insertRow(tx, 'devices', {
      org_id: found.org_id,
      id,
      event_id: code.event_id,
      name,
      token_hash: hashSecret(token),
      version: body.version ?? null,
      seen_at: now,
      created_at: now,
      updated_at: now,
    });
    const event = await eventById(tx, found.org_id, code.event_id);
    return { device: { id: toUlid(id), name }, token, event: eventShape(event!) };
  });
}

export async function listDevices(work: Work, event: EventRow): Promise<Device[]> {
  const rows = await work.tx.all<DeviceRow>(sql`
    select ${COLUMNS} from devices where org_id = ${work.org} and event_id = ${event.id} order by revoked_at is not null, name, id`);
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
    changes: { revoked: device.name },
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

import type { CheckIn, Disagreement } from '@turnout/contract';
import { MINUTE } from '../../clock.ts';
import { type Id, toUlid, ulidOrNull } from '../../common/ids.ts';
import type { ScanWorld } from './world.ts';

/** A row of the table `checkins`. */
export interface CheckInRow {
  id: Id;
  event_id: Id;
  attendee_id: Id;
  ticket_id: Id;
  check_in_point_id: Id;
  kind: string;
  day_id: Id | null;
  group_id: Id | null;
  result: string;
  admitted: boolean;
  reason: string | null;
  scanned_at: string;
  recorded_at: string;
  client_uuid: string | null;
  test: boolean;
  skewed: boolean;
  offline_result: string | null;
  actor_kind: string;
  actor_id: Id | null;
  actor_name: string;
  /** The device at which a member overrode a refusal. */
  device_id?: Id | null;
  device_name?: string | null;
  override_of: Id | null;
  override_reason: string | null;
  undone_at: string | null;
}

export const CHECK_IN_COLUMNS = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  attendee_id: 'uuid',
  ticket_id: 'uuid',
  check_in_point_id: 'uuid',
  kind: 'text',
  day_id: 'uuid',
  group_id: 'uuid',
  result: 'text',
  admitted: 'boolean',
  reason: 'text',
  scanned_at: 'timestamptz',
  recorded_at: 'timestamptz',
  client_uuid: 'uuid',
  test: 'boolean',
  skewed: 'boolean',
  offline_result: 'text',
  actor_kind: 'text',
  actor_id: 'uuid',
  actor_name: 'text',
  override_of: 'uuid',
  override_reason: 'text',
  undone_at: 'timestamptz',
} as const;

/** An override may have been made at a device. Scans leave these columns out, because they are written so often. */
export const OVERRIDE_COLUMNS = { ...CHECK_IN_COLUMNS, device_id: 'uuid', device_name: 'text' } as const;

/** A scan of an unknown code, shown in the list of disagreements as a check-in without an attendee. */
type OfNobody = Omit<CheckInRow, 'attendee_id' | 'ticket_id'> & { attendee_id: Id | null; ticket_id: Id | null };

export function checkInShape(world: Pick<ScanWorld, 'days' | 'points'>, row: CheckInRow): CheckIn;
export function checkInShape(world: Pick<ScanWorld, 'days' | 'points'>, row: OfNobody): Disagreement;
export function checkInShape(world: Pick<ScanWorld, 'days' | 'points'>, row: OfNobody): Disagreement {
  return {
    id: toUlid(row.id),
    event_id: toUlid(row.event_id),
    result: row.result,
    admitted: row.admitted,
    reason: row.reason,
    attendee_id: ulidOrNull(row.attendee_id),
    ticket_id: ulidOrNull(row.ticket_id),
    day: row.day_id === null ? null : (world.days.get(row.day_id)?.code ?? null),
    check_in_point: world.points.get(row.check_in_point_id)?.code ?? '',
    scanned_at: row.scanned_at,
    recorded_at: row.recorded_at,
    client_uuid: row.client_uuid,
    test: row.test,
    skewed: row.skewed,
    offline_result: row.offline_result,
    actor: { kind: row.actor_kind, id: ulidOrNull(row.actor_id), name: row.actor_name },
    ...(row.device_id != null && { device: { id: toUlid(row.device_id), name: row.device_name ?? '' } }),
    override: row.override_of === null ? null : { of: toUlid(row.override_of), reason: row.override_reason ?? '' },
    undone_at: row.undone_at,
  };
}

/** A device whose clock is this far off has its check-ins marked as `skewed`. */
const SKEW = 5 * MINUTE;
export const isSkewed = (at: Date, now: Date): boolean => Math.abs(at.getTime() - now.getTime()) > SKEW;

import type { Decision, PointKind } from '@turnout/checkin';
import type { ScanResponse } from '@turnout/client';
import type { OwnAdmission } from '../roster/own.ts';
import type { QueueRow } from '../store/rows.ts';

/** What a scan tells this device about who is in, before the roster does. */

type Of = Pick<QueueRow, 'client_uuid' | 'point' | 'scanned_at' | 'ticket' | 'n'>;

export const admittedByDevice = (row: Of, kind: PointKind, { people }: Decision): OwnAdmission[] =>
  people
    .filter(({ admitted }) => admitted)
    .map(({ person, day }) => ({ ...common(row, kind), person, day, recorded: null, checkin: null }));

export const admittedByServer = (row: Of, kind: PointKind, { checkins }: ScanResponse): OwnAdmission[] =>
  checkins
    .filter(({ admitted, undone_at }) => admitted && undone_at === null)
    .map((one) => ({
      ...common(row, kind),
      person: one.attendee_id,
      day: one.day,
      at: Date.parse(one.scanned_at),
      recorded: Date.parse(one.recorded_at),
      checkin: one.id,
    }));

const common = ({ client_uuid, point, scanned_at, ticket, n }: Of, kind: PointKind) => ({
  client_uuid,
  ticket,
  check_in_point: point,
  kind,
  at: scanned_at,
  n,
});

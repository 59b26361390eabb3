import type { Mode } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { sixDecimals } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import {
  attendeeTypes,
  type CheckInPointRow,
  checkInPoints,
  type DayRow,
  days,
  type EventRow,
} from '../events/index.ts';
import { checkInInReach, eventGroup, type Limit, limitOf, registrationFullyInReach } from '../groups/index.ts';

/** What a report counts: one event, live or test activity, and of it what the caller reaches. */
export interface ReportScope {
  tx: Tx;
  org: Id;
  event: EventRow;
  limit: Limit;
  test: boolean;
}

/** In a test event, and for a test key, `mode` is `test`. */
export const scopeOf = (work: Work, event: EventRow, testParameter: boolean | undefined): ReportScope => ({
  tx: work.tx,
  org: work.org,
  event,
  limit: limitOf(work.caller),
  test: testParameter ?? work.mode === 'test',
});

/** For an export, which may run long after the call that asked for it. */
export const exportScope = (tx: Tx, org: Id, event: EventRow, group: Id | null, mode: Mode): ReportScope => ({
  tx,
  org,
  event,
  limit: { org, group },
  test: mode === 'test',
});

/** The check-ins of the report, as `k`. Every query over them begins with the columns of the index `checkins_list`. */
export const ofCheckIns = ({ org, event, limit, test }: ReportScope): Sql => sql`
  k.org_id = ${org} and k.event_id = ${event.id} and k.test = ${test} and ${checkInInReach(limit, 'k', eventGroup(event))}`;

/** Registrations of which the caller reaches every attendee: their money is shown to nobody else, as in lists of payments. */
export const whole = ({ org, event, limit, test }: ReportScope): Sql => sql`
  r.org_id = ${org} and r.event_id = ${event.id} and r.test = ${test}
  and ${registrationFullyInReach(limit, 'r', eventGroup(event))}`;

/** Prices have no upper bound that their sum over an event would keep within the numbers of JSON; such a sum is cut off there. */
export const total = (of: Sql): Sql => sql`least(sum(${of}), ${Number.MAX_SAFE_INTEGER}::numeric)::bigint`;

/** An admission counts until it is undone. */
export const ADMITTED = sql`k.admitted and k.undone_at is null`;

/** The structure of the event, to write codes in place of ids. */
export interface ReportWorld {
  days: readonly DayRow[];
  points: readonly CheckInPointRow[];
  types: readonly { id: Id; code: string }[];
  dayCode(id: Id): string | null;
  pointCode(id: Id): string;
  typeCode(id: Id): string;
}

export async function reportWorld({ tx, org, event }: ReportScope): Promise<ReportWorld> {
  const inOrder = [sql`true`, sql`order by t.id`] as const;
  const [dayRows, points, types] = await Promise.all([
    days.all(tx, org, event.id, sql`true`, sql`order by t.date, t.code`),
    checkInPoints.all(tx, org, event.id, ...inOrder),
    attendeeTypes.all(tx, org, event.id, ...inOrder),
  ]);
  const codes = (rows: readonly { id: Id; code: string }[]) => new Map(rows.map(({ id, code }) => [id, code]));
  const [ofDays, ofPoints, ofTypes] = [codes(dayRows), codes(points), codes(types)];
  return {
    days: dayRows,
    points,
    types,
    dayCode: (id) => ofDays.get(id) ?? null,
    pointCode: (id) => ofPoints.get(id) ?? '',
    typeCode: (id) => ofTypes.get(id) ?? '',
  };
}

/** What every report begins with. */
export async function aboutOf({ tx, org, event, test }: ReportScope) {
  const clock = await tx.one<{ at: string }>(
    sql`select at from event_clocks where org_id = ${org} and event_id = ${event.id}`,
  );
  return { test, as_of: sixDecimals(clock.at), timezone: event.timezone };
}

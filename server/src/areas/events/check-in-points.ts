import { DEFAULT_LIMIT } from '@turnout/checkin';
import type {
  CheckInPoint,
  CheckInPointChange,
  CheckInPointCreate,
  PointKind,
  PointLimit,
  PolicyInput,
} from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, invalid, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody, inBody, reference } from '../../road/request/reference.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { aGroup, findGroup, type GroupRow } from '../groups/index.ts';
import { attendeeTypes } from './attendee-types.ts';
import { days } from './days.ts';
import { products } from './products.ts';
import type { EventRow } from './queries.ts';
import { type PartRow, type PartRule, Structure } from './structure.ts';
import { pointUsedBy } from './used-by.ts';

export interface CheckInPointRow extends PartRow {
  name: string;
  kind: PointKind;
  attendee_type_ids: Id[] | null;
  attendee_type_codes: string[] | null;
  group_ids: Id[] | null;
  group_codes: string[] | null;
  day_ids: Id[] | null;
  day_codes: string[] | null;
  product_ids: Id[] | null;
  product_codes: string[] | null;
  opens_minutes_before: number;
  closes_minutes_after: number;
  pass_limit: PointLimit;
  cooldown_seconds: number;
  requires: 'pre_check' | 'entry' | null;
  capacity: number | null;
  leaves_id: Id | null;
  leaves_code: string | null;
}

export const checkInPoints = new Structure<CheckInPointRow, CheckInPoint>({
  kind: 'check_in_point',
  table: 'check_in_points',
  columns: sql`t.id, t.code, t.name, t.kind, t.attendee_type_ids, t.group_ids, t.day_ids, t.product_ids, t.opens_minutes_before,
    t.closes_minutes_after, t.pass_limit, t.cooldown_seconds, t.requires, t.capacity, t.leaves_id,
    case when t.attendee_type_ids is not null then array(
      select a.code from attendee_types a where a.org_id = t.org_id and a.id = any(t.attendee_type_ids) order by a.code)
      end as attendee_type_codes,
    case when t.group_ids is not null then array(
      select g.code from groups g where g.org_id = t.org_id and g.id = any(t.group_ids) order by g.code) end as group_codes,
    case when t.day_ids is not null then array(
      select d.code from days d where d.org_id = t.org_id and d.id = any(t.day_ids) order by d.date, d.code) end as day_codes,
    case when t.product_ids is not null then array(
      select p.code from products p where p.org_id = t.org_id and p.id = any(t.product_ids) order by p.code) end as product_codes,
    (select z.code from check_in_points z where z.org_id = t.org_id and z.id = t.leaves_id) as leaves_code,
    t.created_at, t.updated_at`,
  shape: (row) => ({
    id: toUlid(row.id),
    code: row.code,
    name: row.name,
    kind: row.kind,
    policy: {
      attendee_types: row.attendee_type_codes,
      groups: row.group_codes,
      days: row.day_codes,
      products: row.product_codes,
      opens_minutes_before: row.opens_minutes_before,
      closes_minutes_after: row.closes_minutes_after,
      limit: row.pass_limit,
      cooldown_seconds: row.cooldown_seconds,
      requires: row.requires,
      capacity: row.capacity,
      leaves: row.leaves_code,
    },
    ...stamps(row),
  }),
  usedBy: pointUsedBy,
});

/**
 * A policy may name any group of the organization, also for a caller limited to one: it decides who is admitted, not who sees
 * what.
 */
const anyGroup = reference<GroupRow>({
  kind: 'group',
  byCode: true,
  find: ({ tx, org, caller }, ref) => findGroup(tx, org, ref, { ...caller, group: null }),
  findMany: (reach, refs) => aGroup.findMany({ ...reach, caller: { ...reach.caller, group: null } }, refs, {}),
});

type PolicyColumns = Partial<
  Pick<
    CheckInPointRow,
    | 'attendee_type_ids'
    | 'group_ids'
    | 'day_ids'
    | 'product_ids'
    | 'opens_minutes_before'
    | 'closes_minutes_after'
    | 'pass_limit'
    | 'cooldown_seconds'
    | 'requires'
    | 'capacity'
    | 'leaves_id'
  >
>;

async function policyColumns(
  work: Work,
  event: EventRow,
  kind: PointKind,
  policy: PolicyInput,
): Promise<PolicyColumns> {
  requireValid(policyFaults(kind, policy));
  const ids = (found: readonly { id: Id }[]) => found.map((one) => one.id);
  const columns: PolicyColumns = {};
  const { attendee_types, groups, days: dayRefs, products: productRefs, limit, leaves, ...plain } = policy;
  if (attendee_types !== undefined) {
    columns.attendee_type_ids =
      attendee_types &&
      ids(await allInBody(work, attendeeTypes.reference, attendee_types, 'policy/attendee_types', { event }));
  }
  if (groups !== undefined) {
    // The policy shows the codes of its groups. The organization's clock keeps anybody from changing a code until we commit.
    await stampOrganization(work.tx, work.org);
    columns.group_ids = groups && ids(await allInBody(work, anyGroup, groups, 'policy/groups', {}));
  }
  if (dayRefs !== undefined) {
    columns.day_ids = dayRefs && ids(await allInBody(work, days.reference, dayRefs, 'policy/days', { event }));
  }
  if (productRefs !== undefined) {
    columns.product_ids =
      productRefs && ids(await allInBody(work, products.reference, productRefs, 'policy/products', { event }));
  }
  if (leaves !== undefined) columns.leaves_id = leaves && (await zoneOf(work, event, leaves));
  if (limit !== undefined) columns.pass_limit = limit;
  return { ...plain, ...columns };
}

/** A field that has no meaning at this kind of point is refused, because it is most likely a mistake. */
export function policyFaults(kind: PointKind, policy: Pick<PolicyInput, 'capacity' | 'leaves'>): Fault[] {
  const faults: Fault[] = [];
  if (policy.capacity != null && kind !== 'zone')
    faults.push({ path: 'policy/capacity', message: 'is only for zones' });
  if (policy.leaves != null && kind !== 'exit') faults.push({ path: 'policy/leaves', message: 'is only for exits' });
  return faults;
}

export const pointRules: PartRule<CheckInPointRow, CheckInPointCreate | CheckInPointChange>[] = [
  {
    of: ['kind'],
    faults: (_event, before, body) => {
      const kind = before?.kind ?? ('kind' in body ? body.kind : undefined);
      return kind === undefined ? [] : policyFaults(kind, body.policy ?? {});
    },
  },
  {
    of: ['kind', 'policy/leaves'],
    faults: async (event, before, body, work) => {
      const kind = before?.kind ?? ('kind' in body ? body.kind : undefined);
      const leaves = body.policy?.leaves;
      if (kind !== 'exit' || leaves == null) return [];
      const point = await checkInPoints.reference.find(work, leaves, { event });
      return point === null || point.kind === 'zone' ? [] : [notAZone(point)];
    },
  },
];
const notAZone = ({ code }: CheckInPointRow): Fault => ({ path: 'policy/leaves', message: `${code} is not a zone` });
export const pointRefers = { 'policy/groups': anyGroup };

async function zoneOf(work: Work, event: EventRow, ref: string): Promise<Id> {
  const zone = await inBody(work, checkInPoints.reference, ref, 'policy/leaves', { event });
  if (zone.kind !== 'zone') invalid(notAZone(zone));
  return zone.id;
}

export async function createCheckInPoint(work: Work, event: EventRow, body: CheckInPointCreate): Promise<CheckInPoint> {
  const stamp = await checkInPoints.holdClock(work, event);
  const policy = await policyColumns(work, event, body.kind, body.policy ?? {});
  return checkInPoints.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await checkInPoints.code(work, event, { code: body.code, name: body.name, fallback: 'point' }, null),
    name: body.name,
    kind: body.kind,
    opens_minutes_before: 0,
    closes_minutes_after: 0,
    pass_limit: DEFAULT_LIMIT[body.kind],
    cooldown_seconds: 0,
    ...policy,
  });
}

export async function changeCheckInPoint(
  work: Work,
  event: EventRow,
  found: CheckInPointRow,
  body: CheckInPointChange,
): Promise<CheckInPoint> {
  const stamp = await checkInPoints.holdClock(work, event);
  const before = await checkInPoints.reread(work, event, found.id);
  const policy = await policyColumns(work, event, before.kind, body.policy ?? {});
  await checkInPoints.requireCode(work, event, before, body.code);
  return checkInPoints.update(work, event, before, stamp, { code: body.code, name: body.name, ...policy });
}

export async function deleteCheckInPoint(work: Work, event: EventRow, found: CheckInPointRow): Promise<undefined> {
  const stamp = await checkInPoints.holdClock(work, event);
  const point = await checkInPoints.reread(work, event, found.id);
  await checkInPoints.requireUnused(work, event, point, 'cannot be deleted');
  return checkInPoints.remove(work, event, point, stamp);
}

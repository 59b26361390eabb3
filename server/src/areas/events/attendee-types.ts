import {
  type AttendeeType,
  type AttendeeTypeChange,
  type AttendeeTypeCreate,
  DERIVED_OF_TYPE,
  type PricePhase,
  priceAt,
} from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { days } from './days.ts';
import type { EventRow } from './queries.ts';
import { type Sale, saleOf, saleSpanFaults, soldWhen } from './sale.ts';
import { type PartRow, type PartRule, Structure } from './structure.ts';
import { typeUsedBy } from './used-by.ts';

export interface AttendeeTypeRow extends PartRow {
  name: string;
  description: string | null;
  price_minor: number;
  prices: PricePhase[];
  on_sale: Sale | null;
  min_per_registration: number | null;
  max_per_registration: number | null;
  capacity: number | null;
  day_ids: Id[] | null;
  day_codes: string[] | null;
  pass_days: number | null;
  approval: boolean;
  visible: boolean;
}

export const attendeeTypes = new Structure<AttendeeTypeRow, AttendeeType, (typeof DERIVED_OF_TYPE)[number]>({
  kind: 'attendee_type',
  table: 'attendee_types',
  columns: sql`t.id, t.code, t.name, t.description, t.price_minor, t.prices, t.on_sale, t.min_per_registration, t.max_per_registration,
    t.capacity, t.day_ids, t.pass_days, t.approval, t.visible,
    case when t.day_ids is not null then array(
      select d.code from days d where d.org_id = t.org_id and d.id = any(t.day_ids) order by d.date, d.code) end as day_codes,
    t.created_at, t.updated_at`,
  shape: (row, _event, now) => ({
    id: toUlid(row.id),
    code: row.code,
    name: row.name,
    description: row.description,
    price_minor: row.price_minor,
    prices: row.prices,
    ...currentPrice(row, now),
    on_sale: row.on_sale,
    min_per_registration: row.min_per_registration,
    max_per_registration: row.max_per_registration,
    capacity: row.capacity,
    days: row.day_codes,
    pass_days: row.pass_days,
    approval: row.approval,
    visible: row.visible,
    ...stamps(row),
  }),
  derived: DERIVED_OF_TYPE,
  usedBy: typeUsedBy,
});

function currentPrice(row: AttendeeTypeRow, now: Date): Pick<AttendeeType, (typeof DERIVED_OF_TYPE)[number]> {
  const { price_minor, until } = priceAt(row, now);
  return { current_price_minor: price_minor, current_price_until: until };
}

async function dayIds(work: Work, event: EventRow, refs: readonly string[] | null | undefined): Promise<Id[] | null> {
  if (refs == null) return null;
  const found = await allInBody(work, days.reference, refs, 'days', { event });
  return found.map((day) => day.id);
}

export const passFaults = (passDays: number | null, days: readonly unknown[] | null): Fault[] =>
  passDays !== null && days !== null && passDays > days.length
    ? [{ path: 'pass_days', message: `must be at most ${days.length}, the number of its days` }]
    : [];

const phase = ({ name, price_minor, ...holds }: NonNullable<AttendeeTypeCreate['prices']>[number]): PricePhase => ({
  name,
  ...saleOf(holds),
  price_minor,
});

/** What is wrong with the times of a type's prices and of its sale. */
export const saleFaults = ({ prices, on_sale }: ValidPart<Pick<AttendeeTypeCreate, 'prices' | 'on_sale'>>): Fault[] => [
  ...(prices ?? []).flatMap((one, i) => saleSpanFaults(one ?? {}, `prices/${i}`)),
  ...saleSpanFaults(on_sale ?? {}, 'on_sale'),
];

export const amountFaults = (min: number | null, max: number | null): Fault[] =>
  min !== null && max !== null && max < min
    ? [{ path: 'max_per_registration', message: 'must not be less than `min_per_registration`' }]
    : [];

export const typeRules: PartRule<AttendeeTypeRow, AttendeeTypeCreate | AttendeeTypeChange>[] = [
  {
    of: ['pass_days', 'days'],
    faults: (_event, before, { pass_days, days: refs }) =>
      passFaults(
        pass_days === undefined ? (before?.pass_days ?? null) : pass_days,
        refs === undefined ? (before?.day_ids ?? null) : refs,
      ),
  },
  { of: ['prices', 'on_sale'], faults: (_event, _before, body) => saleFaults(body) },
  {
    of: ['min_per_registration', 'max_per_registration'],
    faults: (_event, before, { min_per_registration: min, max_per_registration: max }) =>
      amountFaults(
        min === undefined ? (before?.min_per_registration ?? null) : min,
        max === undefined ? (before?.max_per_registration ?? null) : max,
      ),
  },
];

export async function createAttendeeType(work: Work, event: EventRow, body: AttendeeTypeCreate): Promise<AttendeeType> {
  const stamp = await attendeeTypes.holdClock(work, event);
  const day_ids = await dayIds(work, event, body.days);
  requireValid([
    ...passFaults(body.pass_days ?? null, day_ids),
    ...saleFaults(body),
    ...amountFaults(body.min_per_registration ?? null, body.max_per_registration ?? null),
  ]);
  return attendeeTypes.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await attendeeTypes.code(work, event, { code: body.code, name: body.name, fallback: 'type' }, null),
    name: body.name,
    description: body.description ?? null,
    price_minor: body.price_minor ?? 0,
    prices: JSON.stringify((body.prices ?? []).map(phase)),
    on_sale: soldWhen(body.on_sale),
    min_per_registration: body.min_per_registration ?? null,
    max_per_registration: body.max_per_registration ?? null,
    capacity: body.capacity ?? null,
    day_ids,
    pass_days: body.pass_days ?? null,
    approval: body.approval ?? false,
    visible: body.visible ?? true,
  });
}

export async function changeAttendeeType(
  work: Work,
  event: EventRow,
  found: AttendeeTypeRow,
  body: AttendeeTypeChange,
): Promise<AttendeeType> {
  const stamp = await attendeeTypes.holdClock(work, event);
  const before = await attendeeTypes.reread(work, event, found.id);
  const day_ids = body.days === undefined ? before.day_ids : await dayIds(work, event, body.days);
  const {
    min_per_registration: min = before.min_per_registration,
    max_per_registration: max = before.max_per_registration,
  } = body;
  requireValid([
    ...passFaults(body.pass_days === undefined ? before.pass_days : body.pass_days, day_ids),
    ...saleFaults(body),
    ...amountFaults(min, max),
  ]);
  await attendeeTypes.requireCode(work, event, before, body.code);
  const { days: _days, prices, on_sale, ...columns } = body;
  return attendeeTypes.update(work, event, before, stamp, {
    ...columns,
    ...(prices !== undefined && { prices: JSON.stringify(prices.map(phase)) }),
    ...(on_sale !== undefined && { on_sale: soldWhen(on_sale) }),
    day_ids,
  });
}

export async function deleteAttendeeType(work: Work, event: EventRow, found: AttendeeTypeRow): Promise<undefined> {
  const stamp = await attendeeTypes.holdClock(work, event);
  const type = await attendeeTypes.reread(work, event, found.id);
  await attendeeTypes.requireUnused(work, event, type, 'cannot be deleted');
  return attendeeTypes.remove(work, event, type, stamp);
}

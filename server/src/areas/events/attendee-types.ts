import type { AttendeeType, AttendeeTypeChange, AttendeeTypeCreate } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody } from '../../road/request/reference.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { days } from './days.ts';
import type { EventRow } from './queries.ts';
import { type PartRow, type PartRule, Structure } from './structure.ts';
import { typeUsedBy } from './used-by.ts';

export interface AttendeeTypeRow extends PartRow {
  name: string;
  price_minor: number;
  capacity: number | null;
  day_ids: Id[] | null;
  day_codes: string[] | null;
  pass_days: number | null;
  approval: boolean;
  visible: boolean;
}

export const attendeeTypes = new Structure<AttendeeTypeRow, AttendeeType>({
  kind: 'attendee_type',
  table: 'attendee_types',
  columns: sql`t.id, t.code, t.name, t.price_minor, t.capacity, t.day_ids, t.pass_days, t.approval, t.visible,
    case when t.day_ids is not null then array(
      select d.code from days d where d.org_id = t.org_id and d.id = any(t.day_ids) order by d.date, d.code) end as day_codes,
    t.created_at, t.updated_at`,
  shape: (row) => ({
    id: toUlid(row.id),
    code: row.code,
    name: row.name,
    price_minor: row.price_minor,
    capacity: row.capacity,
    days: row.day_codes,
    pass_days: row.pass_days,
    approval: row.approval,
    visible: row.visible,
    ...stamps(row),
  }),
  usedBy: typeUsedBy,
});

async function dayIds(work: Work, event: EventRow, refs: readonly string[] | null | undefined): Promise<Id[] | null> {
  if (refs == null) return null;
  const found = await allInBody(work, days.reference, refs, 'days', { event });
  return found.map((day) => day.id);
}

export const passFaults = (passDays: number | null, days: readonly unknown[] | null): Fault[] =>
  passDays !== null && days !== null && passDays > days.length
    ? [{ path: 'pass_days', message: `must be at most ${days.length}, the number of its days` }]
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
];

export async function createAttendeeType(work: Work, event: EventRow, body: AttendeeTypeCreate): Promise<AttendeeType> {
  const stamp = await attendeeTypes.holdClock(work, event);
  const day_ids = await dayIds(work, event, body.days);
  requireValid(passFaults(body.pass_days ?? null, day_ids));
  return attendeeTypes.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await attendeeTypes.code(work, event, { code: body.code, name: body.name, fallback: 'type' }, null),
    name: body.name,
    price_minor: body.price_minor ?? 0,
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
  requireValid(passFaults(body.pass_days === undefined ? before.pass_days : body.pass_days, day_ids));
  await attendeeTypes.requireCode(work, event, before, body.code);
  const { days: _days, ...columns } = body;
  return attendeeTypes.update(work, event, before, stamp, { ...columns, day_ids });
}

export async function deleteAttendeeType(work: Work, event: EventRow, found: AttendeeTypeRow): Promise<undefined> {
  const stamp = await attendeeTypes.holdClock(work, event);
  const type = await attendeeTypes.reread(work, event, found.id);
  await attendeeTypes.requireUnused(work, event, type, 'cannot be deleted');
  return attendeeTypes.remove(work, event, type, stamp);
}

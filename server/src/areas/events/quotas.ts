import type { Quota, QuotaChange, QuotaCreate } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { attendeeTypes } from './attendee-types.ts';
import { days } from './days.ts';
import { products } from './products.ts';
import type { EventRow } from './queries.ts';
import { countQuota, forgetQuota } from './quota-count.ts';
import { type PartRow, type PartRule, Structure } from './structure.ts';

export interface QuotaRow extends PartRow {
  name: string;
  capacity: number;
  attendee_type_ids: Id[] | null;
  attendee_type_codes: string[] | null;
  day_ids: Id[] | null;
  day_codes: string[] | null;
  product_ids: Id[] | null;
  product_codes: string[] | null;
}

export const quotas = new Structure<QuotaRow, Quota>({
  kind: 'quota',
  table: 'quotas',
  columns: sql`t.id, t.code, t.name, t.capacity, t.attendee_type_ids, t.day_ids, t.product_ids,
    case when t.attendee_type_ids is not null then array(
      select a.code from attendee_types a where a.org_id = t.org_id and a.id = any(t.attendee_type_ids) order by a.code)
      end as attendee_type_codes,
    case when t.day_ids is not null then array(
      select d.code from days d where d.org_id = t.org_id and d.id = any(t.day_ids) order by d.date, d.code) end as day_codes,
    case when t.product_ids is not null then array(
      select p.code from products p where p.org_id = t.org_id and p.id = any(t.product_ids) order by p.code) end as product_codes,
    t.created_at, t.updated_at`,
  shape: (row) => ({
    id: toUlid(row.id),
    code: row.code,
    name: row.name,
    capacity: row.capacity,
    attendee_types: row.attendee_type_codes,
    days: row.day_codes,
    products: row.product_codes,
    ...stamps(row),
  }),
});

const emptyFault = (counted: readonly unknown[]): Fault[] =>
  counted.every((one) => one === null)
    ? [
        {
          path: '',
          message: 'name at least one of `attendee_types`, `days` and `products`, so that something is counted',
        },
      ]
    : [];

/** What is wrong with the shared limit of a template. Where a field is missing, nothing is said about what would depend on it. */
export const quotaFaults = (quota: ValidPart<Pick<QuotaCreate, Field>>): Fault[] => {
  const counted = fields.map((field) => quota[field]);
  return counted.some((one) => one === undefined) ? [] : emptyFault(counted);
};

const FIELDS = { attendee_types: 'attendee_type_ids', days: 'day_ids', products: 'product_ids' } as const;
type Field = keyof typeof FIELDS;
const fields = Object.keys(FIELDS) as Field[];

export const quotaRules: PartRule<QuotaRow, QuotaCreate | QuotaChange>[] = [
  {
    of: fields,
    faults: (_event, before, body) =>
      emptyFault(fields.map((field) => (body[field] === undefined ? (before?.[FIELDS[field]] ?? null) : body[field]))),
  },
];

type Counted = Pick<QuotaRow, (typeof FIELDS)[Field]>;

async function countedOf(
  work: Work,
  event: EventRow,
  before: Counted,
  body: Pick<QuotaChange, Field>,
): Promise<Counted> {
  const references = { attendee_types: attendeeTypes, days, products };
  const counted = { ...before };
  for (const field of fields) {
    const refs = body[field];
    if (refs === undefined) continue;
    counted[FIELDS[field]] =
      refs && (await allInBody(work, references[field].reference, refs, field, { event })).map(({ id }) => id);
  }
  requireValid(emptyFault(Object.values(counted)));
  return counted;
}

export async function createQuota(work: Work, event: EventRow, body: QuotaCreate): Promise<Quota> {
  const stamp = await quotas.holdClock(work, event);
  const counted = await countedOf(work, event, { attendee_type_ids: null, day_ids: null, product_ids: null }, body);
  const id = newId(work.tx.clock.now());
  const quota = await quotas.insert(work, event, id, stamp, {
    code: await quotas.code(work, event, { code: body.code, name: body.name, fallback: 'limit' }, null),
    name: body.name,
    capacity: body.capacity,
    ...counted,
  });
  await countQuota(work.tx, work.org, event.id, id);
  return quota;
}

export async function changeQuota(work: Work, event: EventRow, found: QuotaRow, body: QuotaChange): Promise<Quota> {
  const stamp = await quotas.holdClock(work, event);
  const before = await quotas.reread(work, event, found.id);
  const { attendee_type_ids, day_ids, product_ids } = before;
  const counted = await countedOf(work, event, { attendee_type_ids, day_ids, product_ids }, body);
  await quotas.requireCode(work, event, before, body.code);
  const { attendee_types: _t, days: _d, products: _p, ...columns } = body;
  const quota = await quotas.update(work, event, before, stamp, { ...columns, ...counted });
  if (fields.some((field) => body[field] !== undefined)) await countQuota(work.tx, work.org, event.id, found.id);
  return quota;
}

/** Nothing refers to a shared limit, so it can always be deleted: nobody loses a place. */
export async function deleteQuota(work: Work, event: EventRow, found: QuotaRow): Promise<undefined> {
  const stamp = await quotas.holdClock(work, event);
  const quota = await quotas.reread(work, event, found.id);
  await forgetQuota(work.tx, work.org, event.id, quota.id);
  return quotas.remove(work, event, quota, stamp);
}

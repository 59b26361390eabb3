import { type DiscountKind, discountKey } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** A discount as its table holds it: what it is for is named by ids, so what a code is today plays no part. */
export interface DiscountRow {
  id: Id;
  event_id: Id;
  /** As the organizer made it, for people to read. */
  code: string;
  /** As codes are compared (`discountKey`). */
  code_key: string;
  name: string;
  kind: DiscountKind;
  value: number;
  attendee_type_ids: Id[] | null;
  product_ids: Id[] | null;
  reveal_ids: Id[];
  opens_at: string | null;
  closes_at: string | null;
  max_people: number | null;
  max_people_per_registration: number | null;
  min_people: number | null;
  group_id: Id | null;
  note: string | null;
  active: boolean;
  /** How many people it covers, live and test apart. */
  used: number;
  used_test: number;
  created_at: string;
  updated_at: string;
}

export const DISCOUNT_COLUMNS = sql`d.id, d.event_id, d.code, d.code_key, d.name, d.kind, d.value, d.attendee_type_ids, d.product_ids,
  d.reveal_ids, d.opens_at, d.closes_at, d.max_people, d.max_people_per_registration, d.min_people, d.group_id, d.note, d.active, d.used, d.used_test,
  d.created_at, d.updated_at`;

const discountsWhere = (tx: Tx, org: Id, where: Sql): Promise<DiscountRow[]> =>
  tx.all<DiscountRow>(sql`select ${DISCOUNT_COLUMNS} from discounts d where d.org_id = ${org} and ${where}`);

/** The discount of an event that somebody typed the code of, whether it holds or not. */
export async function discountByCode(tx: Tx, org: Id, event: Id, code: string): Promise<DiscountRow | null> {
  const [found] = await discountsWhere(tx, org, sql`d.event_id = ${event} and d.code_key = ${discountKey(code)}`);
  return found ?? null;
}

export async function discountsById(tx: Tx, org: Id, ids: readonly Id[]): Promise<Map<Id, DiscountRow>> {
  if (ids.length === 0) return new Map();
  const found = await discountsWhere(tx, org, sql`d.id = any(${[...new Set(ids)]}::uuid[])`);
  return new Map(found.map((row) => [row.id, row]));
}

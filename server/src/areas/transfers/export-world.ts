import type { Mode } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { minorDigits } from '../../outside/money.ts';
import { name, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import {
  attendeeTypes,
  checkInPoints,
  days,
  type EventRow,
  type ProductRow,
  products,
  type QuestionRow,
  questions,
} from '../events/index.ts';
import { eventGroup, type Limit, registrantInReach } from '../groups/index.ts';
import { clockIn } from './export-clock.ts';

/** What an export may contain: everything that the caller who asked for it may see. */
export interface ExportScope extends Limit {
  event: EventRow;
  mode: Mode;
}

/** As in lists, live keys do not see what test keys created, and test keys see both. */
export const ownMode = (scope: ExportScope, alias: 'r' | 'a' | 't' | 'p' | 'h'): Sql =>
  scope.mode === 'live' ? sql`not ${name(`${alias}.test`)}` : sql`true`;

/** A column of the registrant, empty for a caller limited to a group who may not see them. */
export const registrant = (scope: ExportScope, column: Sql): Sql =>
  scope.group === null
    ? column
    : sql`case when ${registrantInReach(scope, 'r', eventGroup(scope.event))} then ${column} end`;

/**
 * A condition that holds for every row if the filter's value is not given. The SQL text is the same in both cases: statements
 * are prepared by their text, and filters have thousands of combinations. Do not use it for a condition that needs an index.
 */
export const ifGiven = (value: unknown, type: 'text' | 'uuid' | 'boolean', condition: Sql): Sql =>
  sql`(${value ?? null}::${name(type)} is null or ${condition})`;

/** Rows without a group belong to the event's group. */
export const ifGroupGiven = ({ org, event }: ExportScope, group: Id | undefined, column: Sql): Sql =>
  ifGiven(
    group,
    'uuid',
    sql`coalesce(${column}, ${eventGroup(event)}) in (
      select s.id from groups s where s.org_id = ${org} and ${group ?? null}::uuid = any(s.path))`,
  );

/** The event's structure, to write codes in place of ids, and its local time. */
export interface ExportWorld {
  questions: readonly QuestionRow[];
  typeCode(id: Id | null): string | null;
  dayCode(id: Id | null): string | null;
  /** Several codes in one cell, ordered by the days' dates. */
  dayCodes(ids: readonly Id[]): string;
  pointCode(id: Id | null): string | null;
  groupCode(id: Id | null): string | null;
  product(id: Id): ProductRow | undefined;
  clock(at: string | null): number | null;
}

export async function exportWorld(tx: Tx, { org, event }: ExportScope): Promise<ExportWorld> {
  const everything = [sql`true`, sql`order by t.id`] as const;
  const [dayRows, typeRows, pointRows, questionRows, productRows, groupRows] = await Promise.all([
    days.all(tx, org, event.id, sql`true`, sql`order by t.date, t.code`),
    attendeeTypes.all(tx, org, event.id, ...everything),
    checkInPoints.all(tx, org, event.id, ...everything),
    questions.all(tx, org, event.id, ...everything),
    products.all(tx, org, event.id, ...everything),
    tx.all<{ id: Id; code: string }>(sql`select id, code from groups where org_id = ${org}`),
  ]);
  const codes = (rows: readonly { id: Id; code: string }[]) => {
    const byId = new Map(rows.map(({ id, code }) => [id, code]));
    return (id: Id | null): string | null => (id === null ? null : (byId.get(id) ?? null));
  };
  const productsById = new Map(productRows.map((product) => [product.id, product]));
  const clock = clockIn(event.timezone);
  return {
    questions: questionRows,
    typeCode: codes(typeRows),
    dayCode: codes(dayRows),
    dayCodes: (ids) =>
      dayRows
        .filter((day) => ids.includes(day.id))
        .map((day) => day.code)
        .join(SEPARATOR),
    pointCode: codes(pointRows),
    groupCode: codes(groupRows),
    product: (id) => productsById.get(id),
    clock: (at) => (at === null ? null : clock(at)),
  };
}

/** Separates several values in one cell; an import splits them again. */
export const SEPARATOR = '; ';

/** Minor units as decimal text: 2550 EUR is "25.50", 2550 JPY "2550". */
export function amountText(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  if (digits === 0) return String(minor);
  const text = String(minor).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

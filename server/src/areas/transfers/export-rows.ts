import type { Exported, ReportExport } from '@turnout/contract';
import type { Cell } from '../../outside/sheet.ts';
import { name, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { checkInSheet } from './export-checkins.ts';
import { columnsOf } from './export-columns.ts';
import { handOutSheet } from './export-hand-outs.ts';
import { paymentSheet } from './export-payments.ts';
import { peopleSheet } from './export-people.ts';
import { productSheet } from './export-products.ts';
import { registrationSheet } from './export-registrations.ts';
import type { AnySheet, Column, ExportRow, FoundFilter } from './export-sheet.ts';
import { ticketSheet } from './export-tickets.ts';
import { type ExportScope, exportWorld } from './export-world.ts';

/** Where an export that is not a report finds its rows. */
export const SHEETS: Record<Exclude<Exported, ReportExport>, AnySheet> = {
  registrations: registrationSheet,
  people: peopleSheet,
  tickets: ticketSheet,
  products: productSheet,
  hand_outs: handOutSheet,
  checkins: checkInSheet,
  payments: paymentSheet,
};

/**
 * Pages are so small that other requests of this process are not held up. The limit of cells keeps a page of wide rows from
 * taking more memory than others.
 */
const PAGE_ROWS = 500;
const PAGE_CELLS = 10_000;

export interface ExportPlan<What extends Exported = Exported> {
  what: What;
  filter: FoundFilter;
  columns: readonly string[];
}

/** The index finds the row of the table; of its lines, those that were not read yet follow. */
const behind = ({ at, id, line }: ExportRow, atColumn: Sql, idColumn: Sql): Sql => {
  const last = sql`(${at}::timestamptz, ${id}::uuid)`;
  return line === undefined
    ? sql`(${atColumn}, ${idColumn}) > ${last}`
    : sql`(${atColumn}, ${idColumn}) >= ${last} and ((${atColumn}, ${idColumn}) > ${last} or l.line > ${line}::int)`;
};

/** How an export is read, whatever is exported. */
export interface Readable {
  readonly title: string;
  head(): Promise<{ columns: Column<unknown>[]; cells: (row: never) => Cell[] }>;
  count(): Promise<number>;
  page(after: null, limit: number): Promise<unknown[]>;
  pages(columns: number): AsyncGenerator<unknown[]>;
}

/** Reads the rows of an export in one transaction, whose snapshot should stay the same from the first row to the last. */
export class Reading {
  readonly #tx: Tx;
  readonly #scope: ExportScope;
  readonly #sheet: AnySheet;
  readonly #plan: ExportPlan;
  readonly title: string;

  constructor(tx: Tx, scope: ExportScope, plan: ExportPlan<Exclude<Exported, ReportExport>>) {
    this.#tx = tx;
    this.#scope = scope;
    this.#plan = plan;
    this.#sheet = SHEETS[plan.what];
    this.title = this.#sheet.title;
  }

  /** The columns, and the function that turns a row into cells. */
  async head(): Promise<{ columns: Column<unknown>[]; cells: (row: ExportRow) => Cell[] }> {
    const world = await exportWorld(this.#tx, this.#scope);
    const keys = this.#plan.columns.includes('answers') ? await this.#answerKeys() : [];
    const columns = columnsOf(this.#sheet, this.#plan.columns, world, keys);
    return { columns, cells: (row) => columns.map((column) => column.cell(row, world)) };
  }

  async count(): Promise<number> {
    const { count } = await this.#tx.one<{ count: number }>(sql`select count(*) from ${this.#rows()}`);
    return count;
  }

  /** The rows in their order. */
  async *pages(columns: number): AsyncGenerator<ExportRow[]> {
    const most = Math.min(PAGE_ROWS, Math.ceil(PAGE_CELLS / columns));
    let rows: ExportRow[] = [];
    do {
      rows = await this.page(rows.at(-1) ?? null, most);
      yield rows;
    } while (rows.length === most);
  }

  /** Continues behind the last row instead of counting with OFFSET, so the last page costs no more than the first. */
  page(after: ExportRow | null, limit: number): Promise<ExportRow[]> {
    const { alias, order, joins, select, lines } = this.#sheet;
    const [at, id] = [name(`${alias}.${order}`), name(`${alias}.id`)];
    const wanted = new Set(this.#plan.columns);
    const line = lines === undefined ? sql`` : sql`, l.line`;
    return this.#tx.all<ExportRow>(sql`
      select ${id}, ${at} as at${line}, ${select(this.#scope, wanted)} from ${this.#rows(joins)}
        and ${after === null ? sql`true` : behind(after, at, id)}
      order by ${at}, ${id}${line} limit ${limit}`);
  }

  /** All keys under which attendees have answers: imports also store answers under headings that are no questions. */
  async #answerKeys(): Promise<string[]> {
    const found = await this.#tx.all<{ key: string }>(sql`
      select distinct k.key from ${this.#rows(sql`cross join lateral jsonb_object_keys(a.answers) as k(key)`)} order by 1`);
    return found.map(({ key }) => key);
  }

  #rows(joins = sql``) {
    const { table, alias, where, lines } = this.#sheet;
    return sql`${table} ${name(alias)} ${lines?.(this.#scope) ?? sql``} ${joins} where ${where(this.#scope, this.#plan.filter)}`;
  }
}

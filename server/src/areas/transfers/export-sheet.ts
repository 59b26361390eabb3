import type { ExportColumn, Exported, ExportReport, ReportExport, ReportInterval } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Cell, CellKind } from '../../outside/sheet.ts';
import type { Sql } from '../../store/sql.ts';
import type { Answered } from '../registrations/index.ts';
import type { ExportScope, ExportWorld } from './export-world.ts';

/** A filter whose references are resolved to ids. */
export interface FoundFilter {
  status?: string;
  attendee_type?: Id;
  day?: Id;
  group?: Id;
  product?: Id;
  checked_in?: boolean;
  answers?: Answered[];
  updated_since?: string;
  report?: ExportReport;
  check_in_point?: Id;
  result?: string;
  admitted?: boolean;
  method?: string;
  registration_status?: string;
  from?: string;
  to?: string;
  by?: ReportInterval;
}

/** Rows are ordered by `at`, then by `id`, then by `line`. */
export interface ExportRow {
  id: Id;
  at: string;
  /** Which line of the row of the table it is, in exports that have several rows of the file for each. */
  line?: number;
}

export interface Column<Row> {
  heading: string;
  kind: CellKind;
  width?: number;
  cell: (row: Row, world: ExportWorld) => Cell;
}

/** Declares one kind of export: what it reads and which columns it shows. */
export interface Sheet<What extends Exclude<Exported, ReportExport>, Row extends ExportRow> {
  title: string;
  /** `answers` is missing here because it becomes one column per question. */
  columns: Record<Exclude<ExportColumn<What>, 'answers'>, Column<Row>>;
  /** Where a row has its answers, if this kind of export has any. */
  answers?: (row: Row) => Readonly<Record<string, unknown>>;
  /** The table whose rows are counted and exported, one row of the file for each. */
  table: Sql;
  alias: 'r' | 'a' | 't' | 'c' | 'p' | 'h';
  /** Where a row of the table has lines that are a row of the file each: a join to them as `l`, which numbers them in `l.line`. */
  lines?: (scope: ExportScope) => Sql;
  /** The column by which rows are ordered. It must be indexed. */
  order: 'updated_at' | 'recorded_at' | 'created_at';
  where: (scope: ExportScope, filter: FoundFilter) => Sql;
  joins: Sql;
  /** Everything besides `id` and `at`. Values that are expensive to compute are read only if their column is wanted. */
  select: (scope: ExportScope, wanted: ReadonlySet<string>) => Sql;
}

// biome-ignore lint/suspicious/noExplicitAny: the compiler checks columns and rows where a sheet is declared
export type AnySheet = Sheet<any, any>;

export const plain = <Row>(heading: string, cell: Column<Row>['cell'], width?: number): Column<Row> => ({
  heading,
  kind: 'plain',
  cell,
  ...(width !== undefined && { width }),
});
export const time = <Row>(heading: string, at: (row: Row) => string | null): Column<Row> => ({
  heading,
  kind: 'time',
  cell: (row, world) => world.clock(at(row)),
});
export const amount = <Row>(heading: string, cell: (row: Row) => string | null): Column<Row> => ({
  heading,
  kind: 'amount',
  cell,
});
export const date = <Row>(heading: string, cell: (row: Row) => string | null): Column<Row> => ({
  heading,
  kind: 'date',
  cell,
});

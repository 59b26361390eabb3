import type { ExportColumn, Exported, ExportReport } from '@turnout/contract';
import type { Cell, CellKind } from '../../outside/sheet.ts';
import type { Id } from '../../store/ids.ts';
import type { Sql } from '../../store/sql.ts';
import type { ExportScope, ExportWorld } from './export-world.ts';

/** A filter whose references were found. */
export interface FoundFilter {
  status?: string;
  attendee_type?: Id;
  day?: Id;
  group?: Id;
  checked_in?: boolean;
  updated_since?: string;
  report?: ExportReport;
  check_in_point?: Id;
  result?: string;
  admitted?: boolean;
  method?: string;
  registration_status?: string;
  from?: string;
  to?: string;
}

/** Every row has its place in the order: `at`, then `id`. */
export interface ExportRow {
  id: Id;
  at: string;
}

export interface Column<Row> {
  heading: string;
  kind: CellKind;
  width?: number;
  cell: (row: Row, world: ExportWorld) => Cell;
}

/** What an export of one kind reads and shows. */
export interface Sheet<What extends Exported, Row extends ExportRow> {
  title: string;
  /** `answers` is as many columns as there are answers. */
  columns: Record<Exclude<ExportColumn<What>, 'answers'>, Column<Row>>;
  /** Where people's answers are, where there are any. */
  answers?: (row: Row) => Readonly<Record<string, unknown>>;
  /** The one table whose rows are counted and walked, as its alias. */
  table: Sql;
  alias: 'r' | 'a' | 't' | 'c' | 'p';
  /** Its column that rows are ordered by, under an index. */
  order: 'updated_at' | 'recorded_at' | 'created_at';
  where: (scope: ExportScope, filter: FoundFilter) => Sql;
  joins: Sql;
  /** Beside `id` and `at`. What costs more than a look is read only if its column is wanted. */
  select: (scope: ExportScope, wanted: ReadonlySet<string>) => Sql;
}

// biome-ignore lint/suspicious/noExplicitAny: columns and rows are checked where a sheet is declared
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

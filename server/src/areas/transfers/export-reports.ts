import { type Exported, REPORT_EXPORTS, type ReportExport } from '@turnout/contract';
import type { Cell } from '../../outside/sheet.ts';
import type { Tx } from '../../store/tx.ts';
import { exportScope, type ReportLine, reportLines } from '../reports/index.ts';
import { clockIn } from './export-clock.ts';
import type { Column, FoundFilter } from './export-sheet.ts';
import { amountText, type ExportScope } from './export-world.ts';

export const isReport = (what: Exported): what is ReportExport => (REPORT_EXPORTS as readonly string[]).includes(what);

const TITLES: Record<ReportExport, string> = {
  report_registrations: 'Registrations',
  report_attendance: 'Attendance',
  report_refusals: 'Refusals',
  report_money: 'Money',
  report_sales: 'Sales',
};

const TIMES = ['starts_at', 'ends_at'];
const AMOUNTS = [
  'received',
  'refunded',
  'charged_back',
  'net',
  'charged',
  'paid',
  'due',
  'credit',
  'price',
  'discount',
  'total',
];

const headingOf = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace('check in', 'check-in');
  return words[0]!.toUpperCase() + words.slice(1);
};

/** A report as the rows of a file. It is read once, as a whole: a report has at most a few thousand numbers. */
export class ReportReading {
  readonly title: string;
  readonly #columns: readonly string[];
  readonly #timezone: string;
  readonly #read: () => Promise<ReportLine[]>;
  #lines: Promise<ReportLine[]> | null = null;

  constructor(
    tx: Tx,
    { org, event, group, mode }: ExportScope,
    { what, filter, columns }: { what: ReportExport; filter: FoundFilter; columns: readonly string[] },
  ) {
    this.title = TITLES[what];
    this.#columns = columns;
    this.#timezone = event.timezone;
    this.#read = () => reportLines(exportScope(tx, org, event, group, mode), what, filter);
  }

  #all(): Promise<ReportLine[]> {
    this.#lines ??= this.#read();
    return this.#lines;
  }

  async head(): Promise<{ columns: Column<unknown>[]; cells: (row: never) => Cell[] }> {
    const clock = clockIn(this.#timezone);
    const columns = this.#columns.map((name): Column<unknown> => {
      const value = (row: unknown): Cell => (row as ReportLine)[name] ?? null;
      const heading = headingOf(name);
      if (TIMES.includes(name)) {
        const at = (row: unknown) => value(row) as string | null;
        return { heading, kind: 'time', cell: (row) => (at(row) === null ? null : clock(at(row)!)) };
      }
      if (name === 'date') return { heading, kind: 'date', cell: value };
      if (!AMOUNTS.includes(name)) return { heading, kind: 'plain', cell: value };
      const amount = (row: ReportLine) => amountText(row[name] as number, String(row.currency));
      return { heading, kind: 'amount', cell: (row) => (value(row) === null ? null : amount(row as ReportLine)) };
    });
    const cells = (row: unknown) => columns.map((column) => column.cell(row, undefined as never));
    return { columns, cells };
  }

  async count(): Promise<number> {
    return (await this.#all()).length;
  }

  async page(_after: null, limit: number): Promise<ReportLine[]> {
    return (await this.#all()).slice(0, limit);
  }

  async *pages(): AsyncGenerator<ReportLine[]> {
    const lines = await this.#all();
    for (let at = 0; at < lines.length; at += PAGE_ROWS) yield lines.slice(at, at + PAGE_ROWS);
  }
}

const PAGE_ROWS = 500;

import {
  EXPORT_COLUMNS,
  EXPORT_FILTERS,
  EXPORTED,
  type ExportColumn,
  type Exported,
  type ExportFilterName,
  REPORT_EXPORTS,
  type ReportExport,
} from '@turnout/contract/file-columns';

/** In the order of the screen: people, then other lists of rows, then reports. */
const KINDS: readonly Exported[] = [...new Set<Exported>(['people', ...EXPORTED])];
const OF_PRODUCTS: readonly Exported[] = ['products', 'hand_outs'];
/** What can be exported from an event: what is about products and sales, only where there are any. */
export const exportKinds = (hasProducts: boolean, sells: boolean): readonly Exported[] =>
  KINDS.filter((what) => (hasProducts || !OF_PRODUCTS.includes(what)) && (sells || what !== 'report_sales'));

const isReport = (what: Exported): what is ReportExport => (REPORT_EXPORTS as readonly string[]).includes(what);

export type Column = ExportColumn<Exclude<Exported, ReportExport>>;
export interface Columns {
  usual: readonly Column[];
  more: readonly Column[];
  /** The usual ones are more than those that an export has unless columns are named. */
  named: boolean;
}
/**
 * The columns that can be chosen. Reports have one set, from which nothing is chosen. What people have booked is in the list of people
 * by itself where there is anything to book.
 */
export function columnsFor(what: Exported, hasProducts: boolean): Columns | null {
  if (isReport(what)) return null;
  const { usual, more } = EXPORT_COLUMNS[what];
  if (what !== 'people' || !hasProducts) return { usual, more, named: false };
  const rest = EXPORT_COLUMNS.people.more.filter((column) => column !== 'products');
  return { usual: [...usual, 'products'], more: rest, named: true };
}

export const isFilterOf = (what: Exported, name: ExportFilterName): boolean =>
  (EXPORT_FILTERS[name] as readonly Exported[]).includes(what);
export const FILTER_NAMES = Object.keys(EXPORT_FILTERS) as ExportFilterName[];

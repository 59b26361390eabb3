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
export const EXPORT_KINDS: readonly Exported[] = [...new Set<Exported>(['people', ...EXPORTED])];

const isReport = (what: Exported): what is ReportExport => (REPORT_EXPORTS as readonly string[]).includes(what);

export type Column = ExportColumn<Exclude<Exported, ReportExport>>;
/** The columns that can be chosen. Reports have one set, from which nothing is chosen. */
export const columnsFor = (what: Exported): { usual: readonly Column[]; more: readonly Column[] } | null =>
  isReport(what) ? null : EXPORT_COLUMNS[what];

export const isFilterOf = (what: Exported, name: ExportFilterName): boolean =>
  (EXPORT_FILTERS[name] as readonly Exported[]).includes(what);
export const FILTER_NAMES = Object.keys(EXPORT_FILTERS) as ExportFilterName[];

import type { Tx } from '../../store/tx.ts';
import { isReport, ReportReading } from './export-reports.ts';
import { type ExportPlan, type Readable, Reading } from './export-rows.ts';
import type { ExportScope } from './export-world.ts';

/** How what is to be exported is read: a list row by row, a report as a whole. */
export const readingOf = (tx: Tx, scope: ExportScope, { what, ...plan }: ExportPlan): Readable =>
  isReport(what) ? new ReportReading(tx, scope, { what, ...plan }) : new Reading(tx, scope, { what, ...plan });

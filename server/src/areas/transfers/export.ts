import type { ExportCreate, ExportFilter, ExportFormat, Job, Mode } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { type Fault, requireValid } from '../../common/refusal.ts';
import type { StoredFile } from '../../common/stored-file.ts';
import { csv } from '../../outside/csv.ts';
import { storeFile } from '../../outside/files.ts';
import { clockText, type Pages, type SheetColumn } from '../../outside/sheet.ts';
import { XLSX_TYPE, xlsx } from '../../outside/xlsx.ts';
import { TooLargeForZip } from '../../outside/zip.ts';
import { JobFailure, job, type Run } from '../../road/for-areas/job.ts';
import { finishedJob, startJob } from '../../road/for-areas/start-job.ts';
import type { Work } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { erasuresSeen } from '../../store/clocks.ts';
import type { Tx } from '../../store/tx.ts';
import { anEvent, type EventRow, eventById, isTest } from '../events/index.ts';
import { removeLater } from '../jobs/index.ts';
import { currentAnswered } from '../registrations/index.ts';
import { clockIn } from './export-clock.ts';
import { columnFaults, usualColumns } from './export-columns.ts';
import { filterFaults, findFilter } from './export-filter.ts';
import { readingOf } from './export-readings.ts';
import type { ExportPlan } from './export-rows.ts';
import type { FoundFilter } from './export-sheet.ts';
import { onePage } from './one-page.ts';
import { readAhead } from './read-ahead.ts';

/** Exports with more rows are written in the background. */
export const ROWS_AT_ONCE = 2000;
/** After how many rows the job records its progress. */
const REPORT_EVERY = 10_000;

interface ExportInput extends ExportPlan {
  format: ExportFormat;
}
type FileOf = Parameters<typeof storeFile>[3];

/** What a call has prepared before its transaction, including the file if it is small. */
export interface Prepared {
  event: Id;
  mode: Mode;
  input: ExportInput;
  /** The count of erasures when the rows were read. */
  erasures: number;
  smallExport: { id: Id; file: StoredFile; rows: number } | null;
}

/** Columns and filters that do not apply to what is exported. */
export function exportFaults({ what, columns = [], filter = {} }: ValidPart<ExportCreate>): Fault[] {
  if (what === undefined) return [];
  return [...columnFaults(what, columns as string[]), ...filterFaults(what, filter as ExportFilter)];
}

/** Reads up to 2,000 rows at once. Their file is written after the transaction has ended. */
export async function prepareExport(call: Work & { body: ExportCreate }): Promise<() => Promise<Prepared>> {
  const { tx, org, caller, body, outside } = call;
  const event = await inBody(call, anEvent, body.event, 'event', {});
  const mode = isTest(event) ? 'test' : call.mode;
  const faults: Fault[] = columnFaults(body.what, body.columns ?? []);
  const filter = await findFilter({ ...call, mode }, event, body.what, body.filter ?? {}, faults);
  requireValid(faults);
  const { what, format } = body;
  const input: ExportInput = { what, format, filter, columns: body.columns ?? usualColumns(what) };
  const reading = readingOf(tx, { org, event, mode, group: caller.group?.id ?? null }, input);
  const rows = await reading.page(null, ROWS_AT_ONCE + 1);
  const erasures = await erasuresSeen(tx, org, false);
  if (rows.length > ROWS_AT_ONCE) return async () => ({ event: event.id, mode, input, erasures, smallExport: null });
  const { columns, cells } = await reading.head();
  const now = tx.clock.now();
  const id = newId(now);
  return async () => {
    const file = fileOf(event, input, reading.title, columns, onePage(rows.map((row) => cells(row as never))), now);
    const stored = await storeFile(outside.files, tx.clock, { org, job: id }, file);
    return { event: event.id, mode, input, erasures, smallExport: { id, file: stored, rows: rows.length } };
  };
}

/** Maps row by row as they are written, so that the cells of a whole page are never in memory together. */
function* mapped<From, To>(rows: Iterable<From>, to: (row: From) => To): Generator<To> {
  for (const row of rows) yield to(row);
}

export async function makeExport(call: Work, { event, mode, input, erasures, smallExport }: Prepared): Promise<Job> {
  const { tx, org } = call;
  const work = { ...call, mode };
  const { what, format, columns } = input;
  const about = { what, format, columns };
  if (smallExport === null) return startJob(work, exportJob, { event, input, about });
  const { id, file, rows } = smallExport;
  if ((await erasuresSeen(tx, org, true)) !== erasures) {
    // Somebody in the file may have been erased since it was read, so a job writes it again.
    removeLater(tx, org, 'files', file.key);
    return startJob(work, exportJob, { event, input, about });
  }
  return finishedJob(work, exportJob, { id, event, about, done: rows, counts: { rows }, files: { result: file } });
}

/**
 * Runs in one transaction with one snapshot from the first row to the last. It only reads, so it blocks nobody. An interrupted
 * export starts over: continuing it would join rows of two different moments in one file.
 */
export const exportJob = job<ExportInput>({
  kind: 'export',
  run: async (run) => {
    const result = await run.read(
      async (tx) => {
        const event = run.event === null ? null : await eventById(tx, run.org, run.event);
        if (event === null) throw new JobFailure('The event was deleted.');
        const filter = await currentFilter(tx, run.org, run.input.filter);
        const plan = { ...run.input, filter };
        const reading = readingOf(tx, { org: run.org, event, mode: run.mode, group: run.group }, plan);
        const total = await reading.count();
        await run.step(async () => ({ done: 0, total }));
        const { columns, cells } = await reading.head();
        async function* pages() {
          for await (const rows of reporting(run, reading.pages(columns.length)))
            yield mapped(rows, (row) => cells(row as never));
        }
        const { filename, mediaType, chunks } = fileOf(
          event,
          run.input,
          reading.title,
          columns,
          pages(),
          run.clock.now(),
        );
        return run.write(filename, mediaType, chunks).catch(tooLarge);
      },
      { long: true },
    );
    return { result };
  },
});

/** Since the job was started, a question may have become filterable anew, or is no longer. */
const currentFilter = async (tx: Tx, org: Id, filter: FoundFilter): Promise<FoundFilter> =>
  filter.answers === undefined ? filter : { ...filter, answers: await currentAnswered(tx, org, filter.answers) };

/** Passes pages on and records the job's progress. The step fails if the job was cancelled, which ends the export. */
async function* reporting<Row>(run: Run<ExportInput, null>, pages: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  let done = 0;
  let last = 0;
  const report = () => run.step(async () => ({ done, counts: { rows: done } }));
  for await (const rows of readAhead(pages, () => run.giveWay())) {
    yield rows;
    done += rows.length;
    if (done - last < REPORT_EVERY) continue;
    last = done;
    await report();
  }
  await report();
}

function fileOf(
  event: EventRow,
  { what, format }: ExportInput,
  title: string,
  columns: SheetColumn[],
  pages: Pages,
  now: Date,
): FileOf {
  const today = clockText(clockIn(event.timezone)(now.toISOString())).slice(0, 10);
  return {
    filename: `${event.code}-${what.replace('_', '-')}-${today}.${format}`,
    ...(format === 'csv'
      ? { mediaType: 'text/csv; charset=utf-8', chunks: csv(columns, pages) }
      : { mediaType: XLSX_TYPE, chunks: xlsx(title, columns, pages) }),
  };
}

const tooLarge = (error: unknown): never => {
  if (!(error instanceof TooLargeForZip)) throw error;
  throw new JobFailure(
    'An Excel file can have at most 4 GiB, and this one would be larger. Export as CSV, or use a filter to export a part.',
    error,
  );
};

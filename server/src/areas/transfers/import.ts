import { IMPORT_ROWS_AT_ONCE, type ImportCreate, type ImportQuery, type Job } from '@turnout/contract';
import { FilesAway } from '../../common/files-away.ts';
import { type Id, newId } from '../../common/ids.ts';
import { inTime, tooLate } from '../../common/in-time.ts';
import { invalid } from '../../common/refusal.ts';
import type { StoredFile } from '../../common/stored-file.ts';
import { storeFile } from '../../outside/files.ts';
import type { Caller } from '../../road/caller.ts';
import { finishedJob, startJob } from '../../road/for-areas/start-job.ts';
import { requireEntitlement } from '../../road/gate/entitlements.ts';
import type { Upload, Work } from '../../road/operation.ts';
import { SANDBOX_LIMITS, sandboxUsage } from '../../road/write/sandbox-room.ts';
import type { EventRow } from '../events/index.ts';
import { worldOf } from '../registrations/index.ts';
import { readRow } from './import-cells.ts';
import { type Column, columnsOf, importColumns, isOwnExport } from './import-headings.ts';
import { type ImportInput, importJob } from './import-job.ts';
import { FULL_LOAD, type Load, loadOf } from './import-load.ts';
import { optionsOf } from './import-options.ts';
import { REJECTS_TYPE, rejectsFile } from './import-rejects.ts';
import { importRows, previewRows, requireUnarchived } from './import-rows.ts';
import { type FileRow, type Table, tableOf } from './import-table.ts';
import { readingOf, textOf } from './import-text.ts';
import { onePage } from './one-page.ts';

type ImportCall = Work & { at: { event: EventRow }; query: ImportQuery; body: ImportCreate; file: Upload | null };

/** What a call learned from its file before its transaction. */
export interface Prepared {
  job: Id;
  input: ImportInput;
  table: Table;
  columns: Column[];
  total: number;
  /** All rows of a small file. A large or heavy file is stored as `source` and read again by the job. */
  rows: FileRow[];
  source: StoredFile | null;
}

/** Reads the whole file while no transaction is open: checks that it is CSV, counts its rows and recognizes its columns. */
export async function prepareImport(call: ImportCall): Promise<() => Promise<Prepared>> {
  const { tx, org, caller, at, outside } = call;
  const file = call.file!;
  requireUnarchived(at.event);
  const options = optionsOf(call);
  const world = await worldOf(tx, org, at.event);
  const limit = (await sandboxUsage(tx, org)) === null ? MAX_ROWS : SANDBOX_LIMITS.importRows;
  const job = newId(tx.clock.now());
  return async () => {
    const input: ImportInput = { ...options, reading: await readingOf(file.read()) };
    const table = await tableOf(textOf(file.read(), input.reading), input.reading);
    try {
      const columns = columnsOf(table.headings, input.mapping, world.questions);
      const { rows, total } = await countRows(table, caller, limit);
      const stored = { filename: nameOf(file), mediaType: 'text/csv', chunks: file.read() };
      const large = total > IMPORT_ROWS_AT_ONCE || isHeavy(rows, columns, input, loadOf(world));
      if (large) requireEntitlement(caller, 'background_imports');
      const source = large ? await storeFile(outside.files, tx.clock, { org, job }, stored) : null;
      return { job, input, table, columns, total, rows, source };
    } finally {
      await table.close();
    }
  };
}

/** Whether few rows are more than one transaction may write, because they are for many days. Then they are imported in the background. */
function isHeavy(rows: readonly FileRow[], columns: Column[], { date_order }: ImportInput, load: Load): boolean {
  let filled = 0;
  for (const row of rows) filled += load.row(readRow(row, columns, date_order));
  return filled > FULL_LOAD;
}

/** The name that the form gave the file, without the characters that PostgreSQL cannot store. */
const nameOf = ({ filename }: Upload): string =>
  (filename ?? '').replaceAll('\u0000', '').toWellFormed().slice(0, 200) || 'people.csv';

/** Bounds the table `import_rejects`, which holds every rejected row until the file of rejects is written. */
const MAX_ROWS = 1_000_000;

/**
 * Reads to the last row, because even that one may be broken. A caller whose plan does not allow so many rows is refused as soon
 * as the limit is passed.
 */
async function countRows(table: Table, caller: Caller, limit: number): Promise<{ rows: FileRow[]; total: number }> {
  const rows: FileRow[] = [];
  let total = 0;
  for await (const some of table.rows) {
    total += some.length;
    if (total <= IMPORT_ROWS_AT_ONCE) rows.push(...some);
    else requireEntitlement(caller, 'background_imports');
    if (total > limit) {
      const why = limit === MAX_ROWS ? 'send it as several files' : 'the sandbox takes no more in one file';
      invalid({ path: 'csv', message: `has more than ${limit.toLocaleString('en')} rows: ${why}` });
    }
  }
  return { rows, total };
}

/** Imports up to 500 rows at once; larger files, and rows for very many days, are imported in the background. */
export const runImport = (call: ImportCall, prepared: Prepared): Promise<Job> =>
  prepared.source === null ? importNow(call, prepared) : importLater(call, prepared, prepared.source);

const importLater = (call: ImportCall, prepared: Prepared, source: StoredFile): Promise<Job> => {
  const { job, input, total } = prepared;
  return startJob(call, importJob, {
    id: job,
    event: call.at.event.id,
    about: aboutOf(prepared),
    input,
    source,
    total,
  });
};

const aboutOf = ({ input, table, columns }: Prepared) => ({
  preview: input.preview,
  columns: importColumns(table.headings, columns),
});

const STORED_MS = 2_000;

async function importNow(call: ImportCall, prepared: Prepared): Promise<Job> {
  const { job, input, table, columns, rows } = prepared;
  const { tx, org, mode, caller, outside } = call;
  const event = call.at.event.id;
  const { attendees_per_event: cap } = caller.plan.limits;
  const scope = { org, event, mode, cap, group: caller.group?.id ?? null };
  const how = { order: input.date_order, own: isOwnExport(table.headings) };
  const read = rows.map((row) => ({ number: row.number, end: row.end, read: readRow(row, columns, how.order) }));
  const { counts, rejects, changes, raised } = input.preview
    ? { ...(await previewRows(tx, scope, read, { ...how, job: null, taken: {} })), changes: [], raised: [] }
    : await importRows(tx, scope, read, { ...how, emails: input.send_ticket_emails });
  for (const change of changes) call.changed(change);
  for (const occurrence of raised) call.raise(occurrence);
  const jobFields = { id: job, event, about: aboutOf(prepared), done: rows.length, counts };
  if (rejects.length === 0) return finishedJob(call, importJob, jobFields);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const page = rejects.map((why) => ({ row: byNumber.get(why.number)!, why }));
  const chunks = rejectsFile(table, input.reading, onePage(page));
  const storing = storeFile(
    outside.files,
    tx.clock,
    { org, job },
    { filename: 'rejects.csv', mediaType: REJECTS_TYPE, chunks },
  );
  // The file has at most 500 rows. The event's clock is held meanwhile, and a door must not wait for a store that does not answer.
  const file = await inTime(STORED_MS, storing, (ms) => new FilesAway(tooLate(ms)));
  return finishedJob(call, importJob, { ...jobFields, files: { rejects: file } });
}

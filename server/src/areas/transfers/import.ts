import { IMPORT_ROWS_AT_ONCE, type ImportCreate, ImportMapping, type ImportQuery, type Job } from '@turnout/contract';
import { storeFile } from '../../outside/files.ts';
import type { Caller } from '../../road/caller.ts';
import { requireEntitlement } from '../../road/entitlements.ts';
import type { StoredFile } from '../../road/job.ts';
import type { Upload, Work } from '../../road/operation.ts';
import { invalid, requireValid } from '../../road/refusal.ts';
import { finishedJob, startJob } from '../../road/start-job.ts';
import { bodyCheck } from '../../road/validate.ts';
import { type Id, newId } from '../../store/ids.ts';
import type { EventRow } from '../events/index.ts';
import { worldOf } from '../registrations/index.ts';
import { readRow } from './import-cells.ts';
import { type Column, columnsOf } from './import-headings.ts';
import { type ImportInput, importJob } from './import-job.ts';
import { REJECTS_TYPE, rejectsFile } from './import-rejects.ts';
import { importRows, previewRows, requireUnarchived } from './import-rows.ts';
import { type FileRow, type Table, tableOf } from './import-table.ts';
import { readingOf, textOf } from './import-text.ts';

type ImportCall = Work & { at: { event: EventRow }; query: ImportQuery; body: ImportCreate; file: Upload | null };

/** What a call found in its file before its work. */
export interface Prepared {
  job: Id;
  input: ImportInput;
  table: Table;
  columns: Column[];
  total: number;
  /** All of them where they are few; else they wait in `source`. */
  rows: FileRow[];
  source: StoredFile | null;
}

/** Reads the whole file, with no transaction open: whether it is one, how many rows it has, what its columns are. */
export async function prepareImport(call: ImportCall): Promise<() => Promise<Prepared>> {
  const { tx, org, caller, at, outside } = call;
  const file = call.file!;
  requireUnarchived(at.event);
  const options = optionsOf(call);
  const { questions } = await worldOf(tx, org, at.event);
  const job = newId(tx.clock.now());
  return async () => {
    const input: ImportInput = { ...options, reading: await readingOf(file.read()) };
    const table = await tableOf(textOf(file.read(), input.reading), input.reading);
    try {
      const columns = columnsOf(table.headings, input.mapping, questions);
      const { rows, total } = await countRows(table, caller);
      const stored = { filename: nameOf(file), mediaType: 'text/csv', chunks: file.read() };
      const large = total > IMPORT_ROWS_AT_ONCE;
      const source = large ? await storeFile(outside.files, tx.clock, { org, job }, stored) : null;
      return { job, input, table, columns, total, rows, source };
    } finally {
      await table.close();
    }
  };
}

/** As a form calls it, without what cannot be stored. */
const nameOf = ({ filename }: Upload): string =>
  (filename ?? '').replaceAll('\u0000', '').toWellFormed().slice(0, 200) || 'people.csv';

/** Each row that is left out is a row of a table until the file of them is written. */
const MOST_ROWS = 1_000_000;

/** To the last one, because a file may go wrong there; whoever may not have so many is told as soon as they are. */
async function countRows(table: Table, caller: Caller): Promise<{ rows: FileRow[]; total: number }> {
  const rows: FileRow[] = [];
  let total = 0;
  for await (const some of table.rows) {
    total += some.length;
    if (total <= IMPORT_ROWS_AT_ONCE) rows.push(...some);
    else requireEntitlement(caller, 'background_imports');
    if (total > MOST_ROWS) invalid({ path: 'csv', message: 'has more than 1,000,000 rows: send it in several parts' });
  }
  return { rows, total };
}

const checkMapping = bodyCheck(ImportMapping);

/** From the body, or from the query, where a mapping is JSON in a text. */
function optionsOf({ query, body }: ImportCall): Omit<ImportInput, 'reading'> {
  const { preview = false, send_ticket_emails = false, date_order = 'dmy', mapping = {} } = { ...query, ...body };
  return {
    preview,
    send_ticket_emails,
    date_order,
    mapping: typeof mapping === 'string' ? mappingIn(mapping) : mapping,
  };
}

function mappingIn(text: string): ImportMapping {
  let mapping: unknown;
  try {
    mapping = JSON.parse(text);
  } catch {
    return invalid({ path: 'mapping', message: 'is not JSON' });
  }
  const faults = checkMapping(mapping);
  requireValid(faults.map(({ path, message }) => ({ path: `mapping/${path}`, message })));
  return mapping as ImportMapping;
}

/** More than 500 rows go on in the background; fewer are done here and now. */
export const runImport = (call: ImportCall, prepared: Prepared): Promise<Job> =>
  prepared.source === null ? importNow(call, prepared) : importLater(call, prepared, prepared.source);

const importLater = (call: ImportCall, { job, input, total }: Prepared, source: StoredFile): Promise<Job> =>
  startJob(call, importJob, {
    ...{ id: job, event: call.at.event.id, input, source, total },
    details: { preview: input.preview },
  });

async function importNow(call: ImportCall, { job, input, table, columns, rows }: Prepared): Promise<Job> {
  const { tx, org, mode, caller, outside } = call;
  const event = call.at.event.id;
  const { attendees_per_event: cap } = caller.plan.limits;
  const scope = { org, event, mode, cap, group: caller.group?.id ?? null };
  const order = input.date_order;
  const read = rows.map((row) => ({ number: row.number, end: row.end, said: readRow(row, columns, order) }));
  const { counts, rejects, changes, raised } = input.preview
    ? { ...(await previewRows(tx, scope, read, { order, job: null, taken: {} })), changes: [], raised: [] }
    : await importRows(tx, scope, read, { order, emails: input.send_ticket_emails });
  for (const change of changes) call.changed(change);
  for (const occurrence of raised) call.raise(occurrence);
  const about = { id: job, event, done: rows.length, counts, details: { preview: input.preview } };
  if (rejects.length === 0) return finishedJob(call, importJob, about);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const page = rejects.map((why) => ({ row: byNumber.get(why.number)!, why }));
  // Waits for the disk with the event's clock held: a few rows, and only where some were left out.
  const file = await storeFile(
    outside.files,
    tx.clock,
    { org, job },
    {
      filename: 'rejects.csv',
      mediaType: REJECTS_TYPE,
      chunks: rejectsFile(table, input.reading, only(page)),
    },
  );
  return finishedJob(call, importJob, { ...about, files: { rejects: file } });
}

async function* only<T>(page: T): AsyncGenerator<T> {
  yield page;
}

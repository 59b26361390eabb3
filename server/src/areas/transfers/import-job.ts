import type { DateOrder, ImportMapping } from '@turnout/contract';
import { cron, JobFailure, job, type Run } from '../../road/job.ts';
import type { Id } from '../../store/ids.ts';
import { transaction } from '../../store/tx.ts';
import { eventById } from '../events/index.ts';
import { worldOf } from '../registrations/index.ts';
import { readRow } from './import-cells.ts';
import { columnsOf } from './import-headings.ts';
import {
  acrossOrganizationsSweep,
  type ImportScope,
  keepPreview,
  keepRejects,
  type RejectRow,
  rejectsBetween,
} from './import-queries.ts';
import { REJECTS_TYPE, rejectsFile } from './import-rejects.ts';
import { type ImportCounts, importRows, OUTCOMES, previewRows, type ReadRow, type Taken } from './import-rows.ts';
import { type FileRow, type Table, tableOf } from './import-table.ts';
import { type Reading, textOf } from './import-text.ts';

export interface ImportInput {
  reading: Reading;
  mapping: ImportMapping;
  date_order: DateOrder;
  preview: boolean;
  send_ticket_emails: boolean;
}

interface ImportState {
  /** The last row that was done. */
  row: number;
  /** Of a preview. */
  taken: Taken;
}

type ImportRun = Run<ImportInput, ImportState>;

/** So many rows hold the event's clock together: scans of the same event wait for no more than these. */
const ROWS_A_STEP = Number(process.env.IMPORT_CHUNK ?? 100);

/**
 * Reads the upload from its beginning, passes over what was done before, and does the rest, some rows a transaction. Where it
 * stands commits with the rows, so no row is done twice, whenever it is killed.
 */
export const importJob = job<ImportInput, ImportState>({
  kind: 'import',
  run: async (run) => {
    const { input, event } = run;
    if (event === null) throw new JobFailure('The event was deleted.');
    const scope: ImportScope = { org: run.org, event, group: run.group, mode: run.mode };
    const table = await openSource(run);
    const columns = columnsOf(table.headings, input.mapping, await questionsOf(run, event));
    for await (const rows of someAtATime(undone(table, run.state?.row ?? 0), ROWS_A_STEP)) {
      const read = rows.map((row) => ({ number: row.number, said: readRow(row, columns, input.date_order) }));
      await (input.preview ? previewStep : importStep)(run, scope, read);
    }
    if ((run.counts.rejected ?? 0) === 0) return;
    const file = rejectsFile(table, input.reading, rejectsOf(run));
    return { rejects: await run.write('rejects.csv', REJECTS_TYPE, file) };
  },
});

async function openSource(run: ImportRun): Promise<Table> {
  const bytes = run.source === null ? null : await run.outside.files.read(run.source.key);
  if (bytes === null) throw new JobFailure('The uploaded file is gone. Send it again.');
  return tableOf(textOf(bytes, run.input.reading));
}

const questionsOf = (run: ImportRun, id: Id) =>
  run.read(async (tx) => {
    const event = await eventById(tx, run.org, id);
    if (event === null) throw new JobFailure('The event was deleted.');
    return (await worldOf(tx, run.org, event)).questions;
  });

async function* undone({ rows }: Table, row: number): AsyncGenerator<FileRow[]> {
  for await (const some of rows) {
    if (some.at(-1)!.number > row) yield some.filter((one) => one.number > row);
  }
}

async function* someAtATime(pages: AsyncIterable<FileRow[]>, size: number): AsyncGenerator<FileRow[]> {
  let held: FileRow[] = [];
  for await (const page of pages) {
    held = held.concat(page);
    let at = 0;
    for (; held.length - at >= size; at += size) yield held.slice(at, at + size);
    held = held.slice(at);
  }
  if (held.length > 0) yield held;
}

function importStep(run: ImportRun, scope: ImportScope, rows: ReadRow[]): Promise<void> {
  const { date_order: order, send_ticket_emails: emails } = run.input;
  return run.step(async (tx) => {
    const { counts, rejects, changes, raised } = await importRows(tx, scope, rows, { order, emails });
    keepRejects(tx, run.org, run.id, rejects);
    run.audit(tx, 'people.imported', changes);
    run.raise(tx, raised);
    return { state: { row: rows.at(-1)!.number, taken: {} }, ...progress(run, rows, counts) };
  });
}

function previewStep(run: ImportRun, scope: ImportScope, rows: ReadRow[]): Promise<void> {
  const { date_order: order } = run.input;
  return run.step(async (tx) => {
    const before = run.state?.taken ?? {};
    const { counts, rejects, taken, people } = await previewRows(tx, scope, rows, {
      order,
      job: run.id,
      taken: before,
    });
    keepRejects(tx, run.org, run.id, rejects);
    keepPreview(tx, run.org, run.id, people);
    return { state: { row: rows.at(-1)!.number, taken }, ...progress(run, rows, counts) };
  });
}

const progress = (run: ImportRun, rows: ReadRow[], counts: ImportCounts) => ({
  done: run.done + rows.length,
  counts: Object.fromEntries(OUTCOMES.map((one) => [one, (run.counts[one] ?? 0) + counts[one]])),
});

/** The rows that were left out: their reasons from the table, their cells from the file. */
async function* rejectsOf(run: ImportRun): AsyncGenerator<{ row: FileRow; why: RejectRow }[]> {
  const { rows } = await openSource(run);
  for await (const some of rows) {
    const [first, last] = [some[0]!.number, some.at(-1)!.number];
    const rejects = await run.read((tx) => rejectsBetween(tx, run.org, run.id, first, last));
    const byNumber = new Map(rejects.map((why) => [why.number, why]));
    yield some.flatMap((row) => {
      const why = byNumber.get(row.number);
      return why === undefined ? [] : [{ row, why }];
    });
  }
}

export const importCrons = [
  cron({
    name: 'sweep-imports',
    pattern: '*/10 * * * *',
    run: async ({ pool, clock }) => {
      await transaction(pool, clock, { role: 'system' }, acrossOrganizationsSweep);
    },
  }),
];

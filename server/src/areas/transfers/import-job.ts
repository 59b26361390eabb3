import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { DateOrder, ImportMapping } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { cron, JobFailure, type JobFiles, job, type Run } from '../../road/for-areas/job.ts';
import { onePlan } from '../../store/bulk.ts';
import { apartFromErasures, Vanished } from '../../store/clocks.ts';
import { jobTransaction } from '../../store/tx.ts';
import { eventById } from '../events/index.ts';
import { attendeeCap, worldOf } from '../registrations/index.ts';
import { readRow } from './import-cells.ts';
import { columnsOf, isOwnExport } from './import-headings.ts';
import { FULL_LOAD, type Load, loadOf } from './import-load.ts';
import { GONE_AFTER_MS, Pace } from './import-pace.ts';
import {
  acrossOrganizationsSweep,
  type ImportScope,
  isWaitedFor,
  keepPreview,
  keepRejects,
  lastChange,
  type RejectRow,
  rejectsBetween,
} from './import-queries.ts';
import { REJECTS_TYPE, rejectsFile } from './import-rejects.ts';
import {
  COUNTED,
  type ImportCounts,
  importRows,
  previewRows,
  type ReadOptions,
  type ReadRow,
  type TakenPlaces,
} from './import-rows.ts';
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
  /** The last row that was done, and the byte offset behind it. States of earlier releases have no `at`. */
  row: number;
  at?: number;
  /** Only previews use it. */
  taken: TakenPlaces;
}

type ImportRun = Run<ImportInput, ImportState>;

/** A preview locks nothing, so its steps need no pace. */
const PREVIEWED_A_STEP = 200;

/**
 * Reads the headings, skips the rows that are already done and imports the others, several rows per transaction. The position in
 * the file commits together with the rows, so no row is imported twice, no matter when the process is killed.
 */
export const importJob = job<ImportInput, ImportState>({
  kind: 'import',
  run: (run) =>
    importAll(run).catch((error) => {
      throw error instanceof Vanished ? eventGone() : error;
    }),
});

async function importAll(run: ImportRun): Promise<JobFiles | undefined> {
  const { input, event } = run;
  if (event === null) throw eventGone();
  const table = await openSource(run);
  try {
    const { world, cap } = await aboutEvent(run, event);
    const scope: ImportScope = { org: run.org, event, group: run.group, mode: run.mode, cap };
    const columns = columnsOf(table.headings, input.mapping, world.questions);
    const read = (row: FileRow) => readRow(row, columns, input.date_order);
    const how: ReadOptions = { order: input.date_order, own: isOwnExport(table.headings) };
    const rows = { pages: remainingRows(run, table), read, load: loadOf(world) };
    await (input.preview ? previewAll : writeAll)(run, scope, how, rows);
  } finally {
    await table.close();
  }
  if ((run.counts.rejected ?? 0) === 0) return undefined;
  const file = rejectsFile(table, input.reading, rejectsOf(run));
  return { rejects: await run.write('rejects.csv', REJECTS_TYPE, file) };
}

/** The rows of the file, how they are read, and how much of a transaction each of them fills. */
interface RowsToDo {
  pages: AsyncIterable<FileRow[]>;
  read: (row: FileRow) => ReadRow['read'];
  load: Load;
}

async function writeAll(run: ImportRun, scope: ImportScope, how: ReadOptions, toDo: RowsToDo): Promise<void> {
  const pace = new Pace(await wasJustChanged(run, scope));
  let before: string | null = null;
  for await (const rows of readAhead(toDo, () => pace.rows)) {
    const step = await importStep(run, scope, how, rows);
    const pause = pace.next({ others: step.waited || (before !== null && step.from !== before), took: step.took });
    before = step.to;
    if (pause > 0) await sleep(pause, undefined, { signal: run.signal }).catch(() => {});
  }
}

async function previewAll(run: ImportRun, scope: ImportScope, how: ReadOptions, toDo: RowsToDo): Promise<void> {
  for await (const rows of readAhead(toDo, () => PREVIEWED_A_STEP)) await previewStep(run, scope, how, rows);
}

const eventGone = () => new JobFailure('The event was deleted.');

async function sourceOf(run: ImportRun, from = 0): Promise<AsyncGenerator<string>> {
  const bytes = run.source === null ? null : await run.outside.files.read(run.source.key, from);
  if (bytes === null) throw new JobFailure('The uploaded file was deleted. Send it again.');
  return textOf(bytes, run.input.reading, from > 0);
}

const openSource = async (run: ImportRun): Promise<Table> => tableOf(await sourceOf(run), run.input.reading);

const aboutEvent = (run: ImportRun, id: Id) =>
  run.read(async (tx) => {
    const event = await eventById(tx, run.org, id);
    if (event === null) throw eventGone();
    return { world: await worldOf(tx, run.org, event), cap: await attendeeCap(tx, run.org) };
  });

/** The rows behind the last one that was done. */
async function* remainingRows(run: ImportRun, table: Table): AsyncGenerator<FileRow[]> {
  const { row = 0, at } = run.state ?? {};
  if (at !== undefined) {
    const texts = await sourceOf(run, at);
    try {
      yield* table.rowsFrom({ row, at }, texts);
    } finally {
      await texts.return(undefined);
    }
    return;
  }
  for await (const some of table.rows) {
    if (some.at(-1)!.number > row) yield some.filter((one) => one.number > row);
  }
}

/** Cuts the rows into steps. The rows of the next step are read while the database is busy with the current one. */
async function* readAhead({ pages, read, load }: RowsToDo, atATime: () => number): AsyncGenerator<ReadRow[]> {
  async function* steps(): AsyncGenerator<ReadRow[]> {
    let held: FileRow[] = [];
    // At least one row, and then as many as a transaction may hold.
    const take = (count: number): ReadRow[] => {
      const taken: ReadRow[] = [];
      let filled = 0;
      for (const row of held.slice(0, count)) {
        const is = read(row);
        filled += load.row(is);
        if (taken.length > 0 && filled > FULL_LOAD) break;
        taken.push({ number: row.number, end: row.end, read: is });
      }
      held = held.slice(taken.length);
      return taken;
    };
    for await (const page of pages) {
      held = held.concat(page);
      while (held.length >= atATime()) yield take(atATime());
    }
    while (held.length > 0) yield take(held.length);
  }
  const all = steps();
  let next = all.next();
  for (;;) {
    const { value, done } = await next;
    if (done === true) return;
    next = nextTurn().then(() => all.next());
    next.catch(() => {}); // thrown where it is awaited, at the top of the loop
    yield value;
  }
}

/** Whether the event's registrations changed in the last seconds. */
const wasJustChanged = (run: ImportRun, scope: ImportScope): Promise<boolean> =>
  run.read(async (tx) => {
    const at = await lastChange(tx, scope);
    return at !== null && tx.clock.now().getTime() - Date.parse(at) < GONE_AFTER_MS;
  });

interface ImportStep {
  /**
   * The event's clock when the step began and when it ended. If the next step begins with another value than this one ended
   * with, somebody else changed the event in between.
   */
  from: string | null;
  to: string | null;
  /** Whether somebody waited for the clock while the step held it. */
  waited: boolean;
  /** Milliseconds. */
  took: number;
}

async function importStep(run: ImportRun, scope: ImportScope, how: ReadOptions, rows: ReadRow[]): Promise<ImportStep> {
  const { send_ticket_emails: emails } = run.input;
  let began!: number;
  let pendingReads!: Promise<[string | null, string | null, boolean]>;
  await run.step(async (tx) => {
    began = performance.now();
    onePlan(tx);
    const from = lastChange(tx, scope);
    from.catch(() => {}); // it is awaited as part of `pendingReads`
    const { counts, rejects, changes, raised } = await importRows(tx, scope, rows, { ...how, emails });
    keepRejects(tx, run.org, run.id, rejects);
    run.audit(tx, 'people.imported', changes);
    run.raise(tx, raised);
    // Asked after everything is written, but awaited only after the step: this way it costs no round trip of its own.
    pendingReads = Promise.all([from, lastChange(tx, scope), isWaitedFor(tx)]);
    pendingReads.catch(() => {}); // if these fail, the step fails as well and reports it
    return { state: { ...positionAfter(rows), taken: {} }, ...progress(run, rows, counts) };
  });
  const [from, to, waited] = await pendingReads;
  return { from, to, waited, took: performance.now() - began };
}

function previewStep(run: ImportRun, scope: ImportScope, how: ReadOptions, rows: ReadRow[]): Promise<void> {
  return run.step(async (tx) => {
    const before = run.state?.taken ?? {};
    const { counts, rejects, taken, attendees } = await apartFromErasures(tx, run.org, () =>
      previewRows(tx, scope, rows, { ...how, job: run.id, taken: before }),
    );
    keepRejects(tx, run.org, run.id, rejects);
    keepPreview(tx, run.org, run.id, attendees);
    return { state: { ...positionAfter(rows), taken }, ...progress(run, rows, counts) };
  });
}

const positionAfter = (rows: readonly ReadRow[]) => ({ row: rows.at(-1)!.number, at: rows.at(-1)!.end });

const progress = (run: ImportRun, rows: ReadRow[], counts: ImportCounts) => ({
  done: run.done + rows.length,
  counts: Object.fromEntries(COUNTED.map((one) => [one, (run.counts[one] ?? 0) + counts[one]])),
});

/** The rows that were left out. Their reasons come from the database, their cells from the uploaded file. */
async function* rejectsOf(run: ImportRun): AsyncGenerator<{ row: FileRow; why: RejectRow }[]> {
  const { rows, close } = await openSource(run);
  try {
    for await (const some of rows) {
      const [first, last] = [some[0]!.number, some.at(-1)!.number];
      const rejects = await run.read((tx) => rejectsBetween(tx, run.org, run.id, first, last));
      const byNumber = new Map(rejects.map((why) => [why.number, why]));
      yield some.flatMap((row) => {
        const why = byNumber.get(row.number);
        return why === undefined ? [] : [{ row, why }];
      });
    }
  } finally {
    await close();
  }
}

export const importCrons = [
  cron({
    name: 'sweep-imports',
    pattern: '*/10 * * * *',
    run: async ({ pool, clock }) => {
      await jobTransaction(pool, clock, { role: 'system' }, acrossOrganizationsSweep);
    },
  }),
];

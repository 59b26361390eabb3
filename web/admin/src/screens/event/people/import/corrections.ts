import type { ImportColumn, Job } from '@turnout/client';
import { unguard } from '@turnout/contract/csv-guard';
import { useMemo } from 'react';
import type { Sheet } from '../../../../parts/csv.ts';
import { type Fixes, keyOf, type Reject } from './draft.ts';
import { reasonsIn } from './reasons.ts';

/** What the server calls the column with the reason. Cells behind it belong to no heading. */
const WHY = 'import_error';

export interface RejectSheet {
  head: string[];
  rejects: Reject[];
}

/**
 * A file of rejects: its own headings, and each row with its reason apart. Cells that a spreadsheet would run as formulas, such as a
 * phone number with a plus, have a guard in the file, which is taken off here.
 */
export function rejectedIn(file: Sheet): RejectSheet {
  const head = file.head.map(unguard);
  const rows = file.rows.map((cells) => cells.map(unguard));
  const at = head.indexOf(WHY);
  if (at < 0) return { head, rejects: rows.map((cells) => ({ cells, why: '' })) };
  const without = (cells: readonly string[]) => [...cells.slice(0, at), ...cells.slice(at + 1)];
  return {
    head: without(head),
    rejects: rows.map((cells) => ({ cells: trimmed(without(cells), head.length - 1), why: cells[at] ?? '' })),
  };
}

/** Cells behind the last heading count only if something is in them. */
function trimmed(cells: string[], width: number): string[] {
  let length = cells.length;
  while (length > width && cells[length - 1] === '') length -= 1;
  return Array.from({ length: Math.max(length, width) }, (_, i) => cells[i] ?? '');
}

/** The corrected rows as a file of their own. */
export function correctedSheet(head: readonly string[], rejects: readonly Reject[], fixes: Fixes): Sheet {
  const rows = rejects.flatMap(({ cells }) => {
    const fixed = fixes[keyOf(cells)];
    return fixed === undefined ? [] : [[...fixed]];
  });
  const width = Math.max(head.length, ...rows.map((row) => row.length));
  return { head: Array.from({ length: width }, (_, i) => head[i] ?? ''), rows };
}

/**
 * The rows of the file that were not corrected. Corrected ones go up by themselves; if the file had them too, a row whose day is missing
 * would find the person whom its correction has just added, and set back whatever else was corrected in it. Null where this browser does
 * not read the file as the server does, so that all of it has to go up. `total`: how many rows the server has found.
 */
export function uncorrectedSheet(
  { head, rows }: Sheet,
  rejects: readonly Reject[],
  fixes: Fixes,
  total: number,
): Sheet | null {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const corrected = new Map<string, number>();
  for (const { cells, why } of rejects) {
    // Written again, a row with a wrong quote would no longer be broken.
    if (reasonsIn(why).some(({ code }) => code === 'broken_row')) return null;
    if (!(keyOf(cells) in fixes)) continue;
    const key = contentKey(cells);
    corrected.set(key, (corrected.get(key) ?? 0) + 1);
  }
  const contents = rejectedIn({ head, rows: filled }).rejects.map(({ cells }) => contentKey(cells));
  const kept = filled.filter((_, i) => {
    const left = corrected.get(contents[i]!) ?? 0;
    if (left > 0) corrected.set(contents[i]!, left - 1);
    return left === 0;
  });
  const isSame = filled.length === total && [...corrected.values()].every((left) => left === 0);
  return isSame ? { head, rows: kept } : null;
}

/** What is still to be corrected: what the import rejected, without what was corrected since, and with what of that was rejected again. */
export function stillRejected(
  main: readonly Reject[],
  later: readonly { corrected: readonly string[]; rejects: readonly Reject[] }[],
): Reject[] {
  let open = [...main];
  for (const { corrected, rejects } of later) {
    const gone = new Map<string, number>();
    for (const key of corrected) gone.set(key, (gone.get(key) ?? 0) + 1);
    open = open.filter(({ cells }) => {
      const left = gone.get(keyOf(cells)) ?? 0;
      if (left > 0) gone.set(keyOf(cells), left - 1);
      return left === 0;
    });
    open.push(...rejects);
  }
  return open;
}

export const useRejected = (sheet: Sheet | undefined): RejectSheet | undefined =>
  useMemo(() => sheet && rejectedIn(sheet), [sheet]);

/** What a row says, however its cells are guarded and spaced: the server may write them back with a guard and without spaces. */
export function contentKey(cells: readonly string[]): string {
  const said = cells.map((cell) => unguard(cell.trim()));
  return keyOf(said.slice(0, said.findLastIndex((cell) => cell !== '') + 1));
}

/** The first rows of a file that were not rejected. It may itself be a file of rejects, whose reasons are not compared. */
export function acceptedRows({ head, rows }: Sheet, rejects: readonly Reject[]): string[][] {
  const rejected = new Set(rejects.map(({ cells }) => contentKey(cells)));
  return rejectedIn({ head, rows }).rejects.flatMap(({ cells }, i) => {
    const wide = Array.from({ length: Math.max(cells.length, head.length) }, (_, j) => rows[i]![j] ?? '');
    return rejected.has(contentKey(cells)) ? [] : [wide];
  });
}

export const countOf = (job: Job | undefined, name: string): number => job?.counts[name] ?? 0;

/** The columns of a file of rejects. It has no old reasons, also where the imported file was a file of rejects itself. */
export const rejectColumns = (columns: readonly (ImportColumn | string)[] | null | undefined): ImportColumn[] =>
  columns?.filter((column) => typeof column !== 'string').filter(({ heading }) => heading !== WHY) ?? [];

/**
 * Fields without which a row cannot be imported, by the reason that says so. Which days are possible is known only with the type, so the
 * day may be asked for once the type was corrected.
 */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  type_required: ['attendee_type', 'days'],
  unknown_type: ['days'],
  day_required: ['days'],
};

/**
 * Adds the columns that the file lacks and its rows need, such as the type in an event with several, so that it can be given while
 * the rows are corrected. Where rows have cells behind the last heading, nothing can be added there.
 */
export function withMissing({ head, rejects }: RejectSheet, columns: readonly ImportColumn[]) {
  const surplus = rejects.some(({ cells }) => cells.length > head.length);
  const needed = new Set(rejects.flatMap(({ why }) => reasonsIn(why).flatMap(({ code }) => MISSING[code] ?? [])));
  const added = [...needed].filter((field) => !columns.some((column) => column.field === field));
  if (surplus || added.length === 0 || columns.length !== head.length) return { head, columns };
  return {
    head: [...head, ...added],
    columns: [...columns, ...added.map((field) => ({ heading: field, became: 'field', field, why: null }))],
  };
}

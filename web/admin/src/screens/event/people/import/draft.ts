import { useSyncExternalStore } from 'react';
import type { call } from '../../../../frame/api.ts';
import { readCsv, type Sheet } from '../../../../parts/csv.ts';
import { type StoredDraft, storedDraft } from './stored-draft.ts';

type ImportBody = NonNullable<Extract<Parameters<typeof call<'importPeople'>>[1], { body?: unknown }>['body']>;
export type Mapping = NonNullable<ImportBody['mapping']>;
export type Use = Mapping[string];
export type DateOrder = NonNullable<ImportBody['date_order']>;

/** A row that could not be imported: its cells as they came, and why. */
export interface Reject {
  cells: readonly string[];
  why: string;
}
/** Rejected rows that were corrected: the row as it was (`keyOf`) and as it is now. */
export type Fixes = Readonly<Record<string, readonly string[]>>;

/** An import that is being prepared: the file and what was decided about it so far. */
export interface Draft {
  name: string;
  file: Blob;
  /** The headings and first rows, as far as this browser can read them; null if it cannot. */
  sheet: Sheet | null;
  mapping: Mapping;
  dateOrder: DateOrder;
  emails: boolean;
  /** The job of the last preview with exactly these decisions; null if something was changed since. */
  preview: string | null;
  fixes: Fixes;
}

/** A rejected row is known by its cells, because the file of rejects has no numbers. */
export const keyOf = (cells: readonly string[]): string => JSON.stringify(cells);

const drafts = new Map<string, Draft>();
/** What is in the files that are short enough to be stored. */
const texts = new WeakMap<Blob, string>();
const listeners = new Set<() => void>();
const STORED = 'turnout.import.';
/** A longer text is kept only until the page is left; browsers store about five million characters for a site. */
const LONGEST_STORED = 1_500_000;
const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_ROWS = 50;

export function setDraft(event: string, draft: Draft | null): void {
  if (draft === null) drafts.delete(event);
  else drafts.set(event, draft);
  store(event, draft);
  for (const listener of listeners) listener();
}

export const changeDraft = (event: string, change: Partial<Draft>): void => {
  const draft = draftOf(event);
  if (draft !== null) setDraft(event, { ...draft, ...change });
};

/** The import that is being prepared for an event, also after the page was loaded again. */
export const useDraft = (event: string): Draft | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => draftOf(event),
  );

function draftOf(event: string): Draft | null {
  const known = drafts.get(event);
  if (known !== undefined) return known;
  try {
    const stored = storedDraft(sessionStorage.getItem(STORED + event));
    if (stored === null) return null;
    const { text, mapping, dateOrder, ...rest } = stored;
    const draft: Draft = {
      ...rest,
      // Whether they are uses and an order that the server knows is for the server to say.
      mapping: mapping as Mapping,
      dateOrder: dateOrder as DateOrder,
      ...{ file: new Blob([text], { type: 'text/csv' }), sheet: sheetOf(text) },
    };
    texts.set(draft.file, text);
    drafts.set(event, draft);
    return draft;
  } catch {
    return null;
  }
}

/** Stores at once, because a page that is loaded again waits for nothing. */
function store(event: string, draft: Draft | null): void {
  try {
    const text = draft === null ? undefined : texts.get(draft.file);
    if (draft === null || text === undefined) {
      sessionStorage.removeItem(STORED + event);
      return;
    }
    const { file: _file, sheet: _sheet, ...rest } = draft;
    sessionStorage.setItem(STORED + event, JSON.stringify({ ...rest, text } satisfies StoredDraft));
  } catch {
    // Without storage, a reload asks for the file again.
  }
}

export async function draftFrom(file: Blob, name: string): Promise<Draft> {
  const start = await file.slice(0, SAMPLE_BYTES).arrayBuffer();
  const whole = file.size <= SAMPLE_BYTES;
  if (file.size <= LONGEST_STORED) texts.set(file, decode(await file.arrayBuffer()));
  return {
    ...{ name, file, sheet: sheetOf(decode(start), whole), mapping: {}, dateOrder: 'dmy', emails: false },
    ...{ preview: null, fixes: {} },
  };
}

/** All rows of the file, as far as this browser can read them. */
export const wholeSheet = async ({ file }: Draft): Promise<Sheet> => tableIn(decode(await file.arrayBuffer()));

const tableIn = (text: string): Sheet => readCsv(text.replace(/^sep=.\r?\n/i, ''));

/** The beginning of a text as a table. Of a part of a file, the last row may be cut. */
function sheetOf(text: string, whole = true): Sheet | null {
  const { head, rows } = tableIn(text.slice(0, SAMPLE_BYTES));
  if (head.length === 0) return null;
  return { head, rows: (whole && text.length <= SAMPLE_BYTES ? rows : rows.slice(0, -1)).slice(0, SAMPLE_ROWS) };
}

/** As the server reads it: UTF-8, UTF-16 by its mark, else Windows-1252. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // A character that is cut at the end of a part is not a fault.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const RUN = 'turnout.import-run.';

/** Which rejected rows were corrected and sent again by which job, so that they are not offered a second time. */
export function noteCorrected(job: string, keys: readonly string[]): void {
  try {
    sessionStorage.setItem(RUN + job, JSON.stringify(keys));
  } catch {
    // Then they are offered again; importing a row twice changes nothing.
  }
}
export function correctedBy(job: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(RUN + job) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

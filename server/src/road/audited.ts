import { type AuditChanges, type AuditField, isPersonalField } from '@turnout/contract';
import { type Id, toUlid } from '../store/ids.ts';
import { isObject } from './canonical.ts';
import type { Differences } from './diff.ts';

/** What the audit log keeps of one change. */
export interface Change {
  /** Where it is another than the operation's. */
  action?: string;
  kind: string;
  id: Id | null;
  event?: Id | null;
  group?: Id | null;
  /** `{ field: [before, after] }` of the object itself (`diff`); what is no such pair is a detail. */
  changes?: Record<string, unknown> | undefined;
  /** What is to be known beside: a reason, an amount, a format. */
  details?: Record<string, unknown> | undefined;
  /** What else it touched. */
  objects?: readonly Touched[] | undefined;
  /**
   * Of a PATCH: the answer as it was before. Where nothing differs, the road undoes everything and answers with it
   * (`Unchanged` in road.ts).
   */
  was?: unknown;
}

/** In place of before and after, where whoever reads the row must know of neither. */
export const UNSAID: [unknown, unknown] = [null, null];

/** Told by a call that did nothing because it repeats one before: the audit log gets no row of it. */
export const NOTHING: Change = { kind: 'nothing', id: null };

export interface Touched {
  kind: string;
  id: Id;
  changes?: Differences;
}

/** As it lies in `audit_log.changes`. */
export interface KeptChanges extends Partial<Omit<AuditChanges, 'objects'>> {
  objects?: { kind: string; id: string; fields?: Record<string, AuditField> }[];
}

const isPair = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2;

/** Of people only the names of fields are kept: erasing them would not find every value again. */
function fieldsOf(kind: string, changes: Record<string, unknown>): Record<string, AuditField> {
  const pairs = Object.entries(changes).filter((entry): entry is [string, [unknown, unknown]] => isPair(entry[1]));
  return Object.fromEntries(
    pairs.map(([field, pair]): [string, AuditField] => {
      if (pair === UNSAID || isPersonalField(kind, field)) return [field, { changed: true }];
      return [field, { before: pair[0], after: pair[1] }];
    }),
  );
}

const some = <T extends object>(all: T): T | undefined => (Object.keys(all).length > 0 ? all : undefined);

const known = new WeakMap<object, KeptChanges | null>();

/** The same object for the same `changes`, so that rows which share them still do (`apart` in store/bulk.ts). */
export function kept(change: Change): KeptChanges | null {
  const { changes, details, objects } = change;
  if (changes === undefined || details !== undefined || objects !== undefined) return make(change);
  let made = known.get(changes);
  if (made === undefined) {
    made = make(change);
    known.set(changes, made);
  }
  return made;
}

function make({ kind, changes = {}, details, objects = [] }: Change): KeptChanges | null {
  const fields = some(fieldsOf(kind, changes));
  const rest = some({
    ...Object.fromEntries(Object.entries(changes).filter(([, value]) => !isPair(value))),
    ...details,
  });
  const others = objects.map((one) => {
    const theirs = some(fieldsOf(one.kind, one.changes ?? {}));
    return { kind: one.kind, id: toUlid(one.id), ...(theirs && { fields: theirs }) };
  });
  return (
    some({
      ...(fields && { fields }),
      ...(rest && { details: rest }),
      ...(others.length > 0 && { objects: others }),
    }) ?? null
  );
}

export const isNothing = (change: Change): boolean => change.was !== undefined && kept(change) === null;

/**
 * As it is shown. Rows of earlier releases lie as they were written: `{ field: [before, after] }` with details beside, and of
 * imports the names of fields alone.
 */
export function shownChanges(kind: string, stored: unknown): AuditChanges | null {
  if (!isObject(stored)) return null;
  if (stored.erased === true) return { fields: {}, objects: [], details: {}, erased: true };
  const { fields, details, objects } = (isKept(stored) ? stored : earlier(kind, stored)) as KeptChanges;
  return {
    fields: fields ?? {},
    objects: (objects ?? []).flatMap((one) => (one.fields === undefined ? [] : [{ ...one, fields: one.fields }])),
    details: details ?? {},
  };
}

const KEPT = ['fields', 'details', 'objects'];
const isKept = (stored: Record<string, unknown>): boolean =>
  Object.keys(stored).every((name) => KEPT.includes(name)) && !Array.isArray(stored.fields);

function earlier(kind: string, stored: Record<string, unknown>): KeptChanges | null {
  const { fields, ...rest } = stored;
  const named = Array.isArray(fields) ? fields.map((field) => [String(field), { changed: true }]) : [];
  const made = make({ kind, id: null, changes: rest });
  return { ...made, fields: { ...made?.fields, ...Object.fromEntries(named) } };
}

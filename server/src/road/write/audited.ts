import { type AuditChanges, type AuditField, isPersonalField } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Actor } from '../caller.ts';
import { isObject } from './canonical.ts';
import type { Differences } from './diff.ts';

/** One change, as the work reports it to the audit log. */
export interface Change {
  /** Set if it is not the action that the operation declares. */
  action?: string;
  /** Who decided it, if that is not the caller: the member who has unlocked a scanner. */
  by?: Pick<Actor, 'kind' | 'id' | 'name'>;
  kind: string;
  id: Id | null;
  event?: Id | null;
  group?: Id | null;
  /** `{ field: [before, after] }` of the object itself (`diff`). Any other value counts as a detail. */
  changes?: Record<string, unknown> | undefined;
  /** What else should be known: a reason, an amount, a format. */
  details?: Record<string, unknown> | undefined;
  /** The other objects that it changed. */
  objects?: readonly Touched[] | undefined;
  /** For a PATCH: the answer as it was before. If nothing differs, the road undoes the work and answers with this (`Unchanged`). */
  was?: unknown;
}

/** Stands in place of before and after if readers of the audit log must see neither. */
export const UNSAID: [unknown, unknown] = [null, null];

/** Reported by a call that did nothing because it repeats an earlier one. The audit log gets no row for it. */
export const NOTHING: Change = { kind: 'nothing', id: null };

export interface Touched {
  kind: string;
  id: Id;
  changes?: Differences;
}

/** As it is stored in `audit_log.changes`. */
export interface KeptChanges extends Partial<Omit<AuditChanges, 'objects'>> {
  objects?: { kind: string; id: string; fields?: Record<string, AuditField> }[];
}

const isPair = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2;

/** Of personal fields only the names are stored: if the person were erased later, not every stored value could be found again. */
function fieldsOf(kind: string, changes: Record<string, unknown>): Record<string, AuditField> {
  const pairs = Object.entries(changes).filter((entry): entry is [string, [unknown, unknown]] => isPair(entry[1]));
  return Object.fromEntries(
    pairs.map(([field, pair]): [string, AuditField] => {
      if (pair === UNSAID || isPersonalField(kind, field)) return [field, { changed: true }];
      return [field, { before: pair[0], after: pair[1] }];
    }),
  );
}

const unlessEmpty = <T extends object>(all: T): T | undefined => (Object.keys(all).length > 0 ? all : undefined);

const known = new WeakMap<object, KeptChanges | null>();

/** Returns the same object for the same `changes`, so that rows which share their changes still do (`apart` in store/bulk.ts). */
export function storedChanges(change: Change): KeptChanges | null {
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
  const fields = unlessEmpty(fieldsOf(kind, changes));
  const rest = unlessEmpty({
    ...Object.fromEntries(Object.entries(changes).filter(([, value]) => !isPair(value))),
    ...details,
  });
  const others = objects.map((one) => {
    const theirs = unlessEmpty(fieldsOf(one.kind, one.changes ?? {}));
    return { kind: one.kind, id: toUlid(one.id), ...(theirs && { fields: theirs }) };
  });
  return (
    unlessEmpty({
      ...(fields && { fields }),
      ...(rest && { details: rest }),
      ...(others.length > 0 && { objects: others }),
    }) ?? null
  );
}

/** Whether a PATCH has changed nothing. */
export const isNothing = (change: Change): boolean => change.was !== undefined && storedChanges(change) === null;

/**
 * The stored changes as the API shows them. Rows of earlier releases are stored in other forms: `{ field: [before, after] }` mixed
 * with details, or (for imports) only the names of fields.
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

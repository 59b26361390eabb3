/** What a form holds, by name; an answer by `answers/` and the code of its question. */
export type FlatValues = Readonly<Record<string, unknown>>;

/** A field that somebody else changed while a form was open. */
export interface FieldChange {
  name: string;
  before: unknown;
  theirs: unknown;
  /** What this form says, if it was changed here too and differs from theirs. Undefined if nobody touched it here. */
  yours?: unknown;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The names whose values differ. */
export const differing = (a: FlatValues, b: FlatValues): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !same(a[name], b[name]));

/**
 * What somebody else changed between `base`, which the form began with, and `theirs`, which is saved now. Where `mine` was changed as
 * well, and to something else, both are named, so that somebody can choose.
 */
export const meanwhileOf = (base: FlatValues, theirs: FlatValues, mine: FlatValues): FieldChange[] =>
  differing(base, theirs).map((name) => ({
    ...{ name, before: base[name], theirs: theirs[name] },
    ...(!same(base[name], mine[name]) && !same(mine[name], theirs[name]) && { yours: mine[name] ?? null }),
  }));

/** Objects inside, such as answers, become names of their own. */
export function flatten(values: object): FlatValues {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [inner, one] of Object.entries(value)) flat[`${name}/${inner}`] = emptyAsNull(one);
    else flat[name] = emptyAsNull(value);
  }
  return flat;
}
const emptyAsNull = (value: unknown): unknown =>
  value === '' || value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;

/** The values with some of them replaced, by the names that `flatten` gives them. */
export function replaced<V extends object>(values: V, change: FlatValues, empty: V): V {
  const next = { ...values } as Record<string, unknown>;
  for (const [name, value] of Object.entries(change)) {
    const [outer = '', inner] = name.split(/\/(.*)/s);
    if (inner === undefined) next[outer] = value ?? (empty as Record<string, unknown>)[outer];
    else next[outer] = { ...(next[outer] as object), [inner]: value };
  }
  return next as V;
}

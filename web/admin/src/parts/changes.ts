const INSTANT = /^\d{4}-\d{2}-\d{2}T/;
const isInstant = (value: unknown): value is string => typeof value === 'string' && INSTANT.test(value);

/** The server writes the same moment shorter than the fields do: without milliseconds. */
const same = (a: unknown, b: unknown): boolean =>
  isInstant(a) && isInstant(b) ? Date.parse(a) === Date.parse(b) : JSON.stringify(a) === JSON.stringify(b);

/** The names of the fields whose values differ. */
export const differing = <V extends object>(a: V, b: V): (keyof V & string)[] =>
  (Object.keys(a) as (keyof V & string)[]).filter((name) => !same(a[name], b[name]));

/** What was changed, by field. */
export const changesIn = <V extends object>(before: V, after: V): Partial<V> =>
  Object.fromEntries(differing(before, after).map((name) => [name, after[name]])) as Partial<V>;

/**
 * The fields that both this person and somebody else changed, to different values. `knownClashes` has, as JSON, what others set and
 * this person has read already: whoever saves again after reading it means it.
 */
export const clashesOf = <V extends object>(
  before: V,
  change: Partial<V>,
  now: V,
  knownClashes: ReadonlyMap<string, string>,
): (keyof V & string)[] =>
  differing(before, now).filter(
    (name) => name in change && !same(change[name], now[name]) && knownClashes.get(name) !== JSON.stringify(now[name]),
  );

import { type Spot, withReference } from '../matrix/schema.ts';

/**
 * Makes JSON text of at most this many bytes, and as close to them as its parts allow. It makes text instead of values, because a
 * repeated key, a number of 200 digits and half a surrogate pair exist only in text.
 */
export type Fill = (bytes: number) => string;
export type Path = Spot['path'];

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Repeats the unit as often as it fits. */
export const repeated = (unit: string, bytes: number): string =>
  unit.repeat(Math.max(0, Math.floor(bytes / bytesOf(unit))));

/** The same text for every size: for values that are bad without being long. */
export const only =
  (json: string): Fill =>
  () =>
    json;

/** A string that repeats one unit, which is given as JSON escapes it. */
export const text =
  (unit: string): Fill =>
  (bytes) =>
    `"${repeated(unit, bytes - 2)}"`;

/** Parts that all differ, as many as fit. */
function numbered(open: string, part: (i: number) => string, close: string, bytes: number): string {
  const parts: string[] = [];
  let room = bytes - open.length - close.length;
  for (let i = 0; ; i += 1) {
    const next = part(i);
    room -= bytesOf(next) + 1;
    if (room < 0 && i > 0) break;
    parts.push(next);
  }
  return open + parts.join(',') + close;
}

export const list =
  (item: string): Fill =>
  (bytes) =>
    `[${repeated(`${item},`, bytes - 2 - bytesOf(item))}${item}]`;

export const listOf =
  (item: (i: number) => string): Fill =>
  (bytes) =>
    numbered('[', item, ']', bytes);

export const object =
  (entry: (i: number) => string): Fill =>
  (bytes) =>
    numbered('{', entry, '}', bytes);

export const repeatedKey = (key: string, value: string): Fill => {
  const entry = `${JSON.stringify(key)}:${value}`;
  return (bytes) => `{${repeated(`${entry},`, bytes - 2 - bytesOf(entry))}${entry}}`;
};

export const longKey =
  (unit: string): Fill =>
  (bytes) =>
    `{"${repeated(unit, bytes - 6)}":0}`;

/** Nested as deeply as fits. */
export const nested = (open: string, close: string): Fill => {
  const level = bytesOf(open) + bytesOf(close);
  return (bytes) => {
    const levels = Math.max(1, Math.floor((bytes - 1) / level));
    return `${open.repeat(levels)}0${close.repeat(levels)}`;
  };
};
export const nestedLists = nested('[', ']');
export const nestedObjects = nested('{"a":', '}');

const HERE = 'here-stands-what-is-bad';

/** The given body, with some of its places filled with these; they share the size. */
export function inPlaces(body: unknown, places: readonly Path[], fill: (place: Path) => Fill): Fill {
  // Each place is marked by a name of its own, because the order of the places in the text is that of the body.
  const marked = places.reduce<unknown>(
    (node, path, i) => withReference(node, { path, kind: 'event' }, `${HERE}-${i}-`),
    body ?? {},
  );
  const parts = JSON.stringify(marked).split(new RegExp(`"${HERE}-(\\d+)-"`));
  const fixed = parts.filter((_, i) => i % 2 === 0).reduce((sum, part) => sum + bytesOf(part), 0);
  const count = (parts.length - 1) / 2;
  return (bytes) => {
    const room = Math.max(0, Math.floor((bytes - fixed) / count));
    return parts.map((part, i) => (i % 2 === 0 ? part : fill(places[Number(part)]!)(room))).join('');
  };
}

export const inPlace = (body: unknown, path: Path, fill: Fill): Fill => inPlaces(body, [path], () => fill);

/**
 * The most characters of text that a tool answers with. An agent has to read all of it, and more than this drowns what it was
 * looking for.
 */
export const MAX_CHARACTERS = 25_000;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escaped = (text: string): string =>
  [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/**
 * JSON in which every character can be seen. Characters that change the direction of text, that take no space, or with which text can
 * be hidden from people but not from a language model are written as escapes, which mean the same to whoever reads the JSON.
 */
export const visibleJson = (value: unknown): string => JSON.stringify(value).replaceAll(HIDDEN, escaped);

/** A list of which only the first entries are left, or a text of which only the beginning is. */
export interface Cut {
  path: string;
  kept: number;
  of: number;
}

/**
 * The value, or as much of it as fits into so many characters of JSON. Lists keep their first entries whole, texts their beginning.
 * Each part of the value is looked at a few times, however large it is.
 */
export function fit(value: unknown, most: number): { value: unknown; cuts: Cut[] } {
  const sizes = new Map<object, number>();
  const cuts: Cut[] = [];
  const sizeOf = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return node === undefined ? 0 : visibleJson(node).length;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    const parts = Array.isArray(node)
      ? node.map(sizeOf)
      : Object.entries(node).map(([name, one]) => visibleJson(name).length + 1 + sizeOf(one));
    const size = parts.reduce((sum, part) => sum + part, 2 + Math.max(0, parts.length - 1));
    sizes.set(node, size);
    return size;
  };
  const shorten = (node: unknown, room: number, path: string): unknown => {
    if (sizeOf(node) <= room) return node;
    if (typeof node === 'string') return begin(node, room, path);
    if (Array.isArray(node)) return first(node, room, path);
    if (typeof node === 'object' && node !== null) return fields(node as Record<string, unknown>, room, path);
    return node;
  };
  const begin = (text: string, room: number, path: string): string => {
    let kept = '';
    let left = room - 3;
    for (const character of text) {
      left -= visibleJson(character).length - 2;
      if (left < 0) break;
      kept += character;
    }
    cuts.push({ path, kept: kept.length, of: text.length });
    return `${kept}…`;
  };
  const first = (list: readonly unknown[], room: number, path: string): unknown[] => {
    const kept: unknown[] = [];
    let left = room - 1; // for two brackets; there is one comma less than entries
    for (const one of list) {
      left -= sizeOf(one) + 1;
      if (left < 0) break;
      kept.push(one);
    }
    // An entry that is too long by itself is shortened, because otherwise nothing of the list could be seen.
    if (kept.length === 0 && list.length > 0) kept.push(shorten(list[0], room - 3, `${path}/0`));
    if (kept.length < list.length) cuts.push({ path, kept: kept.length, of: list.length });
    return kept;
  };
  /** The small fields stay whole. The large ones share the room that is left. */
  const fields = (node: Record<string, unknown>, room: number, path: string): Record<string, unknown> => {
    const names = Object.keys(node).sort((a, b) => sizeOf(node[a]) - sizeOf(node[b]));
    let left = room - 1 - names.reduce((sum, name) => sum + visibleJson(name).length + 2, 0);
    const kept = new Map<string, unknown>();
    for (const [i, name] of names.entries()) {
      const share = Math.max(0, Math.floor(left / (names.length - i)));
      const one = shorten(node[name], share, path === '' ? name : `${path}/${name}`);
      left -= sizeOf(one);
      kept.set(name, one);
    }
    return Object.fromEntries(Object.keys(node).map((name) => [name, kept.get(name)]));
  };
  return { value: shorten(value, most, ''), cuts };
}

/** How many of the first rows fit beside the other fields of the list. */
export function rowsThatFit(list: { data: readonly unknown[] }, most: number): number {
  let left = most + 1 - visibleJson({ ...list, data: [] }).length;
  let rows = 0;
  for (const row of list.data) {
    left -= visibleJson(row).length + 1;
    if (left < 0) break;
    rows += 1;
  }
  return rows;
}

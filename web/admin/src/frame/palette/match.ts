/** Letters without case and accents, so that `muller` finds Müller. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** How well a text answers what was typed: 0 is best, null not at all. Every typed word must be in it. */
function rank(text: string, typed: string): number | null {
  const [where, what] = [plain(text), plain(typed).trim()];
  if (what === '' || where.startsWith(what)) return 0;
  const words = what.split(/\s+/);
  const parts = where.split(/[^\p{L}\p{N}]+/u);
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 1;
  return words.every((word) => where.includes(word)) ? 2 : null;
}

export interface Findable {
  text: string;
  /** What else it is found by, such as an e-mail address. */
  also?: string | undefined;
  /** The server has found it by its own rules, so it is an answer in any case. */
  isFound?: boolean;
  /** The server has found it in what is open, so it comes before everything else. */
  isFoundHere?: boolean;
}

const LAST = 3;
const FIRST = -1;

/** The best answers first, otherwise in the order given; at most `most`. */
export function matching<T extends Findable>(all: readonly T[], typed: string, most: number): T[] {
  const found: { one: T; at: number }[] = [];
  for (const one of all) {
    const by = [rank(one.text, typed), one.also === undefined ? null : rank(one.also, typed)].filter(
      (at) => at !== null,
    );
    if (one.isFound === true) by.push(LAST);
    if (one.isFoundHere === true) by.push(FIRST);
    if (by.length > 0) found.push({ one, at: Math.min(...by) });
  }
  return found
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => one);
}

/** Kinds together, in the order of the best answer of each. */
export function groupByKind<T extends { kind: string }>(found: readonly T[]): T[] {
  const kinds = new Set(found.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => found.filter((one) => one.kind === kind));
}

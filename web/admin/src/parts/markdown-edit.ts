/** What is in a field for Markdown, and what of it is selected. */
export interface Selected {
  text: string;
  from: number;
  to: number;
}
/** What to put in place of a part of the text, and what is selected after that. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  select: readonly [from: number, to: number];
}

export type Tool = 'bold' | 'italic' | 'heading' | 'list' | 'link';
const MARKS = { bold: '**', italic: '*' } as const;
const PREFIXES = { heading: '# ', list: '- ' } as const;
const ADDRESS = /^https?:\/\/\S+$/;

/** What a tool does to the selection; used twice, it takes its own marks away again. */
export function editBy(tool: Tool, at: Selected): Edit {
  if (tool === 'link') return link(at);
  return tool === 'bold' || tool === 'italic' ? wrap(at, MARKS[tool]) : prefix(at, PREFIXES[tool]);
}

/** Puts something in place of the selection, such as a placeholder. */
export const insertAt = ({ from, to }: Selected, insert: string): Edit => ({
  ...{ from, to, insert },
  select: [from + insert.length, from + insert.length],
});

/** How many stars end (or begin) a text: two are bold, one is italic, three are both. */
const starsAt = (text: string, end: boolean): number => (end ? /\**$/ : /^\**/).exec(text)![0].length;
const isMarked = (stars: number, mark: string): boolean => (mark === '**' ? stars >= 2 : stars % 2 === 1);

function wrap({ text, from: begin, to: end }: Selected, mark: string): Edit {
  // Marks beside a space are none.
  const chosen = text.slice(begin, end);
  const from = begin + (chosen.length - chosen.trimStart().length);
  const to = Math.max(from, end - (chosen.length - chosen.trimEnd().length));
  const inner = text.slice(from, to);
  const size = mark.length;
  const isAround = [starsAt(text.slice(0, from), true), starsAt(text.slice(to), false)].every((stars) =>
    isMarked(stars, mark),
  );
  if (isAround)
    return { from: from - size, to: to + size, insert: inner, select: [from - size, from - size + inner.length] };
  const isInside =
    inner.length > 2 * size && [starsAt(inner, false), starsAt(inner, true)].every((stars) => isMarked(stars, mark));
  if (isInside) {
    const bare = inner.slice(size, -size);
    return { from, to, insert: bare, select: [from, from + bare.length] };
  }
  // A mark ends with its line.
  const insert = inner
    .split('\n')
    .map((line) => (line.trim() === '' && inner !== '' ? line : `${mark}${line}${mark}`))
    .join('\n');
  const select = inner.includes('\n') ? [from, from + insert.length] : [from + size, from + size + inner.length];
  return { from, to, insert, select: [select[0]!, select[1]!] };
}

const ANY_PREFIX = /^(?:#{1,3} |- )/;

function prefix({ text, from: begin, to: end }: Selected, mark: string): Edit {
  const from = text.lastIndexOf('\n', begin - 1) + 1;
  const after = text.indexOf('\n', end);
  const to = after === -1 ? text.length : after;
  const lines = text.slice(from, to).split('\n');
  const isEmpty = (line: string) => line.trim() === '' && lines.length > 1;
  const isOn = lines.every((line) => isEmpty(line) || line.startsWith(mark));
  const insert = lines
    .map((line) => (isEmpty(line) ? line : isOn ? line.slice(mark.length) : mark + line.replace(ANY_PREFIX, '')))
    .join('\n');
  const last = from + insert.length;
  return { from, to, insert, select: lines.length > 1 ? [from, last] : [last, last] };
}

function link({ text, from, to }: Selected): Edit {
  const chosen = text.slice(from, to).replaceAll('\n', ' ');
  if (ADDRESS.test(chosen)) return { from, to, insert: `[](${chosen})`, select: [from + 1, from + 1] };
  const insert = `[${chosen}](https://)`;
  if (chosen === '') return { from, to, insert, select: [from + 1, from + 1] };
  // The address is what is typed next.
  const address = from + chosen.length + 3;
  return { from, to, insert, select: [address, address + 'https://'.length] };
}

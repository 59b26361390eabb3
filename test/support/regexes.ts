import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { parseAst } from 'vitest/node';
import { growsFasterThanInput } from './growth.ts';

export interface Found {
  /** Its file and its text, as in `server/src/road/for-areas/codes.ts /-+$/g`. */
  name: string;
  regex: RegExp;
}

const ROOT = new URL('../../', import.meta.url);

/** Every source file that runs in production. */
export const sourceFiles = (): string[] =>
  ['server/src', ...readdirSync(new URL('packages', ROOT)).map((name) => `packages/${name}/src`)]
    .flatMap((folder) => below(folder))
    .sort();

function below(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, ROOT), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return below(path);
    return entry.name.endsWith('.ts') && !/\.(test|support|d)\.ts$/.test(entry.name) ? [path] : [];
  });
}

export const textOf = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

interface Node {
  type: string;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
}

/** The regular expressions that are written as literals, and how many are made with `RegExp` instead. */
export function regexesIn(source: string): { literals: RegExp[]; made: number } {
  const literals: RegExp[] = [];
  let made = 0;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex, callee } = node as Node;
    if (type === 'Literal' && regex !== undefined) literals.push(new RegExp(regex.pattern, regex.flags));
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') made += 1;
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(stripTypeScriptTypes(source)));
  return { literals, made };
}

/** The regular expressions that modules make with `RegExp` while they are loaded. */
export async function madeWhile(load: () => Promise<unknown>): Promise<RegExp[]> {
  const Original = globalThis.RegExp;
  const made: RegExp[] = [];
  const kept = (regex: RegExp): RegExp => {
    made.push(regex);
    return regex;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, [pattern, flags]) => kept(new target(pattern, flags)),
    apply: (target, _this, [pattern, flags]) => kept(target(pattern, flags)),
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

/** Every `pattern` in a JSON Schema. */
export function patternsIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  const { type, pattern } = schema as { type?: unknown; pattern?: unknown };
  if (type === 'string' && typeof pattern === 'string') found.add(pattern);
  for (const child of Object.values(schema)) patternsIn(child, found);
  return found;
}

/** Characters to try an expression with: those that it names, and one of each class of characters. */
function lettersOf({ source }: RegExp): string[] {
  const plain = source
    .replaceAll(/\\u\{?([0-9a-f]+)\}?|\\x([0-9a-f]{2})/gi, (_all, u?: string, x?: string) =>
      String.fromCodePoint(Number.parseInt(u ?? x!, 16)),
    )
    .replaceAll(/\\[pP]\{[^}]*\}|\\[sSdDwWbBtnrvfk]|\(\?<\w+>|\{\d+,?\d*\}/g, '');
  const named = [...plain].filter((letter) => !'\\^$.*+?()[]|'.includes(letter) || plain.includes(`\\${letter}`));
  // Punctuation comes first, because an expression usually treats it specially; one letter or digit is as good as another.
  const marks = named.filter((letter) => !/[\p{L}\p{N}]/u.test(letter));
  const marked = source.includes('{M}') ? ['\u0301'] : [];
  return [...new Set([' ', 'a', '0', '\n', ...marked, ...marks, ...named])].slice(0, 8);
}

/** Beginnings of texts that lead into the expression: the literal parts of it. */
function beginningsOf({ source }: RegExp): string[] {
  const words = source.match(/(?:\\?[\w:/=;,."'#{}<>@&%!~-])+/g) ?? [];
  const plain = words.map((word) => word.replaceAll(/\\(.)/g, '$1')).filter((word) => !/^\w?$/.test(word));
  return ['', ...new Set(['a', '0', 'a:', ...plain, plain.join('')])].slice(0, 7);
}

/** A text at which an expression backtracks as often as possible: one piece many times, and then something that does not match. */
interface Pumped {
  begin: string;
  piece: string;
  end: string;
}
const written = ({ begin, piece, end }: Pumped, size: number): string =>
  begin + piece.repeat(Math.ceil(size / piece.length)) + end;

function* pumped(regex: RegExp): Generator<Pumped> {
  const letters = lettersOf(regex);
  const words = beginningsOf(regex);
  const pairs = letters.flatMap((a) => letters.map((b) => (a === b ? a : a + b)));
  for (const piece of new Set([...pairs, ...words.filter((word) => word.length > 1)])) {
    for (const begin of words) for (const end of ['', '\u0001', '\n!']) yield { begin, piece, end };
  }
}

function search(regex: RegExp, text: string): void {
  const own = new RegExp(regex.source, regex.flags);
  if (own.global) for (const _ of text.matchAll(own));
  else own.exec(text);
}
function milliseconds(regex: RegExp, text: string): number {
  const began = performance.now();
  search(regex, text);
  return performance.now() - began;
}

/** A busy machine is slow now and then; an expression that backtracks is slow every time. */
const takesLonger = (regex: RegExp, text: string, limit: number): boolean =>
  [1, 2, 3].every(() => milliseconds(regex, text) > limit);

/**
 * Short texts come first: an expression that doubles its work with every letter is found before it can run for hours. One that
 * takes suspiciously long for 2,000 letters is measured again with longer texts, whether its work grows faster than the text.
 */
const SHORT = [
  { size: 24, most: 20 },
  { size: 300, most: 4 },
] as const;
const MIDDLE = { size: 2_000, suspicious: 0.15 };
const LONG = [16_000, 24_000] as const;

/** Many files have the same expression, and each is tried once. */
const known = new Map<string, string | null>();

/** The beginning of a text for which the work grows faster than the text; null if none was found. */
export function slowText(regex: RegExp): string | null {
  const name = String(regex);
  const found = known.has(name) ? known.get(name)! : findSlowText(regex);
  known.set(name, found);
  return found;
}

function findSlowText(regex: RegExp): string | null {
  let looks = 30;
  for (const one of pumped(regex)) {
    const told = () => JSON.stringify(written(one, 24));
    for (const { size, most } of SHORT) if (takesLonger(regex, written(one, size), most)) return told();
    if (looks > 0 && takesLonger(regex, written(one, MIDDLE.size), MIDDLE.suspicious)) {
      looks -= 1;
      const slow = (size: number) => growsFasterThanInput((many) => search(regex, written(one, many)), size);
      if (LONG.every(slow)) return told();
    }
  }
  return null;
}

// Finds the tests that guard a sentence of the contract. They are marked by a comment on the line above: `// claim: name, other-name`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['packages', 'server/src', 'test', 'web'];
const TAG = /^\s*\/\/ claim:(.*)$/;
const TEST = /^\s*(?:test|it|describe)\b/;

/** Every tag: its name, the file and the title of the test below it. */
export function findTags(root) {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules/')),
  ).sort();
  return files.flatMap((path) => tagsOf(path, readFileSync(join(root, path), 'utf8')));
}

/** Throws if a tag does not stand above a test, because then nobody would notice that it guards nothing. */
export function tagsOf(path, text) {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const names = TAG.exec(line)?.[1].split(',');
    if (names === undefined) return [];
    const at = lines.findIndex((next, j) => j > i && !/^\s*\/\//.test(next));
    const title = TEST.test(lines[at] ?? '') ? titleAt(lines, at) : '';
    if (title === '') throw new Error(`${path}:${i + 1}: no test with a title follows this claim`);
    return names.map((name) => ({ name: name.trim(), path, title }));
  });
}

const indentOf = (line) => /^\s*/.exec(line)[0].length;

/** The title of a test with those of the groups around it. */
function titleAt(lines, at) {
  const titles = [ownTitle(lines, at)];
  for (let i = at - 1, indent = indentOf(lines[at]); i >= 0 && indent > 0; i -= 1) {
    if (!/^\s*describe\b/.test(lines[i]) || indentOf(lines[i]) >= indent) continue;
    indent = indentOf(lines[i]);
    titles.unshift(ownTitle(lines, i));
  }
  return titles.join(' › ');
}

/** The text that the last parentheses of `test(…)`, `test.each(…)(…)` or `describe.skipIf(…).each(…)(…)` begin with. */
function ownTitle(lines, at) {
  const text = lines.slice(at).join('\n');
  let open = text.indexOf('(');
  for (let close = closing(text, open); /[(.]/.test(text[close + 1] ?? ''); close = closing(text, open))
    open = text.indexOf('(', close + 1);
  const found = /^\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)")/.exec(text.slice(open));
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').replaceAll(/\\(['"`\\])/g, '$1');
}

/** What may contain parentheses that are none: texts, comments, and regular expressions, which no value or name precedes. */
const SKIPPED =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/.*|\/\*[\s\S]*?\*\/|(?<=[(,=:[!&|?{};]\s*)\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+\//y;

function closing(text, open) {
  for (let i = open, depth = 0; i < text.length; i += 1) {
    SKIPPED.lastIndex = i;
    const skipped = SKIPPED.exec(text);
    if (skipped !== null) i += skipped[0].length - 1;
    else if (text[i] === '(') depth += 1;
    else if (text[i] === ')') depth -= 1;
    if (depth === 0) return i;
  }
  return text.length;
}

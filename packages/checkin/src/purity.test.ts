import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * The compiler already refuses most of this (`lib` ES2022, `types` []), but not what every JavaScript engine offers.
 * Each of these could make two runs, or two machines, decide differently.
 */
const FORBIDDEN: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Date.now', /\bDate\s*\.\s*now\b/],
  ['a Date without an argument', /\bnew\s+Date\s*(\(\s*\)|(?!\s*\())/],
  ['Date as a function', /(?<!new\s)(?<![.\w])Date\s*\(/],
  ['Math.random', /\bMath\s*\.\s*random\b/],
  ['a global of the host', /\b(process|globalThis|document|navigator|fetch|crypto|performance|localStorage)\b/],
  ['a timer', /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\b/],
  ['something asynchronous', /\b(async|await|Promise)\b/],
  [
    "the host's time zone or locale",
    /\bgetTimezoneOffset\b|\btoLocale\w+|\.get(Hours|Date|Day|Month|FullYear)\b|\blocaleCompare\b/,
  ],
  ['a console', /\bconsole\b/],
  ['eval', /\beval\b|\bnew\s+Function\b/],
];

const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;

function faults(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const found = FORBIDDEN.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
  for (const [, from] of code.matchAll(IMPORT)) {
    if (!/^\.\/[\w-]+\.ts$/.test(from!)) found.push(`an import of ${from}`);
  }
  return found;
}

const folder = new URL('./', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

describe('the check-in package', () => {
  it.each(files)('%s needs nothing but its arguments', (name) => {
    expect(faults(readFileSync(new URL(name, folder), 'utf8'))).toEqual([]);
  });

  it('depends on nothing', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', folder), 'utf8'));
    for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest[field]).toBeUndefined();
  });
});

describe('the purity check refuses', () => {
  it.each([
    'const now = Date.now();',
    'const now = new Date();',
    'const now = new Date;',
    'const now = Date();',
    'const dice = Math.random();',
    'if (process.env.TZ) {}',
    'await fetch("https://example.org");',
    'const at = new Date(0).getHours();',
    "const words = a.localeCompare(b, 'de');",
    "import { readFileSync } from 'node:fs';",
    "import pg from 'pg';",
    "export * from '../../contract/src/index.ts';",
    "const later = import('./x.js');",
    'setTimeout(decide, 1);',
  ])('%s', (source) => expect(faults(source)).not.toEqual([]));

  it.each([
    'new Date(at).toISOString()',
    'Date.parse(text)',
    "import { decide } from './decide.ts';",
    '// Date.now() is refused',
  ])('but not %s', (source) => expect(faults(source)).toEqual([]));
});

import { describe, expect, test, vi } from 'vitest';
import { accountOperations, operations } from '../server/src/areas/index.ts';
import { normalized } from '../server/src/common/unicode.ts';
import { type Found, madeWhile, patternsIn, regexesIn, slowText, sourceFiles, textOf } from './support/regexes.ts';

/**
 * Every regular expression of the source is tried on texts that are made to be slow for it: with one that backtracks, a caller who
 * sends 20 KB could stop the server for seconds. They are found in the source, so a new one is tried without being listed.
 */

/** Exceptions, with the reason: expressions that read only our own texts, or that were measured by hand. */
const OURS: Record<string, string> = {
  'server/src/outside/clean.ts /\\p{RGI_Emoji}|\\ufe0f/gv':
    'It is linear, but V8 takes 4 µs a match (64,000 letters took 290 ms, measured). A ticket has 10,000 letters at most.',
  'server/src/openapi/markdown/map.ts /\\$\\{[^}]*\\}/': 'It reads only our own source, when documents are generated.',
  "server/src/store/schema/catalog.ts /('(?:[^']|'')*')::(?:text|jsonb|timestamp with time zone)\\b(?!\\[)/g":
    'It reads only our own schema, when documents are generated.',
  'server/src/store/schema/catalog.ts /\\s*\\n\\s*/g': 'It reads only our own schema, when documents are generated.',
};

/** Files that make expressions while the program runs, not while it is loaded, and why these are covered. */
const MADE_LATER: Record<string, string> = {
  'server/src/areas/access/organizations.ts': 'CODE_PATTERN, which is tried as a pattern of the schemas.',
  'server/src/areas/communications/placeholders.ts': 'PLACEHOLDER, which is tried with other flags.',
  'server/src/openapi/markdown/map.ts': 'It reads only our own source, when documents are generated.',
  'server/src/road/request/explain.ts': 'Patterns of the schemas, which are tried.',
};

const files = sourceFiles();
const read = files.map((path) => ({ path, ...regexesIn(textOf(path)) }));
const literals: Found[] = read.flatMap(({ path, literals }) =>
  literals.map((regex) => ({ name: `${path} ${regex}`, regex })),
);

test('the whole source is searched', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'server/src/road/request/validate.ts',
      'packages/sdk/src/webhooks/verify.ts',
      'server/src/start/app.ts',
    ]),
  );
  expect(literals.map((one) => one.name)).toContain('server/src/road/gate/authenticate.ts /^Bearer +(\\S+)$/i');
  expect(literals.length).toBeGreaterThan(120);
});

describe('no expression takes disproportionately long for a long text', () => {
  test.each([...Map.groupBy(literals, ({ name }) => name.split(' ')[0]!)])(
    '%s',
    (_path, found) => {
      const slow = found.flatMap(({ name, regex }) => {
        if (name in OURS) return [];
        const text = slowText(regex);
        return text === null ? [] : [`${name} with ${text}`];
      });
      expect(slow).toEqual([]);
    },
    60_000,
  );

  test('those that are made with RegExp', async () => {
    const made = read.filter((one) => one.made > 0 && !(one.path in MADE_LATER));
    vi.resetModules(); // they are loaded again, so that they make them again
    const found = await madeWhile(() => Promise.all(made.map(({ path }) => import(/* @vite-ignore */ `../${path}`))));
    expect(found.length).toBeGreaterThanOrEqual(made.reduce((sum, one) => sum + one.made, 0));
    expect(found.map((regex) => [String(regex), slowText(regex)]).filter(([, slow]) => slow !== null)).toEqual([]);
  }, 60_000);

  test('the patterns of the schemas', () => {
    const schemas = [
      ...operations.map(({ body, query, reply }) => ({ body, query, reply })),
      ...accountOperations.map(({ body, reply }) => ({ body, reply })),
    ];
    const patterns = [...patternsIn(schemas)];
    expect(patterns.length).toBeGreaterThan(3);
    expect(patterns.map((one) => [one, slowText(new RegExp(one, 'u'))]).filter(([, slow]) => slow !== null)).toEqual(
      [],
    );
  }, 60_000);
});

test('the lists of exceptions name only what exists', () => {
  const names = new Set(literals.map((one) => one.name));
  expect(Object.keys(OURS).filter((name) => !names.has(name))).toEqual([]);
  const making = new Set(read.filter((one) => one.made > 0).map((one) => one.path));
  expect(Object.keys(MADE_LATER).filter((path) => !making.has(path))).toEqual([]);
});

describe('the guard seen failing', () => {
  test.each([
    ['nested', /^(a+)+$/],
    ['two that overlap', /^\s*(.*?)\s*$/],
    ['three that overlap', /^[\w]+:[\t ]*([\t\x20-\x7e]*?)[\t ]*$/],
    ['an end that is looked for from every start', /-+$/],
    ['a beginning without its end', /<!--.*?-->/s],
    ['spaces before an end', /\s+$/],
    ['in a schema', /^(\w+\s?)*$/u],
  ])('%s', (_what, regex) => expect(slowText(regex)).not.toBeNull());

  test('a literal, one that is made with RegExp and a pattern are found', async () => {
    expect(regexesIn('const a: RegExp = /b+$/g; const c = new RegExp(a.source); // /e/')).toEqual({
      literals: [/b+$/g],
      made: 1,
    });
    expect(await madeWhile(async () => new RegExp(['f', '+'].join(''), 'u'))).toEqual([/f+/u]);
    expect([...patternsIn({ properties: { a: { type: 'string', pattern: '^g$' } } })]).toEqual(['^g$']);
  });
});

describe('normalizing', () => {
  test('is done by `normalized` alone, because ICU is quadratic in the marks of one letter', () => {
    const others = files.filter(
      (path) => path !== 'server/src/common/unicode.ts' && /\.normalize\(/.test(textOf(path)),
    );
    expect(others).toEqual([]);
  });

  test('is fast for a text of nothing but marks, and leaves what people write unchanged', () => {
    const marks = `a${'\u0315\u0300'.repeat(200_000)}`;
    const began = performance.now();
    expect(normalized(marks, 'NFC').length).toBeLessThan(40);
    expect(performance.now() - began).toBeLessThan(2000); // without `normalized` it takes more than a minute
    for (const text of ['Zoe\u0308 Mu\u0308ller', 'Vie\u0323\u0302t Nam', 'नमस्ते', 'שָׁלוֹם', '👩‍👩‍👧 ﬁ']) {
      expect(normalized(text.repeat(20), 'NFC')).toBe(text.repeat(20).normalize('NFC'));
      expect(normalized(text.repeat(20), 'NFKD')).toBe(text.repeat(20).normalize('NFKD'));
    }
  });
});

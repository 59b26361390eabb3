import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { crons } from '../server/src/areas/index.ts';
import { startTest } from './support/turnout.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pagesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => join(folder, path));
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['docs', 'packages', 'bench'].flatMap(pagesBelow),
];

const withoutCode = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** The anchors of a page, as GitHub makes them from its headings. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...withoutCode(read(page)).matchAll(/^#+ +(.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{Pc}\s-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

/** Links that lead to no file of the repository, or to no heading of it. */
function brokenLinks(page: string, text = read(page)): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path, anchor] = target.split('#') as [string, string?];
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !(file.endsWith('.md') && anchorsOf(file).has(anchor));
  });
}

/** Folders that pages name without the path above them, as the pages themselves explain. */
const SHORT: Record<string, string> = {
  'contract/': 'packages/contract/src/',
  ...Object.fromEntries(
    [
      'areas/',
      'cli/',
      'common/',
      'embedded/',
      'openapi/',
      'outside/',
      'road/',
      'service-pages/',
      'start/',
      'store/',
      'work/',
    ].map((folder) => [folder, `server/src/${folder}`]),
  ),
};
/** Paths of source files in backticks that do not exist. */
function missingPaths(text: string): string[] {
  const named = [...withoutCode(text).matchAll(/`([a-z][\w-]*\/[\w./-]*?\/?)`/g)].map((match) => match[1]!);
  const folders = [
    ...Object.keys(SHORT),
    'server/',
    'packages/',
    'test/',
    'bench/',
    'drill/',
    'deploy/',
    'scripts/',
    'docs/',
    'examples/',
  ];
  return named.filter((path) => {
    const folder = folders.find((one) => path.startsWith(one));
    if (folder === undefined) return false;
    return !existsSync(join(root, (SHORT[folder] ?? folder) + path.slice(folder.length)));
  });
}

describe('the documentation', () => {
  test.each(PAGES)('%s: every link leads to a file and a heading', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  // Pages of code that was renamed are found here: correct the path in the page.
  test.each(PAGES)('%s: every source file that it names exists', (page) => {
    expect(missingPaths(read(page))).toEqual([]);
  });

  test('seen failing: a missing file, a missing heading, a missing source file', () => {
    expect(brokenLinks('docs/README.md', '[a](nowhere.md) [b](glossary.md#nothing) [c](glossary.md#the-code)')).toEqual(
      ['nowhere.md', 'glossary.md#nothing'],
    );
    expect(missingPaths('`road/nothing.ts`, `road/operation.ts`, `server/src/none/`, `GET /events`')).toEqual([
      'road/nothing.ts',
      'server/src/none/',
    ]);
  });

  test('the index names every page of docs/', () => {
    const linked = new Set([...read('docs/README.md').matchAll(/\]\(([^)#]+)/g)].map((match) => match[1]!));
    const operating = new Set(
      [...read('docs/operating/README.md').matchAll(/\]\(([^)#]+)/g)].map((match) => match[1]!),
    );
    const missing = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
      .map((page) => relative('docs', page))
      .filter((page) => !linked.has(page) && !operating.has(relative('operating', page)));
    expect(missing).toEqual([]);
  });

  test('the table of the schedule has every cron, with the time at which it runs', () => {
    const page = read('docs/internals/architecture.md');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| `([*/\d ]+)` \| \S.* \|$/gm)].map(
      ([, name, at]) => `${name}: ${at}`,
    );
    expect(rows.toSorted()).toEqual(crons.map(({ name, pattern }) => `${name}: ${pattern}`).toSorted());
  });

  test('every package says in a README what it is', () => {
    const packages = readdirSync(join(root, 'packages'));
    expect(packages.filter((name) => !existsSync(join(root, 'packages', name, 'README.md')))).toEqual([]);
  });

  test('every release names its commit, and the version of package.json is one of them', () => {
    const releases = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)\n\nCommit `([0-9a-f]{40})`\.$/gm)];
    expect(releases.length).toBe([...read('CHANGELOG.md').matchAll(/^## \d/gm)].length);
    expect(releases.map(([, version]) => version)).toContain(JSON.parse(read('package.json')).version);
  });

  test('the example of the event template is accepted as it stands', async () => {
    const [, body] = /-d '(\{[\s\S]*?\n\})'/.exec(read('docs/guides/event-templates.md'))!;
    const t = await startTest();
    try {
      await t.org('acme');
      const { secret: key } = await t.key('acme', { mode: 'test' });
      const made = await t.call('POST', '/v1/event-templates/imports', { key, body: JSON.parse(body!) });
      expect([made.status, made.body.status], made.text).toEqual([201, 'succeeded']);
      const days = await t.call('GET', `/v1/events/${made.body.event_id}/days`, { key });
      expect(days.body.data[0].date).toBe('2028-06-10');
    } finally {
      await t.stop();
    }
  });
});

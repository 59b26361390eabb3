import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from './support/running.ts';

const FOLDERS = ['web/admin/src', 'web/scan/src'];

const styles = (folder: string): { file: string; text: string }[] =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => ({ file, text: readFileSync(`${ROOT}/${folder}/${file}`, 'utf8') }));

/** What is not printed is said where the printing is, for every screen alike. */
const PRINTED = /@media print \{(?:[^{}]*\{[^{}]*\})*\s*\}/g;

/** The classes that a file gives their look: those that are a selector by themselves. */
const styledIn = (text: string): Set<string> => {
  const bare = [
    ...text
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(PRINTED, '')
      .matchAll(/([^{}]+)\{/g),
  ]
    .flatMap(([, selectors]) => selectors!.split(','))
    .flatMap((selector) => /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1] ?? []);
  return new Set(bare);
};

test.each(FOLDERS)('%s: a class gets its look from one file, whichever screens were opened before', (folder) => {
  const files = new Map<string, string[]>();
  for (const { file, text } of styles(folder))
    for (const name of styledIn(text)) files.set(name, [...(files.get(name) ?? []), file]);
  expect(files.size).toBeGreaterThan(20);
  expect([...files].filter(([, inFiles]) => inFiles.length > 1)).toEqual([]);
});

test('the control: two files that style the same class are noticed', () => {
  expect(
    styledIn(
      '.steps { gap: 1px } @media (x) { .steps > li { gap: 0 } } /* .no { } */ .a, .b { } @media print { .c { } .d { } }',
    ),
  ).toEqual(new Set(['steps', 'a', 'b']));
});

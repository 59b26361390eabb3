import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readColumns, shownColumns } from '../web/admin/src/parts/chosen-columns.ts';
import { watchedIn } from '../web/admin/src/parts/watched-jobs.ts';
import { storedDraft } from '../web/admin/src/screens/event/people/import/stored-draft.ts';
import { settingsIn } from '../web/scan/src/parts/settings.ts';
import { ROOT } from './support/running.ts';

/** What the apps keep in localStorage and sessionStorage: read for ever as it was written, and never misread (docs/internals/formats.md). */

const kept: Record<string, string> = JSON.parse(
  readFileSync(join(ROOT, 'test/fixtures/formats/browser-1.json'), 'utf8'),
);
const EVENT = '01M7Q8EQ3DBWCPQ70D0648EY1K';
const draft = kept[`turnout.import.${EVENT}`]!;
const settings = kept['turnout.scan.settings']!;
/** As a later version of the app would write it. */
const ofFormat2 = (text: string): string => JSON.stringify({ format: 2, ...JSON.parse(text) });
const withOther = (text: string, other: object): string => JSON.stringify({ ...JSON.parse(text), ...other });

test('every key that the apps store something under is listed in docs/internals/formats.md', () => {
  const listed = readFileSync(join(ROOT, 'docs/internals/formats.md'), 'utf8');
  const sources = globSync(['web/*/src/**/*.{ts,tsx}', 'packages/ui/src/**/*.{ts,tsx}'], { cwd: ROOT });
  const keys = sources.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/['`](turnout\.[a-z.-]*[a-z])/g)].map(([, key]) => key!),
  );
  expect(new Set(keys).size).toBeGreaterThan(12);
  expect([...new Set(keys)].filter((key) => !listed.includes(`\`${key}`))).toEqual([]);
});

test('the columns of a table are those that were chosen; one that no longer exists is left out', () => {
  const chosen = readColumns(kept['turnout.columns.people']!);
  expect(chosen).toEqual(['type', 'email', 'answer.diet']);
  expect(shownColumns([{ id: 'type' }, { id: 'email', extra: true }, { id: 'phone' }], chosen)).toEqual([
    { id: 'type' },
    { id: 'email', extra: true },
  ]);
  expect(readColumns(JSON.stringify({ format: 2, columns: chosen }))).toBeNull();
});

test('jobs are still watched; what is no list of jobs is none', () => {
  const text = kept['turnout.jobs']!;
  expect(watchedIn(text)).toEqual(JSON.parse(text));
  const [job] = JSON.parse(text);
  expect(watchedIn(JSON.stringify([{ ...job, title: 5 }, { ...job, href: undefined }, null, job]))).toEqual([job]);
  expect(watchedIn(JSON.stringify({ format: 2, jobs: [job] }))).toEqual([]);
});

test('an import goes on where it was; a draft of another format is dropped', () => {
  const { fixes, mapping, text } = storedDraft(draft)!;
  expect([mapping, text.split('\n')[0]]).toEqual([{ 'Spalte 3': 'email' }, 'Vorname,Nachname,Spalte 3']);
  expect(Object.values(fixes)).toEqual([['Ada', 'Lovelace']]);
  expect(storedDraft(ofFormat2(draft))).toBeNull();
  for (const other of [{ text: 5 }, { mapping: [] }, { mapping: { a: 1 } }, { fixes: { a: 'b' } }, { preview: 1 }])
    expect(storedDraft(withOther(draft, other)), JSON.stringify(other)).toBeNull();
  for (const text of [null, 'no JSON', '5', '[]', '{}']) expect(storedDraft(text), String(text)).toBeNull();
});

test('the choices on a device stay; those of another format count as not made', () => {
  expect(settingsIn(settings)).toEqual(JSON.parse(settings));
  expect(settingsIn(ofFormat2(settings))).toEqual(settingsIn(null));
});

import { expect, test } from 'vitest';
import { migrations } from './migrate.ts';
import { HARMLESS, NEEDS_STOP, narrowing } from './narrowing.ts';

test('a migration that takes away what older processes use says why they must be stopped, or why not', () => {
  const unsaid = migrations().filter(
    (one) => narrowing(one).length > 0 && NEEDS_STOP[one.name] === undefined && HARMLESS[one.name] === undefined,
  );
  expect(unsaid.map((one) => `${one.name}: ${narrowing(one).join(', ')}`)).toEqual([]);
});

test('nothing is said of a migration that does not exist, or that takes nothing away', () => {
  const known = new Map(migrations().map((one) => [one.name, one]));
  for (const name of [...Object.keys(NEEDS_STOP), ...Object.keys(HARMLESS)]) {
    expect(known.has(name), name).toBe(true);
    expect(narrowing(known.get(name)!), name).not.toEqual([]);
  }
});

test.each([
  ['alter table a drop column b', ['drop column']],
  ['alter table a rename column b to c', ['rename column']],
  ['alter table a\n  alter column b set not null', ['alter column b set not null']],
  ['drop function f(text)', ['drop function']],
  ['-- drop table a\nalter table a add column b int', []],
  ['drop index a_b; alter table a drop constraint a_check', []],
])('%s', (text, found) => {
  expect(narrowing({ text })).toEqual(found);
});

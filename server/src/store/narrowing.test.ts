import { expect, test } from 'vitest';
import { migrations } from './migrate.ts';
import { HARMLESS, HOLDS, holding, LAST_BEFORE_RULE, NEEDS_STOP, narrowing } from './narrowing.ts';

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

test('a migration that holds a whole table says why that does not matter', () => {
  const unsaid = migrations().filter(
    (one) => one.name > LAST_BEFORE_RULE && holding(one).length > 0 && !(one.name in HOLDS),
  );
  expect(unsaid.map((one) => `${one.name}: ${holding(one).join(', ')}`)).toEqual([]);
});

test.each([
  ['create index a_b on a (b)', ['a']],
  ['create unique index a_b on only a (b)', ['a']],
  ['create index concurrently a_b on a (b)', []],
  ['create table a (b int); create index a_b on a (b)', []],
  ['update a set b = 1', ['a']],
  ['delete from a where b = 1', ['a']],
  ['alter table a alter column b type bigint', ['a']],
  ['alter table a\n  add column b timestamptz not null default now()', ['a']],
  ["alter table a add column b text, add constraint c check (b <> '')", ['a']],
  ['alter table a add column b int not null default 0', []],
])('%s holds %s', (text, held) => {
  expect(holding({ text })).toEqual(held);
});

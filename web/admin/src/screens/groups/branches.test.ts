import type { Group } from '@turnout/client';
import { expect, test } from 'vitest';
import { flat, groupOptions, subtree, treeOf } from './branches.ts';

const group = (code: string, name: string, parent: string | null = null) => ({ code, name, parent }) as Group;
const ALL = [
  ...[group('pier', 'Pier', 'port'), group('south', 'South'), group('port', 'Port', 'north')],
  ...[group('north', 'North'), group('airport', 'Airport', 'north')],
];

test('groups stand below each other, by name', () => {
  expect(flat(treeOf(ALL)).map(({ group: { code }, depth }) => `${depth} ${code}`)).toEqual([
    ...['0 north', '1 airport', '1 port', '2 pier', '0 south'],
  ]);
});

test('what lies below a group that is not seen stands at the top', () => {
  const seen = ALL.filter(({ code }) => code !== 'north');
  expect(treeOf(seen).map(({ group: { code } }) => code)).toEqual(['airport', 'port', 'south']);
});

test('in a list to choose from, each is moved in as deep as it lies', () => {
  expect(groupOptions(ALL).map(({ label }) => label.replaceAll('\u2003', '>'))).toEqual([
    ...['North', '>Airport', '>Port', '>>Pier', 'South'],
  ]);
});

test('a group cannot be moved below itself or anything below it', () => {
  expect([...subtree(ALL, 'north')].sort()).toEqual(['airport', 'north', 'pier', 'port']);
  expect([...subtree(ALL, 'south')]).toEqual(['south']);
});

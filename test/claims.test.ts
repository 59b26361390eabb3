import { describe, expect, test } from 'vitest';
import { faultsOf } from '../scripts/claims/page.mjs';
import { tagsOf } from '../scripts/claims/tags.mjs';

// Written in two parts, so that the examples below are not taken for claims of this file.
const CLAIM = '// claim' + ':';

describe('the tests of a claim are found by the comment above them', () => {
  test.each([
    ['a test', "test('it works', async () => {", 'it works'],
    ['a test for each of some', "it.each([1, 2])('%i works', (n) => {", '%i works'],
    ['a long table', "test.each([\n  ['a (', /\\(/],\n  ['b', f(')')],\n] as const)('%s', () => {", '%s'],
    ['a title on its own line', 'test.each(all.map((one) => [one]))(\n  `one works`,\n  async () => {', 'one works'],
    ['a group that needs a tool', "describe.skipIf(!has('chromium'))('in a browser', () => {", 'in a browser'],
  ])('%s', (_what, text, title) => {
    expect(tagsOf('x.test.ts', `${CLAIM} one, two\n${text}`)).toEqual([
      { name: 'one', path: 'x.test.ts', title },
      { name: 'two', path: 'x.test.ts', title },
    ]);
  });

  test('with the titles of the groups around it', () => {
    const text = `describe('a', () => {\n  describe('other', () => {\n  });\n  describe('b', () => {\n    ${CLAIM} one\n    test('c', f);`;
    expect(tagsOf('x.test.ts', text).map(({ title }) => title)).toEqual(['a › b › c']);
  });

  test('seen failing: a comment that stands above no test', () => {
    expect(() => tagsOf('x.test.ts', `${CLAIM} one\nconst x = 1;`)).toThrow(
      'x.test.ts:1: no test with a title follows',
    );
  });
});

describe('generating fails, and says why, for', () => {
  const tag = { name: 'known', path: 'x.test.ts', title: 'y' };
  const gaps = new Map([[1, 'anchor']]);
  test.each([
    ['a claim without a test', [{ says: 'A.', claims: ['known', 'lost'] }], 'no test has the comment "claim: lost"'],
    ['a test whose claim does not exist', [{ says: 'A.', note: 'None.' }], 'x.test.ts: there is no claim "known"'],
    ['a gap that is not decided', [{ says: 'A.', claims: ['known'], gaps: [2] }], 'gaps.md has no number 2'],
    [
      'a sentence of which nothing is said',
      [{ says: 'A.', claims: ['known'] }, { says: 'B.' }],
      'nothing is said about "B."',
    ],
  ])('%s', (_what, sentences, fault) => expect(faultsOf(sentences, [tag], gaps)).toEqual([fault]));

  test('the control: nothing, if everything is there', () =>
    expect(faultsOf([{ says: 'A.', claims: ['known'], gaps: [1] }], [tag], gaps)).toEqual([]));
});

import { describe, expect, test } from 'vitest';
import { type Findable, groupByKind, matching } from './match.ts';

const found = (typed: string, ...all: (string | Findable)[]) =>
  matching(
    all.map((one) => (typeof one === 'string' ? { text: one } : one)),
    typed,
    30,
  ).map(({ text }) => text);

describe('what Ctrl-K finds', () => {
  test('is found without case and accents, and by every word that was typed', () => {
    expect(found('zurch', 'Zora Zürcher', 'Zoe Schmidt')).toEqual(['Zora Zürcher']);
    expect(found('ada love', 'Ada Lovelace', 'Ada Byron', 'Countess Lovelace')).toEqual(['Ada Lovelace']);
    expect(found('nobody', 'Ada Lovelace')).toEqual([]);
    expect(found('', 'Ada', 'Ben')).toEqual(['Ada', 'Ben']);
  });

  test('begins with what begins so, then words that begin so, then what has it in the middle', () => {
    expect(found('key', 'Monkey', 'Create key', 'Keys')).toEqual(['Keys', 'Create key', 'Monkey']);
  });

  test('is also found by what is not its name, such as an address', () => {
    expect(found('ada@', { text: 'Lovelace', also: 'ada@example.org' }, 'Ben')).toEqual(['Lovelace']);
  });

  test('what the server found is an answer in any case, and comes first if it is in what is open', () => {
    const event = { text: 'Miller trade fair' };
    const byPhone = { text: 'Ben', isFound: true };
    const here = { text: 'Ada Miller', isFoundHere: true };
    expect(found('miller', byPhone, event, here)).toEqual(['Ada Miller', 'Miller trade fair', 'Ben']);
  });

  test('is at most so many', () => {
    expect(matching([{ text: 'a' }, { text: 'ab' }, { text: 'abc' }], 'a', 2)).toHaveLength(2);
  });

  test('stands together by kind, the kind with the best answer first', () => {
    const of = (kind: string, id: number) => ({ kind, id });
    const given = [of('attendee', 1), of('event', 2), of('attendee', 3), of('screen', 4), of('event', 5)];
    expect(groupByKind(given).map(({ id }) => id)).toEqual([1, 3, 2, 5, 4]);
  });
});

import { describe, expect, test } from 'vitest';
import { earlyEnterMeans } from './enter.ts';

const [ada, ben] = [{ id: 'ada' }, { id: 'ben' }];
const early = { text: 'mil', picked: undefined };
const answered = { text: 'mil', isCurrent: true };

describe('an Enter before the answer', () => {
  test('waits for it', () => {
    expect(earlyEnterMeans(early, { text: 'mil', isCurrent: false, rows: [ada] })).toBe('wait');
    expect(earlyEnterMeans({ ...early, picked: 'ada' }, { text: 'mil', isCurrent: false, rows: [ada] })).toBe('wait');
  });

  test('means the only person who is found', () => {
    expect(earlyEnterMeans(early, { ...answered, rows: [ada] })).toBe(ada);
  });

  test('means nobody if several are found, or none', () => {
    expect(earlyEnterMeans(early, { ...answered, rows: [ada, ben] })).toBe('nobody');
    expect(earlyEnterMeans(early, { ...answered, rows: [] })).toBe('nobody');
  });

  test('means whom the clerk had picked, and nobody else if they are not among the answer', () => {
    const picked = { ...early, picked: 'ben' };
    expect(earlyEnterMeans(picked, { ...answered, rows: [ada, ben] })).toBe(ben);
    expect(earlyEnterMeans(picked, { ...answered, rows: [ada] })).toBe('nobody');
  });

  test('is over when another letter is typed', () => {
    expect(earlyEnterMeans(early, { text: 'mill', isCurrent: true, rows: [ada] })).toBe('nobody');
    expect(earlyEnterMeans(early, { text: 'mill', isCurrent: false, rows: [ada] })).toBe('nobody');
  });
});

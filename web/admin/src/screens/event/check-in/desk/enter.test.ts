import { ticketCodeIn } from '@turnout/checkin';
import { describe, expect, test } from 'vitest';
import { earlyEnterMeans, enterMeans } from './enter.ts';

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

describe('Enter is about', () => {
  const code = '0123456789ABCDEFGHJKMNPQRSTV';
  const finding = { finds: true, asksWho: false };

  test('whoever was served last, if nothing is typed', () => {
    expect(enterMeans('  ', finding)).toBe('last');
    expect(enterMeans('', { finds: false, asksWho: false })).toBe('last');
  });

  test('whoever is found by a name', () => expect(enterMeans('mil', finding)).toBe('found'));

  test('a code of a ticket, unless several people may be on it', () => {
    const read = ticketCodeIn(code);
    expect(read).not.toBeNull();
    expect(enterMeans(code, finding)).toEqual({ code: read });
    expect(enterMeans(code, { finds: true, asksWho: true })).toBe('found');
  });

  test('a code, whatever it looks like, if nobody can be looked up', () =>
    expect(enterMeans(' mil ', { finds: false, asksWho: false })).toEqual({ code: 'mil' }));
});

import type { EventTemplate } from '@turnout/client';
import { describe, expect, test } from 'vitest';
import { firstDay, nextName, nextYear, readTemplate } from './template.ts';

const file = (text: string) => ({ size: text.length, text: async () => text });
const template = {
  kind: 'turnout.event-template',
  version: 1,
  event: { name: 'Fair', starts_at: '2027-06-12T08:00:00Z' },
  days: [] as { date: string }[],
};

describe('a template file', () => {
  test('is read', async () => {
    expect(await readTemplate(file(JSON.stringify(template)))).toEqual({ template });
  });
  test.each([
    ['notJson', 'name;date'],
    ['notTemplate', '[]'],
    ['notTemplate', 'null'],
    ['notTemplate', '{"kind":"turnout.event-template","version":1}'],
    ['newer', JSON.stringify({ ...template, version: 2 })],
  ])('%s: %s', async (fault, text) => {
    expect(await readTemplate(file(text))).toEqual({ fault });
  });
  test('that is too large is not even read', async () => {
    const text = () => Promise.reject(new Error('read'));
    expect(await readTemplate({ size: 2_000_001, text })).toEqual({ fault: 'tooLarge' });
  });
});

test('the first day is the earliest date, else the day it begins, else none', () => {
  const of = (days: { date: string }[], starts_at: string | null) =>
    firstDay({ days, event: { starts_at } } as unknown as EventTemplate);
  expect(of([{ date: '2027-06-13' }, { date: '2027-06-12' }], null)).toBe('2027-06-12');
  expect(of([], '2027-06-12T08:00:00Z')).toBe('2027-06-12');
  expect(of([], null)).toBeNull();
});

test('next year has the same day of the week and lies ahead', () => {
  expect(nextYear('2026-06-12', '2026-11-16')).toBe('2027-06-11');
  expect(nextYear('2020-02-29', '2026-11-16')).toBe('2027-02-20');
  expect(new Date('2020-02-29').getUTCDay()).toBe(new Date('2027-02-20').getUTCDay());
});

test('the year in a name follows', () => {
  expect(nextName('Fair 2026', '2026-06-12', '2027-06-11')).toBe('Fair 2027');
  expect(nextName('Fair', '2026-06-12', '2027-06-11')).toBe('Fair');
  expect(nextName('Fair 2026', null, '2027-06-11')).toBe('Fair 2026');
});

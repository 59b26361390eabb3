import { expect, test } from 'vitest';
import { loadOf } from './import-load.ts';
import type { ImportRow } from './import-row.ts';

test('a row for all days weighs as much as one that names each of them, or none', () => {
  const names = Array.from({ length: 30 }, (_, i) => `day${i}`);
  const days = new Map(names.map((name) => [name, {}]));
  const { row } = loadOf({ event: {}, days } as unknown as Parameters<typeof loadOf>[0]);
  const weigh = (chosen: string | undefined) => row({ days: chosen } as ImportRow);
  expect(weigh('all')).toBe(weigh(undefined));
  expect(weigh('Alle Tage')).toBe(weigh(names.join(';')));
  expect(weigh('all')).toBeGreaterThan(weigh('day1'));
});

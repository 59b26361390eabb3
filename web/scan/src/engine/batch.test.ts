import type { ScanResponse } from '@turnout/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueueRow } from '../store/rows.ts';
import { batchScanOf, MAX_BYTES, MAX_SCANS, makeBatch, settle } from './batch.ts';
import { readBatch } from './shapes.ts';
import { backOff } from './times.ts';

const row = (n: number, more: Partial<QueueRow> = {}): QueueRow => ({
  device: 'd',
  client_uuid: `u${n}`,
  n,
  scanned_at: Date.UTC(2027, 5, 12) + n,
  point: 'gate',
  test: false,
  code: `CODE${n}`,
  names: ['Ada Byron'],
  ticket: null,
  ...more,
});
const rows = (count: number, code?: string) => Array.from({ length: count }, (_, i) => row(i, code ? { code } : {}));
const answer = (result: string): ScanResponse =>
  ({
    result,
    admitted: result === 'accepted',
    people: [],
    checkins: [],
    message: { tone: 'success' },
    scanned_at: '',
  }) as never;

describe('what goes up', () => {
  test('the oldest, at most 500', () => {
    const { rows: taken, body } = makeBatch(rows(1200));
    expect(taken).toHaveLength(MAX_SCANS);
    expect(JSON.parse(body).scans.map((scan: { client_uuid: string }) => scan.client_uuid)).toEqual(
      taken.map(({ client_uuid }) => client_uuid),
    );
  });

  test('never more bytes than allowed, and at least one scan', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (count, letters) => {
        const { rows: taken, body } = makeBatch(rows(count, '李'.repeat(letters) + '\\'.repeat(500 - letters)));
        expect(new TextEncoder().encode(body).length).toBeLessThanOrEqual(MAX_BYTES);
        expect(taken.length).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });

  test('a scan as the server wants it', () => {
    expect(batchScanOf(row(1, { test: true, people: ['anna'], offline_result: 'accepted' }))).toEqual({
      code: 'CODE1',
      check_in_point: 'gate',
      client_uuid: 'u1',
      scanned_at: '2027-06-12T00:00:00.001Z',
      people: ['anna'],
      test: true,
      offline_result: 'accepted',
    });
    const { code: _, ...found } = row(1);
    expect(batchScanOf({ ...found, ticket_id: 't' })).toMatchObject({ ticket_id: 't' });
    expect(batchScanOf({ ...found, ticket_id: 't' })).not.toHaveProperty('code');
  });
});

describe('what the answer means', () => {
  test('every scan is answered or kept, and only what was told otherwise is a disagreement', () => {
    const scans = [
      row(1, { offline_result: 'accepted' }),
      row(2, { offline_result: 'accepted' }),
      row(3),
      row(4, { offline_result: 'accepted' }),
    ];
    const error = { code: 'client_uuid_reused', message: 'Reused.' };
    const settled = settle(scans, [answer('accepted'), answer('duplicate'), answer('duplicate'), { error }]);
    expect(settled.answered.map((one) => one.row.client_uuid)).toEqual(['u1', 'u2', 'u3']);
    expect(settled.differences).toEqual([
      {
        device: 'd',
        client_uuid: 'u2',
        told: 'accepted',
        recorded: 'duplicate',
        scanned_at: scans[1]!.scanned_at,
        names: ['Ada Byron'],
      },
    ]);
    expect(settled.notRecorded).toEqual([{ ...scans[3], error }]);
  });

  test('fewer or more answers than scans, or answers of another form, are no answer', () => {
    const good = { results: [answer('accepted'), { error: { code: 'c', message: 'm' } }] };
    expect(readBatch(2)(good)).toHaveLength(2);
    expect(readBatch(1)(good)).toBeNull();
    expect(readBatch(3)(good)).toBeNull();
    expect(readBatch(1)({ results: [{}] })).toBeNull();
    expect(readBatch(0)('<html>')).toBeNull();
  });
});

test('pauses grow from one second to fifteen, a quarter more or less', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((tries) => backOff(tries, 0.5))).toEqual([
    1000, 2000, 4000, 8000, 15_000, 15_000, 15_000,
  ]);
  expect(backOff(0, 0)).toBe(750);
  expect(backOff(9, 1)).toBe(18_750);
});

import type { ScanResponse } from '@turnout/client';
import { expect, test } from 'vitest';
import type { QueueRow } from '../store/rows.ts';
import { serverAnswer } from './scan-answers.ts';

// claim: result-decides
test('what is told follows the result of the server, whatever its words say', () => {
  const row = {
    client_uuid: 'x',
    point: 'gate',
    scanned_at: '2030-05-04T12:00:00Z',
    test: false,
  } as unknown as QueueRow;
  const answer = (title: string, text: string) =>
    ({
      ...{ result: 'duplicate', reason: 'limit', admitted: false, test: false, ticket: null, people: [], checkins: [] },
      message: { title, text, tone: 'danger' },
    }) as unknown as ScanResponse;
  const expected = serverAnswer(
    { row, manifest: null, entry: null },
    answer('Already admitted', 'At 12:00 at the gate'),
  );
  expect(expected).toMatchObject({ result: 'duplicate', reason: 'limit', admitted: false });
  expect(serverAnswer({ row, manifest: null, entry: null }, answer('Welcome!', 'accepted'))).toEqual(expected);
});

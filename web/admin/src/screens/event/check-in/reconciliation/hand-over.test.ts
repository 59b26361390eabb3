import { Problem } from '@turnout/client';
import { expect, test } from 'vitest';
import { addToTally, EMPTY_TALLY, newestOf, partsOf, readHandOver, sendParts } from './hand-over.ts';

const EVENT = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
const scan = (n: number, more: object = {}) => ({
  code: `TICKET-${n}`,
  check_in_point: 'gate',
  client_uuid: `0b54a1f2-6f3c-4d52-9a1e-${String(n).padStart(12, '0')}`,
  scanned_at: new Date(Date.UTC(2026, 10, 20, 8, 0, n)).toISOString(),
  ...more,
});
const file = (content: unknown, size?: number) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { size: size ?? text.length, text: async () => text };
};
const whole = (more: object = {}) => ({
  ...{ turnout: 'scans', version: 1, event: { id: EVENT, name: 'Fair' }, device: { id: 'd', name: 'Gate 1' } },
  ...{ made_at: '2026-11-20T12:00:00Z', scans: [scan(1)] },
  ...more,
});

test('scans come oldest first, with what the server takes and nothing else', async () => {
  const scans = [
    scan(2, { not_recorded: { code: 'x', message: 'y' }, more: 1 }),
    scan(1, { people: ['a'], test: true, offline_result: 'accepted', ticket_id: null }),
  ];
  expect(await readHandOver(file(whole({ scans })), EVENT)).toEqual({
    device: 'Gate 1',
    scans: [scan(1, { people: ['a'], test: true, offline_result: 'accepted' }), scan(2)],
  });
});

test('nonsense in a scan is for the server to refuse', async () => {
  const scans = [scan(2, { scanned_at: 5 }), 'nonsense', scan(1)];
  const read = await readHandOver(file(whole({ scans })), EVENT);
  expect(read).toMatchObject({ device: 'Gate 1' });
  expect((read as { scans: unknown[] }).scans).toHaveLength(3);
});

test.each([
  ['tooLarge', file(whole(), 200_000_000)],
  ['notJson', file('code;name')],
  ['notScans', file('null')],
  ['notScans', file([1])],
  ['notScans', file({ turnout: 'scans' })],
  ['notScans', file({ kind: 'turnout.event-template', scans: [] })],
  ['newer', file(whole({ version: 2 }))],
  ['empty', file(whole({ scans: [] }))],
])('%s: the file is not taken', async (fault, of) => {
  expect(await readHandOver(of, EVENT)).toEqual({ fault });
});

test('a file of another event is refused with the name of that event', async () => {
  const other = whole({ event: { id: '01JCQ8Z7M4T3V9R1X5K2N6P8DB', name: 'Ball' } });
  expect(await readHandOver(file(other), EVENT)).toEqual({ fault: 'otherEvent', event: 'Ball' });
  expect(await readHandOver(file(whole({ event: null })), EVENT)).toEqual({ fault: 'otherEvent', event: '' });
});

test('things that are no scans are sent as they are, for the server to refuse each by itself', async () => {
  const read = await readHandOver(file(whole({ scans: [null, 7, 'x', scan(1)] })), EVENT);
  expect(read).toMatchObject({ scans: [{}, {}, {}, scan(1)] });
});

test('a part has at most 500 scans and 1.5 MB, and no scan is lost or moved', () => {
  const many = Array.from({ length: 1201 }, (_, n) => scan(n));
  expect(partsOf(many).map((part) => part.length)).toEqual([500, 500, 201]);
  expect(partsOf(many).flat()).toEqual(many);
  const large = Array.from({ length: 400 }, (_, n) => scan(n, { people: Array(200).fill(EVENT) }));
  const parts = partsOf(large);
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(JSON.stringify({ scans: part }).length).toBeLessThan(1_600_000);
  expect(parts.flat()).toEqual(large);
  expect(partsOf([])).toEqual([]);
});

test('new, known, refused and differently judged scans are told apart', () => {
  const before = { live: '2026-11-20T12:00:00.5Z', test: '2026-11-20T13:00:00Z' };
  const answer = (result: string, recorded_at: string | null, more = {}) =>
    ({ result, test: false, checkins: recorded_at === null ? [] : [{ recorded_at }], ...more }) as never;
  const part = [
    scan(1, { offline_result: 'accepted' }),
    scan(2, { offline_result: 'accepted' }),
    scan(3),
    scan(4),
    scan(5, { offline_result: 'accepted' }),
    scan(6),
  ];
  const error = { code: 'validation_failed', message: 'no' };
  const results = [
    answer('accepted', '2026-11-20T12:00:01Z'),
    answer('duplicate', '2026-11-20T12:00:01Z'),
    answer('accepted', '2026-11-20T12:00:00.5Z'),
    answer('accepted', '2026-11-20T12:00:01Z', { test: true }),
    answer('unknown', null),
    { error },
  ];
  const once = addToTally(EMPTY_TALLY, part, { results }, before);
  expect(once).toEqual({ recorded: 3, known: 2, otherwise: 2, refused: [{ scan: scan(6), error }] });
  // Parts add up, and in an event without check-ins everything is new.
  expect(
    addToTally(
      once,
      [scan(7)],
      { results: [answer('accepted', '2026-01-01T00:00:00Z')] },
      { live: newestOf([]), test: '' },
    ).recorded,
  ).toBe(4);
});

const refused = (status: number) => new Problem({ status, code: 'c', message: 'm', operation: 'scanBatch' });

test('a part that is too much at once is halved, and every scan is sent once, in order', async () => {
  const scans = Array.from({ length: 11 }, (_, n) => scan(n));
  const taken: unknown[] = [];
  const parts = [scans.slice(0, 10), scans.slice(10)];
  const send = async (part: readonly unknown[]) => {
    if (part.length > 3) throw refused(413);
    return { results: [] };
  };
  await sendParts(parts, send, (part) => taken.push(...part));
  expect(taken).toEqual(scans);
  expect(parts).toEqual([]);
});

test('what is refused for another reason, or alone, is left to be sent again', async () => {
  for (const [status, part] of [
    [409, [scan(1), scan(2)]],
    [413, [scan(1)]],
  ] as const) {
    const parts = [[...part]];
    const send = () => Promise.reject(refused(status));
    await expect(sendParts(parts, send, () => {})).rejects.toMatchObject({ status });
    expect(parts).toEqual([part]);
  }
});

import type { BatchScan } from '@turnout/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { QueueRow } from '../store/rows.ts';
import type { ScanChanges } from '../store/scans.ts';
import { Board } from './board.ts';
import type { Parts } from './parts.ts';
import { Uploader } from './uploader.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

interface Sent {
  readonly scans: number;
  readonly key: string;
  readonly status: number;
}

/** An uploader with a queue of so many scans, and a server that takes batches for which `takes` is true. */
function uploading(count: number, takes: (scans: readonly BatchScan[]) => boolean) {
  const waiting = new Map<string, QueueRow>();
  for (let n = 0; n < count; n += 1) {
    const row = { device: 'd', client_uuid: `u${n}`, n, scanned_at: n, point: 'gate', test: false, code: `C${n}` };
    waiting.set(row.client_uuid, { ...row, names: [], ticket: null });
  }
  const recorded: string[] = [];
  const kept: string[] = [];
  const sent: Sent[] = [];
  vi.stubGlobal(
    'fetch',
    async (_path: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
      const { scans } = JSON.parse(body) as { scans: BatchScan[] };
      const status = takes(scans) ? 200 : 413;
      sent.push({ scans: scans.length, key: headers['Idempotency-Key']!, status });
      if (status === 413)
        return Response.json({ error: { code: 'payload_too_large', message: 'Too much.' } }, { status });
      recorded.push(...scans.map(({ client_uuid }) => client_uuid));
      const answer = { result: 'accepted', admitted: true, people: [], checkins: [], message: { tone: 'success' } };
      return Response.json({ results: scans.map(() => ({ ...answer, scanned_at: '2027-06-12T12:00:00Z' })) });
    },
  );
  const clock = { now: () => 0, off: () => null, heard: () => {}, steady: () => 0 };
  const parts = {
    event: { token: 't', event: { id: 'fair' } },
    clock,
    board: new Board(clock, () => waiting.size),
    queue: {
      get length() {
        return waiting.size;
      },
      waiting: () => [...waiting.values()],
      settle: async (changes: ScanChanges) => {
        for (const uuid of changes.answered ?? []) waiting.delete(uuid);
        kept.push(...(changes.kept ?? []).map(({ client_uuid }) => client_uuid));
      },
    },
    roster: { note: async () => {} },
    mode: 'live',
    disagreed: () => {},
  } as unknown as Parts;
  const uploader = new Uploader(parts);
  const drain = async () => {
    while (waiting.size > 0 && sent.length < 200) await uploader.upload();
  };
  return { drain, kept, recorded, sent };
}

const all = (count: number) => Array.from({ length: count }, (_, n) => `u${n}`);

test('a batch that is too much at once is halved until the server takes it, and every scan goes up once, in order', async () => {
  const { drain, kept, recorded, sent } = uploading(600, (scans) => scans.length <= 25);
  await drain();
  expect(sent.slice(0, 6).map(({ scans, status }) => [scans, status])).toEqual([
    [500, 413],
    [250, 413],
    [125, 413],
    [63, 413],
    [32, 413],
    [16, 200],
  ]);
  expect(recorded).toEqual(all(600));
  expect(kept).toEqual([]);
});

test('each smaller batch has a key of its own, because a refusal is repeated under its key', async () => {
  const { drain, sent } = uploading(40, (scans) => scans.length <= 10);
  await drain();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
});

test('it goes down to a single scan', async () => {
  const { drain, kept, recorded } = uploading(9, (scans) => scans.length === 1);
  await drain();
  expect(recorded).toEqual(all(9));
  expect(kept).toEqual([]);
});

test('batches grow again by doubling, so that the next one is not refused for the same people', async () => {
  const crowds = new Set(all(32));
  const isCrowd = ({ client_uuid }: BatchScan) => crowds.has(client_uuid);
  const { drain, recorded, sent } = uploading(1500, (scans) => scans.filter(isCrowd).length <= 16);
  await drain();
  expect(recorded).toEqual(all(1500));
  expect(sent.filter(({ status }) => status === 200).map(({ scans }) => scans)).toEqual([
    16, 32, 64, 128, 256, 500, 500, 4,
  ]);
});

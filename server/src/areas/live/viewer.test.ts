import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Caller } from '../../road/caller.ts';
import { Viewer } from './viewer.ts';

/** A connection that takes what `take` says. */
function connection(take: (done: () => void) => void) {
  const stream = new Writable({ write: (_chunk, _encoding, done) => take(done), highWaterMark: 1000 });
  const viewer = new Viewer(
    stream as unknown as ServerResponse,
    { actor: { kind: 'system' } } as Caller,
    Buffer.alloc(0),
    50,
  );
  return { stream, viewer };
}

test('what a reader does not take is kept up to a bound, and then the reader is dropped', () => {
  const { stream, viewer } = connection(() => {});
  const message = 'x'.repeat(100_000);
  for (let i = 0; i < 10; i += 1) viewer.send(message);
  expect(stream.destroyed).toBe(false);
  for (let i = 0; i < 3; i += 1) viewer.send(message);
  expect(stream.destroyed).toBe(true);
  expect(stream.writableLength).toBeLessThan(1_300_000);
});

test('a reader who takes nothing for too long is dropped with the next message, however little waits', async () => {
  const { stream, viewer } = connection(() => {});
  viewer.send('x'.repeat(2000));
  await sleep(100);
  expect(stream.destroyed).toBe(false);
  viewer.send('x');
  expect(stream.destroyed).toBe(true);
});

test('a reader who takes what waits in time goes on', async () => {
  const waiting: (() => void)[] = [];
  const { stream, viewer } = connection((done) => waiting.push(done));
  for (let i = 0; i < 5; i += 1) {
    viewer.send('x'.repeat(2000));
    waiting.shift()!();
    await sleep(30);
  }
  expect(stream.destroyed).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { HeldClock } from '../../../../test/support/clock.ts';
import { PageMemory, ready } from './memory.ts';

const page = (text: string) => ready(text, {});

describe('the memory of pages', () => {
  test('10,000 addresses of nothing leave nothing behind', async () => {
    const memory = new PageMemory(new HeldClock());
    for (let i = 0; i < 10_000; i += 1) expect(await memory.get(`event acme e${i}`, async () => null)).toBeNull();
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        memory.get(`broken ${i}`, () => Promise.reject(new Error('no database'))).catch(() => null),
      ),
    );
    expect(memory.size).toEqual({ answers: 0, bytes: 0, making: 0 });
  });

  test('a page that is gone is forgotten', async () => {
    const clock = new HeldClock();
    const memory = new PageMemory(clock);
    await memory.get('page', () => page('here'));
    expect(memory.size.answers).toBe(1);
    clock.advance(1000);
    expect(await memory.get('page', async () => null)).toBeNull();
    expect(memory.size).toEqual({ answers: 0, bytes: 0, making: 0 });
  });

  test('whoever asks within a second, or while it is made, gets the same; a second later it is made again', async () => {
    const clock = new HeldClock();
    const memory = new PageMemory(clock);
    let made = 0;
    const make = () => page(`page ${++made}`);
    const [first, second] = await Promise.all([memory.get('page', make), memory.get('page', make)]);
    expect([made, first === second]).toEqual([1, true]);
    clock.advance(999);
    expect(await memory.get('page', make)).toBe(first);
    clock.advance(1);
    expect(await memory.get('page', make)).not.toBe(first);
    // A clock that is set back does not keep an old page for long.
    clock.advance(-5000);
    await memory.get('page', make);
    expect(made).toBe(3);
  });

  test('it never keeps more than 64 MiB, and drops the oldest first', async () => {
    const clock = new HeldClock();
    const memory = new PageMemory(clock);
    const large = { body: Buffer.alloc(8 * 1024 * 1024), gzip: Buffer.alloc(0), brotli: Buffer.alloc(0) };
    for (let i = 0; i < 20; i += 1) await memory.get(`page ${i}`, async () => ({ ...large, etag: '""', headers: {} }));
    expect(memory.size.answers).toBe(7);
    expect(memory.size.bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
    let again = 0;
    for (const i of [12, 13, 19])
      await memory.get(`page ${i}`, async () => {
        again += 1;
        return null;
      });
    expect(again).toBe(1);
  });
});

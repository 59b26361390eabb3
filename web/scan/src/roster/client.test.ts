import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRoster } from './client.ts';

/** A worker that never answers. */
class Silent {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', Silent);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('whoever asks a roster that is closed, or was asking when it was closed, hears that it is', async () => {
  const roster = startRoster(() => {});
  const before = roster.look({ key: 'ticket' });
  roster.close();
  const after = roster.look({ key: 'ticket' });
  await expect(before).rejects.toMatchObject({ fault: 'stopped' });
  await expect(after).rejects.toMatchObject({ fault: 'stopped' });
});

test('it is no error of the page if nobody listens just then', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const roster = startRoster(() => {});
    const before = roster.look({ key: 'ticket' });
    roster.close();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(before).rejects.toThrow();
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});

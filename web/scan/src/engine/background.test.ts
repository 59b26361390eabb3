import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Background } from './background.ts';
import { Board } from './board.ts';
import { browserTime } from './clock.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Parts } from './parts.ts';
import type { Sync } from './sync.ts';
import type { Uploader } from './uploader.ts';

const reported = vi.fn();
beforeEach(() => {
  reported.mockReset();
  vi.stubGlobal('reportError', reported);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A background with an upload under way, which the test ends. */
async function uploading() {
  const clock = { now: () => 0, off: () => null, heard: () => {}, steady: () => 0 };
  const upload = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const uploader = {
    dueAt: () => 0,
    upload: () => {
      begun.resolve();
      return upload.promise;
    },
  };
  const never = { dueAt: () => Number.POSITIVE_INFINITY };
  const background = new Background(
    {
      ...{ clock, alarm: browserTime.alarm, board: new Board(clock, () => 0) },
      handOuts: { dueAt: () => null },
    } as unknown as Parts,
    uploader as unknown as Uploader,
    never as unknown as Sync,
    never as unknown as Heartbeat,
  );
  background.start();
  await begun.promise;
  return { background, fail: () => upload.reject(new Error('The roster is closed.')) };
}

test('what fails is reported', async () => {
  const { background, fail } = await uploading();
  fail();
  await expect.poll(() => reported.mock.calls.length).toBe(1);
  background.stop();
});

test('what fails because the engine was closed meanwhile is not', async () => {
  const { background, fail } = await uploading();
  background.stop();
  fail();
  await new Promise((resolve) => setImmediate(resolve));
  expect(reported).not.toHaveBeenCalled();
});

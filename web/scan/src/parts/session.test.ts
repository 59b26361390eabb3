import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Engine, PairedEvent } from '../engine/types.ts';
import { hostOf, PAIRED } from '../gallery/double.ts';
import { begin, engine, manifest, obstacle, open, point, restart, status } from './session.ts';

/** What was asked to be opened. The test says when each of them is open. */
let opening: PromiseWithResolvers<Engine>[];

function beginWith(...paired: PairedEvent[]): Promise<void> {
  return begin({
    ...hostOf({ paired }),
    open: () => {
      const one = Promise.withResolvers<Engine>();
      opening.push(one);
      return one.promise;
    },
  });
}

/** An open event that has so many scans in its queue. `news` makes it tell them. */
async function opened(queue: number) {
  const double = await hostOf({ status: { queue } }).open(PAIRED.id, { takeOver: false });
  const listeners = new Set<() => void>();
  return {
    ...double,
    close: vi.fn(),
    listen: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    news: () => {
      for (const listener of listeners) listener();
    },
  };
}

beforeEach(() => {
  opening = [];
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('indexedDB', {});
  vi.stubGlobal('history', { state: null });
  vi.stubGlobal('addEventListener', () => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const one of [engine, status, manifest, point]) one.value = null;
});

test.each([
  ['first', [0, 1]],
  ['last', [1, 0]],
])('of two events that are opened at once the later one is used, also if the other is open %s', async (_, order) => {
  await beginWith();
  const both = [open('one'), open('two')];
  const [one, two] = [await opened(1), await opened(2)];
  for (const i of order) {
    opening[i]!.resolve([one, two][i]!);
    await both[i];
  }
  one.news();
  expect(engine.value).toBe(two);
  expect(status.value?.queue).toBe(2);
  expect(one.close).toHaveBeenCalledOnce();
  expect(two.close).not.toHaveBeenCalled();
});

test('that the earlier one could not be opened is not said', async () => {
  await beginWith();
  const both = [open('one'), open('two')];
  const two = await opened(2);
  opening[1]!.resolve(two);
  opening[0]!.reject(new Error('Another tab of this browser is scanning.'));
  await Promise.all(both);
  expect(engine.value).toBe(two);
});

test('the button for scanning here is gone while the event is opened', async () => {
  const begun = beginWith(PAIRED);
  await expect.poll(() => opening.length).toBe(1);
  opening[0]!.reject(Object.assign(new Error('Another tab of this browser is scanning.'), { fault: 'other_tab' }));
  await begun;
  expect(obstacle.value).toBe('other_tab');
  const again = restart(true);
  expect(obstacle.value).toBe('starting');
  await expect.poll(() => opening.length).toBe(2);
  opening[1]!.resolve(await opened(0));
  await again;
  expect(obstacle.value).toBeNull();
});

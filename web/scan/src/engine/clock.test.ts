import { describe, expect, test } from 'vitest';
import { ServerClock } from './clock.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2027, 5, 12, 12);

/** A device whose clocks are moved by hand. */
function device(wall = NOON, offset: number | null = null) {
  const now = { wall, steady: 5_000 };
  const kept: number[] = [];
  const asked = { times: 0 };
  const clock = new ServerClock({ wall: () => now.wall, steady: () => now.steady }, offset, {
    keep: (value) => kept.push(value),
    jumped: () => {
      asked.times += 1;
    },
  });
  return {
    clock,
    kept,
    asked,
    pass: (ms: number) => {
      now.wall += ms;
      now.steady += ms;
    },
    sleep: (ms: number) => {
      now.wall += ms;
    },
    setClock: (by: number) => {
      now.wall += by;
    },
    /** The server's answer, which took 100 ms. */
    hear: (serverTime: number, took = 100) => clock.heard(serverTime, now.steady - took, now.steady),
  };
}

describe('the clock', () => {
  test('without a server, the device’s own time is all there is', () => {
    const { clock, pass, setClock } = device();
    pass(1000);
    expect(clock.now()).toBe(NOON + 1000);
    expect(clock.off()).toBeNull();
    setClock(HOUR);
    expect(clock.now()).toBe(NOON + 1000 + HOUR);
  });

  test('a device that is two hours late is set right, says so, and keeps it', () => {
    const { clock, hear, kept, pass } = device(NOON - 2 * HOUR);
    hear(NOON);
    expect(clock.now()).toBe(NOON + 50);
    expect(clock.off()).toBe(-2 * HOUR - 50);
    pass(HOUR);
    expect(clock.now()).toBe(NOON + HOUR + 50);
    expect(kept).toEqual([2 * HOUR + 50]);
  });

  test('the difference that was kept holds when the app is opened again without a network', () => {
    expect(device(NOON - 2 * HOUR, 2 * HOUR).clock.now()).toBe(NOON);
  });

  test.each([2 * HOUR, -2 * HOUR])('somebody changes the device’s clock by %i ms: nothing changes', (by) => {
    const { clock, hear, pass, setClock } = device();
    hear(NOON, 0);
    setClock(by);
    expect(clock.now()).toBe(NOON);
    expect(clock.off()).toBe(by);
    pass(1000);
    expect(clock.now()).toBe(NOON + 1000);
  });

  test('a device that slept while the page was hidden has not lost the time', () => {
    const { clock, hear, pass, sleep } = device(NOON - HOUR);
    hear(NOON, 0);
    clock.hidden();
    sleep(3 * HOUR);
    expect(clock.now()).toBe(NOON + 3 * HOUR);
    pass(10);
    expect(clock.now()).toBe(NOON + 3 * HOUR + 10);
    expect(clock.off()).toBe(-HOUR);
  });

  test.each([
    ['hidden', true],
    ['visible', false],
  ])('a slow clock is set right while the page is %s: the server is asked for its time, once', (_, hidden) => {
    const { asked, clock, hear, pass, setClock } = device(NOON - 3 * HOUR);
    hear(NOON, 0);
    pass(1000);
    clock.now();
    expect(asked.times).toBe(0);
    if (hidden) clock.hidden();
    setClock(3 * HOUR);
    clock.now();
    clock.now();
    expect(asked.times).toBe(1);
    hear(NOON + 1000, 0);
    expect(clock.now()).toBe(NOON + 1000);
    expect(clock.off()).toBeCloseTo(0);
  });

  test('an answer that took long does not make a good clock worse', () => {
    const { clock, hear, pass } = device();
    hear(NOON, 0);
    pass(30_000);
    hear(NOON + 1000, 29_000);
    expect(clock.now()).toBe(NOON + 30_000);
    hear(NOON + 2 * HOUR, 29_000);
    expect(clock.now()).toBe(NOON + 2 * HOUR + 14_500);
  });
});

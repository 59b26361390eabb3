import { expect, test } from 'vitest';
import { Places } from '../store/places.ts';
import { GiveWay, servedBy, type Time } from './give-way.ts';

/** A clock that only moves when a job works or rests. */
class Clock implements Time {
  at = 1000;
  readonly rests: number[] = [];
  now(): number {
    return this.at;
  }
  async sleep(ms: number): Promise<void> {
    this.rests.push(ms);
    this.at += ms;
  }
}

/** Works so often for so long, and says how long it rested after each piece. */
async function work(served: () => number, pieces: number, tookMs: number): Promise<number[]> {
  const clock = new Clock();
  const way = new GiveWay(served, undefined, clock);
  for (let n = 0; n < pieces; n += 1) {
    clock.at += tookMs;
    await way.pause();
  }
  return clock.rests;
}

test('on an idle machine a job never rests', async () => {
  expect(await work(() => 0, 50, 20)).toEqual([]);
});

test('while callers are served all the time, a job rests six times as long as it works, and always gets on', async () => {
  expect(await work(() => 1, 3, 20)).toEqual([120, 120, 120]);
});

test('while callers are served a part of the time, it rests that part', async () => {
  expect(await work(() => 0.25, 2, 20)).toEqual([30, 30]);
});

test('it goes on at full speed as soon as nobody is served any more', async () => {
  let served = 1;
  const clock = new Clock();
  const way = new GiveWay(() => served, undefined, clock);
  clock.at += 10;
  await way.pause();
  served = 0;
  for (let n = 0; n < 5; n += 1) {
    clock.at += 10;
    await way.pause();
  }
  expect(clock.rests).toEqual([60]);
});

test('one long piece is not followed by a rest of minutes', async () => {
  expect(await work(() => 1, 1, 60_000)).toEqual([2000]);
});

test('short pieces are counted together', async () => {
  expect(await work(() => 1, 4, 2)).toEqual([36]);
});

test('pieces that come at the same time are done one after the other, with rests between them, also if one fails', async () => {
  const clock = new Clock();
  const way = new GiveWay(() => 1, undefined, clock);
  const began: number[] = [];
  const piece = async () => {
    began.push(clock.at);
    await Promise.resolve();
    clock.at += 10;
    if (began.length === 2) throw new Error('no paper');
  };
  const done = await Promise.allSettled([way.inTurn(piece), way.inTurn(piece), way.inTurn(piece)]);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(began).toEqual([1000, 1070, 1140]);
});

test('what a job waits for otherwise is rest, too', async () => {
  const clock = new Clock();
  const way = new GiveWay(() => 1, undefined, clock);
  await way.begin();
  clock.at += 10;
  await way.end();
  clock.at += 30;
  await way.begin();
  expect(clock.rests).toEqual([30]);
});

test('callers are those who have a place for a transaction, and jobs are not', async () => {
  const clock = new Clock();
  const places = new Places(20, () => clock.at);
  const served = servedBy({ places, asksForCallers: false } as never, clock);
  const pass = () => {
    clock.at += 100;
    return served();
  };
  const job = await places.take('job', 'acme');
  expect(await pass()).toBe(0);
  const scan = await places.take('scan', 'acme');
  expect(await pass()).toBe(1);
  clock.at += 50;
  scan();
  clock.at += 50;
  expect(await served()).toBe(0.5);
  expect(await pass()).toBe(0);
  job();
});

test('a short gap between two transactions of callers counts as serving them, a long one does not', async () => {
  const clock = new Clock();
  const places = new Places(20, () => clock.at);
  const gap = async (ms: number) => {
    const before = places.servedMs;
    clock.at += ms;
    (await places.take('read', 'acme'))();
    return places.servedMs - before;
  };
  expect([await gap(0), await gap(5), await gap(40), await gap(19)]).toEqual([0, 5, 0, 19]);
});

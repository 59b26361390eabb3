import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jpeg, noise } from '../../areas/pictures/pictures.support.ts';
import type { Refusal } from '../../common/refusal.ts';
import { READY } from './order.ts';
import { Pictures } from './pictures.ts';

const slow = () => noise(3500, 3500).png({ compressionLevel: 0 }).toBuffer();
const PROCESS = new URL('./process.ts', import.meta.url);
/** The processes that read a picture for this one. */
const children = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const [, , , parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
      return (
        Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pictures/process.ts')
      );
    } catch {
      return false;
    }
  });
const codes = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.map((one) => (one.status === 'fulfilled' ? 'made' : (one.reason as Refusal).code));

test('one at a time; organizations take turns; 4 of one may wait, and 20 of all', async () => {
  const pictures = new Pictures();
  const small = await jpeg(40, 20);
  const order: string[] = [];
  const atOnce: string[][] = [];
  const make = (whose: string) =>
    pictures.make(
      async () => {
        order.push(whose);
        atOnce.push(children());
        return small;
      },
      'logo',
      whose,
    );
  // The first one begins at once, so five of an organization are taken.
  const greedy = Array.from({ length: 6 }, () => make('greedy'));
  const modest = make('modest');
  expect(codes(await Promise.allSettled(greedy))).toEqual(['made', 'made', 'made', 'made', 'made', 'unavailable']);
  await modest;
  expect(order).toEqual(['greedy', 'greedy', 'modest', 'greedy', 'greedy', 'greedy']);
  expect(atOnce).toEqual([[], [], [], [], [], []]);
  const many = Array.from({ length: 22 }, (_, i) => {
    const broken = async () => {
      throw new Error('the file is gone');
    };
    return pictures.make(broken, 'logo', `organization ${i}`);
  });
  expect(codes(await Promise.allSettled(many))).toEqual([...Array(21).fill(undefined), 'unavailable']);
});

test('a picture that takes too long is refused, its process ends, and the next one is made', async () => {
  const pictures = new Pictures({ longest: 50 });
  const refused = pictures.make(slow, 'image', 'a');
  await expect(refused).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('too long'),
  });
  expect(await new Pictures().make(() => jpeg(40, 20), 'logo', 'a')).toMatchObject({ width: 40, height: 20 });
  expect(children()).toEqual([]);
});

test('a picture that kills its process is refused as damaged', async () => {
  const pictures = new Pictures();
  const refused = pictures.make(slow, 'image', 'a');
  const outcome = expect(refused).rejects.toMatchObject({ message: expect.stringContaining('damaged') });
  const read = /^\S+ \(.*\) \S/;
  for (;;) {
    const [pid] = children();
    // It is reading the picture when it has used some processor time beyond starting.
    const stat = pid === undefined ? '' : readFileSync(`/proc/${pid}/stat`, 'utf8');
    if (read.test(stat) && Number(stat.split(' ')[13]) > 30) {
      process.kill(Number(pid), 'SIGSEGV');
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await outcome;
});

describe('the process that reads a picture', () => {
  test('ends when the server is gone, in the middle of a picture', async () => {
    const child = fork(PROCESS, { execArgv: [], serialization: 'advanced' });
    expect(await once(child, 'message')).toEqual([READY, undefined]);
    // And if memory runs out, it is the one that ends.
    expect(readFileSync(`/proc/${child.pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
    const exit = once(child, 'exit');
    child.send({ source: await slow(), kind: 'image' }, () => child.disconnect());
    expect(await exit).toEqual([0, null]);
  });

  test('gets no secret of the server', async () => {
    process.env.TURNOUT_SECRET_OF_TEST = 'hush';
    const made = new Pictures().make(() => jpeg(40, 20), 'logo', 'a');
    let environment = '';
    while (environment === '') {
      const [pid] = children();
      if (pid !== undefined) environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await made;
    delete process.env.TURNOUT_SECRET_OF_TEST;
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain('hush');
  });
});

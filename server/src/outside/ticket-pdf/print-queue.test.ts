import { expect, test } from 'vitest';
import { PrintQueue } from './print-queue.ts';

const drain = (queue: PrintQueue<string>): string[] => {
  const jobs: string[] = [];
  for (let next = queue.take(); next !== null; next = queue.take()) jobs.push(next.job);
  return jobs;
};

test('organizations take turns, and one that comes while another prints is next', () => {
  const queue = new PrintQueue<string>({ each: 10, all: 100 });
  for (const n of [1, 2, 3]) queue.add('a', `a${n}`);
  expect(queue.take()?.job).toBe('a1');
  queue.add('b', 'b1');
  queue.add('b', 'b2');
  queue.add('c', 'c1');
  expect(drain(queue)).toEqual(['b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an organization that has been served goes behind those that waited, also if it comes back at once', () => {
  const queue = new PrintQueue<string>({ each: 10, all: 100 });
  queue.add('a', 'a1');
  queue.take();
  queue.add('a', 'a2');
  queue.add('b', 'b1');
  expect(drain(queue)).toEqual(['b1', 'a2']);
});

test('an organization has a limited number of waiting orders', () => {
  const queue = new PrintQueue<string>({ each: 2, all: 100 });
  expect(['a1', 'a2', 'a3'].map((job) => queue.add('a', job))).toEqual([null, null, 'a3']);
});

test('a full queue takes the order of somebody who has few, in place of the newest of whoever has most', () => {
  const queue = new PrintQueue<string>({ each: 10, all: 4 });
  for (const job of ['a1', 'a2', 'a3']) queue.add('a', job);
  queue.add('b', 'b1');
  expect(queue.add('c', 'c1')).toBe('a3');
  expect(queue.add('c', 'c2')).toBe('c2');
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2']);
});

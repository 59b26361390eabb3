import { expect, test } from 'vitest';
import { Lately } from './serve.ts';

const bytes = (size: number) => Buffer.alloc(size);

test('the files that nobody has asked for the longest are forgotten first', () => {
  const lately = new Lately(100);
  lately.keep('a', bytes(40));
  lately.keep('b', bytes(40));
  expect(lately.find('a')).toHaveLength(40);
  lately.keep('c', bytes(40));
  expect([lately.find('a')?.length, lately.find('b'), lately.find('c')?.length]).toEqual([40, undefined, 40]);
  expect(lately.bytes).toBe(80);
});

test('a file that does not fit is not kept, and the same file is counted once', () => {
  const lately = new Lately(100);
  lately.keep('a', bytes(101));
  expect([lately.find('a'), lately.bytes]).toEqual([undefined, 0]);
  for (let i = 0; i < 5; i += 1) lately.keep('b', bytes(90));
  expect(lately.bytes).toBe(90);
  lately.forget('b');
  lately.forget('b');
  expect([lately.find('b'), lately.bytes]).toEqual([undefined, 0]);
});

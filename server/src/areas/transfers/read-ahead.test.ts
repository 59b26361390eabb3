import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

/** Notes what happens in which order. A page is read in two turns of the event loop. */
function library(count: number, fails = Number.POSITIVE_INFINITY) {
  const told: string[] = [];
  async function* pages() {
    try {
      for (let page = 1; page <= count; page += 1) {
        told.push(`read ${page}`);
        await new Promise(setImmediate);
        if (page === fails) throw new Error('torn');
        told.push(`has ${page}`);
        yield page;
      }
    } finally {
      told.push('closed');
    }
  }
  const rest = async () => {
    told.push('rest');
    await new Promise(setImmediate);
    told.push('rested');
  };
  return { told, pages: readAhead(pages(), rest) };
}

test('a page is read while the one before is written, and nothing is read during a rest', async () => {
  const { told, pages } = library(3);
  for await (const page of pages) {
    told.push(`write ${page}`);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    told.push(`wrote ${page}`);
  }
  expect(told).toEqual([
    ...['read 1', 'has 1', 'rest', 'rested'],
    ...['read 2', 'write 1', 'has 2', 'wrote 1', 'rest', 'rested'],
    ...['read 3', 'write 2', 'has 3', 'wrote 2', 'rest', 'rested'],
    ...['closed', 'write 3', 'wrote 3'],
  ]);
});

test('a page that cannot be read is thrown to the reader, once the page before was written', async () => {
  const { told, pages } = library(3, 2);
  expect(await pages.next()).toEqual({ done: false, value: 1 });
  await expect(pages.next()).rejects.toThrow('torn');
  expect(told.at(-1)).toBe('closed');
});

test('a reader who stops leaves nothing open', async () => {
  const { told, pages } = library(9);
  for await (const page of pages) if (page === 2) break;
  expect(told.slice(-2)).toEqual(['has 3', 'closed']);
});

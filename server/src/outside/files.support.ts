import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { newUlid } from '../common/ids.ts';
import type { Files } from './files.ts';

const key = (): string => {
  const at = new Date();
  return `${newUlid(at)}/${newUlid(at)}-${newUlid(at)}`;
};

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const textOf = async (read: Readable | null): Promise<string | null> => read && (await buffer(read)).toString();

const listed = async (files: Files): Promise<string[]> => {
  const keys = [];
  for await (const one of files.list()) keys.push(one);
  return keys;
};

/** What every store of files does. `open` opens the same one again, as another process would. */
export function storeBehaves(name: string, open: () => Files, empty: () => Files): void {
  describe(`files ${name}`, () => {
    test('are written, read from any byte, listed and deleted', async () => {
      const files = open();
      const one = key();
      expect(await files.write(one, pieces('alpha,', 'beta,', 'gämma'))).toBe(17);
      expect(await textOf(await open().read(one))).toBe('alpha,beta,gämma');
      expect(await textOf(await files.read(one, 6))).toBe('beta,gämma');
      expect(await textOf(await files.read(one, 17))).toBe('');
      expect(await textOf(await files.read(one, 1000))).toBe('');
      expect(await listed(files)).toContain(one);
      expect(await files.delete(one)).toBe(true);
      expect(await files.read(one)).toBeNull();
      expect(await files.delete(one)).toBe(false);
      expect(await listed(files)).not.toContain(one);
    });

    test('may be empty, and larger than what is sent at once', async () => {
      const files = open();
      const [none, large] = [key(), key()];
      expect(await files.write(none, pieces())).toBe(0);
      expect(await textOf(await files.read(none))).toBe('');
      const piece = 'x'.repeat(999_983);
      expect(await files.write(large, pieces(...Array(21).fill(piece), 'the end'))).toBe(21 * 999_983 + 7);
      const whole = await buffer((await files.read(large))!);
      expect([whole.length, whole.subarray(-7).toString()]).toEqual([21 * 999_983 + 7, 'the end']);
      expect(await textOf(await files.read(large, 21 * 999_983))).toBe('the end');
      for (const one of [none, large]) expect(await files.delete(one)).toBe(true);
    });

    test.each([1, 20])('that nobody has finished after %d MB are not there, and say why', async (megabytes) => {
      const files = open();
      const one = key();
      async function* broken() {
        for (let i = 0; i < megabytes; i += 1) yield Buffer.alloc(1_000_000);
        throw new Error('the database went away');
      }
      await expect(files.write(one, broken())).rejects.toThrow('the database went away');
      expect(await files.read(one)).toBeNull();
      expect((await listed(files)).filter((found) => found.startsWith(one))).toEqual([]);
    });

    test('have keys of one shape only', async () => {
      const files = open();
      for (const wrong of ['../secret', 'a/b', `${key()}/../../x`, `${key()}\n`]) {
        await expect(files.read(wrong)).rejects.toThrow('not the key of a file');
        await expect(files.write(wrong, pieces('x'))).rejects.toThrow('not the key of a file');
        await expect(files.delete(wrong)).rejects.toThrow('not the key of a file');
      }
    });

    test('bear the mark of whoever was first', async () => {
      expect(await empty().readMark()).toBeNull();
      const marks = Array.from({ length: 8 }, () => newUlid(new Date()));
      const set = await Promise.all(marks.map((mark) => empty().mark(mark)));
      expect(new Set(set).size).toBe(1);
      expect(marks).toContain(set[0]);
      expect(await empty().readMark()).toBe(set[0]);
      expect(await listed(empty())).toEqual([]);
    });
  });
}

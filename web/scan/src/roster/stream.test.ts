import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RosterEntry } from './entry.ts';
import { NotARoster, readRoster } from './stream.ts';
import { entries } from './testing.ts';

const AS_OF = '2027-06-12T10:00:00.000001Z';
/** As the server writes it: entry by entry, with a line feed between. */
const textOf = (all: readonly RosterEntry[]) =>
  `{"as_of":"${AS_OF}","data":[${all.map((entry) => JSON.stringify(entry)).join(',\n')}]}`;

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(text: string, size: number): Promise<{ as_of: string; all: RosterEntry[] }> {
  const all: RosterEntry[] = [];
  const { as_of } = await readRoster(inPieces(text, size), (entry) => all.push(entry));
  return { as_of, all };
}

describe('a roster is read while it arrives', () => {
  test('in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(entries(), fc.integer({ min: 1, max: 5000 }), async (all, size) => {
        expect(await read(textOf(all), size)).toEqual({ as_of: AS_OF, all });
      }),
    );
  });

  test('also if it is larger than one block, and if names look like the mark between entries', async () => {
    const [one] = fc.sample(
      entries(1).filter((all) => all.length === 1),
      1,
    )[0]!;
    const name = ',{"code_sha256":"00"},\n{"code_sha256":"';
    const all = Array.from({ length: 2000 }, () => ({
      ...one!,
      people: one!.people.map((each) => ({ ...each, first_name: name })),
    }));
    expect(textOf(all).length).toBeGreaterThan(400_000);
    expect(await read(textOf(all), 16_384)).toEqual({ as_of: AS_OF, all });
  });

  test('one that is cut off anywhere is refused', async () => {
    await fc.assert(
      fc.asyncProperty(entries(5), fc.nat(), async (all, where) => {
        const text = textOf(all);
        await expect(read(text.slice(0, where % text.length), 100)).rejects.toThrow(NotARoster);
      }),
    );
  });

  test.each([
    '<h1>Welcome</h1>',
    '{"ok":true}',
    '',
    '{"as_of":"soon","data":[]}',
    `{"as_of":"${AS_OF}","data":[{"code_sha256":"x"}]}`,
  ])('%s is not a roster', async (text) => {
    await expect(read(text, 7)).rejects.toThrow(NotARoster);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Key, Typed } from './keys.ts';
import { AMERICAN, FRENCH, GERMAN, press, swapped, typing } from './testing.ts';
import {
  AVERAGE_GAP_MS,
  FORGOTTEN_MS,
  MAX_CHARACTERS,
  MAX_GAP_MS,
  MAX_PAUSE_MS,
  MIN_CHARACTERS,
  Wedge,
} from './wedge.ts';

const CODE = '7K2M9QX4T8VR3BNWJ5H6PDCZ0YAB';

/** What a scanner that is set to an American keyboard sends, as the system understands it. */
function keysOf(text: string, { gap = 10, from = 1000, layout = AMERICAN, end = 'Enter', field = false } = {}): Key[] {
  return [...text, end].map((key, index) => typing(key, from + index * gap, layout, { field }));
}
const typedBy = (keys: readonly Key[], wedge = new Wedge()): Typed[] =>
  keys.flatMap((key) => wedge.hear(key).typed ?? []);

describe('a scanner', () => {
  test.each(['Enter', 'Tab'])('that ends with %s is read', (end) => {
    expect(typedBy(keysOf(CODE, { end }))).toEqual([{ text: CODE, otherwise: [] }]);
  });

  test('is read again and again', () => {
    const wedge = new Wedge();
    expect(typedBy([...keysOf(CODE), ...keysOf('ABC123', { from: 1300 })], wedge).map(({ text }) => text)).toEqual([
      CODE,
      'ABC123',
    ]);
  });

  test('with a Shift before every capital letter is read', () => {
    const keys = keysOf(CODE).flatMap((key) => (key.shift ? [press('Shift', 'ShiftLeft', key.at), key] : [key]));
    expect(typedBy(keys)).toEqual([{ text: CODE, otherwise: [] }]);
  });

  /** A code that is typed in parts, with as many milliseconds as `pause` says between one part and the next. */
  const inParts = (parts: readonly string[], pause: number, gap = 10): Key[] => {
    const keys: Key[] = [];
    for (const part of parts) {
      const from = keys.length === 0 ? 1000 : keys.at(-1)!.at + pause;
      keys.push(...keysOf(part, { gap, from }).slice(0, -1));
    }
    return [...keys, press('Enter', 'Enter', keys.at(-1)!.at + gap)];
  };
  const halves = (pause: number, gap = 10) => inParts([CODE.slice(0, 14), CODE.slice(14)], pause, gap);

  test('that pauses in the middle is read whole', () => {
    for (const pause of [100, MAX_GAP_MS + 1, 400, MAX_PAUSE_MS])
      expect(typedBy(halves(pause))).toEqual([{ text: CODE, otherwise: [] }]);
  });

  test('that is slow and pauses in the middle is not read, and least of all as half a code', () => {
    expect(typedBy(halves(MAX_PAUSE_MS, 40))).toEqual([]);
  });

  test('that pauses after its first or second key is read whole, whoever wrote those', () => {
    for (const keys of [1, 2])
      for (const pause of [MAX_GAP_MS + 1, 400, MAX_PAUSE_MS])
        expect(typedBy(inParts([CODE.slice(0, keys), CODE.slice(keys)], pause))).toEqual([
          { text: CODE, otherwise: [CODE.slice(keys)] },
        ]);
  });

  test('that pauses after its first key and after its second is read whole', () => {
    const parts = [CODE.slice(0, 1), CODE.slice(1, 2), CODE.slice(2)];
    expect(typedBy(inParts(parts, 400)).map(({ text }) => text)).toEqual([CODE]);
  });

  test('that pauses for long, or twice, is not read: what comes afterwards is no code', () => {
    const thirds = [CODE.slice(0, 9), CODE.slice(9, 18), CODE.slice(18)];
    for (const pause of [MAX_PAUSE_MS + 500, FORGOTTEN_MS]) expect(typedBy(halves(pause))).toEqual([]);
    expect(typedBy(inParts(thirds, MAX_PAUSE_MS))).toEqual([]);
    const wedge = new Wedge();
    const taken = inParts(thirds, MAX_PAUSE_MS).map((key) => wedge.hear(key).take);
    expect(taken.slice(2).every(Boolean), 'nor does it press a button').toBe(true);
  });

  test('is read again as soon as a code that was not read has ended', () => {
    const wedge = new Wedge();
    const keys = halves(FORGOTTEN_MS);
    expect(typedBy([...keys, ...keysOf(CODE, { from: keys.at(-1)!.at + 300 })], wedge)).toEqual([
      { text: CODE, otherwise: [] },
    ]);
  });

  test('keeps its keys from pressing the button that has the focus', () => {
    const wedge = new Wedge();
    const taken = keysOf(CODE).map((key) => wedge.hear(key).take);
    expect(taken.slice(0, 2)).toEqual([false, false]);
    expect(taken.slice(2).every(Boolean)).toBe(true);
  });

  test('does not press the button either if it is too long for a code', () => {
    const wedge = new Wedge();
    const keys = keysOf('A'.repeat(MAX_CHARACTERS + 1), { gap: 5 });
    expect(typedBy(keys.slice(0, -1), wedge)).toEqual([]);
    expect(wedge.hear(keys.at(-1)!)).toEqual({ typed: null, take: true });
  });
});

describe('a field that has the focus', () => {
  test('gets what a scanner types', () => {
    const wedge = new Wedge();
    for (const key of keysOf(CODE, { field: true })) expect(wedge.hear(key)).toEqual({ typed: null, take: false });
  });

  test('that gets the focus in the middle gets the rest, and nothing is read', () => {
    const keys = keysOf(CODE).map((key, index) => (index < 10 ? key : { ...key, field: true }));
    expect(typedBy(keys)).toEqual([]);
  });

  test('that loses the focus in the middle has the beginning, and the rest is not read as a code', () => {
    const wedge = new Wedge();
    const keys = keysOf(CODE).map((key, index) => ({ ...key, field: index < 10 }));
    const heard = keys.map((key) => wedge.hear(key));
    expect(heard.flatMap(({ typed }) => typed ?? [])).toEqual([]);
    expect(
      heard.slice(10).every(({ take }) => take),
      'nor does it press a button',
    ).toBe(true);
    expect(typedBy(keysOf(CODE, { from: 1300 }), wedge).map(({ text }) => text)).toEqual([CODE]);
  });

  test('and has lost it since does not keep the next code from being read', () => {
    const wedge = new Wedge();
    typedBy(keysOf('Ada', { gap: 90, field: true }).slice(0, -1), wedge);
    expect(typedBy(keysOf(CODE, { from: 1400 }), wedge).map(({ text }) => text)).toEqual([CODE]);
    typedBy(keysOf('Ada', { from: 3000, field: true }), wedge);
    expect(typedBy(keysOf(CODE, { from: 3031 }), wedge).map(({ text }) => text)).toEqual([CODE]);
  });
});

describe('a person', () => {
  test('who types a code is not a scanner, and Enter still presses buttons', () => {
    const wedge = new Wedge();
    for (const key of keysOf(CODE, { gap: 120 })) expect(wedge.hear(key)).toEqual({ typed: null, take: false });
  });

  test('who holds a key down is not a scanner', () => {
    const keys = keysOf('AAAAAAAAAAAA').map((key, index) => ({ ...key, repeat: index > 0 && key.key === 'A' }));
    expect(typedBy(keys)).toEqual([]);
  });

  test('who touched a few keys before a scan does not spoil it', () => {
    const keys = [...keysOf('ABCD', { gap: 90 }).slice(0, -1), ...keysOf(CODE, { from: 1600 })];
    expect(typedBy(keys)).toEqual([{ text: CODE, otherwise: [] }]);
  });

  test('who touched one key just before a scan does not spoil it', () => {
    for (const pause of [MAX_GAP_MS + 1, MAX_PAUSE_MS]) {
      const keys = [press('j', 'KeyJ', 1000), ...keysOf(CODE, { from: 1000 + pause })];
      expect(typedBy(keys)).toEqual([{ text: `j${CODE}`, otherwise: [CODE] }]);
    }
  });

  test('who typed slowly before a scan does not spoil it', () => {
    const keys = [...keysOf('ABCDE', { gap: 300 }).slice(0, -1), ...keysOf(CODE, { from: 2500 })];
    const [typed] = typedBy(keys);
    expect([typed!.text, ...typed!.otherwise]).toContain(CODE);
  });

  test('who uses shortcuts is not a scanner', () => {
    expect(typedBy(keysOf(CODE).map((key) => (key.key === 'Enter' ? key : { ...key, command: true })))).toEqual([]);
  });

  test('who hits a few keys at once is not a scanner', () => {
    expect(typedBy(keysOf('A'.repeat(MIN_CHARACTERS - 1), { gap: 2 }))).toEqual([]);
  });

  test('who moves about in the page ends a burst', () => {
    const keys = keysOf(CODE);
    keys.splice(14, 0, press('ArrowDown', 'ArrowDown', keys[14]!.at));
    expect(typedBy(keys)).toEqual([]);
  });
});

describe('a scanner that is set to another layout than the system', () => {
  test.each([
    ['German', GERMAN],
    ['French', FRENCH],
  ])('is read right on a %s system if the code has a dash', (_name, layout) => {
    expect(typedBy(keysOf('7K2M-9QXZ-AWY8', { layout }))).toEqual([{ text: '7K2M-9QXZ-AWY8', otherwise: [] }]);
  });

  test('is read right on a French system by its digits alone', () => {
    expect(typedBy(keysOf(CODE, { layout: FRENCH }))).toEqual([{ text: CODE, otherwise: [] }]);
  });

  test('on a German system, where only Y and Z change places, both readings are told', () => {
    expect(typedBy(keysOf(CODE, { layout: GERMAN }))).toEqual([{ text: swapped(CODE), otherwise: [CODE] }]);
  });

  test('the address in a code that pairs a device is read right', () => {
    const address = 'https://door.example.org/scan#pair=7K2MZY';
    expect(typedBy(keysOf(address, { layout: GERMAN }))).toEqual([{ text: address, otherwise: [] }]);
  });

  test('and that pauses after its first key, all readings are told', () => {
    const keys = keysOf(CODE, { layout: GERMAN }).map((key, index) => (index === 0 ? { ...key, at: 600 } : key));
    const rest = CODE.slice(1);
    expect(typedBy(keys)).toEqual([{ text: swapped(CODE), otherwise: [CODE, swapped(rest), rest] }]);
  });

  test('a key that writes nothing by itself is known by its place', () => {
    const keys = keysOf('AB-CD-EF').map((key) => (key.code === 'Minus' ? { ...key, key: 'Dead' } : key));
    expect(typedBy(keys)).toEqual([{ text: 'AB-CD-EF', otherwise: [] }]);
  });

  test('what neither layout explains is told as it was typed', () => {
    const keys = [...'ありがとうございます'].map((key, index) => press(key, '', index * 5));
    expect(typedBy([...keys, press('Enter', 'Enter', 60)])).toEqual([{ text: 'ありがとうございます', otherwise: [] }]);
  });
});

describe('whatever is typed', () => {
  const character = fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ-');
  const code = fc.string({ unit: character, minLength: MIN_CHARACTERS, maxLength: 60 });

  test('a code is read whole at any speed of a scanner, and after any keys that came long before', () => {
    const junk = fc.array(fc.constantFrom('a', 'Enter', 'Tab', 'Escape', 'Shift', ' '), { maxLength: 20 });
    fc.assert(
      fc.property(code, fc.integer({ min: 0, max: AVERAGE_GAP_MS }), junk, (text, gap, before) => {
        const wedge = new Wedge();
        for (const [index, key] of before.entries()) wedge.hear(press(key, key, index * 200));
        expect(typedBy(keysOf(text, { gap, from: 10_000 }), wedge)).toEqual([{ text, otherwise: [] }]);
      }),
    );
  });

  test('a scanner that pauses once, anywhere and for however long, is read whole or not at all', () => {
    fc.assert(
      fc.property(
        code,
        fc.nat({ max: 20 }),
        fc.nat(),
        fc.integer({ min: 21, max: FORGOTTEN_MS }),
        (text, gap, where, pause) => {
          // Whoever types fewer than three keys and then nothing for more than a second has not begun a code.
          const at = Math.max(pause <= MAX_PAUSE_MS ? 1 : 3, where % text.length);
          const keys = keysOf(text, { gap }).map((key, i) => (i < at ? key : { ...key, at: key.at + pause - gap }));
          const read = typedBy(keys);
          expect(read.every((typed) => typed.text === text)).toBe(true);
        },
      ),
    );
  });

  test('nothing is ever read from keys that are further apart than a scanner types', () => {
    fc.assert(
      fc.property(code, fc.integer({ min: AVERAGE_GAP_MS * 1.5, max: 1000 }), (text, gap) => {
        expect(typedBy(keysOf(text, { gap }))).toEqual([]);
      }),
    );
  });
});

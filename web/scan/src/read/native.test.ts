import { describe, expect, test, vi } from 'vitest';
import { type Draw, type NativeDetectorClass, nativeDecoder } from './native.ts';

/** Pictures are not needed here: the detectors of these tests are handed what was to be drawn. */
interface Drawn {
  text: string;
  inverted: boolean;
}
const draw = ((text: string, inverted: boolean) => ({ text, inverted })) as unknown as Draw;
const corners = [
  { x: 0, y: 0 },
  { x: 10, y: 0 },
  { x: 10, y: 20 },
  { x: 0, y: 20 },
];

/** A built-in decoder that answers with these texts. */
function detector(
  answer: (drawn: Drawn) => string[] | Promise<string[]>,
  formats: readonly string[] = ['aztec', 'qr_code'],
): NativeDetectorClass {
  return class {
    static getSupportedFormats = async () => formats;
    detect = async (source: unknown) =>
      (await answer(source as Drawn)).map((rawValue) => ({ rawValue, cornerPoints: corners }));
  } as unknown as NativeDetectorClass;
}

test('one that reads what it is shown is used', async () => {
  const native = await nativeDecoder(
    detector(({ text }) => [text]),
    draw,
  );
  expect(await native?.read(draw('TICKET', false))).toEqual([{ text: 'TICKET', x: 5, y: 10 }]);
});

describe('is not used', () => {
  test.each<[string, NativeDetectorClass | undefined]>([
    ['if there is none', undefined],
    ['if it does not know QR codes', detector(({ text }) => [text], ['aztec'])],
    ['if it skips inverted codes', detector(({ text, inverted }) => (inverted ? [] : [text]))],
    ['if it finds nothing', detector(() => [])],
    ['if it reads something else', detector(({ text }) => [text.toLowerCase()])],
    ['if it sees everything twice', detector(({ text }) => [text, text])],
    ['if it throws', detector(() => Promise.reject(new Error('The service is not available.')))],
    [
      'if it cannot be made',
      class {
        static getSupportedFormats = async () => ['qr_code'];
        constructor() {
          throw new TypeError('Illegal constructor');
        }
      } as unknown as NativeDetectorClass,
    ],
  ])('%s', async (_name, Detector) => expect(await nativeDecoder(Detector, draw)).toBeNull());

  test('if it does not answer', async () => {
    vi.useFakeTimers();
    try {
      const native = nativeDecoder(
        detector(() => new Promise(() => {})),
        draw,
      );
      await vi.advanceTimersByTimeAsync(5000);
      expect(await native).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});

test('one that fails later is not asked again', async () => {
  let asked = 0;
  const native = await nativeDecoder(
    detector(({ text }) => {
      asked += 1;
      if (text === 'BAD') throw new Error('It has crashed.');
      return [text];
    }),
    draw,
  );
  expect(await native!.read(draw('BAD', false))).toEqual([]);
  const before = asked;
  expect(await native!.read(draw('GOOD', false))).toEqual([]);
  expect(asked).toBe(before);
});

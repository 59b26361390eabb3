import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offCentre, scaledDown, seenIn, tappedPoint, visiblePart, within } from './view.ts';

const side = fc.integer({ min: 1, max: 4000 });
const size = fc.record({ width: side, height: side });

describe('the part of the picture that is seen', () => {
  test('in an upright phone, a wide picture is cut at its sides', () => {
    expect(visiblePart({ width: 1280, height: 720 }, { width: 360, height: 720 })).toEqual({
      ...{ x: 460, y: 0, width: 360, height: 720 },
    });
  });
  test('a tall picture in a wide element is cut above and below', () => {
    expect(visiblePart({ width: 720, height: 1280 }, { width: 720, height: 360 })).toEqual({
      ...{ x: 0, y: 460, width: 720, height: 360 },
    });
  });
  test('an element without a size shows everything', () => {
    expect(visiblePart({ width: 640, height: 480 }, { width: 0, height: 0 })).toEqual({
      ...{ x: 0, y: 0, width: 640, height: 480 },
    });
  });
  test('is always inside of the picture, and touches two of its sides', () => {
    fc.assert(
      fc.property(size, size, (picture, element) => {
        const { x, y, width, height } = visiblePart(picture, element);
        expect(x >= 0 && y >= 0 && x + width <= picture.width && y + height <= picture.height).toBe(true);
        expect(width >= 1 && height >= 1).toBe(true);
        expect(width === picture.width || height === picture.height).toBe(true);
      }),
    );
  });
});

describe('scaling', () => {
  test('makes the longer side fit and never enlarges', () => {
    expect(scaledDown({ width: 1920, height: 1080 }, 960)).toEqual({ width: 960, height: 540 });
    expect(scaledDown({ width: 320, height: 240 }, 960)).toEqual({ width: 320, height: 240 });
    expect(scaledDown({ width: 4000, height: 1 }, 960)).toEqual({ width: 960, height: 1 });
  });
});

test('how far from the middle: nothing in the middle, one at the middle of the nearer edge', () => {
  expect(offCentre({ x: 200, y: 100 }, { width: 400, height: 200 })).toBe(0);
  expect(offCentre({ x: 200, y: 0 }, { width: 400, height: 200 })).toBe(1);
  expect(offCentre({ x: 0, y: 100 }, { width: 400, height: 200 })).toBe(2);
});

test('of a whole picture, a code counts if its middle is seen, and its distance is that from the middle of what is seen', () => {
  const picture = { x: 0, y: 0, width: 1280, height: 720 };
  const seen = visiblePart(picture, { width: 1280, height: 360 });
  expect(seen).toEqual({ x: 0, y: 180, width: 1280, height: 360 });
  const visible = within(picture, seen, { width: 640, height: 360 });
  expect(visible).toEqual({ x: 0, y: 90, width: 640, height: 180 });
  expect(seenIn(visible, { text: 'A', x: 320, y: 180 })).toEqual([{ text: 'A', off: 0 }]);
  expect(seenIn(visible, { text: 'A', x: 320, y: 90 })).toEqual([{ text: 'A', off: 1 }]);
  expect(seenIn(visible, { text: 'A', x: 320, y: 89 })).toEqual([]);
  expect(seenIn(visible, { text: 'A', x: 320, y: 271 })).toEqual([]);
  expect(within(seen, seen, { width: 640, height: 180 })).toEqual({ x: 0, y: 0, width: 640, height: 180 });
});

describe('a tap', () => {
  const picture = { width: 1280, height: 720 };
  const element = { width: 360, height: 720 };
  test('is told in shares of the whole picture', () => {
    expect(tappedPoint({ x: 180, y: 360 }, element, picture, false)).toEqual({ x: 0.5, y: 0.5 });
    expect(tappedPoint({ x: 0, y: 0 }, element, picture, false)).toEqual({ x: 460 / 1280, y: 0 });
  });
  test('is on the other side where the picture is shown as in a mirror', () => {
    expect(tappedPoint({ x: 0, y: 0 }, element, picture, true)).toEqual({ x: 820 / 1280, y: 0 });
  });
  test('never leaves the picture', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), size, size, fc.boolean(), (x, y, box, seen, mirrored) => {
        const point = tappedPoint({ x, y }, box, seen, mirrored);
        expect(point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1).toBe(true);
      }),
    );
  });
});

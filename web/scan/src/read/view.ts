import type { FoundCode, Point, Rect, SeenCode, Size } from './types.ts';

/**
 * The part of the camera's picture that is seen on the screen, where the picture covers an element and what sticks out is cut off on
 * both sides (`object-fit: cover`). An element without a size shows everything.
 */
export function visiblePart(picture: Size, element: Size): Rect {
  if (element.width <= 0 || element.height <= 0) return { x: 0, y: 0, width: picture.width, height: picture.height };
  const scale = Math.max(element.width / picture.width, element.height / picture.height);
  const width = Math.min(picture.width, Math.max(1, Math.round(element.width / scale)));
  const height = Math.min(picture.height, Math.max(1, Math.round(element.height / scale)));
  return { x: (picture.width - width) >> 1, y: (picture.height - height) >> 1, width, height };
}

/** Where `part` of a picture is once `crop` of it is cut out and scaled to `size`. */
export function within(crop: Rect, part: Rect, size: Size): Rect {
  const [across, down] = [size.width / crop.width, size.height / crop.height];
  return {
    ...{ x: (part.x - crop.x) * across, y: (part.y - crop.y) * down },
    ...{ width: part.width * across, height: part.height * down },
  };
}

/** As large as `of`, but no side longer than `most`. Never larger than `of`. */
export function scaledDown(size: Size, most: number): Size {
  const scale = Math.min(1, most / Math.max(size.width, size.height));
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) };
}

/** The code, if its middle is seen. One that is too large for the screen still counts, one beside the screen does not. */
export function seenIn(visible: Rect, { text, x, y }: FoundCode): SeenCode[] {
  const at = { x: x - visible.x, y: y - visible.y };
  const isSeen = at.x >= 0 && at.y >= 0 && at.x <= visible.width && at.y <= visible.height;
  return isSeen ? [{ text, off: offCentre(at, visible) }] : [];
}

/** How far a point is from the middle; 1 is half of the shorter side. */
export function offCentre({ x, y }: Point, { width, height }: Size): number {
  return Math.hypot(x - width / 2, y - height / 2) / (Math.min(width, height) / 2);
}

/**
 * Where a tap on an element is in the camera's picture, as shares of its width and height, as cameras want to be told where to focus. A
 * front camera is shown as in a mirror.
 */
export function tappedPoint(tap: Point, element: Size, picture: Size, mirrored: boolean): Point {
  const seen = visiblePart(picture, element);
  const across = element.width <= 0 ? 0.5 : tap.x / element.width;
  const down = element.height <= 0 ? 0.5 : tap.y / element.height;
  const share = (value: number) => Math.min(1, Math.max(0, value));
  return {
    x: share((seen.x + seen.width * (mirrored ? 1 - across : across)) / picture.width),
    y: share((seen.y + seen.height * down) / picture.height),
  };
}

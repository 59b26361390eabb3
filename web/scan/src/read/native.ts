import encodeQR from 'qr';
import type { FoundCode } from './types.ts';
import { middle } from './zxing.ts';

/** The decoder that some browsers have built in. */
export interface NativeDetector {
  detect(source: ImageBitmapSource): Promise<{ rawValue: string; cornerPoints: readonly { x: number; y: number }[] }[]>;
}
export interface NativeDetectorClass {
  new (options: { formats: string[] }): NativeDetector;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** Longer than this it does not answer at all: some phones load a decoder over the network first, or never. */
const PATIENCE_MS = 1000;

/** Draws a picture of the code `text`; inverted, it is white on black. */
export type Draw = (text: string, inverted: boolean) => ImageBitmapSource;

/**
 * The built-in decoder, if there is one and it passes a test; else null. On some phones it does not read inverted codes, which screens in
 * dark mode show, on others it answers with nothing or not at all. It is only there to be quicker: what it does not find is looked for by
 * the others.
 */
export async function nativeDecoder(Detector: NativeDetectorClass | undefined, draw: Draw): Promise<Native | null> {
  if (Detector === undefined) return null;
  try {
    if (!(await soon(Detector.getSupportedFormats())).includes('qr_code')) return null;
    const native = new Native(new Detector({ formats: ['qr_code'] }));
    for (const inverted of [false, true]) {
      const text = inverted ? 'INVERTED CODE' : 'USUAL CODE';
      const found = await native.read(draw(text, inverted));
      if (found.length !== 1 || found[0]?.text !== text) return null;
    }
    return native.failed ? null : native;
  } catch {
    return null;
  }
}

export class Native {
  readonly #detector: NativeDetector;
  /** It has failed once, and is not asked again. */
  failed = false;

  constructor(detector: NativeDetector) {
    this.#detector = detector;
  }

  async read(source: ImageBitmapSource): Promise<FoundCode[]> {
    if (this.failed) return [];
    try {
      const codes = await soon(this.#detector.detect(source));
      return codes
        .filter(({ rawValue }) => rawValue !== '')
        .map(({ rawValue, cornerPoints }) => ({ text: rawValue, ...middle(cornerPoints) }));
    } catch {
      this.failed = true;
      return [];
    }
  }
}

function soon<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The built-in decoder did not answer.')), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The code `text`, in pixels that are drawn the same everywhere. */
export const drawnCode: Draw = (text, inverted) => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4, scale: 4 });
  const side = rows.length;
  const picture = new ImageData(side, side);
  const pixels = new Uint32Array(picture.data.buffer);
  // The first byte of a pixel is red and the last one opacity, and every phone has the last byte on the left.
  for (const [y, row] of rows.entries())
    for (const [x, dark] of row.entries()) pixels[y * side + x] = dark === inverted ? 0xffffffff : 0xff000000;
  return picture;
};

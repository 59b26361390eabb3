import type { Grey, Rect, Size, Source } from './types.ts';

/** A picture of a camera, cut and scaled. Both are valid until the next picture is taken. */
export interface Frame {
  /** In colour, for the decoder of the browser. */
  readonly picture: ImageBitmapSource;
  grey(): Grey;
}

/** Gets at the pixels of pictures in a worker. Scaling is left to the browser, whose filter keeps fine codes readable. */
export class Pixels {
  #canvas: OffscreenCanvas | null = null;
  #context: OffscreenCanvasRenderingContext2D | null = null;
  #grey = new Uint8Array(0);

  take(source: Source, crop: Rect, { width, height }: Size): Frame {
    // It was cut and scaled before, because the page had to draw it anyway.
    if (source instanceof ImageData) return { picture: source, grey: () => this.#greyOf(source) };
    const { canvas, context } = this.#sized(width, height);
    context.drawImage(source, crop.x, crop.y, crop.width, crop.height, 0, 0, width, height);
    return { picture: canvas, grey: () => this.#greyOf(context.getImageData(0, 0, width, height)) };
  }

  #sized(width: number, height: number) {
    if (this.#canvas === null || this.#context === null) {
      this.#canvas = new OffscreenCanvas(width, height);
      // Every picture is read back, so it is kept in the memory of the processor and not of the graphics card.
      this.#context = this.#canvas.getContext('2d', { willReadFrequently: true, alpha: false });
      if (this.#context === null) throw new Error('This browser draws nothing in workers.');
    }
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    return { canvas: this.#canvas, context: this.#context };
  }

  #greyOf({ data, width, height }: ImageData): Grey {
    const count = width * height;
    if (this.#grey.length !== count) this.#grey = new Uint8Array(count);
    const grey = this.#grey;
    for (let to = 0, from = 0; to < count; to += 1, from += 4) {
      // 30 % red, 59 % green, 11 % blue: how bright people see them.
      grey[to] = (data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29) >> 8;
    }
    return { data: grey, width, height };
  }
}

export const closeSource = (source: Source): void => {
  if ('close' in source) source.close();
};

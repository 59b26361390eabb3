/** What the parts of reading tell each other. Nothing here knows what a code means. */

/** A part of a picture, in its own pixels. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A grey picture, one byte per pixel, row by row. */
export interface Grey extends Size {
  readonly data: Uint8Array;
}

/** A code in a picture, and where its middle is, in pixels of that picture. */
export interface FoundCode extends Point {
  readonly text: string;
}

/** A code in front of the camera. `off` is how far it is from the middle of what is seen; 1 is half of the shorter side of that. */
export interface SeenCode {
  readonly text: string;
  readonly off: number;
}

/** Who decoded a picture. */
export type DecodedBy = 'native' | 'zxing' | 'qr';

/** What a browser can hand to a worker. Which of them, is decided in frames.ts. */
export type Source = VideoFrame | ImageBitmap | ImageData;

/**
 * To the worker: a picture. It reads the part `crop`, scaled to `size`. Of that, somebody sees the part `visible`. The worker owns the
 * source and closes it.
 */
export interface DecodeRequest {
  readonly id: number;
  readonly source: Source;
  readonly crop: Rect;
  readonly size: Size;
  readonly visible: Rect;
}

/** From the worker: what is in the picture. */
export interface DecodeReply {
  readonly id: number;
  readonly codes: readonly SeenCode[];
  readonly by: DecodedBy | null;
  /** Milliseconds that the worker spent, without waiting: getting at the pixels, and decoding them. */
  readonly ms: { readonly pixels: number; readonly decoding: number };
  /** This kind of source cannot be read in this browser's workers; the sender has to use another kind. */
  readonly unreadable: boolean;
}

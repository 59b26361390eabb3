import { closeSource } from './pixels.ts';
import type { DecodeReply, DecodeRequest, Rect, Size, Source } from './types.ts';
import { scaledDown, visiblePart, within } from './view.ts';

/**
 * The longest side of the picture that is decoded. A ticket that is held up at arm's length has three pixels for each module then, as many
 * as decoders need, and a picture of the whole camera would take four times as long.
 */
export const MAX_PIXELS = 960;
/** Cameras take thirty pictures a second. Reading half of them is soon enough, and keeps a phone cool for a whole day. */
const MIN_GAP_MS = 50;
/** A worker that does not answer for this long is replaced. */
const PATIENCE_MS = 5000;
/** A worker that could not start, because its file could not be loaded, is tried again after this time. */
const AFTER_FAILURE_MS = 2000;

/** Takes a picture of a video in a form that can be handed to a worker. */
type Take = (video: HTMLVideoElement, crop: Rect, size: Size) => Source | Promise<Source>;

/**
 * The ways to hand a picture over, the quickest first. A browser that lacks one, or whose workers cannot read it, gets the next; with the
 * last, the page does the work.
 */
const WAYS: readonly Take[] = [
  (video) => new VideoFrame(video),
  (video, crop, size) =>
    createImageBitmap(video, crop.x, crop.y, crop.width, crop.height, {
      ...{ resizeWidth: size.width, resizeHeight: size.height, resizeQuality: 'medium' },
    }),
  takePixels,
];

let canvas: HTMLCanvasElement | null = null;
function takePixels(video: HTMLVideoElement, crop: Rect, size: Size): ImageData {
  canvas ??= document.createElement('canvas');
  if (canvas.width !== size.width) canvas.width = size.width;
  if (canvas.height !== size.height) canvas.height = size.height;
  const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false })!;
  context.drawImage(video, crop.x, crop.y, crop.width, crop.height, 0, 0, size.width, size.height);
  return context.getImageData(0, 0, size.width, size.height);
}

export interface DecodedFrame extends DecodeReply {
  /** When the picture was taken off the video, by `performance.now()`. */
  readonly at: number;
}

/** Takes pictures of a video and has them decoded, at most one at a time: a slow phone reads fewer, and never old ones. */
export class Frames {
  readonly #video: HTMLVideoElement;
  readonly #startWorker: () => Worker;
  readonly #onDecoded: (frame: DecodedFrame) => void;
  #worker: Worker | null = null;
  #way = 0;
  #id = 0;
  #inFlight: { id: number; at: number } | null = null;
  #latest = 0;
  /** Whether the whole picture is taken, or what is seen of it. As long as nothing is found, by turns. */
  #whole = false;
  /** No picture is taken before. */
  #soonest = 0;
  #cancel: (() => void) | null = null;

  constructor(video: HTMLVideoElement, startWorker: () => Worker, onDecoded: (frame: DecodedFrame) => void) {
    this.#video = video;
    this.#startWorker = startWorker;
    this.#onDecoded = onDecoded;
  }

  /** When the video showed a new picture, by `performance.now()`. A camera that froze does not. */
  get latest(): number {
    return this.#latest;
  }

  start(): void {
    if (this.#cancel !== null) return;
    this.#latest = performance.now();
    this.#ready();
    const next = () => {
      this.#cancel = nextPicture(this.#video, () => {
        next();
        this.#latest = performance.now();
        void this.#take(this.#latest);
      });
    };
    next();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Also ends the worker. */
  close(): void {
    this.stop();
    this.#drop();
  }

  #drop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#inFlight = null;
  }

  #ready(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = this.#startWorker();
    worker.addEventListener('message', ({ data }: MessageEvent<DecodeReply>) => this.#hear(data));
    worker.addEventListener('error', () => {
      if (this.#worker !== worker) return;
      this.#drop();
      this.#soonest = performance.now() + AFTER_FAILURE_MS;
    });
    this.#worker = worker;
    return worker;
  }

  async #take(at: number): Promise<void> {
    if (this.#inFlight !== null) {
      if (at - this.#inFlight.at < PATIENCE_MS) return;
      this.#drop();
    }
    const { videoWidth: width, videoHeight: height, clientWidth, clientHeight } = this.#video;
    if (at < this.#soonest || width === 0 || height === 0) return;
    this.#soonest = at + MIN_GAP_MS;
    const seen = visiblePart({ width, height }, { width: clientWidth, height: clientHeight });
    // A code that is held too near is cut off on the screen, but perhaps not in the picture.
    const crop = this.#whole ? { x: 0, y: 0, width, height } : seen;
    const size = scaledDown(crop, MAX_PIXELS);
    const visible = within(crop, seen, size);
    this.#id += 1;
    const flight = { id: this.#id, at };
    this.#inFlight = flight;
    try {
      const source = await WAYS[this.#way]!(this.#video, crop, size);
      if (this.#inFlight !== flight) return closeSource(source);
      const whole = source instanceof ImageBitmap ? { x: 0, y: 0, width: source.width, height: source.height } : crop;
      const request: DecodeRequest = { id: flight.id, source, crop: whole, size, visible };
      this.#ready().postMessage(request, [source instanceof ImageData ? source.data.buffer : source]);
    } catch {
      if (this.#inFlight === flight) this.#inFlight = null;
      this.#nextWay();
    }
  }

  #nextWay(): void {
    this.#way = (this.#way + 1) % WAYS.length;
  }

  #hear(reply: DecodeReply): void {
    if (this.#inFlight?.id !== reply.id) return;
    const { at } = this.#inFlight;
    this.#inFlight = null;
    if (reply.codes.length === 0) this.#whole = !this.#whole;
    if (reply.unreadable) this.#nextWay();
    // What was in flight when reading was stopped is no longer wanted.
    else if (this.#cancel !== null) this.#onDecoded({ ...reply, at });
  }
}

/** Calls once when the video shows its next picture. Answers with how to call it off. */
function nextPicture(video: HTMLVideoElement, then: () => void): () => void {
  if ('requestVideoFrameCallback' in video) {
    const handle = video.requestVideoFrameCallback(then);
    return () => video.cancelVideoFrameCallback(handle);
  }
  // Firefox before 132.
  const element: HTMLVideoElement = video;
  const before = element.currentTime;
  const look = () => {
    if (element.currentTime === before) handle = requestAnimationFrame(look);
    else then();
  };
  let handle = requestAnimationFrame(look);
  return () => cancelAnimationFrame(handle);
}

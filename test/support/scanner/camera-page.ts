import { type CameraStatus, createReader, type ReadCode, type Reader } from '../../../web/scan/src/read/index.ts';
import type { DecodeReply, DecodeRequest, Source } from '../../../web/scan/src/read/types.ts';
import { MARK } from './mark.ts';

/** A page with nothing but the reader, which notes everything that happens. */

export interface Notes {
  codes: (ReadCode & { at: number })[];
  states: CameraStatus[];
  /** Pictures that were decoded: when they were taken, when the answer came, what was in them. */
  frames: { at: number; answered: number; codes: string[]; by: string | null; pixels: number; decoding: number }[];
  /** The numbers of the pictures that were shown, and when. */
  shown: { at: number; number: number }[];
  clicks: number;
}
export interface TestPage {
  notes: Notes;
  reader: Reader;
  readStills: typeof readStills;
}
declare global {
  interface Window {
    turnout: TestPage;
  }
}

const video = document.querySelector('video')!;
Object.assign(video.style, { width: '960px', height: '540px', objectFit: 'cover' });
const notes: Notes = { codes: [], states: [], frames: [], shown: [], clicks: 0 };
document.querySelector('button')!.addEventListener('click', () => {
  notes.clicks += 1;
});

const reader = createReader({
  video,
  onCode: (code) => notes.codes.push({ ...code, at: performance.now() }),
  onState: (status) => notes.states.push(status),
  onFrame: ({ at, codes, by, ms }) =>
    notes.frames.push({ at, answered: performance.now(), codes: codes.map(({ text }) => text), by, ...ms }),
});
window.turnout = { notes, reader, readStills };
if (location.search === '?mark') readMarks();
if (location.search === '?stills') void reportStills();

/** Notes the number of every picture that the video shows. */
function readMarks(): void {
  const canvas = document.createElement('canvas');
  canvas.width = MARK.bits * MARK.side;
  canvas.height = MARK.side;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const look = () => {
    const at = performance.now();
    const { width, height } = canvas;
    context.drawImage(video, 0, 0, width, height, 0, 0, width, height);
    const { data } = context.getImageData(0, height / 2, width, 1);
    let number = 0;
    for (let bit = 0; bit < MARK.bits; bit += 1)
      if (data[(bit * MARK.side + MARK.side / 2) * 4]! > 127) number += 1 << bit;
    notes.shown.push({ at, number });
    video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
}

/** Has pictures decoded by the worker, handed over in these ways, or in every one that this browser knows. The key of an answer is the way. */
async function readStills(only?: readonly string[]): Promise<Record<string, string[][]>> {
  const sizes = (await (await fetch('/stills.json')).json()) as { width: number; height: number; count: number };
  const bytes = new Uint8Array(await (await fetch('/stills.bin')).arrayBuffer());
  const { width, height, count } = sizes;
  const worker = new Worker(new URL('../../../web/scan/src/read/decoder-worker.ts', import.meta.url), {
    type: 'module',
  });
  const failed = new Promise<never>((_, reject) => {
    worker.onerror = (event) => reject(new Error(`The worker failed: ${event.message}`));
  });
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d')!;
  const ways: Record<string, () => Source | Promise<Source>> = {
    ...('VideoFrame' in window && { VideoFrame: () => new VideoFrame(canvas, { timestamp: 0 }) }),
    ImageBitmap: () => createImageBitmap(canvas),
    ImageData: () => context.getImageData(0, 0, width, height),
  };
  const found: Record<string, string[][]> = {};
  const whole = { x: 0, y: 0, width, height };
  let id = 0;
  for (const [name, take] of Object.entries(ways)) {
    if (only?.includes(name) === false) continue;
    const texts: string[][] = [];
    for (let index = 0; index < count; index += 1) {
      context.putImageData(pictureOf(bytes.subarray(index * width * height, (index + 1) * width * height)), 0, 0);
      const source = await take();
      id += 1;
      const request: DecodeRequest = { id, source, crop: whole, size: { width, height }, visible: whole };
      const reply = new Promise<DecodeReply>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<DecodeReply>) => resolve(data);
      });
      worker.postMessage(request, [source instanceof ImageData ? source.data.buffer : source]);
      const { codes, unreadable } = await Promise.race([reply, failed]);
      texts.push(unreadable ? ['unreadable'] : codes.map(({ text }) => text));
    }
    found[name] = texts;
  }
  return found;

  function pictureOf(grey: Uint8Array): ImageData {
    const picture = new ImageData(width, height);
    const pixels = new Uint32Array(picture.data.buffer);
    for (let at = 0; at < grey.length; at += 1) pixels[at] = 0xff000000 | (grey[at]! * 0x010101);
    return picture;
  }
}

/** For browsers that nobody drives: tells the server what was found. */
async function reportStills(): Promise<void> {
  const report = await readStills().catch((error: unknown) => ({ error: String(error) }));
  await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
}

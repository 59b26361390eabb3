import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { type Decoded, decode } from './decoder.ts';
import { drawnCode, type Native, type NativeDetectorClass, nativeDecoder } from './native.ts';
import { closeSource, type Frame, Pixels } from './pixels.ts';
import type { DecodeReply, DecodeRequest } from './types.ts';
import { seenIn } from './view.ts';
import { Zxing } from './zxing.ts';

/** A worker's own globals. The types of pages, which the rest of this folder needs, do not have them. */
const worker = globalThis as unknown as {
  postMessage(message: DecodeReply): void;
  addEventListener(type: 'message', hear: (event: { data: DecodeRequest }) => void): void;
  BarcodeDetector?: NativeDetectorClass;
};

/** If the WebAssembly could not be loaded, because the network failed before it was cached, it is tried again after this time. */
const AGAIN_MS = 10_000;
const NOTHING = { codes: [], by: null, ms: { pixels: 0, decoding: 0 }, unreadable: false };

const pixels = new Pixels();
let zxing: Zxing | null = null;
let native: Native | null = null;

async function load(): Promise<void> {
  try {
    zxing = await Zxing.load({ locateFile: () => wasm });
  } catch {
    // Until then, the other decoder reads on alone.
    setTimeout(() => void load(), AGAIN_MS);
  }
}

async function readCode({ source, crop, size, visible }: DecodeRequest): Promise<Omit<DecodeReply, 'id'>> {
  const begun = performance.now();
  let frame: Frame;
  try {
    frame = pixels.take(source, crop, size);
  } catch {
    return { ...NOTHING, unreadable: true };
  } finally {
    // A camera has few frames to give; it stalls if they are not given back at once.
    closeSource(source);
  }
  const cut = performance.now();
  const found = (await native?.read(frame.picture)) ?? [];
  const looked = performance.now();
  const grey = found.length > 0 ? null : frame.grey();
  const greyed = performance.now();
  const { codes, by }: Decoded = grey === null ? { codes: found, by: 'native' } : decode(grey, zxing);
  const ended = performance.now();
  return {
    codes: codes.flatMap((code) => seenIn(visible, code)),
    by,
    ms: { pixels: cut - begun + (greyed - looked), decoding: looked - cut + (ended - greyed) },
    unreadable: false,
  };
}

worker.addEventListener('message', ({ data }) => {
  void readCode(data)
    // One picture that cannot be read is not worth stopping for: the next one comes at once.
    .catch(() => NOTHING)
    .then((reply) => worker.postMessage({ id: data.id, ...reply }));
});

void load();
void nativeDecoder(worker.BarcodeDetector, drawnCode).then((passed) => {
  native = passed;
});

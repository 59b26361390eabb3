import {
  BINARIZERS,
  CHARACTER_SETS,
  defaultReaderOptions,
  EAN_ADD_ON_SYMBOLS,
  encodeFormats,
  prepareZXingModule,
  TEXT_MODES,
  type ZXingModuleOverrides,
  type ZXingReaderOptions,
  type ZXingReadResult,
  type ZXingVector,
} from 'zxing-wasm/reader';
import type { FoundCode, Grey } from './types.ts';

/** More codes in one picture than this, and nobody could say which one is meant. */
const MAX_CODES = 4;

const OPTIONS: ZXingReaderOptions = {
  ...defaultReaderOptions,
  // Tickets, letters and pairing codes have nothing else (server/src/outside/ticket-pdf/qr.ts). Every further kind takes time and can be
  // mistaken for something that it is not: a Micro QR code has hardly any protection against that.
  formats: encodeFormats(['QRCodeModel2']),
  tryHarder: false,
  // QR codes are found at any angle without it.
  tryRotate: false,
  maxNumberOfSymbols: MAX_CODES,
  binarizer: BINARIZERS.indexOf('LocalAverage'),
  eanAddOnSymbol: EAN_ADD_ON_SYMBOLS.indexOf('Ignore'),
  textMode: TEXT_MODES.indexOf('Plain'),
  characterSet: CHARACTER_SETS.indexOf('Unknown'),
};

/** What we use of the module. Its own types lack what every compiled module has. */
interface Module {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  readBarcodesFromPixmap(
    address: number,
    width: number,
    height: number,
    options: ZXingReaderOptions,
  ): ZXingVector<ZXingReadResult> & { delete(): void };
}

/**
 * The decoder of ZXing, compiled to WebAssembly. Its usual entrance takes pictures in colour, turns them grey one pixel at a time, and asks
 * for new memory for each; this one is handed grey pictures and keeps its memory.
 */
export class Zxing {
  readonly #module: Module;
  #memory = 0;
  #room = 0;

  private constructor(module: Module) {
    this.#module = module;
  }

  /** `overrides` say where the WebAssembly comes from. Without them, the library would ask another server for it. */
  static async load(overrides: ZXingModuleOverrides): Promise<Zxing> {
    const module = await prepareZXingModule({ overrides, fireImmediately: true });
    return new Zxing(module as unknown as Module);
  }

  read({ data, width, height }: Grey): FoundCode[] {
    this.#reserve(data.length);
    this.#module.HEAPU8.set(data, this.#memory);
    const results = this.#module.readBarcodesFromPixmap(this.#memory, width, height, OPTIONS);
    const found: FoundCode[] = [];
    for (let index = 0; index < results.size(); index += 1) {
      const { text, isValid, position } = results.get(index)!;
      if (isValid && text !== '') found.push({ text, ...middle(Object.values(position)) });
    }
    results.delete();
    return found;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#room) return;
    if (this.#memory !== 0) this.#module._free(this.#memory);
    this.#memory = this.#module._malloc(bytes);
    this.#room = this.#memory === 0 ? 0 : bytes;
    if (this.#memory === 0) throw new Error(`The decoder has no memory for a picture of ${bytes} bytes.`);
  }
}

/** The middle of the corners of a code. */
export function middle(corners: readonly { x: number; y: number }[]): { x: number; y: number } {
  const sum = corners.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / corners.length, y: sum.y / corners.length };
}

import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

const MAX_BYTES = 0xffff_ffff;
// Bit 3: the size of a streamed entry follows its bytes. Bit 11: names are UTF-8. Version 2.0 knows deflated entries.
const FLAGS = 0x0808;
const VERSION = 20;
const DEFLATED = 8;
/** 1 January 1980, the earliest date of the format, so that the bytes of a file do not depend on when it was written. */
const DATE = 0x0021;

interface Entry {
  name: Buffer;
  at: number;
  crc: number;
  packed: number;
  size: number;
}

export class TooLargeForZip extends Error {}

/**
 * Writes a zip file as a stream and keeps only the list of its entries. ZIP64 is not used, because not every spreadsheet program
 * reads it. So an unpacked entry, and the whole file, can have at most 4 GiB.
 */
export class Zip {
  readonly #entries: Entry[] = [];
  #at = 0;

  async *entry(name: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    const entry: Entry = { name: Buffer.from(name), at: this.#at, crc: 0, packed: 0, size: 0 };
    this.#entries.push(entry);
    yield this.#count(localHeader(entry));
    for await (const chunk of deflated(content, entry)) {
      entry.packed += chunk.length;
      yield this.#count(chunk);
    }
    yield this.#count(descriptor(entry));
  }

  *end(): Generator<Buffer> {
    const start = this.#at;
    for (const entry of this.#entries) yield this.#count(centralHeader(entry));
    yield endRecord(this.#entries.length, start, this.#at - start);
  }

  #count(bytes: Buffer): Buffer {
    this.#at += bytes.length;
    if (this.#at > MAX_BYTES) throw new TooLargeForZip('The zip file would have more than 4 GiB.');
    return bytes;
  }
}

async function* deflated(content: AsyncIterable<Buffer> | Iterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const bytes of content) {
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      if (entry.size > MAX_BYTES) throw new TooLargeForZip('An entry of the zip file would have more than 4 GiB.');
      yield bytes;
    }
  }
  // Deflating runs in a thread of libuv, beside our own work. An error of the source arrives here as an error of the stream.
  yield* pipeline(Readable.from(counted(), { highWaterMark: 1 }), createDeflateRaw({ level: 3 }), () => {});
}

function record(signature: number, fields: readonly [bytes: 2 | 4, value: number][], ...tail: Buffer[]): Buffer {
  const head = Buffer.alloc(fields.reduce((length, [bytes]) => length + bytes, 4));
  head.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [bytes, value] of fields) at = head.writeUIntLE(value, at, bytes);
  return Buffer.concat([head, ...tail]);
}

const localHeader = ({ name }: Entry): Buffer =>
  record(
    0x04034b50,
    [
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, 0],
      [2, DATE],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ],
    name,
  );

const descriptor = ({ crc, packed, size }: Entry): Buffer =>
  record(0x08074b50, [
    [4, crc],
    [4, packed],
    [4, size],
  ]);

const centralHeader = ({ name, at, crc, packed, size }: Entry): Buffer =>
  record(
    0x02014b50,
    [
      [2, VERSION],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, 0],
      [2, DATE],
      [4, crc],
      [4, packed],
      [4, size],
      [2, name.length],
      [2, 0], // extra
      [2, 0], // comment
      [2, 0], // disk
      [2, 0], // internal attributes
      [4, 0], // external attributes
      [4, at],
    ],
    name,
  );

const endRecord = (entries: number, start: number, length: number): Buffer =>
  record(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, entries],
    [2, entries],
    [4, length],
    [4, start],
    [2, 0],
  ]);

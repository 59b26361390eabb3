/** Writing and reading the packed roster: numbers of as few bytes as they need, texts with their length before them. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Grows as needed. Numbers are whole and not negative, up to 2^53. */
export class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;

  constructor(size = 1 << 16) {
    this.#bytes = new Uint8Array(size);
  }

  get length(): number {
    return this.#at;
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  number(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#at++] = rest;
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.number(value < 0 ? -value * 2 - 1 : value * 2);
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** The bytes of a text, without its length. */
  letters(text: string): void {
    this.#room(text.length * 3);
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written;
  }

  text(text: string): void {
    // Most names are short and plain: then their length is known before they are written.
    this.#room(text.length * 3 + 8);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(this.#at + 1));
    if (written < 0x80) {
      this.#bytes[this.#at] = written;
      this.#at += written + 1;
      return;
    }
    const bytes = encoder.encode(text);
    this.number(bytes.length);
    this.raw(bytes);
  }

  /** What was written so far. It is valid until the next write. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at);
  }

  clear(): void {
    this.#at = 0;
  }

  #room(more: number): void {
    const needed = this.#at + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

export class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  number(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      // What is no number would be read for ever, and with it the device would hang.
      if (byte === undefined) throw new RangeError('The bytes end within a number.');
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string {
    return decoder.decode(this.raw(this.number()));
  }

  skipText(): void {
    const length = this.number();
    this.at += length;
  }

  raw(length: number): Uint8Array {
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }
}

import { Failure } from './causes.ts';

/** What is kept of an answer, and all that is read of it. */
export const ANSWER_BYTES = 1024;
/** Of a status line and its headers; of the trailers of a chunked answer. */
const HEAD_BYTES = 16 * 1024;
/** Of the line before a chunk, its extensions included. */
const SIZE_LINE_BYTES = 1024;
/** Of all there is: hints without end and chunks of one byte count for none of the above. */
const MOST_BYTES = 256 * 1024;

const tooLarge = () => new Failure('the answer is too large');
const notHttp = () => new Failure('the answer is not HTTP');
const closed = () => Object.assign(new Error('closed'), { code: 'CLOSED' });

const TOKEN = /[!#$%&'*+\-.^_`|~\dA-Za-z]+/.source;
const TEXT = /[\t\x20-\x7e\x80-\xff]*/.source;
const STATUS_LINE = new RegExp(`^HTTP/1\\.([01]) ([1-9]\\d\\d)(?: ${TEXT})?$`);
const HEADER = new RegExp(`^(${TOKEN}):(${TEXT})$`);
const SIZE_LINE = new RegExp(`^([\\da-fA-F]{1,8})(?:;${TOKEN}(?:=(?:${TOKEN}|"[\\t !#-[\\]-~]*"))?)*$`);

/** Spaces and tabs around a value. In the expression above they would be tried in every division between the three. */
function withoutPadding(value: string): string {
  const isPadding = (at: number) => value[at] === ' ' || value[at] === '\t';
  let from = 0;
  let to = value.length;
  while (from < to && isPadding(from)) from += 1;
  while (to > from && isPadding(to - 1)) to -= 1;
  return value.slice(from, to);
}

type Part = 'head' | 'length' | 'size' | 'chunk' | 'chunk end' | 'trailers' | 'until closed' | 'over';

/**
 * Reads one HTTP/1.1 answer to a POST (RFC 9112) from the bytes of its connection, in whatever pieces they come. Strict: what is
 * not plainly HTTP is a failure, and so is an answer with two lengths. What comes behind an answer belongs to nobody, and its
 * connection is not used again. Of headers only those are looked at that say where the answer ends and what becomes of the
 * connection.
 */
export class AnswerReader {
  /** Null until the status line of the answer itself is there, and its headers. */
  status: number | null = null;
  location: string | null = null;
  /** For how long the connection may be kept, in milliseconds, if the other end said; 0: not at all. */
  keepMs = Number.POSITIVE_INFINITY;
  #part: Part = 'head';
  /** Bytes of a line, or of a head, that is not whole. */
  #rest: Buffer | null = null;
  /** Bytes to come of the body, or of the chunk. */
  #left = 0;
  #trailers = 0;
  #taken = 0;
  readonly #kept: Buffer[] = [];
  #size = 0;

  /** The first of its body. */
  get bytes(): Buffer | null {
    if (this.status === null) return null;
    return this.#kept.length === 1 ? this.#kept[0]! : Buffer.concat(this.#kept);
  }

  /** True: nothing more is to be read. Throws a failure. The bytes are only lent: what is kept of them is copied. */
  take(bytes: Buffer): boolean {
    this.#taken += bytes.length;
    if (this.#taken > MOST_BYTES) throw tooLarge();
    let rest: Buffer | null = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = null;
    while (rest !== null && this.#part !== 'over') rest = this.#step(rest);
    if (rest !== null && rest.length > 0) this.keepMs = 0;
    return this.#part === 'over';
  }

  /** The other end closed: that is how some answers end, and what cuts others short. */
  end(): void {
    if (this.#part !== 'until closed') throw closed();
    this.#part = 'over';
  }

  /** Reads one thing, and gives back what is behind it; null: the rest is to come. */
  #step(bytes: Buffer): Buffer | null {
    switch (this.#part) {
      case 'head':
        return this.#head(bytes);
      case 'length':
      case 'chunk':
        return this.#body(bytes);
      case 'until closed':
        this.#keep(bytes);
        return null;
      case 'size':
        return this.#line(bytes, SIZE_LINE_BYTES, (line) => {
          const size = SIZE_LINE.exec(line)?.[1];
          if (size === undefined) throw notHttp();
          this.#left = Number.parseInt(size, 16);
          this.#part = this.#left === 0 ? 'trailers' : 'chunk';
        });
      case 'chunk end':
        return this.#line(bytes, SIZE_LINE_BYTES, (line) => {
          if (line !== '') throw notHttp();
          this.#part = 'size';
        });
      default:
        return this.#line(bytes, HEAD_BYTES - this.#trailers, (line) => {
          if (line === '') this.#part = 'over';
          else if (!HEADER.test(line)) throw notHttp();
          this.#trailers += line.length + 2;
        });
    }
  }

  #head(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf('\r\n\r\n');
    if (end > HEAD_BYTES || (end < 0 && bytes.length > HEAD_BYTES)) {
      throw new Failure('the headers of the answer are too large');
    }
    if (end < 0) {
      const begun = bytes.toString('latin1', 0, 7);
      if (!'HTTP/1.'.startsWith(begun) || /(?<!\r)\n/.test(bytes.toString('latin1'))) throw notHttp();
      this.#rest = Buffer.from(bytes);
      return null;
    }
    const [first, ...headers] = bytes.toString('latin1', 0, end).split('\r\n');
    const [, minor, code] = STATUS_LINE.exec(first!) ?? [];
    if (code === undefined) throw notHttp();
    const status = Number(code);
    if (status === 101) throw closed(); // it goes on in a protocol that nobody asked for
    this.#understand(status, minor === '1', headers);
    return bytes.subarray(end + 4);
  }

  #understand(status: number, persistent: boolean, headers: readonly string[]): void {
    let length: string | null = null;
    let coding: string | null = null;
    let connection = '';
    let hint: string | undefined;
    let location: string | null = null;
    for (const line of headers) {
      const [, name, padded] = HEADER.exec(line) ?? [];
      if (name === undefined) throw notHttp();
      const value = withoutPadding(padded!);
      switch (name.toLowerCase()) {
        case 'content-length':
          if (length !== null || !/^\d{1,15}$/.test(value)) throw notHttp();
          length = value;
          break;
        case 'transfer-encoding':
          coding = coding === null ? value : `${coding},${value}`;
          break;
        case 'connection':
          connection += `,${value.toLowerCase()}`;
          break;
        case 'keep-alive':
          hint = /timeout=(\d{1,9})/i.exec(value)?.[1] ?? hint;
          break;
        case 'location':
          location ??= value;
          break;
      }
    }
    if (length !== null && coding !== null) throw notHttp();
    if (status < 200) return; // a hint; the answer is to come
    this.status = status;
    this.location = location;
    const words = connection.split(',').map((word) => word.trim());
    if (words.includes('close') || (!persistent && !words.includes('keep-alive'))) this.keepMs = 0;
    // A second less than the other end: who closes first sends nothing into a closed connection.
    else if (hint !== undefined) this.keepMs = Math.max(0, Number(hint) * 1000 - 1000);
    this.#left = Number(length ?? 0);
    if (status === 204 || status === 304) this.#part = 'over';
    else if (coding !== null) this.#part = /(^|,)[\t ]*chunked[\t ]*$/i.test(coding) ? 'size' : 'until closed';
    else if (length === null) this.#part = 'until closed';
    else this.#part = this.#left === 0 ? 'over' : 'length';
    if (this.#part === 'until closed') this.keepMs = 0;
  }

  #body(bytes: Buffer): Buffer | null {
    const whole = bytes.length >= this.#left;
    const mine = whole ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= mine.length;
    this.#keep(mine);
    if (!whole) return null;
    // `keep` may have had enough.
    if (this.#part === 'length') this.#part = 'over';
    else if (this.#part === 'chunk') this.#part = 'chunk end';
    return bytes.subarray(mine.length);
  }

  #keep(bytes: Buffer): void {
    const room = ANSWER_BYTES - this.#size;
    if (room > 0 && bytes.length > 0) this.#kept.push(Buffer.from(bytes.subarray(0, room)));
    this.#size += bytes.length;
    if (this.#size <= ANSWER_BYTES) return;
    this.#part = 'over';
    this.keepMs = 0;
  }

  #line(bytes: Buffer, most: number, read: (line: string) => void): Buffer | null {
    const end = bytes.indexOf(LF);
    if (end > most + 1 || (end < 0 && bytes.length > most + 1)) throw tooLarge();
    if (end < 0) {
      this.#rest = Buffer.from(bytes);
      return null;
    }
    if (bytes[end - 1] !== CR) throw notHttp();
    read(bytes.toString('latin1', 0, end - 1));
    return bytes.subarray(end + 1);
  }
}
const LF = 0x0a;
const CR = 0x0d;

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid, refuse } from '../../common/refusal.ts';
import type { Upload } from '../operation.ts';
import { spool } from './upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The file that was a field of a JSON body, and the fingerprint of the whole body. */
    field: { upload: Upload; fingerprint: string; discard(): Promise<void> } | null;
  }
}

/** How large the other fields of the body may be together. */
const REST_LIMIT = 1024 * 1024;

/**
 * Takes the file out of a JSON body piece by piece while it arrives, and leaves the small rest to be read like any other body.
 * Parsing 38 MB at once kept all other requests waiting for a second and a half.
 */
export function fileFieldHook(field: string, limit: number, bodyLimit: number) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: Readable): Promise<Readable> => {
    const { 'content-type': type = '', 'content-length': length } = request.headers;
    if (!/^application\/(.+\+)?json/i.test(type) || Number(length) > bodyLimit) return payload;
    const hash = createHash('sha256').update(`${request.method}\n${request.url}\n`);
    const scanner = new FieldScanner(field);
    let size = 0;
    async function* parts(): AsyncGenerator<Buffer> {
      for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > bodyLimit) refuse('payload_too_large');
        hash.update(chunk);
        yield* scanner.push(chunk);
        // Lets other requests have their turn. A socket delivers up to 2 MB at once, and 1 MB of small keys kept others waiting
        // for a second.
        await nextTurn();
      }
    }
    const {
      digest: _own,
      discard,
      ...upload
    } = await spool(parts(), null, limit).catch((error) => {
      // A client that is refused in the middle goes on sending, and its next request on this connection would wait forever. So the
      // rest of the body is read and dropped, up to the limit of a body.
      if (size > bodyLimit) reply.header('Connection', 'close');
      payload.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > bodyLimit) payload.destroy();
      });
      throw error;
    });
    if (scanner.restIsTooLarge) {
      await discard();
      refuse('payload_too_large', {
        message: `The fields beside \`${field}\` are larger than 1 MB together. Make them smaller.`,
      });
    }
    if (scanner.found) request.field = { upload, discard, fingerprint: hash.digest('hex') };
    // Fastify compares this number with the header `Content-Length`.
    return Object.assign(Readable.from(scanner.rest), { receivedEncodedLength: size });
  };
}

const [QUOTE, BACKSLASH, LETTER_U, COLON, COMMA] = [0x22, 0x5c, 0x75, 0x3a, 0x2c];
const [OPENS, CLOSES] = [new Set([0x7b, 0x5b]), new Set([0x7d, 0x5d])];
const OBJECT = 0x7b;
const LONGEST_KEY = 200;

/**
 * Goes through a JSON text byte by byte. The string in one field of the outermost object comes out decoded; everything else is
 * the rest, with `"-"` in place of the string (`""` if it was empty). Errors of the JSON inside the string are found here, all
 * others by whoever parses the rest.
 *
 *   outside   Between strings.
 *   key       In the name of a field of the outermost object.
 *   string    In any other string.
 *   file      In the string that is taken out.
 *
 *   outside → key, string or file   A quote opens a string (`#opens` says which).
 *   key, string, file → outside     A quote that is not escaped closes it.
 */
export class FieldScanner {
  found = false;
  restIsTooLarge = false;
  readonly rest: Buffer[] = [];
  readonly #field: string;
  #restSize = 0;
  #where: 'outside' | 'key' | 'string' | 'file' = 'outside';
  #depth = 0;
  #inObject = false;
  #expects: 'key' | 'value' = 'key';
  #key = '';
  #rawKey: number[] = [];
  /** Inside a string: -1 after a backslash, else how many digits of \uXXXX are still to come. */
  #escape = 0;
  /** The beginning of an escape whose end comes in the next piece. */
  #carried = Buffer.alloc(0);
  /** The first half of a surrogate pair whose second half comes in the next piece. */
  #highSurrogate = '';
  #isEmpty = true;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  constructor(field: string) {
    this.#field = field;
  }

  /** The bytes of the file in this piece. */
  *push(chunk: Buffer): Generator<Buffer> {
    if (this.restIsTooLarge) return; // the request is refused once it has arrived
    let kept = 0;
    let i = 0;
    while (i < chunk.length) {
      if (this.#where !== 'file') {
        if (this.#look(chunk[i]!)) {
          this.#keep(chunk.subarray(kept, i));
          this.#where = 'file';
          this.found = true;
        }
        i += 1;
        continue;
      }
      const begun = i;
      const { end, safe } = this.#endOfText(chunk, begun);
      const closed = end < chunk.length;
      const bytes = Buffer.concat([this.#carried, chunk.subarray(begun, closed ? end : undefined)]);
      // An escape whose end comes in the next piece is left for then.
      const complete = closed ? bytes.length : safe > begun ? bytes.length - (chunk.length - safe) : 0;
      this.#carried = bytes.subarray(complete);
      const text = this.#textOf(bytes.subarray(0, complete), closed);
      if (text !== '') {
        this.#isEmpty = false;
        yield Buffer.from(text);
      }
      if (!closed) return;
      this.#where = 'outside';
      this.#keep(Buffer.from(this.#isEmpty ? '""' : '"-"'));
      kept = end + 1;
      i = end + 1;
    }
    if (this.#where !== 'file') this.#keep(chunk.subarray(kept));
  }

  /** Reads one byte outside the file. True if it opens the file. */
  #look(code: number): boolean {
    if (this.#where !== 'outside') {
      const ends = this.#escape === 0 && code === QUOTE;
      this.#escape = this.#escape === 0 && code === BACKSLASH ? -1 : 0;
      if (this.#where === 'key' && !ends && this.#rawKey.length < LONGEST_KEY) this.#rawKey.push(code);
      if (!ends) return false;
      if (this.#where === 'key') this.#key = keyOf(this.#rawKey);
      this.#where = 'outside';
      return false;
    }
    if (code === QUOTE) return this.#opens();
    if (OPENS.has(code)) {
      this.#depth += 1;
      if (this.#depth === 1) [this.#inObject, this.#expects] = [code === OBJECT, 'key'];
    } else if (CLOSES.has(code)) this.#depth -= 1;
    else if (this.#depth === 1 && code === COLON) this.#expects = 'value';
    else if (this.#depth === 1 && code === COMMA) this.#expects = 'key';
    return false;
  }

  #opens(): boolean {
    const outermost = this.#depth === 1 && this.#inObject;
    if (outermost && this.#expects === 'value' && this.#key === this.#field) {
      if (this.found) invalid({ path: this.#field, message: 'was sent twice; send it once' });
      return true;
    }
    this.#where = outermost && this.#expects === 'key' ? 'key' : 'string';
    this.#rawKey = [];
    return false;
  }

  /** Where the string ends, or else the piece; and up to where (`safe`) no escape is cut in two. */
  #endOfText(chunk: Buffer, from: number): { end: number; safe: number } {
    let inside = this.#escape;
    let safe = from;
    let i = from;
    for (; i < chunk.length; i += 1) {
      const code = chunk[i]!;
      if (inside === 0) {
        if (code === QUOTE) break;
        if (code === BACKSLASH) inside = -1;
      } else if (inside === -1) inside = code === LETTER_U ? 4 : 0;
      else inside -= 1;
      if (inside === 0) safe = i + 1;
    }
    this.#escape = i < chunk.length ? 0 : inside;
    return { end: i, safe };
  }

  #textOf(bytes: Buffer, closed: boolean): string {
    let text: string;
    try {
      text = this.#highSurrogate + JSON.parse(`"${this.#decoder.decode(bytes, { stream: !closed })}"`);
    } catch (error) {
      const message = error instanceof SyntaxError ? 'is not JSON' : 'is not UTF-8';
      return invalid({ path: '', message: `the body ${message}` });
    }
    this.#highSurrogate = '';
    if (!closed && /[\ud800-\udbff]$/.test(text)) {
      this.#highSurrogate = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text.includes('\u0000')) invalid({ path: this.#field, message: 'must not contain U+0000' });
    if (!text.isWellFormed()) invalid({ path: this.#field, message: 'must not contain half a surrogate pair' });
    return text;
  }

  #keep(bytes: Buffer): void {
    this.#restSize += bytes.length;
    this.restIsTooLarge ||= this.#restSize > REST_LIMIT;
    if (this.restIsTooLarge) this.rest.length = 0;
    else if (bytes.length > 0) this.rest.push(Buffer.from(bytes));
  }
}

function keyOf(raw: readonly number[]): string {
  try {
    return JSON.parse(`"${Buffer.from(raw).toString()}"`);
  } catch {
    return ''; // not JSON; the parser of the rest reports it
  }
}

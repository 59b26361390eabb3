import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import { encodings } from '../../road/request/encodings.ts';

/** An answer that is the same for everybody, ready to be sent. */
export interface Ready {
  body: Buffer;
  gzip: Buffer;
  brotli: Buffer;
  etag: string;
  headers: Readonly<Record<string, string>>;
}

export async function ready(text: string, headers: Readonly<Record<string, string>>): Promise<Ready> {
  const body = Buffer.from(text);
  const [zipped, smaller] = await Promise.all([
    promisify(gzip)(body),
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  // A browser that is told 304 keeps the policy it got with the page, so a page with another policy is another page.
  const policy = headers['Content-Security-Policy'] ?? '';
  const etag = `"${createHash('sha256').update(policy).update(body).digest('base64url').slice(0, 22)}"`;
  return { body, gzip: zipped, brotli: smaller, etag, headers };
}

/** How old an answer may be when it is sent. Places may go meanwhile; the form decides when it is sent, not the page. */
const FRESH_MS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

interface KeptAnswer {
  at: number;
  answer: Ready;
}

/**
 * Keeps the answers of pages that many people open at the same time. Whoever asks while an answer is being made waits for it, so that a
 * rush costs one read a second for each page. What does not exist is not kept: made-up addresses cost a look into the database each, and
 * no memory.
 */
export class PageMemory {
  readonly #clock: Clock;
  /** In the order of their making: the oldest first. */
  readonly #answers = new Map<string, KeptAnswer>();
  readonly #making = new Map<string, Promise<Ready | null>>();
  #bytes = 0;
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How much is kept, and how many answers are being made. */
  get size(): { answers: number; bytes: number; making: number } {
    return { answers: this.#answers.size, bytes: this.#bytes, making: this.#making.size };
  }

  async get(key: string, make: () => Promise<Ready | null>): Promise<Ready | null> {
    const known = this.#answers.get(key);
    const now = this.#clock.now().getTime();
    if (known !== undefined && now - known.at < FRESH_MS && now >= known.at) return known.answer;
    let making = this.#making.get(key);
    if (making === undefined) {
      making = this.#make(key, make).finally(() => this.#making.delete(key));
      this.#making.set(key, making);
    }
    return making;
  }

  async #make(key: string, make: () => Promise<Ready | null>): Promise<Ready | null> {
    // The time before reading: what changes while it is read must not count as known.
    const at = this.#clock.now().getTime();
    const answer = await make();
    this.#drop(key);
    if (answer === null) return null;
    this.#answers.set(key, { at, answer });
    this.#bytes += sizeOf(answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
    return answer;
  }

  #drop(key: string): void {
    const known = this.#answers.get(key);
    if (known === undefined) return;
    this.#bytes -= sizeOf(known.answer);
    this.#answers.delete(key);
  }
}

const sizeOf = ({ body, gzip: zipped, brotli }: Ready): number => body.length + zipped.length + brotli.length + 1000;

/** Sends a ready answer, compressed if the client takes it, or 304 if the client has it. */
export function sendReady(request: FastifyRequest, reply: FastifyReply, answer: Ready): FastifyReply {
  reply.headers(answer.headers).header('ETag', answer.etag);
  const known = request.headers['if-none-match'];
  if (known !== undefined && (known === '*' || known.includes(answer.etag))) return reply.code(304).send();
  const taken = encodings(request.headers['accept-encoding']);
  if (taken.has('br')) return reply.header('Content-Encoding', 'br').send(answer.brotli);
  if (taken.has('gzip')) return reply.header('Content-Encoding', 'gzip').send(answer.gzip);
  return reply.send(answer.body);
}

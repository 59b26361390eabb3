import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface File {
  type: string;
  bytes: Buffer;
  gzip: Buffer;
  brotli: Buffer;
  tag: string;
}

/** Stronger brotli needs ten times as long for a tenth less, and somebody waits for it. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

export async function file(type: string, content: string | Buffer): Promise<File> {
  const bytes = Buffer.from(content as string);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  const [zipped, brotli] = await Promise.all([promisify(gzip)(bytes), promisify(brotliCompress)(bytes, BROTLI)]);
  return { type: `${type}; charset=utf-8`, bytes, gzip: zipped, brotli, tag };
}

export function send(request: FastifyRequest, reply: FastifyReply, given: File): FastifyReply {
  const { type, bytes, tag } = given;
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
  reply.header('ETag', `W/"${tag}"`).header('Vary', 'Accept-Encoding').header('X-Content-Type-Options', 'nosniff');
  if (request.headers['if-none-match']?.includes(`"${tag}"`)) return reply.code(304).send();
  if (encoding !== null) reply.header('Content-Encoding', encoding);
  return reply.type(type).send(encoding === 'br' ? given.brotli : encoding === 'gzip' ? given.gzip : bytes);
}

/** Makes a value when it is first needed, once. After a failure the next caller tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

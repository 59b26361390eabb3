import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../road/operation.ts';
import { type Addresses, openapiDocument } from './document.ts';
import { referencePage } from './page/page.ts';

export interface ReferenceParts extends Addresses {
  operations: readonly Operation[];
  /** The sandbox's public test key, if this installation has a sandbox. */
  testKey: string | null;
}

/** The page loads everything from this server, so it works without the internet (docs/decisions/0011-reference-page.md). */
const FILES = {
  'swagger-ui-bundle.js': [
    'text/javascript',
    fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  ],
  'swagger-ui.css': ['text/css', fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))],
  'reference.js': ['text/javascript', fileURLToPath(new URL('page/reference.js', import.meta.url))],
  'reference.css': ['text/css', fileURLToPath(new URL('page/reference.css', import.meta.url))],
} as const;

/** People type their key into this page. So it loads nothing from elsewhere, runs no inline script and cannot be framed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves `/v1/openapi.json` and `/docs` to everybody. Each file is made, hashed and compressed when it is first requested. */
export function referencePages(app: FastifyInstance, parts: ReferenceParts): void {
  const document = once(() => file('application/json', JSON.stringify(openapiDocument(parts.operations, parts))));
  app.get('/v1/openapi.json', async (request, reply) => {
    // Browser tools on other sites read the document, and nothing in it is secret.
    reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-cache');
    return send(request, reply, await document());
  });

  const files = Object.entries(FILES).map(
    ([name, [type, path]]) => [name, once(async () => file(type, await readFile(path)))] as const,
  );
  for (const [name, read] of files) {
    app.get(`/docs/${name}`, async (request, reply) => {
      reply.header('Cache-Control', 'public, max-age=31536000, immutable'); // the page's link contains the hash
      return send(request, reply, await read());
    });
  }

  const page = once(async () => {
    const addresses: Record<string, string> = {};
    for (const [name, read] of files) addresses[name] = `/docs/${name}?${(await read()).tag}`;
    return file('text/html', referencePage(addresses, parts));
  });
  app.get('/docs', async (request, reply) => {
    reply
      .header('Content-Security-Policy', POLICY)
      .header('Referrer-Policy', 'no-referrer')
      .header('Cache-Control', 'no-cache');
    return send(request, reply, await page());
  });
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308));
}

interface File {
  type: string;
  bytes: Buffer;
  packed: Buffer;
  tag: string;
}

async function file(type: string, content: string | Buffer): Promise<File> {
  const bytes = Buffer.from(content as string);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return { type: `${type}; charset=utf-8`, bytes, packed: await promisify(gzip)(bytes), tag };
}

function send(request: FastifyRequest, reply: FastifyReply, { type, bytes, packed, tag }: File): FastifyReply {
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  reply.header('ETag', `W/"${tag}"`).header('Vary', 'Accept-Encoding').header('X-Content-Type-Options', 'nosniff');
  if (request.headers['if-none-match']?.includes(`"${tag}"`)) return reply.code(304).send();
  if (takesGzip) reply.header('Content-Encoding', 'gzip');
  return reply.type(type).send(takesGzip ? packed : bytes);
}

/** Makes a value when it is first needed, once. After a failure the next caller tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Operation } from '../road/operation.ts';
import { unknownAddress } from '../road/request/unknown-address.ts';
import { type Addresses, openapiDocument } from './document.ts';
import { documentOfPage } from './page/document.ts';
import { type File, file, once, send } from './page/files.ts';
import { referencePage } from './page/page.ts';

export interface ReferenceParts extends Addresses {
  operations: readonly Operation[];
  /** The sandbox's public test key, if this installation has a sandbox. */
  testKey: string | null;
}

/** The page loads everything from this server, so it works without the internet (docs/decisions/0040-reference-page.md). */
const OWN = {
  'reference.js': 'text/javascript',
  'reference.css': 'text/css',
} as const;
/** Scalar's built files, as they come from its package (`npm run vendor`). */
const SCALAR = new URL('../../vendor/scalar/', import.meta.url);
const MAIN = 'standalone.esm.js';

/** People type their key into this page. So it loads nothing from elsewhere, runs no inline script and cannot be framed. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The reference makes its style sheets in the browser, marked with the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Serves `/v1/openapi.json` and `/docs` to everybody. Each file is made, hashed and compressed when it is first requested. */
export function referencePages(app: FastifyInstance, parts: ReferenceParts): void {
  const published = once(async () => openapiDocument(parts.operations, parts));
  const document = once(async () => file('application/json', JSON.stringify(await published())));
  app.get('/v1/openapi.json', async (request, reply) => {
    // Browser tools on other sites read the document, and nothing in it is secret.
    reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-cache');
    return send(request, reply, await document());
  });

  const served = new Map<string, () => Promise<File>>([
    [
      'openapi.json',
      once(async () =>
        file('application/json', JSON.stringify(documentOfPage(await published(), parts.testKey !== null))),
      ),
    ],
    ...Object.entries(OWN).map(
      ([name, type]) =>
        [name, once(async () => file(type, await readFile(new URL(`page/${name}`, import.meta.url))))] as const,
    ),
  ]);
  for (const [name, read] of served) {
    app.get(`/docs/${name}`, async (request, reply) => {
      reply.header('Cache-Control', FOREVER); // the page's link contains the hash
      return send(request, reply, await read());
    });
  }

  const scalar = once(readScalar);
  app.get<{ Params: { version: string; '*': string } }>('/docs/scalar/:version/*', async (request, reply) => {
    const { version, files } = await scalar();
    const read = request.params.version === version ? files.get(request.params['*']) : undefined;
    if (read === undefined) return unknownAddress();
    reply.header('Cache-Control', FOREVER); // the version is part of the address
    return send(request, reply, await read());
  });

  const page = once(async () => {
    const { version, files, loaded } = await scalar();
    const address = async (name: string) => `/docs/${name}?${(await served.get(name)!()).tag}`;
    const own = Object.fromEntries(
      await Promise.all(Object.keys(OWN).map(async (name) => [name, await address(name)])),
    );
    // The first visitor must not wait until they are compressed, one after the other.
    await Promise.all(loaded.map((name) => files.get(name)!()));
    return {
      own,
      modules: loaded.map((name) => `/docs/scalar/${version}/${name}`),
      document: await address('openapi.json'),
    };
  });
  app.get('/docs', async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64url');
    reply.header('Content-Security-Policy', policy(nonce)).header('Referrer-Policy', 'no-referrer');
    return reply.type('text/html; charset=utf-8').send(referencePage(await page(), { testKey: parts.testKey, nonce }));
  });
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308));
}

const FOREVER = 'public, max-age=31536000, immutable';

/** The files of the reference, by name, and those that its main file loads at once. They are looked up in a map, so no name becomes a path. */
async function readScalar() {
  const list = await readFile(new URL('vendored.json', SCALAR), 'utf8');
  const { version, files: hashes } = JSON.parse(list) as { version: string; files: Record<string, string> };
  const files = new Map(
    Object.keys(hashes).map((name) => [
      name,
      once(async () => file('text/javascript', await readFile(new URL(name, SCALAR)))),
    ]),
  );
  const main = await readFile(new URL(MAIN, SCALAR), 'utf8');
  const imported = [...main.matchAll(/from\s*["'`]\.\/(chunks\/[\w.-]+\.js)["'`]/g)].map((match) => match[1]!);
  return { version, files, loaded: [MAIN, ...new Set(imported)].filter((name) => files.has(name)) };
}

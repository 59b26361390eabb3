import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../common/refusal.ts';
import { encodings } from '../road/request/encodings.ts';
import { type AppName, WEB_APPS, type WebApp } from './apps.ts';
import { type BuiltApp, type BuiltFile, readBuiltApp } from './built-app.ts';

export interface AppPageParts {
  publicUrl: string;
  /** The folders of builds; tests have their own. */
  builds?: Partial<Record<AppName, string>>;
}

const notBuilt = (title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>The app is not built</h1><p>Start the server with <code>npm start</code>, which builds it, and read what it prints.</p></body></html>
`;

/** The apps of browsers: the organizer's at /app and the scanner at /scan. */
export function appPages(app: FastifyInstance, { publicUrl, builds = {} }: AppPageParts): void {
  const common = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
  for (const name of Object.keys(WEB_APPS) as AppName[]) {
    const web = WEB_APPS[name];
    pagesOf(app, web, common, onceBuilt(builds[name] ?? web.builds));
  }
}

/**
 * One app: one page for every address below its path, which draws the screen that the address names, and its files. Those in `assets`
 * have the hash of their content in their names, so browsers keep them for good; the page, and what stands beside it under a name that
 * stays the same (icons, the service worker), is asked for each time.
 */
function pagesOf(
  app: FastifyInstance,
  { path: at, title, notThePage, headers }: WebApp,
  common: Readonly<Record<string, string>>,
  built: () => Promise<BuiltApp | null>,
): void {
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    if (notThePage.test(path)) return refuse('not_found', { message: NOTHING_HERE });
    const ready = await built();
    reply.headers({ ...common, ...headers }).header('Cache-Control', 'no-cache');
    if (ready === null) return reply.code(503).type('text/html; charset=utf-8').send(notBuilt(title));
    const file = ready.beside.get(path.slice(at.length + 1)) ?? ready.page;
    reply.header('ETag', `"${file.tag}"`);
    if (request.headers['if-none-match']?.includes(`"${file.tag}"`)) return reply.code(304).send();
    return send(request, reply, file);
  };
  app.route({ method: ['GET', 'HEAD'], url: at, handler: page });
  app.route({ method: ['GET', 'HEAD'], url: `${at}/*`, handler: page });

  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: `${at}/assets/:name`,
    handler: async (request, reply) => {
      const file = (await built())?.assets.get(request.params.name);
      if (file === undefined) return refuse('not_found', { message: NOTHING_HERE });
      reply.headers(common).header('Cache-Control', 'public, max-age=31536000, immutable');
      return send(request, reply, file);
    },
  });
}

const NOTHING_HERE = 'There is nothing at this address. Check its spelling against /docs.';

function send(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  reply.type(file.type).header('Vary', 'Accept-Encoding');
  const taken = encodings(request.headers['accept-encoding']);
  if (file.brotli !== null && taken.has('br')) return reply.header('Content-Encoding', 'br').send(file.brotli);
  if (file.gzip !== null && taken.has('gzip')) return reply.header('Content-Encoding', 'gzip').send(file.gzip);
  return reply.send(file.bytes);
}

/** Reads the build when the first page is asked for, and again as long as there is none. */
function onceBuilt(builds: string): () => Promise<BuiltApp | null> {
  let reading: Promise<BuiltApp | null> | undefined;
  return async () => {
    reading ??= readBuiltApp(builds);
    try {
      const found = await reading;
      if (found === null) reading = undefined;
      return found;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
}

/**
 * The service worker: keeps the files of one version of the scanner, so that it opens without a network.
 *
 * A version is kept whole or not at all. It is installed beside the one that is used, and takes over when the page says that nothing is
 * going on (updates.ts). It answers for the page and its files only; calls of the API pass it by.
 */
import { TAKE_OVER, type WorkerScope } from './scope.ts';

/** Put here when the app is built (vite-service-worker.ts): addresses with the hash of their content, and the hash of all of it. */
declare const __FILES__: readonly (readonly [path: string, integrity: string])[];
declare const __BUILD__: string;

const worker = self as unknown as WorkerScope;
const PREFIX = 'turnout-scan-';
const CACHE = PREFIX + __BUILD__;
const PAGE = '/scan/';
/** The names of the files below it contain a hash of their content. */
const ASSETS = '/scan/assets/';
const files = __FILES__;
const paths = new Set(files.map(([path]) => path));

worker.addEventListener('install', (event) => event.waitUntil(fill()));
worker.addEventListener('activate', (event) => event.waitUntil(removeOthers().then(() => worker.clients.claim())));
worker.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(worker.skipWaiting());
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') {
    if (!isScreen(pathname)) return;
    event.respondWith(kept(PAGE, request));
    // Whatever is missing by now, such as files that were deleted by hand, is loaded again. Without a network it has to wait.
    event.waitUntil(fill().catch(() => undefined));
  } else if (paths.has(pathname)) {
    event.respondWith(kept(pathname, request));
  }
});

/** The scope also covers addresses that only begin alike, such as /scan-cases.json. */
const isScreen = (path: string) =>
  path === '/scan' || (path.startsWith('/scan/') && (path === PAGE || !paths.has(path)));

const kept = async (path: string, request: Request): Promise<Response> =>
  (await (await caches.open(CACHE)).match(path)) ?? fetch(request);

/** Loads what is missing. One that was broken off goes on where it stopped: a file is in the cache whole or not at all. */
async function fill(): Promise<void> {
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await Promise.all(
    files
      .filter(([path]) => !there.has(path))
      .map(async ([path, integrity]) => cache.put(path, await find(path, integrity))),
  );
}

async function find(path: string, integrity: string): Promise<Response> {
  if (!path.startsWith(ASSETS)) return load(path, integrity, 'no-cache');
  // Most files, and the large decoder, are the same in the next version.
  const older = await caches.match(path);
  if (older !== undefined) return older;
  // The page may just have loaded it. What is in the browser's own cache may also be a lie of a captive portal: then it is asked for anew.
  return load(path, integrity, 'default').catch(() => load(path, integrity, 'reload'));
}

/** Fails if the content is not exactly that of this version: networks with a sign-in page answer everything with it. */
async function load(path: string, integrity: string, cache: RequestCache): Promise<Response> {
  const answer = await fetch(path, { integrity, cache, redirect: 'error' });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
  return answer;
}

async function removeOthers(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

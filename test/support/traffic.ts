import type { BrowserContext } from 'playwright-core';
import { accountOperations, operations } from '../../server/src/areas/index.ts';

const pattern = (path: string) => path.replaceAll(/\{\w+\}/g, '[^/]+');

/** The operations that a browser app may use: those that members have, and those of accounts. */
const ALLOWED = [
  ...operations
    .filter(({ member }) => member !== null)
    .map(({ method, path, id }) => ({ id, method, path: `/[^/-][^/]*${pattern(path)}` })),
  ...accountOperations.map(({ method, path, id }) => ({ id, method, path: `/-${pattern(path)}` })),
].map(({ id, method, path }) => ({ id, method, path: new RegExp(`^/app/api${path}$`) }));

/** Pages and files of the app, and the page that a provider of single sign-on comes back to. */
const PAGES = /^\/app(\/(?!api\/).*)?$/;

/**
 * Notes every request of a browser, and which of them the app may not make: whatever is neither an operation nor a page or file of
 * ours. Nothing may go to another host.
 */
export function noteTraffic(context: BrowserContext, home: string): { used: Set<string>; strange: string[] } {
  const used = new Set<string>();
  const strange: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    const call = `${request.method()} ${url.origin === home ? '' : url.origin}${url.pathname}`;
    if (url.origin !== home) return void strange.push(call);
    if (request.method() === 'GET' && PAGES.test(url.pathname)) return;
    const operation = ALLOWED.find(({ method, path }) => method === request.method() && path.test(url.pathname));
    if (operation === undefined) strange.push(call);
    else used.add(operation.id);
  });
  return { used, strange };
}

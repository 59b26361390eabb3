import { fileURLToPath } from 'node:url';

export type AppName = 'admin' | 'scan';

/** How one of the browser apps is served. */
export interface WebApp {
  /** One page answers every address from here on. */
  readonly path: string;
  readonly title: string;
  /** The folder of its builds. */
  readonly builds: string;
  /** Addresses below the path that are never the page. */
  readonly notThePage: RegExp;
  /** Headers of the page, and of the files that stand beside it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Scripts, styles, fonts and calls only from this server; nothing inline; no frame around the page. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};
const policy = (more: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...POLICY, ...more })
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

const buildsOf = (app: AppName): string => fileURLToPath(new URL(`../../../web/${app}/dist`, import.meta.url));

export const WEB_APPS: Readonly<Record<AppName, WebApp>> = {
  admin: {
    path: '/app',
    title: 'Turnout',
    builds: buildsOf('admin'),
    // The operations have their own answer for an address that does not exist.
    notThePage: /^\/app\/(api|assets)(\/|$)/,
    headers: { 'Content-Security-Policy': policy() },
  },
  scan: {
    path: '/scan',
    title: 'Turnout Scanner',
    builds: buildsOf('scan'),
    notThePage: /^\/scan\/assets(\/|$)/,
    headers: {
      // The decoder is WebAssembly and runs in a worker; the picture of the camera is a stream or a blob.
      'Content-Security-Policy': policy({
        'script-src': "'self' 'wasm-unsafe-eval'",
        'worker-src': "'self'",
        'media-src': "'self' blob:",
      }),
      'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
      // The service worker is the file /scan/sw.js, but the page that it has to answer is /scan, without a slash.
      'Service-Worker-Allowed': '/scan',
    },
  },
};

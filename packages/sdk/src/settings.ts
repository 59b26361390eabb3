import type { TurnoutError } from './errors.ts';
import { VERSION } from './version.ts';

export interface Retry {
  operation: string;
  /** 1 for the first retry. */
  retry: number;
  /** In milliseconds. */
  delay: number;
  /** Why the try before failed. */
  error: TurnoutError;
}

export interface TurnoutOptions {
  /** The address of the installation, such as `https://tickets.example.org`, with or without `/v1` at its end. */
  baseUrl: string;
  /** The API key. Without it, only `publicEvents` works. In a browser it is refused, because everybody could read it there. */
  key?: string | undefined;
  /** The address of the scanner host, if it is another one than that of the API. */
  scannerUrl?: string | undefined;
  /** How long each try of a call may take, in milliseconds. The default is 30,000. */
  timeout?: number | undefined;
  /** How often a call is tried again after a failure that may pass. The default is 4. */
  maxRetries?: number | undefined;
  /** Called before each retry, for your log. */
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The name of an app that many organizations use, sent as `X-Service-Client`. Leave it out in an integration of your own. */
  client?: string | undefined;
}

export interface Settings {
  hosts: { api: string; scanner: string; public: string };
  key: string | undefined;
  client: string | undefined;
  timeout: number;
  maxRetries: number;
  onRetry: ((retry: Retry) => void) | undefined;
  fetch: typeof globalThis.fetch;
  userAgent: string;
}

export function settingsOf(options: TurnoutOptions): Settings {
  const { key, client, timeout = 30_000, maxRetries = 4, onRetry } = options;
  if (key !== undefined) checkKey(key);
  const base = addressOf('baseUrl', options.baseUrl).replace(/\/v1$/, '');
  const scanner = options.scannerUrl === undefined ? base : addressOf('scannerUrl', options.scannerUrl);
  return {
    hosts: { api: `${base}/v1`, scanner: `${scanner.replace(/\/api\/v1$/, '')}/api/v1`, public: base },
    key,
    client,
    timeout,
    maxRetries,
    onRetry,
    // Looked up at each call, and called as a function of the global object, which some runtimes insist on.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    userAgent: `turnout-sdk-js/${VERSION}`,
  };
}

function checkKey(key: string): void {
  if (isBrowser()) {
    throw new TypeError(
      'An API key does not belong in a browser, where everybody can read it. Call Turnout from your server. In a browser, leave the key out and use publicEvents.',
    );
  }
  // Without this, the runtime would complain about the header and show the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('The key is empty or has characters that no key has, such as a line break at its end.');
  }
}

/** The other runtimes call themselves by their own names: `Node.js/24`, `Deno/2.5`, `Bun/1.3`, `Cloudflare-Workers`. */
function isBrowser(): boolean {
  const { document, navigator } = globalThis as { document?: unknown; navigator?: { userAgent?: string } };
  return document !== undefined || /^Mozilla\//.test(navigator?.userAgent ?? '');
}

function addressOf(name: string, text: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!plain || url.username !== '' || url.password !== '') {
    throw new TypeError(
      `${name} has to be an http or https address such as https://tickets.example.org, without a query.`,
    );
  }
  return withoutSlash(`${url.origin}${url.pathname}`);
}

/** Not by an expression such as `/\/+$/`, which takes the square of the time for a text of many slashes. */
function withoutSlash(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

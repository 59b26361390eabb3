import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../running.ts';

/** Builds the bare page with the engine, as the app is built: with the roster's worker in a file of its own. */
export async function buildScanPage(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-scan-page-'));
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: join(ROOT, 'test/support/scanner'),
    base: '/scan/',
    logLevel: 'warn',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2024', modulePreload: false },
  });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a network does to a call. `pass` may change the request before it goes on. */
export type Fault =
  | {
      readonly do: 'pass';
      readonly headers?: Record<string, string>;
      /** Changes what the device has sent. */
      readonly rewrite?: (body: string) => string;
      /** Changes the answer of the server. */
      readonly change?: (body: string) => string;
    }
  /** The connection breaks before anything reaches the server. */
  | { readonly do: 'drop' }
  /** The server does it, but its answer is lost; with `after`, the device notices only then. */
  | { readonly do: 'lose answer'; readonly after?: Promise<unknown> }
  | { readonly do: 'delay'; readonly ms: number }
  /** It is under way until then. */
  | { readonly do: 'hold'; readonly until: Promise<unknown> }
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Record<string, string>;
    };

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A network between a browser and the server, as good or bad as a test wants it. Each one is an origin of its own. */
export interface Gate {
  readonly url: string;
  /** Decides about each call of the API and each download of a roster. */
  fault: (asked: Asked) => Fault;
  /** All calls, in the order in which they came. */
  readonly calls: Asked[];
  stop(): Promise<void>;
}

export const PASS: Fault = { do: 'pass' };
/** A browser tells how much memory a page and its workers use only if the page is isolated from others. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.map': 'application/json' };

/** `folder` is what the browser finds at /scan; with null the server gives that, too, and the network decides about every file. */
export async function openGate(server: string, folder: string | null): Promise<Gate> {
  const calls: Asked[] = [];
  const http = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (folder !== null && path.startsWith('/scan/')) return sendFile(folder, path, outgoing);
    let body = '';
    incoming.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      const asked = { method: incoming.method!, path, body, headers: incoming.headers };
      calls.push(asked);
      apply(server, gate.fault(asked), asked, outgoing);
    });
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const gate: Gate = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    fault: () => PASS,
    calls,
    stop: () =>
      new Promise((closed) => {
        http.close(() => closed());
        http.closeAllConnections();
      }),
  };
  return gate;
}

function sendFile(folder: string, path: string, outgoing: ServerResponse): void {
  const name = path.slice('/scan/'.length).split(/[?#]/, 1)[0] || 'index.html';
  const file = join(folder, name);
  if (name.includes('..') || !existsSync(file)) {
    outgoing.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  outgoing.writeHead(200, { 'content-type': type, ...ISOLATED }).end(readFileSync(file));
}

function apply(server: string, fault: Fault, asked: Asked, outgoing: ServerResponse): void {
  switch (fault.do) {
    case 'drop':
      outgoing.destroy();
      return;
    case 'answer':
      outgoing.writeHead(fault.status, { 'content-type': fault.type, ...fault.headers }).end(fault.body);
      return;
    case 'delay':
      setTimeout(() => forward(server, asked, outgoing), fault.ms);
      return;
    case 'hold':
      void fault.until.then(() => forward(server, asked, outgoing));
      return;
    case 'lose answer':
      forward(server, asked, outgoing, { lose: fault.after ?? Promise.resolve() });
      return;
    case 'pass':
      forward(server, asked, outgoing, fault);
  }
}

function forward(
  server: string,
  { method, path, body, headers }: Asked,
  outgoing: ServerResponse,
  how: Partial<Omit<Extract<Fault, { do: 'pass' }>, 'do'>> & { lose?: Promise<unknown> } = {},
): void {
  const sent = how.rewrite?.(body) ?? body;
  const asked = {
    ...{ ...headers, ...how.headers },
    ...(how.rewrite && { 'content-length': String(Buffer.byteLength(sent)) }),
    ...(how.change && { 'accept-encoding': 'identity' }),
  };
  const on = request(server + path, { method, headers: asked }, (answer) => {
    const { lose } = how;
    if (lose !== undefined) {
      answer.resume().on('end', () => void lose.then(() => outgoing.destroy()));
      return;
    }
    if (how.change !== undefined && answer.statusCode === 200) {
      void text(answer).then((whole) => {
        const { 'content-length': _, ...rest } = answer.headers;
        outgoing.writeHead(200, rest).end(how.change!(whole));
      });
      return;
    }
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(outgoing);
  });
  on.on('error', () => outgoing.destroy());
  outgoing.on('close', () => on.destroy());
  on.end(sent);
}

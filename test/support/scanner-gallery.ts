import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { ROOT } from './running.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

export interface ScannerGallery {
  /** The address of one state of a screen; without a name, of the page with links to all of them. */
  address(state?: string): string;
  stop(): void;
}

/** Builds the page with every screen of the scanner, which is no part of the app, and serves it. */
export async function serveScannerGallery(): Promise<ScannerGallery> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-scanner-gallery-'));
  const { build } = await import('vite');
  await build({
    configFile: join(ROOT, 'web/scan/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input: join(ROOT, 'web/scan/gallery.html') } },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const file = join(folder, normalize(pathname.replace(/^\/scan\//, '/')));
    if (!file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  const page = `http://localhost:${(server.address() as AddressInfo).port}/scan/gallery.html`;
  return {
    address: (state) => (state === undefined ? page : `${page}?state=${encodeURIComponent(state)}`),
    stop: () => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

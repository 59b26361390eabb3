import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As strict as the pages of the server, and what WebAssembly needs. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; base-uri 'none'";
const TYPES: Record<string, string> = {
  ...{ html: 'text/html; charset=utf-8', js: 'text/javascript', json: 'application/json', wasm: 'application/wasm' },
};

export interface Site {
  readonly url: string;
  readonly port: number;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** What the next page reports that nobody drives. */
  report(): Promise<unknown>;
  /** Files with these endings are refused, as if there were no network. */
  readonly down: Set<string>;
  close(): Promise<void>;
}

/** The page that holds nothing but the reader, built as an app is and served under a strict policy. */
export async function startSite(more: Record<string, Uint8Array>): Promise<Site> {
  const files = await built();
  for (const [path, bytes] of Object.entries(more)) files.set(path, bytes);
  const asked: string[] = [];
  const down = new Set<string>();
  let tell: (report: unknown) => void = () => {};
  const server = createServer((request, response) => {
    const path = request.url!.split('?', 1)[0]!;
    asked.push(path);
    response.setHeader('Content-Security-Policy', POLICY);
    if (request.method === 'POST') {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        tell(JSON.parse(Buffer.concat(parts).toString()));
        response.end();
      });
      return;
    }
    const bytes = files.get(path);
    if (down.has(path.split('.').at(-1)!)) return void request.socket.destroy();
    if (bytes === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Type', TYPES[path.split('.').at(-1)!] ?? 'application/octet-stream');
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/camera-page.html`, port, asked, down },
    report: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function built(): Promise<Map<string, Uint8Array>> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-reading-'));
  try {
    const root = fileURLToPath(new URL('.', import.meta.url));
    const { build } = await import('vite');
    await build({
      ...{ configFile: false, root, base: '/', logLevel: 'warn', worker: { format: 'es' } },
      build: {
        ...{ outDir: folder, emptyOutDir: true, assetsInlineLimit: 0, reportCompressedSize: false },
        target: ['es2023', 'chrome123', 'firefox128', 'safari17.5'],
        rolldownOptions: { input: join(root, 'camera-page.html'), checks: { bundlerTimings: false } },
      },
    });
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      names.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length), readFileSync(path)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

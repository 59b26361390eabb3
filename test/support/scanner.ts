import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { appPages } from '../../server/src/web/app-pages.ts';
import { ROOT } from './running.ts';

/** Lets a test see which version runs, call what the screens call about newer versions, and count how often it was told of one. */
const TELLS = `
import * as updates from './worker/updates.ts';
globalThis.updates = updates;
globalThis.told = 0;
updates.watchUpdates({ onReady: () => { globalThis.told += 1; } });`;
/** What a page of such a build has. */
export interface ToldBuild {
  builtAs: string;
  told: number;
  updates: { applyUpdate(): Promise<boolean>; updateNow(): Promise<boolean> };
}

/** A build of the scanner that is not the one of the sources: its page says which one it is, in a meta element. */
export async function buildScanner(mark: string): Promise<{ builds: string; remove: () => void }> {
  const builds = mkdtempSync(join(tmpdir(), 'turnout-scanner-'));
  const { build } = await import('vite');
  const { NODE_ENV } = process.env;
  // As `npm start` builds it. Vite goes by this variable, which says `test` here, and without it the page would install nothing.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: join(ROOT, 'web/scan/vite.config.ts'),
    logLevel: 'warn',
    plugins: [
      {
        name: 'mark',
        transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'build', content: mark }, injectTo: 'head' }],
        transform: (code, id) =>
          id.endsWith('web/scan/src/main.tsx')
            ? `${code}\n${TELLS}\nglobalThis.builtAs = ${JSON.stringify(mark)};`
            : null,
      },
    ],
    build: { outDir: join(builds, 'a0'), emptyOutDir: true },
  });
  process.env.NODE_ENV = NODE_ENV;
  writeFileSync(join(builds, 'current'), 'a0');
  return { builds, remove: () => rmSync(builds, { recursive: true, force: true }) };
}

/** Serves a build at a port that stays the same when another build is served there later. */
export class ScannerServer {
  #app: FastifyInstance | null = null;
  port = 0;
  /** Paths that were asked for since the last start. */
  asked: string[] = [];
  /** An answer in place of the usual one. */
  lie: ((path: string) => string | null) | null = null;

  async start(builds: string): Promise<void> {
    const app = Fastify({ forceCloseConnections: true });
    this.asked = [];
    app.addHook('onRequest', async (request, reply) => {
      const path = request.url.split('?', 1)[0]!;
      this.asked.push(path);
      const lie = this.lie?.(path) ?? null;
      if (lie !== null) return reply.type('text/html; charset=utf-8').send(lie);
    });
    app.get('/api/v1/anything', async () => ({ from: 'server' }));
    appPages(app, { publicUrl: 'http://localhost', builds: { scan: builds } });
    await app.listen({ port: this.port, host: '127.0.0.1' });
    this.port = (app.server.address() as AddressInfo).port;
    this.#app = app;
  }

  async stop(): Promise<void> {
    await this.#app?.close();
    this.#app = null;
  }

  get address(): string {
    return `http://localhost:${this.port}`;
  }
}

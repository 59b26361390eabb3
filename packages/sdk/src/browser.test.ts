import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasTool } from '../../../test/support/tools.ts';
import type * as sdk from './index.ts';
import { publishedVectors } from './webhooks/vectors.support.ts';
import { startWorld } from './world.support.ts';

describe.skipIf(!hasTool('chromium'))('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let bundle: string;
  beforeAll(async () => {
    const entry = fileURLToPath(new URL('./index.ts', import.meta.url));
    const options = { bundle: true, minify: true, write: false, platform: 'browser', target: 'es2022' } as const;
    const built = await build({ entryPoints: [entry], format: 'iife', globalName: 'sdk', ...options });
    bundle = built.outputFiles[0]!.text;
    // A page has WebCrypto only if it was loaded by https or from this machine.
    server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html>'),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const executablePath = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('every published vector has the same outcome as in Node', async () => {
    const vectors = publishedVectors();
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: bundle });
    const outcomes = await page.evaluate(async (list) => {
      const { SignatureError, verify } = (globalThis as unknown as { sdk: typeof sdk }).sdk;
      const results: unknown[] = [];
      for (const { body_base64, header, secret, now } of list) {
        const body = Uint8Array.from(atob(body_base64), (character) => character.charCodeAt(0));
        results.push(
          await verify(body, header, secret, { now }).catch((error) =>
            error instanceof SignatureError ? error.code : String(error),
          ),
        );
      }
      return results;
    }, vectors);
    expect(outcomes).toEqual(vectors.map((one) => (one.valid ? JSON.parse(one.body_text) : one.error)));
  });

  test('a key is refused, in a page and in a worker', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: bundle });
    const said = await page.evaluate(async (code) => {
      const { Turnout } = (globalThis as unknown as { sdk: typeof sdk }).sdk;
      const make = 'new sdk.Turnout({ key: "svc_live_x", baseUrl: location.origin })';
      const script = `${code}; try { ${make}; postMessage('made') } catch (error) { postMessage(error.message) }`;
      const worker = new Worker(URL.createObjectURL(new Blob([script])));
      const inWorker = new Promise<string>((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
      });
      try {
        new Turnout({ key: 'svc_live_x', baseUrl: location.origin });
        return ['made', await inWorker];
      } catch (error) {
        return [(error as Error).message, await inWorker];
      }
    }, bundle);
    expect(said).toEqual(Array(2).fill(expect.stringContaining('An API key does not belong in a browser')));
  });

  test('without a key, the public documents of an installation elsewhere can be read', async () => {
    const { t, fair } = await startWorld();
    try {
      await fair('fair');
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await page.addScriptTag({ content: bundle });
      const name = await page.evaluate(async (baseUrl) => {
        const { Turnout } = (globalThis as unknown as { sdk: typeof sdk }).sdk;
        return (await new Turnout({ baseUrl }).publicEvents.get('acme', 'fair')).name;
      }, t.url);
      expect(name).toBe('Fair fair');
    } finally {
      await t.stop();
    }
  });
});

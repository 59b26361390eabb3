import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { buildApps } from '../../scripts/apps.mjs';
import { ROOT } from './running.ts';

/** Builds the apps as `npm start` does, unless the same sources were built before; a second test file finds them built. */
export async function requireApps(): Promise<void> {
  if (Object.values(await buildApps()).includes(null))
    throw new Error('The apps could not be built; see the messages above.');
}

/** The first of these programs that is installed. */
const installed = (...names: string[]) =>
  execFileSync('sh', ['-c', names.map((name) => `command -v ${name}`).join(' || ')], { encoding: 'utf8' }).trim();

/**
 * Without a window, if chromium is there in that form: opening a page took 0.7 s of processor time then, and 1.9 s with the windows that
 * nobody sees.
 */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: installed('chromium-headless-shell', 'chromium') });

let running: Promise<Browser> | undefined;

/**
 * A browser for one test file. Files that follow each other in a process use the same one, because starting it takes longer than most
 * tests. `close` closes what the file has opened in it; the browser ends with the process.
 */
export async function openBrowser(): Promise<Browser> {
  running ??= launchBrowser();
  const browser = await running;
  const opened = new Set<BrowserContext>();
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    opened.add(context);
    context.once('close', () => opened.delete(context));
    return context;
  };
  const own: Partial<Browser> = {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => {
      await Promise.all([...opened].map((context) => context.close()));
    },
  };
  return new Proxy(browser, {
    get(target, property) {
      const value = own[property as keyof Browser] ?? target[property as keyof Browser];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A browser that keeps everything in a folder, so that it can be killed and opened again. */
export const openBrowserIn = (
  folder: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { executablePath: installed('chromium'), ...options });

/** Builds a page with components, which is no part of the app, as a build of its own that the server can serve. */
export async function buildGallery(
  name: 'gallery' | 'parts' = 'gallery',
): Promise<{ builds: string; remove: () => void }> {
  const builds = mkdtempSync(join(tmpdir(), 'turnout-gallery-'));
  const folder = join(builds, 'a0');
  const { build } = await import('vite');
  await build({
    configFile: join(ROOT, 'web/admin/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input: join(ROOT, `web/admin/${name}.html`) } },
  });
  renameSync(join(folder, `${name}.html`), join(folder, 'index.html'));
  writeFileSync(join(builds, 'current'), 'a0');
  return { builds, remove: () => rmSync(builds, { recursive: true, force: true }) };
}

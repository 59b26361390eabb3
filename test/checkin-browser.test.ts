import { gzipSync } from 'node:zlib';
import type * as Checkin from '@turnout/checkin';
import type { CaseFile, Difference } from '@turnout/checkin';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './support/apps.ts';
import { ROOT } from './support/running.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

declare const turnout: typeof Checkin;

/** Built as an app for scanners would build it: for browsers, minified, in one file. */
async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'turnout',
    target: 'es2022',
  });
  return outputFiles[0]!.text;
}
const kB = (text: string) =>
  `${(Buffer.byteLength(text) / 1000).toFixed(1)} kB, ${(gzipSync(text).length / 1000).toFixed(1)} kB gzipped`;

describe.skipIf(!hasTool('chromium'))('the check-in decision in a browser', () => {
  let t: TestTurnout;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    const whole = await bundle(`export * from '@turnout/checkin'`);
    const decision = await bundle(`export { decide, prepareWorld, insideZone, messageFor } from '@turnout/checkin'`);
    console.log(`@turnout/checkin minified: ${kB(whole)}; what a scanner needs: ${kB(decision)}`);
    t = await startTest();
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${t.url}/healthz`); // any page of the server, so that the cases can be fetched from there
    await page.addScriptTag({ content: whole });
  });
  afterAll(async () => {
    await browser?.close();
    await t?.stop();
  });

  /** Runs in the page: fetches the published cases, checks and replays them. */
  const replay = (change?: { of: number; result: string }): Promise<{ cases: number; differences: Difference[] }> =>
    page.evaluate(async (changed) => {
      const file: CaseFile = await (await fetch('/scan-cases.json')).json();
      if (changed !== undefined) Object.assign(file.cases[changed.of]!.scans[0]!, { result: changed.result });
      const read = turnout.parseCases(file);
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      return { cases: read.value.cases.length, differences: turnout.replayLocally(read.value) };
    }, change);

  // claim: golden-cases
  test('every published golden case is decided as in Node', async () => {
    const published: CaseFile = (await t.call('GET', '/scan-cases.json')).body;
    expect(await replay()).toEqual({ cases: published.cases.length, differences: [] });
    expect(published.cases.length).toBeGreaterThanOrEqual(120);
    expect(errors).toEqual([]);
  });

  test('the control: one changed expectation is one difference', async () => {
    const published: CaseFile = (await t.call('GET', '/scan-cases.json')).body;
    const of = published.cases.findIndex(({ scans }) => scans[0]!.result === 'accepted');
    const { differences } = await replay({ of, result: 'zone_full' });
    expect(differences).toEqual([
      { case: published.cases[of]!.name, scan: 0, what: 'result', expected: 'zone_full', got: 'accepted' },
    ]);
  });
});

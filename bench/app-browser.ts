import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import type { Bench } from './support.ts';

/** As if the processor were four times slower: an old laptop. */
export const SLOWED = 4;

export const verdict = (value: number, limit: number) => (value <= limit ? 'met' : 'MISSED');

/** The Chromium that is installed. It is closed after the bench. */
export async function openBrowser(bench: Bench, args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', ...args],
  });
  bench.later(() => browser.close());
  return browser;
}

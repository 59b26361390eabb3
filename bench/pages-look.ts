import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { openBrowser } from './app-browser.ts';
import { type Bench, ms, table } from './support.ts';
import type { BenchTurnout } from './turnout.ts';

/** Bytes that come over the wire, compressed, and milliseconds: at most. Lighthouse's scores: at least. */
const LIMITS = { page: 30_000, script: 15_000, paint: 1200, score: 95 };

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** How large the event page is, and what Lighthouse says of it: slow 4G, and a processor that is four times slower. */
export async function lookAtPage(bench: Bench, turnout: BenchTurnout, event: string): Promise<void> {
  const address = `${turnout.url}/o/pages/${event}`;
  const page = await gzipped(address);
  const script = /<script type="module" src="([^"]+)">/.exec(gunzipSync(page).toString())?.[1];
  const scriptSize = script === undefined ? 0 : (await gzipped(turnout.url + script)).length;
  const { port, close } = await debugged(bench);
  const { default: lighthouse } = await import('lighthouse');
  const result = await lighthouse(address, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
  });
  await close();
  if (result === undefined) throw new Error('Lighthouse gave no result.');
  const { lhr } = result;
  const paint = lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN;
  const size = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  const rows = [
    [
      'HTML with its style, gzip',
      size(page.length),
      `at most ${size(LIMITS.page)}`,
      verdict(page.length <= LIMITS.page),
    ],
    ['JavaScript, gzip', size(scriptSize), `at most ${size(LIMITS.script)}`, verdict(scriptSize <= LIMITS.script)],
    ['largest paint', ms(paint), `at most ${ms(LIMITS.paint)}`, verdict(paint <= LIMITS.paint)],
    ...CATEGORIES.map((name) => {
      const score = Math.round((lhr.categories[name]?.score ?? 0) * 100);
      return [`Lighthouse, ${name}`, String(score), `at least ${LIMITS.score}`, verdict(score >= LIMITS.score)];
    }),
  ];
  console.log(
    `\nThe event page (Lighthouse ${lhr.lighthouseVersion}: slow 4G simulated, processor slowed ${lhr.configSettings.throttling.cpuSlowdownMultiplier} times)`,
  );
  console.log(table(['', 'seen', 'limit', ''], rows));
  const faults = Object.values(lhr.audits).filter(
    ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
  );
  for (const { id, title, displayValue = '' } of faults) console.log(`  ${id}: ${title} ${displayValue}`);
}

async function gzipped(address: string): Promise<Buffer> {
  const { statusCode, headers, body } = await request(address, { headers: { 'accept-encoding': 'gzip' } });
  if (statusCode !== 200 || headers['content-encoding'] !== 'gzip')
    throw new Error(`${address}: ${statusCode}, not compressed`);
  return Buffer.from(await body.arrayBuffer());
}

/** A browser that Lighthouse can steer. */
async function debugged(bench: Bench): Promise<{ port: number; close: () => Promise<void> }> {
  const port = 9300 + Math.floor(Math.random() * 500);
  const browser = await openBrowser(bench, [`--remote-debugging-port=${port}`]);
  return { port, close: () => browser.close() };
}

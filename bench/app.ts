// Bench: the organizer's app: how soon one can sign in, what each screen loads, whether sign-ins hold up other requests, and what a live page costs
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildApps } from '../scripts/apps.mjs';
import { makeWelcomeLinks } from '../server/src/areas/accounts/index.ts';
import { systemClock } from '../server/src/clock.ts';
import { live } from './app-live.ts';
import { type Bench, benchmark, busy, machine, median, ms, table, whole } from './support.ts';
import { type BenchTurnout, startBenchTurnout } from './turnout.ts';

const LIMITS = { interactiveMs: 1500, firstKb: 130, furtherKb: 50 };
/** As if the processor were four times slower: an old laptop. */
const SLOWED = 4;
const PASSWORD = 'a passphrase for the bench';
const EMAIL = 'owner@example.org';
const SCREENS = ['', '/team', '/groups', '/developers', '/organization'] as const;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** How many sign in at once while others call the API. */
    'sign-ins': { type: 'string', default: '50' },
    only: { type: 'string', default: 'screens,sign-ins,live' },
  },
});
const rounds = Number(options.rounds);
const only = options.only.split(',');

/** The first organization and its owner, made by the link that `npm start` prints, and a key to call the API with. */
async function start(turnout: BenchTurnout): Promise<{ code: string; key: string }> {
  const { first } = await makeWelcomeLinks(turnout.pool, systemClock, false);
  const reply = await post(turnout, '/start', {
    token: first!.split('#')[1],
    organization: { code: 'bench', name: 'Bench', timezone: 'Europe/Berlin' },
    name: 'Ada Lovelace',
    email: EMAIL,
    password: PASSWORD,
  });
  if (reply.status !== 200) throw new Error(`The organization could not be made: ${await reply.text()}`);
  const { key } = await turnout.org('caller');
  return { code: 'bench', key };
}

const post = ({ url }: BenchTurnout, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/app/api/-${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify(body),
  });

// ---------------------------------------------------------------- what a browser loads

async function screens(bench: Bench, turnout: BenchTurnout, org: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox'],
  });
  bench.later(() => browser.close());
  const interactive: number[] = [];
  let first = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { at, bytes } = await signInScreen(browser, turnout);
    interactive.push(at);
    first = bytes;
  }
  const further = await furtherScreens(browser, turnout, org);
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const verdict = (value: number, limit: number) => (value <= limit ? 'met' : 'MISSED');
  const time = median(interactive);
  console.log(`\nThe sign-in screen, nothing cached, processor slowed ${SLOWED} times; median of ${rounds}\n`);
  console.log(
    table(
      ['', 'measured', 'limit', ''],
      [
        ['interactive after', ms(time), ms(LIMITS.interactiveMs), verdict(time, LIMITS.interactiveMs)],
        ['JavaScript, gzip', kb(first), `${LIMITS.firstKb} kB`, verdict(first / 1000, LIMITS.firstKb)],
      ],
    ),
  );
  console.log('\nWhat each further screen loads, gzip (JavaScript that was not there before)\n');
  console.log(
    table(
      ['screen', 'JavaScript', 'limit', ''],
      further.map(({ screen, bytes }) => [
        screen,
        kb(bytes),
        `${LIMITS.furtherKb} kB`,
        verdict(bytes / 1000, LIMITS.furtherKb),
      ]),
    ),
  );
}

/** Sums up the scripts that a page loads, each as gzip makes it, whatever encoding the browser was sent. */
function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!/\.js$/.test(new URL(response.url()).pathname)) return;
    sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function slowed(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  return page;
}

/** Interactive: the field for the address was drawn, and the page has come to draw the frame after it. */
async function signInScreen(browser: Browser, { url }: BenchTurnout): Promise<{ at: number; bytes: number }> {
  const context = await browser.newContext();
  const page = await slowed(context);
  const scripts = countScripts(page);
  await page.goto(`${url}/app/-/sign-in`, { waitUntil: 'commit' });
  const at = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector('input[type="email"]:enabled') === null) return requestAnimationFrame(look);
          return requestAnimationFrame(() => resolve(performance.now()));
        };
        look();
      }),
  );
  await page.waitForLoadState('networkidle');
  const bytes = await scripts();
  await context.close();
  return { at, bytes };
}

async function furtherScreens(browser: Browser, turnout: BenchTurnout, org: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const reply = await context.request.post(`${turnout.url}/app/api/-/sign-in/password`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { email: EMAIL, password: PASSWORD },
  });
  if (!reply.ok()) throw new Error(`Signing in failed: ${await reply.text()}`);
  await page.goto(`${turnout.url}/app/-/sign-in?again`);
  await page.waitForLoadState('networkidle');
  const found: { screen: string; bytes: number }[] = [];
  for (const screen of SCREENS) {
    const scripts = countScripts(page);
    const path = `/app/${org}${screen}`;
    // A link of the app: the page stays, and only what the screen needs is loaded.
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await sleep(300);
    page.removeAllListeners('response');
    found.push({ screen: screen === '' ? '/ (with the shell)' : screen, bytes: await scripts() });
  }
  await context.close();
  return found;
}

// ---------------------------------------------------------------- sign-ins beside other requests

/** `GET /v1/me` one after the other on four connections: first alone, then while people sign in. */
async function signIns(bench: Bench, turnout: BenchTurnout, key: string): Promise<void> {
  const many = Number(options['sign-ins']);
  const alone = await waits(turnout, key, sleep(3000));
  bench.say(`${many} sign in at once`);
  const began = performance.now();
  const together = Promise.all(
    Array.from({ length: many }, () => post(turnout, '/sign-in/password', { email: EMAIL, password: PASSWORD })),
  );
  const beside = await waits(turnout, key, together);
  const took = performance.now() - began;
  const replies = await together;
  const entered = replies.filter(({ status }) => status === 200).length;
  console.log(`\nGET /v1/me while ${many} people sign in at once (${entered} entered, after ${ms(took)})\n`);
  const row = (name: string, of: number[]) => [
    name,
    whole(of.length),
    ms(at(of, 0.5)),
    ms(at(of, 0.99)),
    ms(at(of, 1)),
  ];
  console.log(table(['', 'answers', 'p50', 'p99', 'longest'], [row('alone', alone), row('beside', beside)]));
}

const at = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

/** How long each call takes until `until` is over, sorted. */
async function waits({ url }: BenchTurnout, key: string, until: Promise<unknown>): Promise<number[]> {
  let over = false;
  const found: number[] = [];
  const end = until.then(() => {
    over = true;
  });
  const connection = async () => {
    while (!over) {
      const began = performance.now();
      const reply = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
      await reply.arrayBuffer();
      found.push(performance.now() - began);
    }
  };
  await Promise.all([...Array.from({ length: 4 }, connection), end]);
  return found.sort((a, b) => a - b);
}

await benchmark(async (bench) => {
  const warning = busy();
  // The live page is measured without its screen.
  if (options.only !== 'live' && (await buildApps()) === null) throw new Error('The apps could not be built.');
  const turnout = await startBenchTurnout(bench);
  const { code, key } = await start(turnout);
  console.log(`\n${machine()}${warning === null ? '' : `\nNote: ${warning}`}`);
  if (only.includes('screens')) await screens(bench, turnout, code);
  if (only.includes('sign-ins')) await signIns(bench, turnout, key);
  if (only.includes('live')) await live(bench, turnout);
});

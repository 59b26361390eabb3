import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { appRoutes } from '../test/support/app-routes.ts';
import { openBrowser, SLOWED, verdict } from './app-browser.ts';
import { type Bench, median, ms, table } from './support.ts';

const LIMITS = { interactiveMs: 1500, firstKb: 130, furtherKb: 50 };

interface App {
  url: string;
  org: string;
  owner: { email: string; password: string };
  rounds: number;
}

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** Loads the screens in a browser: when one can sign in, and how much JavaScript each of them brings. */
export async function measureScreens(bench: Bench, app: App): Promise<void> {
  const browser = await openBrowser(bench);
  const { until, all } = await countSignIn(browser, app.url);
  const rounds: { at: number; cpu: number }[] = [];
  for (let round = 0; round < app.rounds; round += 1) rounds.push(await timeSignIn(browser, app.url));
  const [time, cpu] = [median(rounds.map(({ at }) => at)), median(rounds.map((one) => one.cpu))];
  console.log(`
The sign-in screen, nothing cached, processor slowed ${SLOWED} times; median of ${app.rounds}.
Interactive: the fields and the button are drawn and the page is free to answer. After that, it was typed into and sent.
`);
  console.log(
    table(
      ['', 'measured', 'limit', ''],
      [
        ['interactive after', ms(time), ms(LIMITS.interactiveMs), verdict(time, LIMITS.interactiveMs)],
        ['  processor time of the page in it', ms(cpu), '', ''],
        ['JavaScript until then, gzip', kb(until), '', ''],
        ['JavaScript of the whole screen, gzip', kb(all), `${LIMITS.firstKb} kB`, verdict(all / 1000, LIMITS.firstKb)],
      ],
    ),
  );
  const further = await furtherScreens(bench, browser, app);
  const most = Math.max(...further.map((one) => one.fromHome));
  console.log(
    `\nWhat each further screen loads, gzip: right after signing in (with router and shell), and from Home\n`,
  );
  console.log(
    table(
      ['screen', 'right after', 'from Home', 'limit', ''],
      further.map((one) => [
        one.address,
        kb(one.right),
        kb(one.fromHome),
        `${LIMITS.furtherKb} kB`,
        verdict((one.address === '/$org' ? one.right : one.fromHome) / 1000, LIMITS.furtherKb),
      ]),
    ),
  );
  console.log(`\nThe largest of ${further.length} from Home: ${kb(most)}`);
}

/** The scripts that a page asks for. */
class Scripts {
  readonly seen = new Set<string>();
  constructor(page: Page) {
    page.on('request', (request) => {
      if (/\.js$/.test(new URL(request.url()).pathname)) this.seen.add(request.url());
    });
  }
}

/** How many bytes they are as the server sends them to a browser that takes gzip. */
async function bytesOfAll(urls: Iterable<string>): Promise<number> {
  let sum = 0;
  for (const url of urls) sum += await bytesOf(url);
  return sum;
}
const sizes = new Map<string, number>();
async function bytesOf(url: string): Promise<number> {
  const known = sizes.get(url);
  if (known !== undefined) return known;
  const reply = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  const size = Number(reply.headers.get('content-length'));
  if (!(size > 0)) throw new Error(`The size of ${url} is not known.`);
  sizes.set(url, size);
  return size;
}

/** Notes the moment when the form can be used: what is needed is drawn, a frame was painted after it, and no task waits. */
function noteUsable(): void {
  const look = () => {
    const email = document.querySelector<HTMLInputElement>('input[type="email"]:enabled');
    const password = document.querySelector<HTMLInputElement>('input[type="password"]:enabled');
    const button = document.querySelector<HTMLButtonElement>('button[type="submit"]:enabled');
    if ([email, password, button].some((one) => one === null || one.offsetParent === null)) {
      requestAnimationFrame(look);
      return;
    }
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => Object.assign(window, { usableAt: performance.now() });
      port2.postMessage(null);
    });
  };
  requestAnimationFrame(look);
}

async function openSignIn(browser: Browser, url: string, slowed: number) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  const scripts = new Scripts(page);
  await page.addInitScript(noteUsable);
  await page.goto(`${url}/app/-/sign-in`, { waitUntil: 'commit' });
  const usable = await page.waitForFunction(() => (window as { usableAt?: number }).usableAt, null, { polling: 20 });
  return { context, page, session, scripts, at: (await usable.jsonValue())! };
}

/** When the form can be used, and how much processor time the page had spent by then. */
async function timeSignIn(browser: Browser, url: string): Promise<{ at: number; cpu: number }> {
  const { context, page, session, at } = await openSignIn(browser, url, SLOWED);
  const { metrics } = await session.send('Performance.getMetrics');
  const cpu = metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  // It is not enough that it looks like a form: the keyboard must reach the field, and the button must do something.
  await page.keyboard.type('ada');
  await page.locator('input[type="email"]').and(page.locator('[value="ada"]')).waitFor({ timeout: 5000 });
  await page.locator('button[type="submit"]').click();
  await page.locator('input[type="password"][aria-invalid="true"]').waitFor({ timeout: 5000 });
  await context.close();
  return { at, cpu };
}

/** The scripts until the form can be used, and those that the page loads afterwards although nobody touches it. */
async function countSignIn(browser: Browser, url: string): Promise<{ until: number; all: number }> {
  const { context, page, scripts } = await openSignIn(browser, url, 1);
  const until = await bytesOfAll(new Set(scripts.seen));
  await page.waitForLoadState('networkidle');
  await sleep(2000);
  const all = await bytesOfAll(scripts.seen);
  await context.close();
  return { until, all };
}

interface Further {
  address: string;
  /** Bytes of scripts right after signing in, as a bookmark leads to it, and from Home. */
  right: number;
  fromHome: number;
}

async function furtherScreens(bench: Bench, browser: Browser, app: App): Promise<Further[]> {
  const signedIn = await browser.newContext();
  const reply = await signedIn.request.post(`${app.url}/app/api/-/sign-in/password`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: app.owner,
  });
  if (!reply.ok()) throw new Error(`Signing in failed: ${await reply.text()}`);
  const state = await signedIn.storageState();
  await signedIn.close();
  const home = await scriptsAfter(browser, app.url, state, `/app/${app.org}`);
  const found: Further[] = [];
  for (const { address } of appRoutes().filter((one) => one.address !== '/-/sign-in')) {
    bench.say(`the screen ${address}`);
    // Made-up ids: a screen is loaded before it finds out that there is no such thing.
    const path = `/app${address}`.replace('$org', app.org).replaceAll(/\$\w+/g, '01JZZZZZZZZZZZZZZZZZZZZZZZ');
    const scripts = await scriptsAfter(browser, app.url, state, path);
    const ofScreen = [...scripts].filter((one) => !home.has(one));
    found.push({ address, right: await bytesOfAll(scripts), fromHome: await bytesOfAll(ofScreen) });
  }
  return found;
}

/** The scripts that are loaded on the way from the sign-in screen to another one. */
async function scriptsAfter(browser: Browser, url: string, storageState: State, path: string): Promise<Set<string>> {
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  const scripts = new Scripts(page);
  await page.goto(`${url}/app/-/sign-in?then=${encodeURIComponent(path)}`);
  // Who is signed in already is asked whether to go on.
  const goOn = page.locator('button[data-kind="main"]');
  await goOn.waitFor();
  await page.waitForLoadState('networkidle');
  const before = new Set(scripts.seen);
  await goOn.click();
  await page.waitForURL(`**${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await sleep(300);
  await context.close();
  return new Set([...scripts.seen].filter((one) => !before.has(one)));
}
type State = Awaited<ReturnType<BrowserContext['storageState']>>;

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { goInEvent } from '../support/event-navigation.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as this script reads them
type Body = any;

const SIZE = { width: 1120, height: 720 };
/** Sharp on most screens, and still small. */
const SCALE = 1.5;
const QUALITY = 72;
/** A picture of more bytes makes the pages slow to load. */
const MAX_BYTES = 80_000;

interface Shown {
  /** Only this part of the page, with a little room around it. */
  of?: Locator;
  /** The height of the window, where a screen shows more than usual. */
  height?: number;
}

/** A browser of one person, who works in one organization and takes pictures on the way. */
export class Camera {
  readonly taken: { name: string; bytes: number }[] = [];
  readonly page: Page;
  readonly home: string;
  readonly folder: string;
  org = '';
  #calls = 0;

  private constructor(page: Page, home: string, folder: string) {
    this.page = page;
    this.home = home;
    this.folder = folder;
  }

  /** `offset` is how many milliseconds the server's clock is ahead, so that both agree on the time. */
  static async open(browser: Browser, home: string, folder: string, offset: number): Promise<Camera> {
    mkdirSync(folder, { recursive: true });
    const context = await browser.newContext({
      ...{ viewport: SIZE, deviceScaleFactor: SCALE, locale: 'en-GB', timezoneId: 'Europe/Berlin' },
      ...{ colorScheme: 'light', reducedMotion: 'reduce', baseURL: home },
    });
    await context.addInitScript(moveDate, offset);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return new Camera(page, home, folder);
  }

  /** Calls an operation as the person who is signed in. */
  async call(method: string, path: string, body?: unknown): Promise<Body> {
    this.#calls += 1;
    const reply = await this.page.context().request.fetch(`/app/api/${this.org}${path}`, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', 'idempotency-key': `picture-${this.#calls}` },
      ...(body !== undefined && { data: body }),
    });
    if (!reply.ok()) throw new Error(`${method} ${path}: ${await reply.text()}`);
    return reply.status() === 204 ? null : reply.json();
  }

  post(path: string, body: unknown = {}): Promise<Body> {
    return this.call('POST', path, body);
  }

  /** Opens a screen of the organization. */
  async open(path: string): Promise<void> {
    await this.page.goto(`/app/${this.org}${path}`);
    await this.settle();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true }).first();
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: true }).first();
  }

  dialog(): Locator {
    return this.page.locator('dialog[open]');
  }

  /** Presses a button and waits until what follows is there. */
  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await this.button(name, within).click();
    await this.settle();
  }

  /** Another screen of the event, by its navigation. */
  async go(section: string, screen?: string): Promise<void> {
    await goInEvent(this.page, section, screen);
    await this.settle();
  }

  /** Waits until the page has its heading and nothing more is on the way. */
  async settle(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await this.page.evaluate(() => document.fonts.ready);
    await this.page.waitForTimeout(700);
    await this.page.locator('.skeleton').first().waitFor({ state: 'detached' });
  }

  /** Takes the picture `name`. What is said for a moment at the edge of the screen is not on it. */
  async take(name: string, { of, height = SIZE.height }: Shown = {}): Promise<void> {
    await this.page.setViewportSize({ ...SIZE, height });
    await this.page.evaluate(hide, HIDDEN);
    await this.page.evaluate(() => scrollTo(0, 0));
    await this.settle();
    const box = await of?.boundingBox();
    const edge = 16;
    const clip =
      box === null || box === undefined
        ? { x: 0, y: 0, ...SIZE, height }
        : {
            ...{ x: Math.max(0, box.x - edge), y: Math.max(0, box.y - edge) },
            ...{ width: box.width + 2 * edge, height: box.height + 2 * edge },
          };
    const scroll = await this.page.evaluate(() => scrollY);
    const session = await this.page.context().newCDPSession(this.page);
    const { data } = await session.send('Page.captureScreenshot', {
      ...{ format: 'webp', quality: QUALITY, clip: { ...clip, y: clip.y + scroll, scale: 1 } },
    });
    await session.detach();
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > MAX_BYTES) console.warn(`${name} has ${bytes.length} bytes: show less of the screen.`);
    writeFileSync(join(this.folder, `${name}.webp`), bytes);
    this.taken.push({ name, bytes: bytes.length });
    await this.page.setViewportSize(SIZE);
  }
}

const HIDDEN = '* { caret-color: transparent !important } .toasts { display: none !important }';

/** Runs in the page. Its policy allows no style of ours in the document, but one that a script makes. */
function hide(rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}

/** Runs in the page: its clock agrees with the server's. */
function moveDate(offset: number): void {
  const Machine = Date;
  const now = () => Machine.now() + offset;
  globalThis.Date = new Proxy(Machine, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
    apply: () => new Machine(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

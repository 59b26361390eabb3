import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { signal } from '../../../server/src/embedded/process.ts';
import type { ScanAnswer } from '../../../web/scan/src/engine/index.ts';
import { processesOn } from '../running.ts';
import { type Gate, openGate } from './gate.ts';
import { type Answered, type InApp, install, type OnDisk, type Shown } from './in-app.ts';

declare const inApp: InApp;

/** A ticket of one person, whose last name nobody else has. */
export interface Ticket {
  readonly code: string;
  readonly person: string;
  readonly name: string;
}

/** A scan that was begun, as the one who held the device knows it. */
export interface Made {
  readonly client_uuid: string;
  readonly person: string;
  /** What the device has noted as told; null if it got no further than its queue. */
  readonly told: ScanAnswer | null;
  /** What was seen on the screen; null if the browser died before. */
  readonly shown: Shown | null;
}

const LOOK_FOR_MS = 90_000;

/** The app at /scan in a browser of its own, behind a network of its own. */
export class AppAtGate {
  readonly gate: Gate;
  readonly errors: string[] = [];
  readonly made = new Map<string, Made>();
  page!: Page;
  #context!: BrowserContext;
  readonly #browse: () => Promise<BrowserContext>;

  private constructor(gate: Gate, browse: () => Promise<BrowserContext>) {
    this.gate = gate;
    this.#browse = browse;
  }

  /** Opens the link of a pairing code, gives the device its name and chooses the point. */
  static async pair(
    server: string,
    browse: () => Promise<BrowserContext>,
    { code, name, point }: { code: string; name: string; point: string },
  ): Promise<AppAtGate> {
    const app = new AppAtGate(await openGate(server, null), browse);
    await app.open(`#pair=${code}`);
    const { page } = app;
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Pair', exact: true }).click();
    await page.getByRole('button', { name: new RegExp(`^${point}`) }).click();
    await page.locator('.freshness', { hasText: /tickets?, updated/ }).waitFor();
    // The files have to be there, or the app could not be opened without a network.
    await page.evaluate(() => navigator.serviceWorker.ready);
    return app;
  }

  async open(hash = ''): Promise<void> {
    this.#context = await this.#browse();
    await this.#context.addInitScript(install);
    this.page = this.#context.pages()[0] ?? (await this.#context.newPage());
    this.page.setDefaultTimeout(LOOK_FOR_MS);
    this.page.on('pageerror', (error) => this.errors.push(error.message));
    await this.page.goto(`${this.gate.url}/scan${hash}`);
  }

  /** Ends the browser of this folder as a battery does that is taken out. */
  static async kill(folder: string): Promise<number> {
    const running = await processesOn(folder);
    for (const { pid } of running) signal(pid, 'SIGKILL');
    await expect.poll(() => processesOn(folder), { timeout: 20_000 }).toEqual([]);
    return running.length;
  }

  /** Holds a ticket up and notes what the screen said about it. */
  async holdUp({ code, name, person }: Ticket): Promise<Answered> {
    const answer = await this.page.evaluate(([text, who]) => inApp.holdUp(text, who), [code, name] as const);
    const { told, shown } = answer;
    this.made.set(told.client_uuid, { client_uuid: told.client_uuid, person, told, shown });
    return answer;
  }

  onDisk(): Promise<OnDisk> {
    return this.page.evaluate(() => inApp.onDisk());
  }

  /** Notes the scans that are on disk although nobody saw an answer. */
  note({ queue, last }: OnDisk, personOf: (code: string) => string): void {
    for (const { told } of last) {
      const { client_uuid, people } = told;
      if (!this.made.has(client_uuid))
        this.made.set(client_uuid, { client_uuid, person: people[0]!.id, told, shown: null });
    }
    for (const { client_uuid, code } of queue) {
      if (!this.made.has(client_uuid))
        this.made.set(client_uuid, { client_uuid, person: personOf(code!), told: null, shown: null });
    }
  }

  /** How many scans wait, by the screen. */
  async waiting(): Promise<number> {
    return Number(await this.page.locator('.connection').getAttribute('data-queue'));
  }

  /** Opens the page again and waits until the device has told the server how it is doing. */
  async reload(): Promise<void> {
    const { calls } = this.gate;
    const before = calls.length;
    await this.page.reload();
    await this.sentAll();
    const told = () => calls.slice(before).some(({ path }) => path.endsWith('/heartbeat'));
    await expect.poll(told, { timeout: LOOK_FOR_MS }).toBe(true);
  }

  /** Waits until the screen says that the server answers and that no scan waits. */
  async sentAll(): Promise<void> {
    await this.page.locator('.connection[data-connection="online"][data-queue="0"]').waitFor({ state: 'attached' });
  }

  /** What the screen says to whoever holds the device, beside the answers. */
  notices(): Promise<string[]> {
    return this.page.locator('.notice').allTextContents();
  }

  async stop(): Promise<void> {
    await this.#context.close().catch(() => {});
    await this.gate.stop();
  }
}

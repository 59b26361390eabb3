import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Disagreement, PeopleQuestion, ScanAnswer, Status } from '../../../web/scan/src/engine/index.ts';
import { type Gate, openGate } from './gate.ts';
import type { ScanPage } from './page.ts';

declare const scan: ScanPage;

export interface ScanOf {
  code?: string;
  ticket?: { ticket_id: string; key: string };
  point?: string;
  test?: boolean;
  people?: string[];
}

/** Either what was told, or why it was not: the fault and code of the EngineError. */
export type Answered = (ScanAnswer | PeopleQuestion) & { fault?: undefined };
export interface NotAnswered {
  fault: string;
  code: string | null;
}

/** A device at a gate: a browser of its own behind a network of its own. */
export class Device {
  readonly context: BrowserContext;
  readonly gate: Gate;
  page: Page;
  id = '';
  readonly errors: string[] = [];

  private constructor(context: BrowserContext, gate: Gate, page: Page) {
    this.context = context;
    this.gate = gate;
    this.page = page;
  }

  static async start(browser: Browser, server: string, folder: string): Promise<Device> {
    const gate = await openGate(server, folder);
    const context = await browser.newContext();
    const device = new Device(context, gate, await context.newPage());
    await device.visit();
    return device;
  }

  async visit(): Promise<void> {
    this.page.on('pageerror', (error) => this.errors.push(error.message));
    await this.page.goto(`${this.gate.url}/scan/`);
    await this.page.waitForFunction(() => 'scan' in globalThis);
  }

  async pair(code: string, name = 'Gate 1'): Promise<void> {
    this.id = await this.page.evaluate(async ([c, n]) => (await scan.api.pair(c!, n!)).id, [code, name]);
  }

  /**
   * Opens the engine; returns the fault if that is refused. Unless a test is about the wait itself, the server has 20 s for its answer:
   * a busy machine must not make a device decide.
   */
  async open({ answerMs = 20_000 }: { answerMs?: number | null } = {}): Promise<string | null> {
    return this.page.evaluate(
      async ([id, wait]) => {
        try {
          scan.open = await scan.api.openEngine(id, wait === null ? {} : { answerMs: wait });
          scan.open.onDisagreement((one) => scan.disagreements.push(one));
          return null;
        } catch (error) {
          return (error as { fault?: string }).fault ?? String(error);
        }
      },
      [this.id, answerMs] as const,
    );
  }

  /** Pairs, opens and waits for the roster. */
  async ready(code: string, options: { answerMs?: number | null } = {}): Promise<this> {
    await this.pair(code);
    expect(await this.open(options)).toBeNull();
    await this.until((status) => status.tickets !== null && status.loading === null);
    return this;
  }

  /** A new page of the same browser, as after a crash or in a second tab. */
  async newPage(): Promise<void> {
    this.page = await this.context.newPage();
    await this.visit();
  }

  status(): Promise<Status> {
    return this.page.evaluate(() => scan.open!.status());
  }

  async scan(of: ScanOf): Promise<Answered> {
    const done = await this.tryScan(of);
    if (done.fault !== undefined) throw new Error(`the scan failed: ${done.fault} ${done.code}`);
    return done;
  }

  tryScan({ code, ticket, point = 'gate', test = false, people }: ScanOf): Promise<Answered | NotAnswered> {
    return this.page.evaluate(
      async ([held, options]) => {
        try {
          return await scan.open!.scan(held, options);
        } catch (error) {
          const { fault, code: why } = error as { fault?: string; code?: string | null };
          return { fault: fault ?? String(error), code: why ?? null };
        }
      },
      [ticket ?? { code: code! }, { point, test, ...(people && { people }) }] as const,
    );
  }

  disagreements(): Promise<Disagreement[]> {
    return this.page.evaluate(() => scan.disagreements);
  }

  async until(holds: (status: Status) => boolean, ms = 20_000): Promise<Status> {
    let last = await this.status();
    for (const end = Date.now() + ms; Date.now() < end; last = await this.status()) {
      if (holds(last)) return last;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`The status did not become what was expected: ${JSON.stringify(last)}`);
  }

  async stop(): Promise<void> {
    await this.context.close();
    await this.gate.stop();
  }
}

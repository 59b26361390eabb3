import type { CaseFile, GoldenCase } from '@turnout/checkin';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Client, forEachAtOnce } from '../server/src/cli/replay-client.ts';
import { type ReadyTicket, setUpTickets } from '../server/src/cli/replay-people.ts';
import { AT_ONCE, buildEvent, buildGroups, eventsFor, Remains } from '../server/src/cli/replay-world.ts';
import { openBrowser, requireApps } from './support/apps.ts';
import { HeldClock } from './support/clock.ts';
import { freePort } from './support/running.ts';
import { type Asked, type Fault, type Gate, openGate, PASS } from './support/scanner/gate.ts';
import {
  BEFORE,
  codeOf,
  differencesShown,
  manifestOf,
  readCases,
  rosterOf,
  stepsOf,
} from './support/scanner/golden.ts';
import { type HeldDoor, holdDoor, type Shown, type Step } from './support/scanner/held-door.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

declare const door: HeldDoor;

/** A device makes at most ten scans a second. The server's clock stands still during a scan, so it is moved by this between two. */
const BETWEEN_SCANS = 1001;
/** More than this many scans later than its time, a scan would count as made by a device whose clock is wrong. */
const MAX_SCANS_LATER = 200;

/** The app as it is served, used through its screen. The clocks of the page and of the server stand where each case wants them. */
describe.skipIf(!hasTool('chromium'))('the golden cases on the screen of the scanner', { timeout: 300_000 }, () => {
  const file: CaseFile = readCases();
  const clock = new HeldClock(Date.parse(BEFORE));
  let t: TestTurnout;
  let home: string;
  let browser: Browser;
  const errors: string[] = [];
  beforeAll(async () => {
    await requireApps();
    const port = String(await freePort());
    home = `http://localhost:${port}`;
    t = await startTest({ clock, env: { PORT: port, PUBLIC_URL: home } });
    browser = await openBrowser();
  }, 240_000);
  afterEach(() => expect(errors.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await t?.stop();
  });

  /** Pairs a new device and loads what it needs in both modes. */
  async function device(at: string, code: string): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    await page.addInitScript(holdDoor, Date.parse(BEFORE));
    await page.goto(`${at}/scan#pair=${code}`);
    await page.getByRole('button', { name: 'Pair', exact: true }).click();
    await page
      .getByRole('button', { name: /^gate(?!2)/ })
      .first()
      .click();
    for (const mode of [false, true, false]) await page.evaluate((on) => door.load(on), mode);
    return page;
  }
  const scan = (page: Page, step: Step): Promise<Shown> => page.evaluate((one) => door.scan(one), step);

  /** Compares every answer, and then makes sure that the comparison would have found something. */
  function compare(by: 'server' | 'device', shown: ReadonlyMap<GoldenCase, readonly Shown[]>): void {
    const about = { by, timezone: file.world.timezone };
    const found = (one: GoldenCase, answers: readonly Shown[]) =>
      answers.flatMap((answer, i) => differencesShown(one, i, answer, about));
    expect([...shown].flatMap(([one, answers]) => found(one, answers))).toEqual([]);
    for (const [one, answers] of shown) {
      expect(answers, one.name).toHaveLength(one.scans.length);
      const last = one.scans.at(-1)!;
      const wrong = last.result === 'accepted' ? 'voided' : 'accepted';
      const altered = { ...one, scans: [...one.scans.slice(0, -1), { ...last, result: wrong } as typeof last] };
      expect(found(altered, answers)).toContainEqual(
        expect.objectContaining({ case: one.name, scan: one.scans.length - 1, what: 'result', expected: wrong }),
      );
    }
    const admitted = [...shown.values()].flat().filter((answer) => answer.result === 'accepted');
    expect(admitted.length).toBeGreaterThan(100);
  }

  test('without a network, the device gives the published answer to every case', async () => {
    const gate: Gate = await openGate(t.url, null);
    const event = { id: 'EVENT', name: 'Cases', timezone: file.world.timezone };
    const json = (body: unknown, status = 200): Fault => ({
      ...{ do: 'answer', status, type: 'application/json' },
      body: JSON.stringify(body),
    });
    // Pages come from the server. The rest is from one that knows only how to pair a device and what its roster is: cases that no
    // API can set up are part of it.
    gate.fault = ({ path }: Asked): Fault => {
      if (path === '/api/v1/devices/pair')
        return json({ device: { id: 'DEVICE', name: 'Gate' }, token: 'token', event }, 201);
      if (path.startsWith('/links/roster/')) return json(rosterOf(file));
      if (!path.startsWith('/api/')) return PASS;
      if (path.includes('/scan/manifest')) return json(manifestOf(file, `${gate.url}/links/roster/x`, 1));
      if (path.includes('/scan/roster')) return json({ data: [], removed: [], as_of: BEFORE });
      return json({ error: { code: 'invalid', message: 'Not known here.' } }, 422);
    };
    try {
      const page = await device(gate.url, 'PAIR-CODE');
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      gate.fault = () => ({ do: 'drop' });
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.locator('.scan [data-connection="offline"]').waitFor();
      const shown = new Map<GoldenCase, Shown[]>();
      for (const [i, one] of file.cases.entries()) {
        const answers: Shown[] = [];
        for (const step of stepsOf(one, (ref) => codeOf(i, ref))) answers.push(await scan(page, step));
        shown.set(one, answers);
      }
      compare('device', shown);
      expect(shown.size).toBe(file.cases.length);
      // Every scan waits to be sent.
      const scans = file.cases.reduce((sum, one) => sum + one.scans.length, 0);
      expect(await page.locator('.scan [data-queue]').getAttribute('data-queue')).toBe(String(scans));
      await page.context().close();
    } finally {
      await gate.stop();
    }
  });

  // claim: key-is-a-scanner
  test('with a network, the server gives the published answer to every case that can be set up there', async () => {
    await t.org('acme');
    await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
    const keys = {
      live: (await t.key('acme', { rpm: 1_000_000 })).secret,
      test: (await t.key('acme', { mode: 'test', rpm: 1_000_000 })).secret,
    };
    const owner = await t.session('acme', 'owner');
    const client = new Client({ url: t.url, keys, say: () => {} });
    const remains = new Remains(client);
    const groups = await buildGroups(client, file.world.groups, 'golden', remains);
    const cases = file.cases.filter((one) => one.local_only !== true);
    const shown = new Map<GoldenCase, Shown[]>();
    for (const chosen of eventsFor({ ...file, cases })) {
      clock.jump(BEFORE);
      const world = await buildEvent(client, { ...file, cases: chosen }, 'golden', groups, remains, false);
      const tickets = new Map<GoldenCase, Map<string, ReadyTicket>>();
      await forEachAtOnce(chosen, AT_ONCE, async (one) => {
        tickets.set(one, await setUpTickets(client, world, one));
      });
      const headers = { cookie: `turnout_session=${owner}` };
      const pairing = await t.call('POST', `/app/api/events/${world.event}/devices/pairing-codes`, {
        ...{ headers, body: {} },
      });
      const page = await device(home, pairing.body.code);
      await page.evaluate(() => door.keepManifests());
      for (const one of chosen) shown.set(one, await online(page, one, tickets.get(one)!));
      await page.context().close();
    }
    compare('server', shown);
    expect(shown.size).toBe(cases.length);
  });

  let scans = 0;
  /** The server hears of each scan a moment later. A scan that is late reaches it after those that were made later. */
  async function online(page: Page, one: GoldenCase, tickets: ReadonlyMap<string, ReadyTicket>): Promise<Shown[]> {
    const answers: Shown[] = [];
    let latest = 0;
    for (const step of stepsOf(one, (ref) => tickets.get(ref)!.code)) {
      latest = Math.max(latest, step.at);
      scans += 1;
      clock.jump(new Date(latest + ((scans % MAX_SCANS_LATER) + 1) * BETWEEN_SCANS));
      answers.push(await scan(page, step));
    }
    return answers;
  }
});

import { readFileSync } from 'node:fs';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ANSWER_MS, ONLY_SERVER_MS } from '../web/scan/src/engine/times.ts';
import { type AppWorld, startAppWorld } from './support/app-world.ts';
import { findingsOf } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
type Body = any;

const PIN = '739154';
const DAY = 86_400_000;
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });

/** The server has all the time that it needs, however busy the machine is. Otherwise the device would decide by itself. */
const PATIENT = `{
  const wait = globalThis.setTimeout;
  const patient = [${ANSWER_MS}, ${ONLY_SERVER_MS}];
  globalThis.setTimeout = (work, ms, ...more) => wait(work, patient.includes(ms) ? 20_000 : ms, ...more);
}`;

/** Presses the keys, then Enter. It runs in the page; `text` is what the system writes for the keys. */
function typeKeys([keys, text]: string[]): void {
  for (const [i, pressed] of [...keys!, 'Enter'].entries()) {
    const key = text![i] ?? pressed;
    const code = /^[a-z]$/i.test(pressed)
      ? `Key${pressed.toUpperCase()}`
      : /^\d$/.test(pressed)
        ? `Digit${pressed}`
        : pressed;
    const event = { key, code, shiftKey: /^[A-Z]$/.test(pressed), bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...event, composed: true }));
  }
}

/** What has the focus in the moment in which an element is gone after a click, before anything is painted. It runs in the page. */
async function focusedWhenGone([button, gone]: Element[]): Promise<string> {
  (button as HTMLElement).click();
  for (let i = 0; i < 100 && gone!.isConnected; i += 1) await Promise.resolve();
  if (gone!.isConnected) return 'It is still there.';
  // What is done right after drawing; no key and no picture can come in between.
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
  return document.activeElement?.textContent ?? '';
}

/** The scanner with the real server and engine, as a volunteer uses it. */
describe.skipIf(!hasTool('chromium'))('the scanner', { timeout: 240_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    owner = await world.t.session('acme', 'owner');
    await send('PUT', '/membership/pin', { pin: PIN });
  }, 300_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    // A browser without a network says so in its console.
    expect(
      world.complaints.splice(0).filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text)),
    ).toEqual([]);
  });

  async function send(method: string, path: string, body?: unknown): Promise<Body> {
    const reply = await world.call(owner, method, path, body);
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
    return reply.body;
  }
  const post = (path: string, body: unknown = {}) => send('POST', path, body);

  /** A published event with a day that is open, a gate and a zone. */
  async function event(code: string, more: object = {}): Promise<string> {
    const at = `/events/${code}`;
    await post('/events', { code, name: 'Lakeside Fair', timezone: 'UTC', currency: 'EUR', ...more });
    await post(`${at}/days`, {
      ...{ code: 'today', name: 'Today', date: new Date().toISOString().slice(0, 10) },
      opens_at: new Date(Date.now() - DAY).toISOString(),
      closes_at: `${new Date(Date.now() + DAY).toISOString().slice(0, 10)}T20:00:00Z`,
    });
    await post(`${at}/attendee-types`, { code: 'adult', name: 'Adult' });
    await post(`${at}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
    await post(`${at}/check-in-points`, { code: 'stage', name: 'Backstage', kind: 'zone', policy: { capacity: 5 } });
    await post(`${at}/publish`);
    return at;
  }
  const people = (...names: string[]) =>
    names.map((first_name) => ({ attendee_type: 'adult', first_name, last_name: 'Lovelace', days: ['today'] }));
  /** Registers people together, and returns the code of the first ticket. */
  async function ticket(at: string, ...names: string[]): Promise<string> {
    const made = await post(`${at}/registrations`, { attendees: people(...names), send_emails: false });
    return made.attendees[0].tickets[0].code;
  }
  const checkIns = async (at: string): Promise<Body[]> => (await send('GET', `${at}/checkins`)).data;

  const status = (page: Page) => page.locator('[role="status"][data-result]');
  const result = (page: Page) => status(page).getAttribute('data-result');
  const queue = (page: Page) => page.locator('[data-queue]').first().getAttribute('data-queue');
  /** Opens the link of a QR code on a new device, gives it a name, and chooses the gate. */
  async function device(at: string, name = 'Gate 1'): Promise<Page> {
    const { code } = await post(`${at}/devices/pairing-codes`);
    const page = await world.open(`/scan#pair=${code}`, {
      ...{ session: 'nobody', viewport: { width: 390, height: 844 } },
      init: PATIENT,
    });
    await heading(page, 'Pair this device');
    await page.getByLabel('Name').fill(name);
    await button(page, 'Pair').click();
    await heading(page, 'Where are you scanning?');
    await button(page, /^Main gate/).click();
    await ready(page);
    return page;
  }
  /** Without its list of tickets a device can judge nothing by itself. */
  const ready = (page: Page) => page.locator('.freshness', { hasText: /^\d+ tickets?, updated/ }).waitFor();
  async function type(page: Page, code: string): Promise<void> {
    await button(page, 'Type').click();
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
  }
  /**
   * As a scanner that pretends to be a keyboard does: every key within a moment, and Enter. `written` is what the system writes for the
   * keys, if it has another keyboard layout than the scanner.
   */
  const wedge = (page: Page, code: string, written = code) => page.evaluate(typeKeys, [code, written]);
  /** What is said first to a ticket that is read. At a kiosk it goes after a moment. */
  const greeting = (page: Page, code: string) =>
    page.evaluate<string>(`new Promise((resolve) => {
      const look = () => {
        const said = document.querySelector('[role="status"][data-result]');
        if (said === null) return;
        observer.disconnect();
        resolve(said.dataset.result + ' ' + said.textContent);
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      (${typeKeys})(['${code}', '${code}']);
    })`);
  async function decide(page: Page, name: 'Override' | 'Undo'): Promise<void> {
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('PIN').fill(PIN);
    await sheet.getByLabel('Reason').fill('She is known to us.');
    await button(sheet, name).click();
    await sheet.waitFor({ state: 'detached' });
  }

  test('pairs by a link, asks for a point, admits, refuses, overrides and undoes', async () => {
    const at = await event('door');
    const code = await ticket(at, 'Ada');
    const page = await device(at);
    expect(new URL(page.url()).hash).toBe('');
    expect((await send('GET', `${at}/devices`)).data.map((one: Body) => one.name)).toEqual(['Gate 1']);

    await type(page, code);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).getAttribute('data-admitted')).toBe('true');
    expect(await status(page).textContent()).toContain('Ada Lovelace');
    // A success goes away by itself, and what was said stays in a line.
    await page.locator('.answer.line').waitFor();
    await poll(() => queue(page)).toBe('0');

    await type(page, code);
    await poll(() => result(page)).toBe('duplicate');
    await page.locator('.answer.covers', { hasText: /First admitted .*Main gate/ }).waitFor();
    await button(page, 'Override').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('PIN').fill('000001');
    await sheet.getByLabel('Reason').fill('She is known to us.');
    await button(sheet, 'Override').click();
    await sheet.getByText('The PIN is wrong.').waitFor();
    expect(await sheet.getByLabel('Reason').inputValue()).toBe('She is known to us.');
    await decide(page, 'Override');
    await poll(() => result(page)).toBe('accepted');
    await poll(async () => (await checkIns(at)).filter((one) => one.admitted).length).toBe(2);

    await page.locator('.answer.line').waitFor();
    await button(page, 'Last').click();
    await heading(page, 'Last scans');
    await button(page, 'Undo').first().click();
    // The member's PIN unlocked the device a moment ago.
    await page
      .getByRole('dialog')
      .getByText(/^Unlocked by .+ until/)
      .waitFor();
    await page.getByRole('dialog').getByLabel('Reason').fill('Wrong person');
    await button(page.getByRole('dialog'), 'Undo').click();
    await poll(() => result(page)).toBe('undone');
    await poll(async () => (await checkIns(at)).filter((one) => one.undone_at !== null).length).toBe(1);
  });

  test('starts from a broken address and from stored choices of another shape', async () => {
    const page = await world.open('/scan#pair=%E0%A4%A', {
      ...{ session: 'nobody', viewport: { width: 390, height: 844 } },
      init: `localStorage.setItem('turnout.scan.settings', '{"testing":5,"read":7,"open":{},"hand":[]}')`,
    });
    await heading(page, 'Pair this device');
    expect([await page.getByLabel('Code').inputValue(), new URL(page.url()).hash]).toEqual(['', '']);
  });

  test('says in plain words why a code pairs nothing, and keeps what was typed', async () => {
    const page = await world.open('/scan', { session: 'nobody', viewport: { width: 320, height: 568 } });
    await heading(page, 'Pair this device');
    await page.getByLabel('Code').fill('NO-SUCH-CODE');
    await page.getByLabel('Name').fill('Gate 7');
    await button(page, 'Pair').click();
    await page.getByText('This code is not valid:', { exact: false }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Gate 7');
    await page.context().setOffline(true);
    await page.getByLabel('Code').fill('NO-SUCH-CODE-2');
    await button(page, 'Pair').click();
    await page.getByText('Pairing needs a network', { exact: false }).waitFor();
  });

  test('asks who is here for a ticket of several, and tells the result of each', async () => {
    const at = await event('family', { ticketing: 'shared' });
    const code = await ticket(at, 'Ada', 'Bo', 'Cy');
    const page = await device(at);
    await type(page, code);
    const sheet = page.getByRole('dialog', { name: 'Who is here?' });
    await sheet.getByLabel(/^Cy/).uncheck();
    await button(sheet, 'Check in 2 people').click();
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).not.toContain('Cy');
    await page.locator('.answer.line').waitFor();
    await type(page, code);
    await button(page.getByRole('dialog'), 'Check in 3 people').click();
    await page.locator('.answer.mixed.covers', { hasText: '1 of 3 admitted' }).waitFor();
    expect(await page.locator('.answer-people .good').textContent()).toContain('Cy Lovelace');
    expect(await page.locator('.answer-people .stop').count()).toBe(2);
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.answer.line').waitFor();
    // Nothing is written while the question is open.
    await poll(() => queue(page)).toBe('0');
    const before = (await checkIns(at)).length;
    await type(page, code);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await checkIns(at)).length).toBe(before);
  });

  test('test mode is seen on every screen and counts nowhere', async () => {
    const at = await event('try');
    const code = await ticket(at, 'Ada');
    const page = await device(at);
    await button(page, 'More').click();
    await page.getByLabel('Test mode').check();
    await page.locator('.test-band', { hasText: 'Test mode' }).waitFor();
    await button(page, 'Back').click();
    await page.locator('.scan .test-band').waitFor();
    await type(page, code);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).toContain('A test');
    // Nobody decides about a test: it counts nowhere.
    await page.locator('.answer.line').waitFor();
    await type(page, code);
    await poll(() => result(page)).toBe('duplicate');
    await button(page, 'Next').waitFor();
    expect(await button(page, 'Override').count()).toBe(0);
    await button(page, 'Next').click();
    await button(page, 'Last').click();
    await page.locator('.last').first().waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
    await button(page, 'Back').click();
    await page.locator('.scan').waitFor();
    await page.reload();
    await page.locator('.scan .test-band').waitFor();
    await button(page, 'More').click();
    await page.getByLabel('Test mode').uncheck();
    await button(page, 'Back').click();
    await page.locator('.test-band').waitFor({ state: 'detached' });
    await type(page, code);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).not.toContain('A test');
  });

  test('finds somebody by name where the event allows it', async () => {
    const at = await event('names', { door: { name_search: true, kiosk: false } });
    await ticket(at, 'Ada');
    await ticket(at, 'Grace');
    const page = await device(at);
    await button(page, 'Search').click();
    const sheet = page.getByRole('dialog', { name: 'Find somebody' });
    await sheet.getByLabel('Name').fill('lov gra');
    await sheet.getByText('1 person found').waitFor();
    await sheet.getByLabel(/^Grace Lovelace/).check();
    await button(sheet, 'Check in Grace Lovelace').click();
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).toContain('Grace Lovelace');
    const plain = await device(await event('no-names'));
    expect(await button(plain, 'Search').count()).toBe(0);
  });

  test('decides without a network, keeps its queue when it is closed, and sends it by itself', async () => {
    const at = await event('dark');
    const [ada, bo] = [await ticket(at, 'Ada'), await ticket(at, 'Bo')];
    const page = await device(at);
    const context: BrowserContext = page.context();
    // The service worker has to be there, or the page could not be opened without a network.
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await type(page, ada);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).getAttribute('data-by')).toBe('device');
    await poll(() => queue(page)).toBe('1');
    await page.locator('.answer.line').waitFor();
    await type(page, ada);
    await poll(() => result(page)).toBe('duplicate');
    await page.getByText('No network; this device decides').waitFor();
    await button(page, 'Override').click();
    await page.getByRole('dialog').getByText('This needs the server').waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Next').click();
    await page.reload();
    await page.locator('.scan').waitFor();
    await poll(() => queue(page)).toBe('2');
    await type(page, bo);
    await poll(() => result(page)).toBe('accepted');
    await poll(() => queue(page)).toBe('3');
    await context.setOffline(false);
    await poll(() => queue(page)).toBe('0');
    await page.getByText('Connected').waitFor();
    const all = await checkIns(at);
    expect(all.map((one) => [one.result, one.offline_result]).sort()).toEqual([
      ['accepted', 'accepted'],
      ['accepted', 'accepted'],
      ['duplicate', 'duplicate'],
    ]);
  });

  test('says that the server decided otherwise, until somebody has seen it', async () => {
    const at = await event('differ');
    const code = await ticket(at, 'Ada');
    const [one, other] = [await device(at, 'One'), await device(at, 'Other')];
    await one.context().setOffline(true);
    await type(one, code);
    await poll(() => result(one)).toBe('accepted');
    // The other gate, which has a network, admitted her before.
    await post(`${at}/scan`, {
      ...{ code, check_in_point: 'gate', client_uuid: crypto.randomUUID() },
      scanned_at: new Date(Date.now() - 60_000).toISOString(),
    });
    await other.close();
    await one.context().setOffline(false);
    await one.getByRole('button', { name: /^The server decided 1 scan otherwise/ }).click();
    await heading(one, 'The server decided otherwise');
    await one.getByText('Said here: Admitted').waitFor();
    await one.getByText('On record: Already admitted').waitFor();
    await one.reload();
    await one.getByRole('button', { name: /^The server decided 1 scan otherwise/ }).click();
    await button(one, 'I have seen this').click();
    await one.locator('.scan').waitFor();
    await poll(() => one.getByRole('button', { name: /otherwise/ }).count()).toBe(0);
  });

  test('a scanner that types is heard from the moment in which the screen is there', async () => {
    const at = await event('prompt');
    const code = await ticket(at, 'Ada');
    const page = await device(at, 'Prompt');
    // Types as soon as the camera's part of the screen is in the page, before the browser paints it.
    const early = (keys: string) => `new MutationObserver((_, observer) => {
      if (document.querySelector('.camera') === null) return;
      observer.disconnect();
      (${typeKeys})(['${keys}', '${keys}']);
    }).observe(document, { subtree: true, childList: true })`;
    await page.addInitScript(early(code));
    await page.reload();
    await poll(() => result(page)).toBe('accepted');
  });

  test('a kiosk greets by the first name only and is left with a PIN, or by its name where there is no network', async () => {
    const at = await event('self', { door: { name_search: false, kiosk: true } });
    const code = await ticket(at, 'Ada');
    const page = await device(at, 'Kiosk by the door');
    const begin = async () => {
      await button(page, 'More').click();
      await button(page, 'Begin kiosk mode').click();
      await page.locator('.kiosk').waitFor();
    };
    await begin();
    const said = await greeting(page, code);
    expect(said).toContain('accepted');
    for (const word of ['Ada', 'Welcome!', 'Willkommen!', 'Bienvenue', 'Bienvenido']) expect(said).toContain(word);
    expect(await page.locator('body').textContent()).not.toContain('Lovelace');
    await page.locator('.answer.covers').waitFor({ state: 'detached' });
    await wedge(page, code);
    await poll(() => result(page)).toBe('duplicate');
    expect(await page.locator('body').textContent()).not.toMatch(/Ada|Lovelace/);
    expect(await findingsOf(page)).toEqual([]);
    // Loading the page again, or going back, does not leave it.
    await page.reload();
    await page.locator('.kiosk').waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => history.back());
    await poll(() => page.evaluate(() => history.state?.kiosk)).toBe(true);
    expect(await page.locator('.kiosk').count()).toBe(1);
    await button(page, 'Staff').click();
    await page.getByRole('dialog').getByLabel('PIN').fill(PIN);
    await button(page.getByRole('dialog'), 'End kiosk mode').click();
    await page.locator('.scan').waitFor();

    await begin();
    await page.context().setOffline(true);
    await wedge(page, code);
    await poll(() => result(page)).toBe('duplicate');
    await page.locator('.answer.covers').waitFor({ state: 'detached' });
    await wedge(page, code);
    await page.locator('.answer.covers').waitFor();
    await page.locator('.answer.covers').waitFor({ state: 'detached' });
    await button(page, 'Staff').click();
    const sheet = page.getByRole('dialog');
    await button(sheet, 'Hold for five seconds').hover();
    await page.mouse.down();
    await sheet.getByLabel('Name').waitFor();
    await page.mouse.up();
    await sheet.getByLabel('Name').fill('gate');
    await button(sheet, 'End kiosk mode').click();
    await sheet.getByText('This device has another name.').waitFor();
    await sheet.getByLabel('Name').fill('kiosk by the door');
    await button(sheet, 'End kiosk mode').click();
    await page.locator('.scan').waitFor();
  });

  test('everything goes by keyboard, and a scanner that types is heard', async () => {
    const at = await event('keys');
    const code = await ticket(at, 'Ada');
    const { code: pairing } = await post(`${at}/devices/pairing-codes`);
    const page = await world.open('/scan', { session: 'nobody', viewport: { width: 390, height: 844 } });
    await heading(page, 'Pair this device');
    const focused = () =>
      page.evaluate(() =>
        document.activeElement === document.body ? '' : (document.activeElement?.textContent ?? ''),
      );
    const tabTo = async (name: string) => {
      for (let i = 0; i < 25; i += 1) {
        await page.keyboard.press('Tab');
        if ((await focused()).includes(name)) return;
      }
      throw new Error(`Nobody gets to ${name} by Tab.`);
    };
    await tabTo('Scan the QR code');
    await page.keyboard.press('Tab');
    await page.keyboard.type(pairing);
    await page.keyboard.press('Enter');
    await heading(page, 'Where are you scanning?');
    await button(page, /^Main gate/).waitFor();
    await tabTo('Main gate');
    await page.keyboard.press('Enter');
    await ready(page);
    await wedge(page, code);
    await poll(() => result(page)).toBe('accepted');
    await page.locator('.answer.line').waitFor();
    await tabTo('Type');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus is back where it was.
    expect(await focused()).toContain('Type');
    await page.keyboard.press('Enter');
    await page.locator('dialog input:focus').waitFor();
    await page.keyboard.type(code.toLowerCase());
    await page.keyboard.press('Enter');
    await poll(() => result(page)).toBe('duplicate');
    expect(await focused()).toBe('Next');
    // A refusal gives way to the next code, without a tap.
    await wedge(page, 'NEVER-SEEN-BEFORE');
    await poll(() => result(page)).toBe('unknown');
    await page.keyboard.press('Enter');
    await page.locator('.answer.line').waitFor();
    await tabTo('More');
    await page.keyboard.press('Enter');
    await heading(page, 'More');
    await page.keyboard.press('Escape');
    await page.locator('.scan').waitFor();
  });

  test('the focus is back in the moment in which a sheet or a refusal goes', async () => {
    const at = await event('focus');
    const page = await device(at);
    const whenGone = async (name: string, gone: string) => {
      const [pressed, goes] = await Promise.all([button(page, name).elementHandle(), page.waitForSelector(gone)]);
      return page.evaluate(focusedWhenGone, [pressed!, goes]);
    };
    await button(page, 'Type').press('Enter');
    await page.locator('dialog input:focus').waitFor();
    expect(await whenGone('Cancel', 'dialog')).toBe('Type');
    await wedge(page, 'NEVER-SEEN-BEFORE');
    await poll(() => result(page)).toBe('unknown');
    await page.locator('.next:focus').waitFor();
    expect(await whenGone('Next', '.next')).toBe('Type');
    // A decision ends both at once: the sheet that it was made in, and the refusal below.
    const code = await ticket(at, 'Ada');
    await wedge(page, code);
    await poll(() => result(page)).toBe('accepted');
    await wedge(page, code);
    await poll(() => result(page)).toBe('duplicate');
    await button(page, 'Override').press('Enter');
    await decide(page, 'Override');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Type');
  });

  test('a screen that is opened in the moment in which another one is left stays open', async () => {
    const page = await device(await event('quick'));
    await button(page, 'More').click();
    const title = page.locator('.page-head h1');
    const before = await title.textContent();
    await page.evaluate(async () => {
      const more = () =>
        [...document.querySelectorAll<HTMLElement>('.bar button')].find((one) => one.textContent.trim() === 'More');
      const wentBack = new Promise((resolve) => addEventListener('popstate', resolve));
      document.querySelector<HTMLElement>('.page-head button')!.click();
      for (let i = 0; i < 100 && more() === undefined; i += 1) await Promise.resolve();
      more()!.click();
      await wentBack;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    });
    expect(await title.textContent()).toBe(before);
    // The browser's own way back leads to the camera, too.
    await page.goBack();
    await page.locator('.scan').waitFor();
    expect(await page.evaluate(() => history.state?.place)).toBeUndefined();
  });

  test('a PIN that is sent before the names of the members are there waits for them', async () => {
    const at = await event('early-pin');
    const code = await ticket(at, 'Ada');
    const page = await device(at);
    await wedge(page, code);
    await page.locator('.answer.line [data-result="accepted"]').waitFor();
    await wedge(page, code);
    await poll(() => result(page)).toBe('duplicate');
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    await page.route('**/devices/self/members', async (route) => {
      await allowed;
      await route.continue();
    });
    await button(page, 'Override').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('PIN').fill(PIN);
    await sheet.getByLabel('Reason').fill('She is known to us.');
    await button(sheet, 'Override').click();
    allow();
    await poll(() => result(page)).toBe('accepted');
  });

  test('a decision stays about its scan, whether the next one is answered or fails', async () => {
    const at = await event('decision');
    const [ada, bo] = [await ticket(at, 'Ada'), await ticket(at, 'Bo')];
    const page = await device(at);
    const sheet = page.getByRole('dialog', { name: 'Admit all the same' });
    const refuseAda = async () => {
      await wedge(page, ada);
      await poll(() => result(page)).toBe('duplicate');
      await button(page, 'Override').waitFor();
    };
    /** Reads the code and presses the button before the code has its answer. */
    const overrideDuring = (code: string) => {
      const press = `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Override').click()`;
      return page.evaluate(`(${typeKeys})(['${code}', '${code}']); ${press}`);
    };
    await wedge(page, ada);
    await poll(() => result(page)).toBe('accepted');

    await refuseAda();
    await overrideDuring(bo);
    await poll(() => status(page).textContent()).toContain('Bo Lovelace');
    await sheet.getByText('Ada Lovelace').waitFor();
    await decide(page, 'Override');
    await poll(() => status(page).textContent()).toContain('Ada Lovelace');
    expect(await result(page)).toBe('accepted');

    await refuseAda();
    // A scan that neither the device keeps nor the server takes has no answer.
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The storage is full.', 'QuotaExceededError');
      };
    });
    const refused = { error: { code: 'unheard_of', message: 'The server takes no such scan.' } };
    await page.route('**/scan', (route) => route.fulfill({ status: 422, json: refused }));
    await overrideDuring(bo);
    await poll(() => result(page)).toBe('none');
    await sheet.getByText('Ada Lovelace').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    // Codes are read again.
    await page.unroute('**/scan');
    await wedge(page, bo);
    await poll(() => result(page)).toBe('duplicate');
  });

  test('a scanner that types on a keyboard of another layout is understood', async () => {
    const at = await event('layout');
    const page = await device(at);
    // A scanner that is set to an American keyboard writes Y for Z on a German system, and either could be a code.
    const swapped = (code: string) => code.replace(/[YZ]/g, (letter) => (letter === 'Y' ? 'Z' : 'Y'));
    let code = '';
    while (swapped(code) === code) code = (await ticket(at, 'Ada')).replaceAll('-', '');
    await wedge(page, code, swapped(code));
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).toContain('Ada Lovelace');
    await page.locator('.answer.line').waitFor();
    // What the system wrote is a code: then nothing else is tried.
    await wedge(page, swapped(code), code);
    await poll(() => result(page)).toBe('duplicate');
    await button(page, 'Next').click();
    await wedge(page, 'NEVERYSEEN', 'NEVERZSEEN');
    await poll(() => result(page)).toBe('unknown');
    await poll(() => queue(page)).toBe('0');
    const all = await checkIns(at);
    expect(
      all
        .filter((one) => one.ticket_id !== null)
        .map((one) => one.result)
        .sort(),
    ).toEqual(['accepted', 'duplicate']);
  });

  test('a device that was unpaired says so, keeps its queue and hands it over', async () => {
    const at = await event('gone');
    const code = await ticket(at, 'Ada');
    const page = await device(at);
    await page.context().setOffline(true);
    await type(page, code);
    await poll(() => queue(page)).toBe('1');
    const [{ id }] = (await send('GET', `${at}/devices`)).data;
    await send('DELETE', `${at}/devices/${id}`);
    await page.context().setOffline(false);
    await heading(page, 'This device is no longer paired');
    await page.getByText('1 scan is kept on this device and has not been recorded.').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Hand over as a file').click()]);
    const file = JSON.parse(readFileSync((await download.path())!, 'utf8'));
    expect(file).toMatchObject({
      turnout: 'scans',
      version: 1,
      scans: [{ check_in_point: 'gate', offline_result: 'accepted' }],
    });
    await page.reload();
    await heading(page, 'This device is no longer paired');
  });

  test('only one tab scans; the other one can take over', async () => {
    const at = await event('tabs');
    const first = await device(at);
    const second = await first.context().newPage();
    await second.goto(`${world.home}/scan`);
    await heading(second, 'The scanner is open in another tab');
    await button(second, 'Scan here').click();
    await second.locator('.scan').waitFor();
    await heading(first, 'Another tab scans now');
    await button(first, 'Scan here').click();
    await first.locator('.scan').waitFor();
    await heading(second, 'Another tab scans now');
  });

  test('several events are on one device, and one of them can be left', async () => {
    const [one, two] = [await event('one'), await event('two', { name: 'Night of Science' })];
    const page = await device(one);
    await button(page, 'More').click();
    await button(page, 'Events on this device').click();
    await button(page, 'Pair with another event').click();
    await heading(page, 'Pair this device');
    const { code } = await post(`${two}/devices/pairing-codes`);
    await page.getByLabel('Code').fill(`${world.home}/scan#pair=${code}`);
    await button(page, 'Pair').click();
    await heading(page, 'Where are you scanning?');
    await page.getByText('Night of Science').first().waitFor();
    await button(page, 'Another event').click();
    await button(page, /^Lakeside Fair/).click();
    await page.locator('.where', { hasText: 'Lakeside Fair' }).waitFor();
    await button(page, 'More').click();
    await button(page, 'Leave this event').click();
    await button(page.getByRole('dialog'), 'Leave this event').click();
    await heading(page, 'Where are you scanning?');
    await page.getByText('Night of Science').first().waitFor();
  });
});

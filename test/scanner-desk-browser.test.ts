import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KIOSK_HOLD_MS, KIOSK_REFUSAL_MS, KIOSK_SUCCESS_MS, SUCCESS_MS } from '../web/scan/src/parts/times.ts';
import {
  button,
  type Door,
  decide,
  goneByItself,
  heading,
  type Made,
  openDoor,
  PIN,
  poll,
  queue,
  ready,
  result,
  status,
  type,
  typeKeys,
  wedge,
} from './support/scanner/door.ts';
import { findingsOf } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';

/** What has the focus in the moment in which an element is gone after a click, before anything is painted. It runs in the page. */
async function focusedWhenGone([button, gone]: Element[]): Promise<string> {
  (button as HTMLElement).click();
  for (let i = 0; i < 100 && gone!.isConnected; i += 1) await Promise.resolve();
  if (gone!.isConnected) return 'It is still there.';
  // What is done right after drawing; no key and no picture can come in between.
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
  return document.activeElement?.textContent ?? '';
}

/** A scanner that is set to an American keyboard writes Y for Z on a German system, and either could be a code. */
const swapped = (code: string) => code.replace(/[YZ]/g, (letter) => (letter === 'Y' ? 'Z' : 'Y'));

/** Types the code that was left for it as soon as the camera's part of the screen is in the page, before the browser paints it. */
const TYPES_EARLY = `{
  const keys = sessionStorage.getItem('early');
  sessionStorage.removeItem('early');
  if (keys !== null) new MutationObserver((_, observer) => {
    if (document.querySelector('.camera') === null) return;
    observer.disconnect();
    (${typeKeys})([keys, keys]);
  }).observe(document, { subtree: true, childList: true });
}`;

/**
 * What a volunteer does at one device of one event, which stays paired. Each test begins with the page loaded anew, has tickets of its own
 * and leaves the device at its camera. The tickets are there before the device, so its list has all of them.
 */
describe.skipIf(!hasTool('chromium'))('at one device', { timeout: 240_000 }, () => {
  const HOLDERS = {
    ...{
      family: ['Ada', 'Bo', 'Cy', 'Di'],
      undone: ['Ada'],
      tried: ['Ada'],
      grace: ['Grace'],
      otherGrace: ['Grace'],
      pair: ['Dot', 'Eve'],
      disputed: ['Ada'],
      early: ['Ada'],
    },
    ...{ kiosk: ['Ada'], kin: ['Ada', 'Bo', 'Cy'], focus: ['Ada'], pin: ['Ada'], ada: ['Ada'], bo: ['Bo'] },
  };
  let door: Door;
  let at: string;
  let page: Page;
  /** The choices of a device that has just been paired, as the browser keeps them. */
  let settings: string;
  const tickets = {} as Record<keyof typeof HOLDERS | 'swapped', Made>;
  const COMPANIES: Readonly<Record<string, string>> = { grace: 'Acme', otherGrace: 'Zuse' };
  beforeAll(async () => {
    door = await openDoor();
    const rules = { name_search: true, kiosk: true, questions: ['company'] };
    at = await door.event('desk', { ticketing: 'shared', door: rules });
    await door.post(`${at}/questions`, { code: 'company', label: 'Company', kind: 'text' });
    for (const [name, holders] of Object.entries(HOLDERS)) {
      const company = COMPANIES[name];
      tickets[name as keyof typeof HOLDERS] = await door.register(
        at,
        holders,
        company === undefined ? {} : { company },
      );
    }
    let code = '';
    while (swapped(code) === code) {
      const made = await door.register(at, ['Ada']);
      code = made.code.replaceAll('-', '');
      tickets.swapped = { ...made, code };
    }
    page = await door.device(at, 'Desk by the door');
    settings = await page.evaluate(() => localStorage.getItem('turnout.scan.settings')!);
    await page.context().addInitScript(TYPES_EARLY);
  }, 300_000);
  beforeEach(async () => {
    // Also if the test before has failed in test mode, in a kiosk or without a network.
    await page.context().setOffline(false);
    await page.evaluate((kept) => localStorage.setItem('turnout.scan.settings', kept), settings);
    await page.reload();
    await ready(page);
  });
  afterEach(async () => {
    await page.unrouteAll();
    expect(door.complaints()).toEqual([]);
  });
  afterAll(async () => {
    await door?.world.stop();
  });

  /** What is said first to a ticket that is read. At a kiosk it goes after a moment. */
  const greeting = (code: string) =>
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

  test('asks a family of four who is here, and the second time only for those who are not inside', async () => {
    const { code } = tickets.family;
    const sheet = page.getByRole('dialog', { name: 'Who is here?' });
    const ticked = () =>
      sheet.getByRole('checkbox').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked));
    await type(page, code);
    await sheet.waitFor();
    expect(await ticked()).toEqual([true, true, true, true]);
    await sheet.getByLabel(/^Cy/).uncheck();
    await sheet.getByLabel(/^Di/).uncheck();
    await button(sheet, 'Check in 2 people').click();
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).not.toContain('Cy');
    await goneByItself(page);

    await type(page, code);
    await sheet.getByText('2 of 4 are already inside.').waitFor();
    expect(await ticked()).toEqual([false, false, true, true]);
    expect(await sheet.getByText(/^First admitted .*Main gate$/).count()).toBe(2);
    expect(await findingsOf(page)).toEqual([]);
    // Whoever stands at the door may still ask for somebody who is inside, and is told what becomes of each.
    await sheet.getByLabel(/^Ada/).check();
    await sheet.getByLabel(/^Di/).uncheck();
    await button(sheet, 'Check in 2 people').click();
    await page.locator('.answer.mixed.covers', { hasText: '1 of 2 admitted' }).waitFor();
    expect(await page.locator('.answer-people .good').textContent()).toContain('Cy Lovelace');
    expect(await page.locator('.answer-people .look').count()).toBe(1);
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.answer.line').waitFor();

    // Nothing is written while the question is open.
    await poll(() => queue(page)).toBe('0');
    const before = (await door.checkIns(at)).length;
    await type(page, code);
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect((await door.checkIns(at)).length).toBe(before);

    await type(page, code);
    await button(sheet, 'Check in 1 person').click();
    await poll(() => result(page)).toBe('accepted');
    await goneByItself(page);
    // Nobody is left to ask for.
    await type(page, code);
    await poll(() => result(page)).toBe('duplicate');
    expect(await page.locator('.answer-people li', { hasText: /First admitted/ }).count()).toBe(4);
  });

  test('an admission that was decided without a network is undone once it was sent', async () => {
    await page.context().setOffline(true);
    await type(page, tickets.undone.code);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).getAttribute('data-by')).toBe('device');
    await goneByItself(page);
    await button(page, 'Last').click();
    await page.getByRole('button', { name: /not sent yet/ }).click();
    // It cannot be taken for an admission of whoever stands here now.
    const earlier = page.locator('.answer.covers.earlier');
    await earlier.getByText(/^Earlier scan, \d/).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.clock.fastForward(SUCCESS_MS);
    await button(earlier, 'Undo').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('You need a network for this').waitFor();
    // The sheet is open while the scan goes up.
    await page.context().setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await decide(page, 'Undo');
    await poll(() => result(page)).toBe('undone');
    const [undone] = (await door.checkIns(at)).filter((one) => one.ticket_id === tickets.undone.id);
    expect(undone).toMatchObject({ result: 'accepted', offline_result: 'accepted', undone_at: expect.any(String) });
    await button(earlier, 'Close').click();
    // The list says it, too, and offers nothing that was done already.
    await button(page, 'Last').click();
    const row = page.locator('li.last').first();
    await row.getByText(/Undone/).waitFor();
    expect(await button(row, 'Undo').count()).toBe(0);
  });

  test('asks for the touch without which a browser lets nothing be heard or felt', async () => {
    const notice = button(page, 'Tap here once to turn on sound and vibration.');
    await notice.waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await notice.click();
    await notice.waitFor({ state: 'detached' });
    await page.reload();
    await notice.waitFor();
    // Any other touch does it as well.
    await button(page, 'Type').click();
    await notice.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  test('test mode is seen on every screen and counts nowhere', async () => {
    const { code } = tickets.tried;
    await button(page, 'More').click();
    await page.getByLabel('Test mode').check();
    await page.locator('.test-band', { hasText: 'Test mode' }).waitFor();
    await button(page, 'Back').click();
    await page.locator('.scan .test-band').waitFor();
    await type(page, code);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).toContain('Test: doesn’t count');
    // Nobody decides about a test: it counts nowhere.
    await goneByItself(page);
    await type(page, code);
    await poll(() => result(page)).toBe('duplicate');
    await button(page, 'Next').waitFor();
    expect(await button(page, 'Override').count()).toBe(0);
    await button(page, 'Next').click();
    await button(page, 'Last').click();
    await page.locator('.last').first().waitFor();
    // The newest two are the ones of this test.
    for (const place of [0, 1]) expect(await button(page.locator('.last').nth(place), 'Undo').count()).toBe(0);
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
    expect(await status(page).textContent()).not.toContain('Test: doesn’t count');
  });

  test('finds somebody by name, and tells two people of the same name apart', async () => {
    await button(page, 'Search').click();
    const sheet = page.getByRole('dialog', { name: 'Find a person' });
    await sheet.getByLabel('Name').fill('lov gra');
    await sheet.getByText('2 people found').waitFor();
    const [first, second] = await sheet.locator('.found label').allTextContents();
    expect([first, second].map((text) => /Company: (\w+)/.exec(text!)?.[1]).sort()).toEqual(['Acme', 'Zuse']);
    for (const { registration } of [tickets.grace, tickets.otherGrace]) {
      expect([first, second].filter((text) => text!.includes(registration))).toHaveLength(1);
    }
    expect(await findingsOf(page)).toEqual([]);
    await sheet.locator('label', { hasText: 'Company: Acme' }).click();
    await button(sheet, 'Check in Grace Lovelace').click();
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).toContain('Grace Lovelace');
    await goneByItself(page);
    await button(page, 'Search').click();
    await sheet.getByLabel('Name').fill(tickets.grace.registration.toLowerCase());
    await sheet.getByText('1 person found').waitFor();
    await sheet.getByText(/^First admitted .*Main gate$/).waitFor();
  });

  test('takes the code of a registration, and says of an unknown one what it may be', async () => {
    await type(page, `${tickets.pair.registration.slice(0, 5)} ${tickets.pair.registration.slice(5)}`.toLowerCase());
    const sheet = page.getByRole('dialog', { name: 'Who is here?' });
    await sheet.getByText(`Registration ${tickets.pair.registration}`).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await button(sheet, 'Check in 2 people').click();
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).toContain('Eve Lovelace');
    await goneByItself(page);
    await type(page, 'ZZZZZ-ZZZZZ');
    await poll(() => result(page)).toBe('unknown');
    const answer = page.locator('.answer.covers', { hasText: 'This looks like the code of a registration' });
    await answer.waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await button(answer, 'Search').click();
    await page.getByRole('dialog', { name: 'Find a person' }).waitFor();
  });

  test('says that the server decided otherwise, until somebody has seen it', async () => {
    const { code } = tickets.disputed;
    await page.context().setOffline(true);
    await type(page, code);
    await poll(() => result(page)).toBe('accepted');
    // The other gate, which has a network, admitted her before.
    await door.post(`${at}/scan`, {
      ...{ code, check_in_point: 'gate', client_uuid: crypto.randomUUID() },
      scanned_at: new Date(Date.now() - 60_000).toISOString(),
    });
    await page.context().setOffline(false);
    await page.getByRole('button', { name: /^The server decided 1 scan differently/ }).click();
    await heading(page, 'Decided differently');
    await page.getByText('Shown here: Admitted').waitFor();
    await page.getByText('Recorded: Already admitted').waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^The server decided 1 scan differently/ }).click();
    await button(page, 'Mark as seen').click();
    await page.locator('.scan').waitFor();
    await poll(() => page.getByRole('button', { name: /otherwise/ }).count()).toBe(0);
  });

  test('a scanner that types is heard from the moment in which the screen is there', async () => {
    await page.evaluate((code) => sessionStorage.setItem('early', code), tickets.early.code);
    await page.reload();
    await poll(() => result(page)).toBe('accepted');
  });

  test('a kiosk greets by the first name only and is left with a PIN, or by its name where there is no network', async () => {
    const { code } = tickets.kiosk;
    const begin = async () => {
      await button(page, 'More').click();
      await button(page, 'Start kiosk mode').click();
      await page.locator('.kiosk').waitFor();
    };
    await begin();
    const said = await greeting(code);
    expect(said).toContain('accepted');
    for (const word of ['Ada', 'Welcome!', 'Willkommen!', 'Bienvenue', 'Bienvenido']) expect(said).toContain(word);
    expect(await page.locator('body').textContent()).not.toContain('Lovelace');
    await page.clock.fastForward(KIOSK_SUCCESS_MS);
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
    await page.clock.fastForward(KIOSK_REFUSAL_MS);
    await page.locator('.answer.covers').waitFor({ state: 'detached' });
    await wedge(page, code);
    await page.locator('.answer.covers').waitFor();
    await page.clock.fastForward(KIOSK_REFUSAL_MS);
    await page.locator('.answer.covers').waitFor({ state: 'detached' });
    await button(page, 'Staff').click();
    const sheet = page.getByRole('dialog');
    await button(sheet, 'Hold for five seconds').hover();
    await page.mouse.down();
    await page.clock.fastForward(KIOSK_HOLD_MS);
    await sheet.getByLabel('Name').waitFor();
    await page.mouse.up();
    await sheet.getByLabel('Name').fill('gate');
    await button(sheet, 'End kiosk mode').click();
    await sheet.getByText('This isn’t the name of this device.').waitFor();
    await sheet.getByLabel('Name').fill('desk by the door');
    await button(sheet, 'End kiosk mode').click();
    await page.locator('.scan').waitFor();
    await page.context().setOffline(false);
    await poll(() => queue(page)).toBe('0');
  });

  test('a kiosk lets the rest of a family in, and sends none of them to the desk', async () => {
    const { code } = tickets.kin;
    await button(page, 'More').click();
    await button(page, 'Start kiosk mode').click();
    await page.locator('.kiosk').waitFor();
    const sheet = page.getByRole('dialog', { name: 'Who is here?' });
    const admitted = async (count: string) => {
      await button(sheet, `Check in ${count}`).click();
      await poll(() => result(page)).toBe('accepted');
      await page.clock.fastForward(KIOSK_SUCCESS_MS);
      await page.locator('.answer.covers').waitFor({ state: 'detached' });
    };
    await wedge(page, code);
    await sheet.getByLabel(/^Cy/).uncheck();
    await admitted('2 people');
    await wedge(page, code);
    await sheet.waitFor();
    expect(await sheet.getByLabel(/^Ada/).isDisabled()).toBe(true);
    expect(await findingsOf(page)).toEqual([]);
    await admitted('1 person');
    await wedge(page, code);
    await poll(() => result(page)).toBe('duplicate');
    const said = await status(page).textContent();
    expect(said).toContain('Everyone on this ticket is already in.');
    expect(said).not.toContain('desk');
    await page.clock.fastForward(KIOSK_REFUSAL_MS);
    await page.locator('.answer.covers').waitFor({ state: 'detached' });
    // Nobody stands by to close a question in which nobody can be chosen.
    await wedge(page, tickets.kin.registration);
    await page.locator('.answer.covers').waitFor();
    expect([await result(page), await sheet.count()]).toEqual(['duplicate', 0]);
  });

  test('the focus is back in the moment in which a sheet or a refusal goes', async () => {
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
    const { code } = tickets.focus;
    await wedge(page, code);
    await poll(() => result(page)).toBe('accepted');
    await wedge(page, code);
    await poll(() => result(page)).toBe('duplicate');
    await button(page, 'Override').press('Enter');
    await decide(page, 'Override');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Type');
  });

  test('a screen that is opened in the moment in which another one is left stays open', async () => {
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
    const { code } = tickets.pin;
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
    const [ada, bo] = [tickets.ada.code, tickets.bo.code];
    const sheet = page.getByRole('dialog', { name: 'Admit anyway' });
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
    const { code } = tickets.swapped;
    await wedge(page, code, swapped(code));
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).textContent()).toContain('Ada Lovelace');
    await goneByItself(page);
    // What the system wrote is a code: then nothing else is tried.
    await wedge(page, swapped(code), code);
    await poll(() => result(page)).toBe('duplicate');
    await button(page, 'Next').click();
    await wedge(page, 'NEVERYSEEN', 'NEVERZSEEN');
    await poll(() => result(page)).toBe('unknown');
    await poll(() => queue(page)).toBe('0');
    const all = await door.checkIns(at);
    const ofTicket = all.filter((one) => one.ticket_id === tickets.swapped.id);
    expect(ofTicket.map((one) => one.result).sort()).toEqual(['accepted', 'duplicate']);
  });

  test('only one tab scans; the other one can take over', async () => {
    const second = await page.context().newPage();
    await second.goto(`${door.world.home}/scan`);
    await heading(second, 'The scanner is open in another tab');
    await button(second, 'Scan here').click();
    await second.locator('.scan').waitFor();
    await heading(page, 'Scanning in another tab');
    await button(page, 'Scan here').click();
    await page.locator('.scan').waitFor();
    await heading(second, 'Scanning in another tab');
    await second.close();
  });
});

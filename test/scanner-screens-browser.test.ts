import { readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Body,
  button,
  type Door,
  decide,
  goneByItself,
  heading,
  openDoor,
  poll,
  queue,
  ready,
  result,
  status,
  type,
  wedge,
} from './support/scanner/door.ts';
import { findingsOf } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';

/** The scanner with the real server and engine, as a volunteer uses it: how a device comes to an event, and how it leaves. */
describe.skipIf(!hasTool('chromium'))('the scanner', { timeout: 240_000 }, () => {
  let door: Door;
  beforeAll(async () => {
    door = await openDoor();
  }, 300_000);
  afterAll(async () => {
    await door?.world.stop();
  });
  afterEach(async () => {
    await door.world.closePages();
    expect(door.complaints()).toEqual([]);
  });

  test('pairs by a link, asks for a point, admits, refuses, overrides and undoes', async () => {
    const at = await door.event('door');
    const { code } = await door.ticket(at, 'Ada');
    const page = await door.device(at);
    expect(new URL(page.url()).hash).toBe('');
    expect((await door.send('GET', `${at}/devices`)).data.map((one: Body) => one.name)).toEqual(['Gate 1']);
    // Nobody is looked for by name where the event does not allow it.
    expect(await button(page, 'Search').count()).toBe(0);

    await type(page, code);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).getAttribute('data-admitted')).toBe('true');
    expect(await status(page).textContent()).toContain('Ada Lovelace');
    await goneByItself(page);
    await poll(() => queue(page)).toBe('0');

    await type(page, code);
    await poll(() => result(page)).toBe('duplicate');
    await page.locator('.answer.covers', { hasText: /First admitted .*Main gate/ }).waitFor();
    await button(page, 'Override').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('PIN').fill('000001');
    await sheet.getByLabel('Reason').fill('She is known to us.');
    await button(sheet, 'Override').click();
    await sheet.getByText('Wrong PIN. Try again.').waitFor();
    expect(await sheet.getByLabel('Reason').inputValue()).toBe('She is known to us.');
    await decide(page, 'Override');
    await poll(() => result(page)).toBe('accepted');
    await poll(async () => (await door.checkIns(at)).filter((one) => one.admitted).length).toBe(2);

    await goneByItself(page);
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
    await poll(async () => (await door.checkIns(at)).filter((one) => one.undone_at !== null).length).toBe(1);
  });

  test('starts from a broken address and from stored choices of another shape', async () => {
    const page = await door.world.open('/scan#pair=%E0%A4%A', {
      ...{ session: 'nobody', viewport: { width: 390, height: 844 } },
      init: `localStorage.setItem('turnout.scan.settings', '{"testing":5,"read":7,"open":{},"hand":[]}')`,
    });
    await heading(page, 'Pair this device');
    expect([await page.getByLabel('Code').inputValue(), new URL(page.url()).hash]).toEqual(['', '']);
  });

  test('says in plain words why a code pairs nothing, and keeps what was typed', async () => {
    const page = await door.world.open('/scan', { session: 'nobody', viewport: { width: 320, height: 568 } });
    await heading(page, 'Pair this device');
    await page.getByLabel('Code').fill('NO-SUCH-CODE');
    await page.getByLabel('Name').fill('Gate 7');
    await button(page, 'Pair').click();
    await page.getByText('This code isn’t valid:', { exact: false }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Gate 7');
    await page.context().setOffline(true);
    await page.getByLabel('Code').fill('NO-SUCH-CODE-2');
    await button(page, 'Pair').click();
    await page.getByText('The server didn’t answer. Check the network', { exact: false }).waitFor();
  });

  test('decides without a network, keeps its queue when it is closed, and sends it by itself', async () => {
    const at = await door.event('dark');
    const [ada, bo] = [(await door.ticket(at, 'Ada')).code, (await door.ticket(at, 'Bo')).code];
    const page = await door.device(at);
    const context: BrowserContext = page.context();
    // The service worker has to be there, or the page could not be opened without a network.
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await type(page, ada);
    await poll(() => result(page)).toBe('accepted');
    expect(await status(page).getAttribute('data-by')).toBe('device');
    await poll(() => queue(page)).toBe('1');
    await goneByItself(page);
    await type(page, ada);
    await poll(() => result(page)).toBe('duplicate');
    await page.getByText('No network; this device decides').waitFor();
    await button(page, 'Override').click();
    await page.getByRole('dialog').getByText('You need a network for this').waitFor();
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
    const all = await door.checkIns(at);
    expect(all.map((one) => [one.result, one.offline_result]).sort()).toEqual([
      ['accepted', 'accepted'],
      ['accepted', 'accepted'],
      ['duplicate', 'duplicate'],
    ]);
  });

  test('everything goes by keyboard, and a scanner that types is heard', async () => {
    const at = await door.event('keys');
    const { code } = await door.ticket(at, 'Ada');
    const { code: pairing } = await door.post(`${at}/devices/pairing-codes`);
    const page = await door.world.open('/scan', { session: 'nobody', viewport: { width: 390, height: 844 } });
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

  test('a device that was unpaired says so, keeps its queue and hands it over', async () => {
    const at = await door.event('gone');
    const { code } = await door.ticket(at, 'Ada');
    const page = await door.device(at);
    await page.context().setOffline(true);
    await type(page, code);
    await poll(() => queue(page)).toBe('1');
    const [{ id }] = (await door.send('GET', `${at}/devices`)).data;
    await door.send('DELETE', `${at}/devices/${id}`);
    await page.context().setOffline(false);
    await heading(page, 'This device is no longer paired');
    await page.getByText('1 scan on this device isn’t recorded yet.').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as a file').click()]);
    const file = JSON.parse(readFileSync((await download.path())!, 'utf8'));
    expect(file).toMatchObject({
      turnout: 'scans',
      version: 1,
      scans: [{ check_in_point: 'gate', offline_result: 'accepted' }],
    });
    await page.reload();
    await heading(page, 'This device is no longer paired');
  });

  test('several events are on one device, and one of them can be left', async () => {
    const [one, two] = [await door.event('one'), await door.event('two', { name: 'Night of Science' })];
    const page = await door.device(one);
    await button(page, 'More').click();
    await button(page, 'Events on this device').click();
    await button(page, 'Pair with another event').click();
    await heading(page, 'Pair this device');
    const { code } = await door.post(`${two}/devices/pairing-codes`);
    await page.getByLabel('Code').fill(`${door.world.home}/scan#pair=${code}`);
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

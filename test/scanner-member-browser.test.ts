import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fair, openFair } from '../server/src/areas/scanning/fair.support.ts';
import { SESSION_COOKIE } from '../server/src/road/router.ts';
import { openBrowser, requireApps } from './support/apps.ts';
import { openGate, PASS } from './support/scanner/gate.ts';
import { hasTool } from './support/tools.ts';

/** A member opens the scanner from the organizer's app and scans in their own session, without pairing. */
describe.skipIf(!hasTool('chromium'))('the scanner in the session of a member', { timeout: 120_000 }, () => {
  let fair: Fair;
  let browser: Browser;
  let event: string;
  beforeAll(async () => {
    await requireApps();
    fair = await openFair();
    event = (await fair.t.call('GET', '/v1/events/fair', { key: fair.key })).body.id;
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await fair?.t.stop();
  });

  async function openAs(url: string, role: 'door' | 'manager') {
    const context = await browser.newContext({ locale: 'en-GB' });
    const value = await fair.t.session('acme', role);
    await context.addCookies([{ name: SESSION_COOKIE, value, url }]);
    const page = await context.newPage();
    await page.goto(`${url}/scan#event=acme/${event}`);
    await page.getByRole('button', { name: /^Gate/ }).click();
    await page.locator('.freshness', { hasText: /tickets?, updated/ }).waitFor();
    return { context, page };
  }
  const scan = async (page: Page, code: string) => {
    await page.getByRole('button', { name: 'Type' }).click();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Check in', exact: true }).click();
    return page.locator('[data-result]');
  };

  test('checks in in the name of the member, with a network and without, and the member overrides without a PIN', async () => {
    const admitted = async () =>
      (await fair.t.call('GET', '/v1/events/fair/checkins?admitted=true', { key: fair.key })).body.data;
    // The tests of this file come in any order, and others let people in, too.
    const before = (await admitted()).length;
    const [one, other] = [await fair.register(), await fair.register()];
    const gate = await openGate(fair.t.url, null);
    const { context, page } = await openAs(gate.url, 'manager');
    try {
      const answer = await scan(page, one.code);
      await expect.poll(() => answer.getAttribute('data-result')).toBe('accepted');
      await page.locator('.answer.line').waitFor();

      gate.fault = () => ({ do: 'drop' });
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.locator('.scan [data-connection="offline"]').waitFor();
      await scan(page, other.code);
      // The answer before was accepted, too.
      await expect.poll(() => answer.getAttribute('data-by')).toBe('device');
      expect(await answer.getAttribute('data-result')).toBe('accepted');
      await page.locator('.answer.line').waitFor();
      gate.fault = () => PASS;
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.locator('.scan [data-connection="online"][data-queue="0"]').waitFor();

      await scan(page, one.code);
      await expect.poll(() => answer.getAttribute('data-result')).toBe('duplicate');
      await page.getByRole('button', { name: 'Override' }).click();
      const sheet = page.getByRole('dialog');
      expect(await sheet.getByLabel('PIN').count()).toBe(0);
      await sheet.getByLabel('Reason').fill('Known to us');
      await sheet.getByRole('button', { name: 'Override' }).click();
      await expect.poll(() => answer.getAttribute('data-result')).toBe('accepted');

      const made = await admitted();
      expect(made).toHaveLength(before + 3);
      for (const one of made) expect(one.actor.kind).toBe('member');
    } finally {
      await context.close();
      await gate.stop();
    }
  });

  test('is opened at the point where the app scans, hands somebody without a ticket to the desk, and is gone on with there', async () => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } });
    const value = await fair.t.session('acme', 'manager');
    await context.addCookies([{ name: SESSION_COOKIE, value, url: fair.t.url }]);
    const page = await context.newPage();
    try {
      await page.goto(`${fair.t.url}/app/acme/events/fair/check-in/scan?check_in_point=gate`);
      await page.getByRole('link', { name: 'Scan with the camera' }).click();
      // Nobody is asked again where this is.
      const where = page.locator('.scan .where-point', { hasText: 'Gate' });
      await where.waitFor();
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'No ticket?' }).click();
      const sheet = page.getByRole('dialog', { name: 'No ticket?' });
      await sheet.getByRole('img', { name: 'QR code of the registration page' }).waitFor();
      await sheet.getByRole('link', { name: 'Register them at the desk' }).click();
      await page.getByLabel('First name', { exact: true }).fill('Wanda');
      await page.getByLabel('Last name', { exact: true }).fill('Walker');
      await page.getByRole('button', { name: 'Register and check in' }).click();
      await page.locator('[data-admitted="true"]', { hasText: 'Wanda Walker' }).waitFor();
      await page.getByRole('link', { name: 'Back to scanning' }).click();
      await where.waitFor();
      const { body } = await fair.t.call('GET', '/v1/events/fair/checkins?check_in_point=gate&admitted=true', {
        key: fair.key,
      });
      const names = await Promise.all(
        body.data.map(async ({ attendee_id }: { attendee_id: string }) => {
          const reply = await fair.t.call('GET', `/v1/events/fair/attendees/${attendee_id}`, { key: fair.key });
          return reply.body.last_name;
        }),
      );
      expect(names).toContain('Walker');
    } finally {
      await context.close();
    }
  });

  test('keeps no names in a browser whose member has signed out, and says so', async () => {
    const { context, page } = await openAs(fair.t.url, 'door');
    try {
      await context.clearCookies();
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.getByText('You are signed out').waitFor();
      const left = await page.evaluate(async () => {
        const [{ name = '' } = {}] = await indexedDB.databases();
        const db = await new Promise<IDBDatabase>((done) => {
          const opening = indexedDB.open(name);
          opening.onsuccess = () => done(opening.result);
        });
        const count = (store: string) =>
          new Promise<number>((done) => {
            const asking = db.transaction(store).objectStore(store).count();
            asking.onsuccess = () => done(asking.result);
          });
        const counts = await Promise.all(['events', 'rosters', 'packed', 'overlay', 'last'].map(count));
        db.close();
        return counts;
      });
      expect(left).toEqual([0, 0, 0, 0, 0]);
    } finally {
      await context.close();
    }
  });
});

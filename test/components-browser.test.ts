import { AxeBuilder } from '@axe-core/playwright';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { appPages } from '../server/src/web/app-pages.ts';
import { buildGallery, openBrowser } from './support/apps.ts';
import { hasTool } from './support/tools.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** In each colour scheme an accent that nobody could read there, and the other one at the other width. */
const LOOKS = [
  ['light', 390, 'de-DE', '?accent=%23ffe14d'] as const,
  ['dark', 1440, 'fr-FR', '?accent=%23101060'] as const,
  ['light', 1440, 'fr-FR', '?accent=%23101060'] as const,
  ['dark', 390, 'de-DE', '?accent=%23ffe14d'] as const,
];

// axe takes seconds on a busy machine.
describe.skipIf(!hasTool('chromium'))(
  'the components, under the policy that the app is served with',
  { timeout: 180_000 },
  () => {
    let app: FastifyInstance;
    let browser: Browser;
    let url: string;
    let remove: () => void;
    /** What the browser complains about: errors, and everything that the Content-Security-Policy stops. */
    const complaints: string[] = [];
    beforeAll(async () => {
      const gallery = await buildGallery();
      remove = gallery.remove;
      app = Fastify();
      appPages(app, { publicUrl: 'http://localhost', builds: { admin: gallery.builds } });
      url = `${await app.listen({ port: 0 })}/app/gallery`;
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await app?.close();
      remove?.();
    });

    afterEach(() => expect(complaints.splice(0)).toEqual([]));

    async function open(
      options: Parameters<Browser['newContext']>[0] = {},
      search = '',
    ): Promise<{ page: Page; context: BrowserContext }> {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(url + search);
      await page.getByRole('heading', { name: 'Components' }).waitFor();
      return { page, context };
    }
    /** What axe finds on the page, or in a part of it. */
    const findings = async (page: Page, within?: string) => {
      const axe = new AxeBuilder({ page }).withTags(TAGS);
      if (within !== undefined) axe.include(within);
      return (await axe.analyze()).violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`,
      );
    };
    const wider = (page: Page) =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

    test.each(LOOKS)('axe finds nothing: %s, %i px, %s, %s', async (colorScheme, width, locale, search) => {
      const { page, context } = await open({ viewport: { width, height: 900 }, locale, colorScheme }, search);
      await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
      // The refusals of the form, beside their fields and below.
      await page.getByRole('button', { name: /Save|Speichern|Enregistrer/ }).click();
      expect(await findings(page)).toEqual([]);
      expect(await wider(page)).toBe(0);
      // What opens lies above the page, so only it has to be looked at again.
      await page.getByRole('button', { name: 'Open dialog' }).click();
      await page.getByRole('dialog', { name: 'Invite somebody' }).waitFor();
      expect(await findings(page, 'dialog[open]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
      expect(await findings(page, '[role=menu]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Time zone' }).click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Ber');
      await page.getByRole('option', { name: 'Europe/Berlin' }).waitFor();
      expect(await findings(page, '.field:has([role=combobox])')).toEqual([]);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await wider(page)).toBe(0);
      await context.close();
    });

    test('by keyboard alone: a dialog, a menu whose code is loaded at the first press, a list searched by typing, rows', async () => {
      const { page, context } = await open();

      // A dialog takes the focus, keeps it, and gives it back.
      const button = page.getByRole('button', { name: 'Open question' });
      await button.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Revoke this key?' });
      await dialog.waitFor();
      for (let i = 0; i < 6; i++) {
        await page.keyboard.press('Tab');
        const inside = await page.evaluate(
          () => document.activeElement?.closest('dialog') !== null || document.activeElement === document.body,
        );
        expect(inside).toBe(true);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

      // A menu; arrows and letters choose.
      await page.getByRole('button', { name: 'Actions' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=menu]') !== null)).toBe(true);
      // Letters that come a second after each other are no word.
      await Promise.all([...'rev'].map((letter) => page.keyboard.press(letter)));
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Revoke');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Actions');

      // What is typed and is no choice becomes the last one again.
      const zone = page.getByRole('combobox', { name: 'Time zone' });
      await zone.focus();
      await page.keyboard.type('züri');
      await page.getByRole('option', { name: 'Europe/Zurich' }).waitFor();
      await page.keyboard.press('Enter');
      expect(await zone.inputValue()).toBe('Europe/Zurich');
      await page.keyboard.press('ArrowDown');
      expect(await page.getByRole('listbox').getByRole('option', { selected: true }).innerText()).toBe('Europe/Zurich');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      expect(await zone.inputValue()).not.toBe('Europe/Zurich');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('nowhere');
      await page.getByRole('option', { name: 'Nothing matches.' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await zone.inputValue()).not.toBe('nowhere');
      expect(await page.getByRole('listbox').count()).toBe(0);

      // Up and down move from row to row.
      await page.getByRole('link', { name: 'Ada Lovelace 1' }).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Grundst/);
      await context.close();
    });

    test('a form says beside each field what is missing or refused, keeps what was typed, and asks before it is left', async () => {
      const { page, context } = await open();
      // One that was not changed is left without a question.
      await page.getByRole('button', { name: 'Go elsewhere' }).click();
      await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
      await page.goBack();

      // What is missing, beside each field; the first one has the focus.
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill('Grace');
      await page.getByRole('textbox', { name: 'E-mail' }).fill('not an address');
      await page.getByRole('button', { name: 'Save' }).click();
      const email = page.getByRole('textbox', { name: 'E-mail' });
      await expect.poll(() => email.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await email.getAttribute('aria-invalid')).toBe('true');
      const about = await email.evaluate((element) =>
        element
          .getAttribute('aria-describedby')!
          .split(' ')
          .map((id) => document.getElementById(id)!.textContent),
      );
      expect(about).toEqual(['Where the invitation goes.', 'Enter an e-mail such as name@example.org.']);
      expect(await name.inputValue()).toBe('Grace');

      // What the server refuses stands beside the field, the rest below, with the id of the request.
      await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org');
      await page.getByRole('textbox', { name: 'Password' }).fill('a long enough secret');
      await page.getByRole('combobox', { name: 'Role' }).selectOption('owner');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Is not a time zone').waitFor();
      const alert = page.getByRole('alert').filter({ hasText: '01JCQ8Z7M4T3V9R1X5K2N6P8DB' });
      expect(await alert.innerText()).toContain('elsewhere: Is not allowed here');
      expect(await alert.innerText()).not.toContain('is not a time zone');
      expect(await page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('a long enough secret');

      // It was changed, so it asks before it is left.
      await page.getByRole('button', { name: 'Go elsewhere' }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Grace');
      await page.getByRole('button', { name: 'Go elsewhere' }).click();
      await question.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
      await context.close();
    });

    test('of 5,000 rows only those near the screen are drawn, and the last one can be reached', async () => {
      const { page, context } = await open({ viewport: { width: 1440, height: 900 } });
      await page.getByRole('button', { name: '5,000 rows' }).click();
      const table = page.getByRole('table', { name: 'People' });
      await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('5001');
      // What finds the rows near the screen is loaded when a table is long.
      await expect.poll(() => table.getByRole('row').count()).toBeLessThan(120);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.getByRole('link', { name: 'Ada Lovelace 5000' }).waitFor();
      await context.close();
    });
  },
);

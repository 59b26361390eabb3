import Fastify, { type FastifyInstance } from 'fastify';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { appPages } from '../server/src/web/app-pages.ts';
import { buildGallery, openBrowser } from './support/apps.ts';
import { findingsOf } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('chromium'))('the shared parts of the app, with made-up people', { timeout: 180_000 }, () => {
  let app: FastifyInstance;
  let browser: Browser;
  let base: string;
  let remove: () => void;
  let context: BrowserContext;
  let page: Page;
  /** What the browser complains about: errors, and everything that the Content-Security-Policy stops. */
  const complaints: string[] = [];
  beforeAll(async () => {
    const gallery = await buildGallery('parts');
    remove = gallery.remove;
    app = Fastify();
    appPages(app, { publicUrl: 'http://localhost', builds: { admin: gallery.builds } });
    base = `${await app.listen({ port: 0 })}/app/acme/events`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    remove?.();
  });
  afterEach(async () => {
    await context?.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
    context = await browser.newContext({
      ...{ locale: 'en-GB', timezoneId: 'Europe/Berlin', viewport: { width: 1440, height: 900 } },
      ...options,
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${base}/${path}`);
    await page.locator('h1').waitFor();
  }
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const table = () => page.getByRole('table', { name: 'People' });
  const drawnRows = () => table().locator('[data-index]').count();
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const search = () => new URL(page.url()).search;
  const isWider = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  describe('a table of 5,000 people', () => {
    test('draws only the rows near the screen and loads the next page while one scrolls, to the end', async () => {
      await open('summer/people?status=pending_approval');
      await link('Eszter von und zu Hohenlohe-Langenburg 5').waitFor();
      await page.getByText('100 rows shown. Scroll for more.').waitFor();
      expect(await drawnRows()).toBeLessThan(70);
      // One in six is to be approved: 833 rows in nine pages.
      await expect
        .poll(
          async () => {
            await page.mouse.wheel(0, 20_000);
            return page.getByText('833 rows').count();
          },
          { timeout: 60_000, interval: 100 },
        )
        .toBe(1);
      expect(await drawnRows()).toBeLessThan(70);
      await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });

      // With a million people the first rows and the next page come as fast.
      await page.goto(`${base}/million/people`);
      await link('Ada Lovelace 1').waitFor();
      await link('Ada Lovelace 1').focus();
      await page.keyboard.press('End');
      await expect.poll(focusedText).toContain(' 100');
      await page.getByText('200 rows shown. Scroll for more.').waitFor();
      expect(await drawnRows()).toBeLessThan(70);
    });

    test('arrows move, Enter or a click beside the link opens, and going back finds the same rows at the same place', async () => {
      await open('summer/people');
      await link('Ada Lovelace 1').focus();
      for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowDown');
      await expect.poll(focusedText).toContain(' 61');
      await page.keyboard.press('ArrowUp');
      await expect.poll(focusedText).toContain(' 60');
      const before = await page.evaluate(() => scrollY);
      expect(before).toBeGreaterThan(1000);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Person' }).waitFor();
      expect(page.url()).toMatch(/people\/a59$/);
      await page.goBack();
      await link('Zoë כהן 60').waitFor();
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);

      // The row with the focus outlives scrolling, and a click beside the link opens a row.
      await page.evaluate(() => scrollTo(0, 0));
      await link('Ada Lovelace 1').focus();
      await page.mouse.wheel(0, 3000);
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1500);
      expect(await focusedText()).toBe('Ada Lovelace 1');
      await page.evaluate(() => scrollTo(0, 0));
      await page
        .getByRole('row', { name: /Björn Ångström 2 / })
        .getByText('Crew')
        .click();
      await page.getByRole('heading', { name: 'Person' }).waitFor();
      expect(page.url()).toMatch(/people\/a1$/);
    });

    test('a selection spans pages: single rows, a range, everything but some; other filters empty it', async () => {
      await open('summer/people');
      await page.getByRole('checkbox', { name: 'Select Ada Lovelace 1', exact: true }).check();
      await page
        .getByRole('checkbox', { name: 'Select Zoë García Márquez 10', exact: true })
        .click({ modifiers: ['Shift'] });
      await page.getByText('10 selected').waitFor();
      await link('Ada Lovelace 1').focus();
      await page.keyboard.press('Space');
      await page.getByText('9 selected').waitFor();
      await page.getByRole('button', { name: 'Select all results' }).click();
      await page.getByText('All results selected').waitFor();
      await page.getByRole('button', { name: 'Send tickets' }).waitFor();
      // Rows of the next page, which were not loaded when everything was selected, are selected too.
      const later = table().locator('[data-index="130"]');
      // By as many rows as are missing, and not by the wheel: on a busy machine its steps add up, and the row is scrolled past.
      const scroll = () =>
        table()
          .locator('[data-index]')
          .last()
          .evaluate((row) => {
            scrollBy(0, (130 - Number(row.getAttribute('data-index'))) * row.getBoundingClientRect().height);
          });
      await expect
        .poll(
          async () => {
            await scroll();
            return later.count();
          },
          { timeout: 20_000 },
        )
        .toBe(1);
      expect(await table().locator('[data-index]:not([data-selected])').count()).toBe(0);
      await later.getByRole('checkbox').click();
      await expect.poll(() => table().locator('[data-index]:not([data-selected])').count()).toBe(1);
      await page.evaluate(() => scrollTo(0, 0));
      await page.getByRole('button', { name: 'Status' }).click();
      await page.getByRole('checkbox', { name: 'Confirmed' }).check();
      await page.getByText('100 rows shown. Scroll for more.').waitFor();
      expect(await table().locator('[data-selected]').count()).toBe(0);
    });

    test('typing searches by itself, the last answer wins, the field keeps the focus, and the address has it', async () => {
      await open('summer/people');
      const field = page.getByRole('searchbox', { name: 'Search by name, e-mail or code' });
      await link('Björn Ångström 2').waitFor();
      const top = async () => (await table().boundingBox())!.y;
      const before = await top();
      await field.pressSequentially('lovelace', { delay: 40 });
      await link('Björn Ångström 2').waitFor({ state: 'detached' });
      // Whoever is about to click a row must not hit another one.
      expect(await top()).toBe(before);
      await field.fill('');
      await field.pressSequentially('kim 4999', { delay: 40 });
      await link('فاطمة Kim 4996').waitFor({ state: 'detached' });
      await expect.poll(search).toContain('4999');
      await page.getByText('Nobody matches').waitFor();
      await field.fill('lovelace 1');
      await link('Ada Lovelace 1').waitFor();
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
      // Typing is not a step that “back” returns to; a choice is.
      await page.getByRole('button', { name: 'Type' }).click();
      await page.getByRole('radio', { name: 'Crew' }).click();
      await page.getByRole('button', { name: 'Remove filter: Type: Crew' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Remove filter: Type: Crew' }).waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe('lovelace 1');
      await page.goForward();
      await page.getByRole('button', { name: 'Remove filter: Type: Crew' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Remove filter: Type: Crew' }).waitFor();
      expect(await field.inputValue()).toBe('lovelace 1');
      await page.getByRole('button', { name: 'Clear all' }).click();
      await expect.poll(search).toBe('');
      await expect.poll(() => field.inputValue()).toBe('');
    });

    test('columns are chosen and kept; a head sorts, by the address', async () => {
      await open('summer/people');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'E-mail' }).check();
      await page.getByRole('checkbox', { name: 'Days' }).uncheck();
      await page.keyboard.press('Escape');
      await page.reload();
      await page.getByRole('columnheader', { name: 'E-mail' }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'Days' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Name' }).click();
      await link('Zoë Ångström 5000').waitFor();
      expect(search()).toBe('?order=name');
      expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending');
      await page.getByRole('button', { name: 'Name' }).click();
      await link('Ada Lovelace 1').waitFor();
      expect(search()).toBe('');
    });
  });

  describe('jobs', () => {
    test('show how far they are, what came of them and what did not work, and tell wherever one is that they are over', async () => {
      await open('summer');
      // A made-up job takes a minute, and its state is asked for again and again.
      await page.clock.install();
      await page.getByRole('button', { name: 'Show job' }).click();
      await page.getByText(/\d+ of 600 done/).waitFor();
      await page.clock.fastForward(60_000);
      const job = page.getByRole('region', { name: 'Import of people.csv' });
      await job.getByText('540 created · 30 unchanged · 30 rejected').waitFor();
      await job.getByText('validation_failed: The e-mail address is not valid.').first().waitFor();
      await job.getByText('Download the file to see 10 more rows.').waitFor();
      expect(await job.getByRole('link', { name: 'Download these rows' }).getAttribute('href')).toBe(
        '/links/jobs/rejects',
      );

      // A job that was started here is watched on other screens, also after a reload, with a way back.
      await page.reload();
      await page.getByRole('button', { name: 'Start job' }).click();
      await link('People').click();
      await page.getByRole('heading', { name: 'People' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'People' }).waitFor();
      await page.clock.fastForward(60_000);
      await page.getByText('Import of people.csv: Done').first().waitFor();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByRole('heading', { name: 'Parts' }).waitFor();
    });
  });

  describe('fields', () => {
    test('amounts are typed as the language writes them, times by the clocks of the event', async () => {
      await open('summer', { locale: 'de-DE' });
      const price = page.getByRole('textbox', { name: 'Price' });
      expect(await price.inputValue()).toBe('25');
      await price.fill('1.234,5 €');
      await price.blur();
      expect(await price.inputValue()).toBe('1234,50');
      await price.fill('zwölf');
      await price.blur();
      await page.getByText('Geben Sie einen Betrag ein, zum Beispiel 123,45.').waitFor();
      expect(await page.getByLabel('Opens').inputValue()).toBe('12. Juni 2027, 8:00');
      await page.getByText('Zeit in America/Lima. Ihre Zeit: 12. Juni 2027, 15:00').waitFor();
      await page.getByLabel('Opens').fill('2027-06-12T10:30');
      await page.getByText('Ihre Zeit: 12. Juni 2027, 17:30').waitFor();
    });

    test('a date is typed as one writes it, or chosen in a calendar by keyboard alone', async () => {
      await open('summer');
      const opens = page.getByLabel('Opens');
      await opens.fill('3 jul 2027 9:15 pm');
      await opens.blur();
      expect(await opens.inputValue()).toBe('3 Jul 2027, 21:15');
      await opens.fill('soon');
      await opens.blur();
      await page.getByText('Enter a date such as 18 Sept 2027, 14:30.').waitFor();
      await opens.fill('2027-07-03T21:15');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Calendar' });
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      await expect.poll(focused).toBe('Saturday, 3 July 2027');
      await page.keyboard.press('PageDown');
      await page.keyboard.press('ArrowRight');
      await expect.poll(focused).toBe('Wednesday, 4 August 2027');
      await page.keyboard.press('Shift+PageUp');
      await page.keyboard.press('Home');
      await expect.poll(focused).toBe('Monday, 3 August 2026');
      await page.keyboard.press('Enter');
      expect(await opens.inputValue()).toBe('3 Aug 2026, 21:15');
      expect(await findingsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });

    test('tools for Markdown are one stop for Tab, and what they did can be undone', async () => {
      await open('summer');
      const text = page.getByRole('textbox', { name: 'Text', exact: true });
      await text.fill('We open at nine');
      await text.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 7));
      await page.keyboard.press('Control+b');
      expect(await text.inputValue()).toBe('We **open** at nine');
      await page.keyboard.press('Control+z');
      expect(await text.inputValue()).toBe('We open at nine');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Insert: First name' }).click();
      expect(await text.inputValue()).toBe('We {{first_name}} at nine');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Italic');
    });

    test('faults inside a person stand beside their fields, go one by one, and what is sent is whole', async () => {
      await open('summer');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => page.getByText('Fill this in.').count()).toBe(4);
      const first = page.getByRole('textbox', { name: 'First name' });
      expect(await first.evaluate((element) => element === document.activeElement)).toBe(true);
      // Mending one neither takes the focus away nor hides the others.
      await page.getByRole('textbox', { name: 'Last name' }).fill('Lovelace');
      await expect.poll(() => page.getByText('Fill this in.').count()).toBe(3);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('person/last_name');
      await first.fill('Ada');
      await page.getByRole('radio', { name: 'Vegan' }).check();
      await page.getByLabel('Is this your first time here?').selectOption('Yes');
      await page.getByLabel('How many years have you been printing?').fill('12,5');
      await page.getByRole('checkbox', { name: 'Saturday' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      const sent = await page.locator('.toast').first().innerText();
      expect(JSON.parse(sent)).toMatchObject({
        ...{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', days: ['d2'] },
        answers: { diet: 'Vegan', first: true, age: 12.5 },
      });
    });
  });

  describe('the navigation of an event', () => {
    const navigation = () => page.getByRole('navigation', { name: 'Navigation of this event' });
    const linksOf = (name: string) => page.getByRole('navigation', { name }).getByRole('link').allInnerTexts();

    test('has the sections at the side, and below the one where somebody is its screens', async () => {
      await open('summer/people/p17');
      await navigation().waitFor();
      expect(await linksOf('Navigation of this event')).toEqual([
        ...['Overview', 'People', 'All people', 'Registrations', 'Import', 'Export', 'Page', 'Tickets & prices'],
        ...['Messages', 'Check-in', 'Money', 'Reports', 'Settings'],
      ]);
      // A single person belongs to the list of people.
      expect(await navigation().locator('[aria-current="page"]').allInnerTexts()).toEqual(['All people']);
      await navigation().getByRole('link', { name: 'Overview', exact: true }).click();
      await page.getByRole('heading', { name: 'Parts' }).waitFor();
      expect(await navigation().locator('[aria-current="page"]').allInnerTexts()).toEqual(['Overview']);
      await link('All events').waitFor();
    });

    test('on a phone, a bar has the sections of the day and the menu of all, and tabs the screens of the section', async () => {
      await open('summer/people', { viewport: { width: 390, height: 800 } });
      await page.getByRole('navigation', { name: 'Navigation on the day' }).waitFor();
      expect(await linksOf('Navigation on the day')).toEqual(['Overview', 'People', 'Check-in']);
      expect(await linksOf('People')).toEqual(['All people', 'Registrations', 'Import', 'Export']);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await navigation().getByRole('link', { name: 'Settings' }).waitFor();
      await navigation().getByRole('link', { name: 'Overview', exact: true }).click();
      await page.getByRole('heading', { name: 'Parts' }).waitFor();
      expect(await isWider()).toBe(0);
    });
  });
});

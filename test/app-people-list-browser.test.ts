import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { hasTool } from './support/tools.ts';

const PEOPLE = 120;
const PAGE = 50;

describe.skipIf(!hasTool('chromium'))('a long list of people, in the app', { timeout: 120_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    owner = await world.t.session('acme', 'owner');
    const post = async (path: string, body: object) =>
      expect((await world.call(owner, 'POST', path, body)).status).toBeLessThan(300);
    await post('/events', { code: 'fair', name: 'Lakeside Fair', timezone: 'UTC', currency: 'EUR' });
    await post('/events/fair/days', { code: 'd1', date: '2100-01-02' });
    await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
    await post('/events/fair/publish', {});
    const person = (n: number) => ({
      ...{ attendee_type: 'adult', days: ['d1'], first_name: n % 10 === 0 ? 'Zora' : 'Ada' },
      ...{ last_name: `Number ${String(n).padStart(3, '0')}`, email: `p${n}@example.org` },
    });
    for (let n = 0; n < PEOPLE; n += 20) {
      const attendees = Array.from({ length: 20 }, (_, i) => person(n + i));
      await post('/events/fair/registrations', { attendees, send_emails: false });
    }
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const open = () => world.open('/app/acme/events/fair', { session: owner, viewport: { width: 1280, height: 800 } });
  const goToPeople = (page: Page) =>
    page
      .getByRole('navigation', { name: 'Navigation of this event' })
      .getByRole('link', { name: 'People', exact: true })
      .click();
  const names = (page: Page) => page.getByRole('table', { name: 'People' }).locator('.row-link');
  const poll = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });

  /** Keeps the answers to what the address says back until they are let go. */
  async function hold(page: Page, isMeant: (url: URL) => boolean) {
    const held: Route[] = [];
    let isOpen = false;
    await page.route(
      (url) => url.pathname.startsWith('/app/api/') && isMeant(url),
      async (route) => {
        if (isOpen) await route.continue();
        else held.push(route);
      },
    );
    return {
      count: () => held.length,
      letGo: async () => {
        isOpen = true;
        // Who asked may have gone on meanwhile, and then nobody takes the answer.
        await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
      },
    };
  }
  const searchOf = (url: URL) => (url.pathname.endsWith('/attendees') ? url.searchParams.get('search') : null);

  const isLoaded = (page: Page, screen: string) =>
    page.evaluate(
      (file) => performance.getEntriesByType('resource').some(({ name }) => name.includes(`/${file}.screen-`)),
      screen,
    );

  test('while nothing else is to be done, the screens that the navigation leads to are loaded, but none of their data', async () => {
    const page = await open();
    const lists: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/attendees')) lists.push(request.url());
    });
    // The last of them.
    await poll(() => isLoaded(page, 'settings')).toBe(true);
    await settled(page);
    expect(lists).toEqual([]);
    await page.route('**/app/assets/**', (route) => route.abort());
    await goToPeople(page);
    await names(page).first().waitFor();
    expect(lists).toHaveLength(1);
  });

  test('whose browser is to save data loads a screen only when they go there', async () => {
    const page = await open();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
    await page.reload();
    await settled(page);
    // What the page would do while it has nothing else to do comes in this order.
    await page.evaluate(async () => {
      for (let i = 0; i < 5; i += 1) await new Promise((resolve) => requestIdleCallback(resolve));
    });
    expect(await isLoaded(page, 'people')).toBe(false);
    await goToPeople(page);
    await names(page).first().waitFor();
    expect(await isLoaded(page, 'people')).toBe(true);
  });

  test('rows are shown while the number of all people is not known yet', async () => {
    const page = await open();
    await settled(page);
    const summary = await hold(page, ({ pathname }) => pathname.endsWith('/summary'));
    // What the overview knows is forgotten, so that the list asks anew.
    await page.goto(`${world.home}/app/acme/events/fair/people`);
    await poll(() => names(page).count()).toBeGreaterThan(10);
    await page.getByText(`${PAGE} rows shown. Scroll for more.`).waitFor();
    expect(summary.count()).toBeGreaterThan(0);
    await summary.letGo();
    await page.getByText(`${PAGE} of ${PEOPLE} shown`).waitFor();
  });

  test('the next page is asked for before the end of this one is reached, and not before somebody scrolls', async () => {
    const page = await open();
    const cursors: string[] = [];
    page.on('request', (request) => {
      const cursor = new URL(request.url()).searchParams.get('cursor');
      if (cursor !== null) cursors.push(cursor);
    });
    await goToPeople(page);
    await page.getByText(`${PAGE} of ${PEOPLE} shown`).waitFor();
    await settled(page);
    expect(cursors).toEqual([]);
    // Twenty rows further, of fifty.
    await page.evaluate(() => scrollTo(0, 20 * 42));
    await page.getByText(`${2 * PAGE} of ${PEOPLE} shown`).waitFor();
    expect(cursors).toHaveLength(1);
    await poll(async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      return names(page).last().textContent();
    }).toBe(`Ada Number ${PEOPLE - 1}`);
    expect(cursors).toHaveLength(2);
  });

  test('what was there is shown until the answer to a search comes, and an older answer never takes the place of a newer one', async () => {
    const page = await open();
    await goToPeople(page);
    await page.getByText(`${PAGE} of ${PEOPLE} shown`).waitFor();
    const older = await hold(page, (url) => searchOf(url) === 'z');
    const newer = await hold(page, (url) => searchOf(url) === 'zora number 11');
    await page.getByRole('searchbox').fill('z');
    await poll(() => older.count()).toBe(1);
    expect(await names(page).nth(1).textContent()).toBe('Ada Number 001');
    await page.getByRole('searchbox').fill('zora number 11');
    await poll(() => newer.count()).toBe(1);
    expect(await names(page).nth(1).textContent()).toBe('Ada Number 001');
    await newer.letGo();
    await poll(() => names(page).allTextContents()).toEqual(['Zora Number 110']);
    await older.letGo();
    await settled(page);
    expect(await names(page).allTextContents()).toEqual(['Zora Number 110']);
  });
});

import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { goInEvent } from './support/event-navigation.ts';
import { keyboard } from './support/hands.ts';
import { hasTool } from './support/tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
type Body = any;

describe.skipIf(!hasTool('chromium'))('what an event sells, in the app', { timeout: 240_000 }, () => {
  let world: AppWorld;
  let session: string;
  beforeAll(async () => {
    world = await startAppWorld();
    session = await world.t.session('acme', 'owner');
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const send = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await world.call(session, method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  let serial = 0;
  /** An event of its own for each test: two days, adults and children for nothing unless it says otherwise. */
  const event = async ({ price = 0 } = {}): Promise<string> => {
    const code = `e${++serial}`;
    await send('POST', '/events', { code, name: `Event ${serial}`, timezone: 'Europe/Berlin', currency: 'EUR' });
    for (const [day, name, date] of [
      ['sat', 'Saturday', '2055-06-12'],
      ['sun', 'Sunday', '2055-06-13'],
    ])
      await send('POST', `/events/${code}/days`, { code: day, name, date });
    await send('POST', `/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: price });
    await send('POST', `/events/${code}/attendee-types`, { code: 'child', name: 'Child' });
    return code;
  };
  const product = (code: string, body: object) => send('POST', `/events/${code}/products`, body);
  const open = async (code: string, screen: string, options: Parameters<AppWorld['open']>[1] = {}): Promise<Page> => {
    const viewport = { width: 1440, height: 900 };
    const page = await world.open(`/app/acme/events/${code}/${screen}`, { session, viewport, ...options });
    await settled(page);
    return page;
  };
  const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: true });
  const phone = (page: Page) => page.getByRole('region', { name: 'The form on a phone' });
  const screens = (page: Page) =>
    page.getByRole('navigation', { name: 'Navigation of this event' }).locator('.event-screens').getByRole('link');
  /** The entry of a list with this name, with its editor. */
  const entry = (page: Page, name: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) });

  describe('a small event stays small', () => {
    test('products and limits are a line each until there is one, and then a screen of their own', async () => {
      const code = await event();
      const page = await open(code, 'tickets');
      expect(await screens(page).allTextContents()).toEqual(['Types & prices', 'Days']);
      await page.getByRole('link', { name: 'Add product' }).click();
      // The form is there at once, with its first field.
      await page.getByLabel('Name', { exact: true }).fill('Bread workshop');
      await button(page, 'Add product').click();
      await button(page, 'Bread workshop').waitFor();
      await goInEvent(page, 'Tickets & prices');
      await page.getByRole('link', { name: 'Add shared limit' }).waitFor();
      expect(await screens(page).allTextContents()).toEqual(['Types & prices', 'Days', 'Products']);
      await expect.poll(() => page.getByRole('link', { name: 'Add product' }).count()).toBe(0);
    });

    test('whoever takes money for tickets is offered all of it', async () => {
      const page = await open(await event({ price: 4500 }), 'tickets');
      expect(await screens(page).allTextContents()).toEqual(['Types & prices', 'Days', 'Products', 'Limits']);
      expect(await page.getByRole('link', { name: 'Add product' }).count()).toBe(0);
    });

    test('whoever may not change the event sees what there is, and nothing to add', async () => {
      const code = await event({ price: 4500 });
      await product(code, { name: 'Lunch' });
      const viewer = await world.t.session('acme', 'viewer');
      const page = await open(code, 'tickets/products', { session: viewer });
      expect(await screens(page).allTextContents()).toEqual(['Types & prices', 'Days', 'Products']);
      await entry(page, 'Lunch').waitFor();
      expect(await button(page, 'Add product').count()).toBe(0);
      expect(await button(page, 'Lunch').count()).toBe(0);
    });
  });

  describe('products', () => {
    test('a T-shirt in sizes is made by keyboard alone, and the preview shows it while it is typed', async () => {
      const code = await event();
      const page = await open(code, 'tickets/products');
      const hands = keyboard(page);
      await hands.press(button(page, 'Add product').first());
      await hands.fill(page.getByLabel('Name', { exact: true }), 'T-shirt');
      await hands.fill(page.getByLabel('Price', { exact: true }), '25');
      await hands.press(button(page, 'Add option'));
      // The new option has the focus, and Enter begins the next one.
      await page.keyboard.type('S');
      await page.keyboard.press('Enter');
      await page.keyboard.type('M');
      await page.keyboard.press('Enter');
      await hands.fill(page.getByLabel('Available', { exact: true }).nth(1), '10');
      await phone(page).getByLabel('T-shirt · €25.00').selectOption('M');
      await hands.press(button(page, 'Add product'));
      await button(page, 'T-shirt').waitFor();
      const [made] = (await send('GET', `/events/${code}/products`)).data;
      expect(made).toMatchObject({
        ...{ name: 'T-shirt', price_minor: 2500, per: 'attendee', max: 1, visible: true },
        options: [
          { code: 's', name: 'S', capacity: 10 },
          { code: 'm', name: 'M', capacity: null },
        ],
      });
    });

    test('a list of sizes is pasted; the same size twice is refused beside the field', async () => {
      const code = await event();
      const page = await open(code, 'tickets/products?product=-');
      await page.getByLabel('Name', { exact: true }).fill('T-shirt');
      await button(page, 'Add option').click();
      const first = page.getByRole('textbox', { name: 'Option 1', exact: true });
      await first.evaluate((input) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', 'S\nM\n\nL\n');
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      });
      const third = page.getByRole('textbox', { name: 'Option 3', exact: true });
      expect(await third.inputValue()).toBe('L');
      await third.fill('M');
      await button(page, 'Add product').click();
      await page.getByText('Two options are the same. Change or remove one.').waitFor();
      await third.fill('L');
      await button(page, 'Add product').click();
      await button(page, 'T-shirt').waitFor();
      const [made] = (await send('GET', `/events/${code}/products`)).data;
      expect(made.options.map(({ name }: Body) => name)).toEqual(['S', 'M', 'L']);
    });

    test('one for certain types and days is previewed for those alone; it is changed, hidden and deleted', async () => {
      const code = await event();
      const page = await open(code, 'tickets/products?product=-&as=adult');
      await page.getByLabel('Name', { exact: true }).fill('Workshop');
      await page.getByLabel('Available', { exact: true }).fill('40');
      await page.getByText('More: for whom, and when it’s on sale').click();
      await page.getByRole('group', { name: 'For', exact: true }).getByLabel('Only some types').check();
      await page.getByRole('group', { name: 'Which types' }).getByLabel('Adult').check();
      await page.getByRole('group', { name: 'On', exact: true }).getByLabel('Only some days').check();
      await page.getByRole('group', { name: 'Which days' }).getByLabel('Sunday').check();
      await phone(page).getByLabel('Workshop').waitFor();
      await phone(page).getByLabel('Saturday').check();
      await phone(page).getByLabel('Workshop').waitFor({ state: 'detached' });
      await phone(page).getByLabel('Sunday').check();
      await phone(page).getByLabel('Workshop').waitFor();
      await page.getByLabel('Preview as').selectOption({ label: 'Child' });
      await phone(page).getByLabel('Workshop').waitFor({ state: 'detached' });
      await button(page, 'Add product').click();
      await button(page, 'Workshop').waitFor();
      await entry(page, 'Workshop').getByText('0 of 40 booked').waitFor();
      const at = `/events/${code}/products/workshop`;
      expect(await send('GET', at)).toMatchObject({ attendee_types: ['adult'], days: ['sun'], capacity: 40 });

      await button(page, 'Workshop').click();
      await page.getByLabel('Show in the form').uncheck();
      await button(page, 'Save').click();
      await entry(page, 'Workshop').getByText('Hidden').waitFor();
      expect(await send('GET', at)).toMatchObject({ visible: false, days: ['sun'] });

      await button(page, 'Workshop').click();
      await button(page, 'Delete').click();
      await button(page.getByRole('dialog', { name: 'Delete Workshop?' }), 'Delete').click();
      await page.getByText('No products yet').waitFor();
    });

    test('what a shared limit counts cannot be deleted, and the app says so at once', async () => {
      const code = await event();
      await product(code, { code: 'lunch', name: 'Lunch' });
      await send('POST', `/events/${code}/quotas`, { name: 'Kitchen', capacity: 12, products: ['lunch'] });
      const page = await open(code, 'tickets/products');
      await button(page, 'Lunch').click();
      await button(page, 'Delete').click();
      await page.getByText('The shared limit “Kitchen” counts it.').waitFor();
    });

    test('two people change the same product: whoever saves later is told beside the field', async () => {
      const code = await event();
      await product(code, { code: 'lunch', name: 'Lunch', price_minor: 900 });
      const page = await open(code, 'tickets/products');
      await button(page, 'Lunch').click();
      await page.getByLabel('Price', { exact: true }).fill('11');
      await send('PATCH', `/events/${code}/products/lunch`, { price_minor: 1000, max: 3 });
      await button(page, 'Save').click();
      await page
        .getByText(/€10\.00/)
        .first()
        .waitFor();
      expect(await send('GET', `/events/${code}/products/lunch`)).toMatchObject({ price_minor: 1000 });
      await button(page, 'Save').click();
      await button(page, 'Save').waitFor({ state: 'detached' });
      expect(await send('GET', `/events/${code}/products/lunch`)).toMatchObject({ price_minor: 1100, max: 3 });
    });
  });

  describe('shared limits', () => {
    test('one that counts people and products says so in words; one that counts nothing is refused', async () => {
      const code = await event();
      await product(code, { code: 'lunch', name: 'Lunch' });
      const page = await open(code, 'tickets/limits');
      await button(page, 'Add shared limit').click();
      await page.getByLabel('Name', { exact: true }).fill('Seats in the kitchen');
      await page.getByLabel('At most', { exact: true }).fill('12');
      await button(page, 'Add shared limit').click();
      await page.getByText('Choose at least one thing to count.').first().waitFor();
      expect((await send('GET', `/events/${code}/quotas`)).data).toEqual([]);
      const group = (name: string) => page.locator('.form-edit').getByRole('group', { name, exact: true });
      await group('Count people with these types').getByLabel('Child').check();
      await group('Count people on these days').getByLabel('Sunday').check();
      await group('Count these products').getByLabel('Lunch').check();
      await button(page, 'Add shared limit').click();
      const limit = entry(page, 'Seats in the kitchen');
      await limit.getByText('People: Child, on Sunday').waitFor();
      await limit.getByText('Products: Lunch').waitFor();
      await limit.getByText('0 of 12 booked').waitFor();

      await button(page, 'Seats in the kitchen').click();
      await page.getByLabel('At most', { exact: true }).fill('10');
      await group('Count people with these types').getByLabel('Child').uncheck();
      await button(page, 'Save').click();
      await limit.getByText('People on Sunday').waitFor();
      expect((await send('GET', `/events/${code}/quotas`)).data).toMatchObject([
        { capacity: 10, attendee_types: null, days: ['sun'], products: ['lunch'] },
      ]);

      await button(page, 'Seats in the kitchen').click();
      await button(page, 'Delete').click();
      await button(page.getByRole('dialog'), 'Delete').click();
      await page.getByText('No shared limits yet').waitFor();
    });
  });
});

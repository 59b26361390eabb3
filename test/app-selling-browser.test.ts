import { readFileSync } from 'node:fs';
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

  test('the newcomer’s hour goes on: an early bird, a code with its link, a workshop, a T-shirt and a shared limit, by keyboard alone', async () => {
    const code = await event({ price: 4500 });
    const page = await open(code, 'tickets', { permissions: ['clipboard-read', 'clipboard-write'] });
    const hands = keyboard(page);
    const form = page.locator('.form-edit');
    const field = (name: string) => form.getByLabel(name, { exact: true });
    const go = (screen: string) => hands.press(screens(page).filter({ hasText: screen }));

    await hands.press(button(page, 'Adult'));
    await hands.press(form.locator('details.fold > summary').first());
    await hands.press(button(form, 'Add price'));
    await hands.fill(field('Name').nth(1), 'Early bird');
    await hands.fill(field('Price').nth(1), '35');
    await hands.fill(field('Until').first(), '2055-03-01T00:00');
    await hands.press(button(form, 'Save'));
    await button(form, 'Save').waitFor({ state: 'detached' });
    await entry(page, 'Adult').getByText('€35.00').waitFor();

    await go('Products');
    await hands.press(button(page, 'Add product'));
    await hands.fill(field('Name'), 'Bread workshop');
    await hands.fill(field('Price'), '15');
    await hands.fill(field('Available'), '40');
    await hands.press(button(form, 'Add product'));
    await button(page, 'Bread workshop').waitFor();
    await hands.press(button(page, 'Add product'));
    await hands.fill(field('Name'), 'T-shirt');
    await hands.fill(field('Price'), '25');
    await hands.press(button(form, 'Add option'));
    for (const size of ['S', 'M', 'L']) {
      await page.keyboard.type(size);
      if (size !== 'L') await page.keyboard.press('Enter');
    }
    await hands.press(button(form, 'Add product'));
    await button(page, 'T-shirt').waitFor();

    await go('Limits');
    await hands.press(button(page, 'Add shared limit'));
    await hands.fill(field('Name'), 'Kitchen');
    await hands.fill(field('At most'), '12');
    await hands.choose(form.getByRole('group', { name: 'Count these products' }).getByLabel('Bread workshop'));
    await hands.press(button(form, 'Add shared limit'));
    await entry(page, 'Kitchen').getByText('Products: Bread workshop').waitFor();

    await go('Codes');
    await hands.press(page.getByRole('link', { name: 'Add code' }));
    await hands.fill(page.getByLabel('Code', { exact: true }), 'FRIENDS-25');
    await hands.fill(page.getByLabel('Name', { exact: true }), 'Friends');
    await hands.fill(page.getByLabel('Percent off', { exact: true }), '20');
    await hands.press(button(page, 'Add code'));
    await page.getByRole('heading', { level: 1, name: 'FRIENDS-25' }).waitFor();
    await hands.press(button(page, 'Copy Link'));
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${world.home}/o/acme/${code}?code=FRIENDS-25`);

    // What was set by these screens is what the server sells by.
    await send('POST', `/events/${code}/publish`);
    const registration = await send('POST', `/events/${code}/registrations`, {
      attendees: [
        {
          ...{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', days: ['sat'] },
          products: [{ product: 'bread-workshop' }, { product: 't-shirt', option: 'm' }],
        },
      ],
      ...{ discount_code: 'friends 25', send_emails: false },
    });
    expect(registration).toMatchObject({ total_minor: 2800 + 1500 + 2500, discount_minor: 700 });
    expect(registration.attendees[0]).toMatchObject({ price_minor: 3500, price_name: 'Early bird' });
    const { quotas } = await send('GET', `/events/${code}/availability`);
    expect(quotas).toMatchObject([{ taken: 1, left: 11 }]);
  });

  describe('a small event stays small', () => {
    test('products, codes and limits are a line each until there is one, and then a screen of their own', async () => {
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
      await page.getByRole('link', { name: 'Add code' }).waitFor();
      expect(await screens(page).allTextContents()).toEqual(['Types & prices', 'Days', 'Products']);
      await expect.poll(() => page.getByRole('link', { name: 'Add product' }).count()).toBe(0);
    });

    test('whoever takes money for tickets is offered all of it', async () => {
      const page = await open(await event({ price: 4500 }), 'tickets');
      expect(await screens(page).allTextContents()).toEqual(['Types & prices', 'Days', 'Products', 'Codes', 'Limits']);
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

  describe('codes', () => {
    const code = (event: string, body: object) => send('POST', `/events/${event}/discounts`, body);

    test('one is made and previewed, its link is copied, and whoever opens the link pays less', async () => {
      const event1 = await event({ price: 4500 });
      await product(event1, { code: 'lunch', name: 'Lunch', price_minor: 1500 });
      await send('POST', `/events/${event1}/publish`);
      const page = await open(event1, 'tickets/codes', { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.getByRole('link', { name: 'Add code' }).click();
      await page.getByLabel('Code', { exact: true }).fill('friends 25');
      await page.getByLabel('Name', { exact: true }).fill('Friends of the house');
      await page.getByLabel('Percent off', { exact: true }).fill('20');
      const prices = page.getByRole('region', { name: 'Prices with this code' });
      await prices.getByText('€36.00').waitFor();
      expect(await prices.getByText('Lunch').count()).toBe(0);
      await page.getByRole('group', { name: 'Products that become cheaper' }).getByLabel('Only some products').check();
      await page.getByRole('group', { name: 'Which products' }).getByLabel('Lunch').check();
      await prices.getByText('€12.00').waitFor();
      await page.getByText('Limits: how often and when').click();
      await page.getByLabel('People in all').fill('1');
      await button(page, 'Add code').click();
      await page.getByRole('heading', { level: 1, name: 'friends 25' }).waitFor();
      await page.getByText('20% off all tickets and Lunch').waitFor();
      await page.getByText('by 0 of 1 people').waitFor();
      await button(page, 'Copy Link').click();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link).toBe(`${world.home}/o/acme/${event1}?code=friends+25`);

      await send('POST', `/events/${event1}/registrations`, {
        attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', days: ['sat'] }],
        ...{ discount_code: 'FRIENDS-25', send_emails: false },
      });
      await goInEvent(page, 'Tickets & prices', 'Codes');
      const row = page.getByRole('row').filter({ hasText: 'friends 25' });
      await row.getByText('1 / 1').waitFor();
      await row.getByText('€9.00').waitFor();
      await row.getByText('Used up').waitFor();
    });

    test('what is wrong stands beside the field; a code that exists is refused in words', async () => {
      const event1 = await event({ price: 4500 });
      await code(event1, { code: 'PRESS', name: 'Press', kind: 'price', value: 0 });
      const page = await open(event1, 'tickets/codes/new');
      await button(page, 'Add code').click();
      expect(await page.getByText('Fill this in.').count()).toBe(3);
      await button(page, 'Suggest a code').click();
      expect(await page.getByLabel('Code', { exact: true }).inputValue()).toMatch(/^[A-Z2-9]{8}$/);
      await page.getByLabel('Code', { exact: true }).fill('p-r-e-s-s');
      await page.getByLabel('Name', { exact: true }).fill('Press again');
      await page.getByLabel('Fixed price each').check();
      await page.getByLabel('Price instead').fill('10');
      await button(page, 'Add code').click();
      await page.getByText('has this code already. Choose another one.').first().waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('code');
      expect((await send('GET', `/events/${event1}/discounts`)).data).toHaveLength(1);
      // What was typed is still there.
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Press again');
    });

    test('many are searched, filtered, switched off in the list, and deleted unless somebody has used them', async () => {
      const event1 = await event({ price: 4500 });
      for (let i = 0; i < 60; i += 1)
        await code(event1, { code: `CLUB-${100 + i}`, name: `Member ${i}`, kind: 'percent', value: 10 });
      const page = await open(event1, 'tickets/codes');
      await page.getByLabel('Search codes').fill('club 1 33');
      await page.getByLabel('Search codes').fill('club-133');
      await expect.poll(() => page.getByRole('row').filter({ hasText: 'CLUB-' }).count()).toBe(1);
      await page.getByRole('switch', { name: 'CLUB-133 is switched on' }).click();
      await page.getByText('Off', { exact: true }).waitFor();
      expect(await send('GET', `/events/${event1}/discounts/CLUB-133`)).toMatchObject({ active: false });
      await page.getByLabel('Search codes').fill('');
      await button(page, 'Status').click();
      await page.getByRole('radio', { name: 'Switched off' }).click();
      await expect.poll(() => page.getByRole('row').filter({ hasText: 'CLUB-' }).count()).toBe(1);
      await page.getByRole('link', { name: 'CLUB-133' }).click();
      await page.getByRole('heading', { level: 1, name: 'CLUB-133' }).waitFor();
      await button(page, 'Delete').click();
      await button(page.getByRole('dialog', { name: 'Delete CLUB-133?' }), 'Delete').click();
      await page.getByRole('heading', { level: 1, name: 'Codes' }).waitFor();
      expect((await world.call(session, 'GET', `/events/${event1}/discounts/CLUB-133`)).status).toBe(404);
    });

    test('hundreds are made at once, and the file has each with its link', async () => {
      const event1 = await event({ price: 4500 });
      const page = await open(event1, 'tickets/codes');
      await page.getByRole('link', { name: 'Create many codes' }).click();
      await page.getByLabel('How many codes').fill('300');
      await page.getByLabel('Begins with').fill('CLUB-');
      await page.getByLabel('Name', { exact: true }).fill('Members of the club');
      await page.getByLabel('Percent off', { exact: true }).fill('10');
      // Each of them is for one person, unless somebody wants something else.
      expect(await page.getByLabel('People in all').inputValue()).toBe('1');
      await button(page, 'Create codes').click();
      const link = page.getByRole('region', { name: 'Codes' }).getByRole('link', { name: 'Download' });
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split(/\r?\n/);
      expect(lines).toHaveLength(301);
      expect(lines[1]).toMatch(/CLUB-[A-Z0-9]{10}.*\?code=CLUB-/);
      await page.getByRole('link', { name: 'Codes', exact: true }).first().click();
      await page.getByText('10% off all tickets').first().waitFor();
      const made = (await send('GET', `/events/${event1}/discounts?limit=200`)).data;
      expect(made).toHaveLength(200);
      expect(made[0]).toMatchObject({ name: 'Members of the club', value: 10, max_people: 1 });
    });
  });

  describe('what people book', () => {
    const selling = async () => {
      const code = await event({ price: 4500 });
      await product(code, { code: 'lunch', name: 'Lunch', price_minor: 1500 });
      await product(code, {
        ...{ code: 'shirt', name: 'T-shirt', price_minor: 2500, max: 3, visible: false },
        options: [{ name: 'S' }, { name: 'M', capacity: 2 }],
      });
      await product(code, { code: 'crew-meal', name: 'Crew meal', attendee_types: ['child'] });
      await product(code, { code: 'parking', name: 'Parking', price_minor: 1000, per: 'registration', max: 2 });
      await send('POST', `/events/${code}/discounts`, { code: 'HALF', name: 'Half', kind: 'percent', value: 50 });
      await send('POST', `/events/${code}/publish`);
      return code;
    };

    test('somebody is registered by hand with products and a code, and the registration says what it took off', async () => {
      const code = await selling();
      const page = await open(code, 'people/registrations/new');
      const person = page.getByRole('region', { name: 'Person 1' });
      await person.getByLabel('First name').fill('Ada');
      await person.getByLabel('Last name').fill('Lovelace');
      // What only children may take is offered to nobody else, and forgotten with the type.
      await person.getByLabel('Type').selectOption({ label: 'Child' });
      await person.getByLabel('Crew meal').check();
      await person.getByLabel('Type').selectOption({ label: 'Adult · €45.00' });
      expect(await person.getByLabel('Crew meal').count()).toBe(0);
      await person.getByRole('group', { name: 'Days' }).getByLabel('Saturday').check();
      await person.getByLabel('Lunch · €15.00').check();
      // Hidden in the form, but not for members.
      await person.getByLabel('M', { exact: true }).fill('2');
      await page.getByLabel('Parking · €10.00 each').fill('1');
      await page.getByRole('status').filter({ hasText: '€120.00' }).waitFor();
      await page.getByLabel('Discount code').fill('half');
      await page.getByText('Total before the code').waitFor();
      await button(page, 'Register').click();
      await page.getByRole('heading', { level: 1, name: /^Registration / }).waitFor();
      await page.getByText('Lunch and 2 × T-shirt (M)').waitFor();
      await page.getByRole('list', { name: 'For the whole registration' }).getByText('Parking').waitFor();
      await page.getByText('−€22.50').first().waitFor();
      const money = page.getByRole('region', { name: 'Money' });
      await money.getByText('HALF').waitFor();
      await money.getByText('€97.50').first().waitFor();
    });

    test('what a person has booked is changed on their page; what is sold out is refused, and nothing typed is lost', async () => {
      const code = await selling();
      const { attendees } = await send('POST', `/events/${code}/registrations`, {
        attendees: [
          {
            ...{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', days: ['sat'] },
            products: [{ product: 'lunch' }],
          },
        ],
        send_emails: false,
      });
      // A price that changes later changes nothing for her.
      await send('PATCH', `/events/${code}/products/lunch`, { price_minor: 9900 });
      const page = await open(code, `people/${attendees[0].id}`);
      const booked = page.getByRole('list', { name: 'Products' });
      await booked.getByText('€15.00').waitFor();
      await button(page, 'Change products').click();
      const dialog = page.getByRole('dialog', { name: 'Change products' });
      await dialog.getByLabel('M', { exact: true }).fill('3');
      await dialog.getByText('2 left').waitFor();
      await button(dialog, 'Save').click();
      await dialog.getByRole('alert').waitFor();
      expect(await dialog.getByLabel('M', { exact: true }).inputValue()).toBe('3');
      await dialog.getByLabel('M', { exact: true }).fill('2');
      await button(dialog, 'Save').click();
      await dialog.waitFor({ state: 'detached' });
      await booked.getByText('2 × T-shirt (M)').waitFor();
      await booked.getByText('€50.00').waitFor();
      await booked.getByText('€15.00').waitFor();
      await page.getByRole('region', { name: 'Money' }).getByText('€110.00').first().waitFor();
      // The timeline says what it was and what it is.
      await page.getByText('Lunch, 2 × T-shirt (M)').first().waitFor();
    });

    test('what is booked for a whole registration is changed on its page', async () => {
      const code = await selling();
      const registration = await send('POST', `/events/${code}/registrations`, {
        attendees: [{ attendee_type: 'child', first_name: 'Kit', last_name: 'Lovelace', days: ['sat'] }],
        send_emails: false,
      });
      expect(registration.status).toBe('confirmed');
      const page = await open(code, `people/registrations/${registration.code}`);
      await page.getByText('Nothing booked.').waitFor();
      await button(page, 'Change products').click();
      await page.getByRole('dialog').getByLabel('Parking · €10.00 each').fill('2');
      await button(page.getByRole('dialog'), 'Save').click();
      await page.getByRole('list', { name: 'For the whole registration' }).getByText('2 × Parking').waitFor();
      await page.getByRole('region', { name: 'Money' }).getByText('€20.00').first().waitFor();
    });

    test('somebody at the desk takes products and a code', async () => {
      const code = await selling();
      await send('POST', `/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
      const page = await open(code, 'check-in/desk?add=true');
      await page.getByLabel('First name').fill('Alan');
      await page.getByLabel('Last name').fill('Turing');
      await page.getByLabel('Lunch · €15.00').check();
      await page.getByRole('group', { name: 'How did they pay €60.00?' }).getByLabel('Cash').check();
      await page.getByLabel('Discount code').fill('HALF');
      await page.getByRole('group', { name: 'How did they pay?' }).waitFor();
      await button(page, /^Register/).click();
      await page.getByText('Turing').first().waitFor();
      await expect
        .poll(async () => (await send('GET', `/events/${code}/registrations`)).data)
        .toMatchObject([{ total_minor: 3750, paid_minor: 3750, discount_code: 'HALF', status: 'confirmed' }]);
    });
  });

  describe('until when registrants may change what they booked', () => {
    test('is asked for in an event with products only', async () => {
      const without = await open(await event(), 'settings?part=self');
      await without.getByLabel('Change names and answers until').waitFor();
      expect(await without.getByLabel('Change booked products until').count()).toBe(0);
      const code = await event();
      await product(code, { name: 'Lunch' });
      const page = await open(code, 'settings?part=self');
      await page.getByLabel('Change booked products until').fill('2055-06-11T18:00');
      await button(page, 'Save').click();
      await page.getByText('Saved').first().waitFor();
      expect((await send('GET', `/events/${code}`)).self_service).toMatchObject({
        products_until: '2055-06-11T16:00:00Z',
      });
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

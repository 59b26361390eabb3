import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { goInEvent } from './support/event-navigation.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('chromium'))('the form of an event, in the app', { timeout: 240_000 }, () => {
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

  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await world.call(session, method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  let serial = 0;
  /** An event of its own for each test, with the days, types and questions that it is given. */
  const event = async (parts: { days?: object[]; types?: object[]; questions?: object[] } = {}): Promise<string> => {
    const code = `e${++serial}`;
    await send('POST', '/events', { code, name: `Event ${serial}`, timezone: 'Europe/Berlin', currency: 'EUR' });
    for (const body of parts.days ?? []) await send('POST', `/events/${code}/days`, body);
    for (const body of parts.types ?? []) await send('POST', `/events/${code}/attendee-types`, body);
    for (const body of parts.questions ?? []) await send('POST', `/events/${code}/questions`, body);
    return code;
  };
  const listOf = async (code: string, what: 'days' | 'attendee-types' | 'questions') =>
    (await send('GET', `/events/${code}/${what}?limit=200`)).data;
  const open = async (code: string, screen: string, options: Parameters<AppWorld['open']>[1] = {}): Promise<Page> => {
    const viewport = { width: 1440, height: 900 };
    const page = await world.open(`/app/acme/events/${code}/${screen}`, { session, viewport, ...options });
    await settled(page);
    return page;
  };
  const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: true });
  const phone = (page: Page) => page.getByRole('region', { name: 'The form on a phone' });
  /** The entry of a list with this name, with its editor. */
  const entry = (page: Page, name: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) });

  describe('days', () => {
    test('a month of them is added at once, in the event’s zone; what is there already or was made before a fault is left out', async () => {
      const code = await event({ days: [{ date: '2055-06-12', name: 'Opening' }] });
      const page = await open(code, 'tickets/days', { timezoneId: 'America/New_York' });
      await button(page, 'Add days').click();
      const form = page.getByRole('region', { name: 'Add days' });
      // It suggests the day after the last one.
      expect(await form.getByLabel('From').inputValue()).toBe('13 Jun 2055');
      await form.getByLabel('From').fill('2055-06-01');
      await form.getByLabel('To').fill('2055-06-30');
      await form.getByLabel('Name').fill('Fair');
      await form.getByLabel('Opens').fill('20:00');
      await form.getByLabel('Closes').fill('02:30');
      await form.getByText('Closes after midnight, on the next date.').waitFor();
      await form.getByLabel('Places').fill('1,200');
      await form.getByText('This date is already added and will be skipped: 12 Jun.').waitFor();
      // The preview has them before they are saved.
      await phone(page).getByLabel('Fair 29').waitFor();
      await button(form, 'Add 29 days').click();
      await form.waitFor({ state: 'detached' });
      await page.getByText('29 days added').first().waitFor();
      const days = await listOf(code, 'days');
      expect(days).toHaveLength(30);
      expect(days.find(({ date }: { date: string }) => date === '2055-06-13')).toMatchObject({
        ...{ name: 'Fair 12', capacity: 1200 },
        ...{ opens_at: '2055-06-13T18:00:00Z', closes_at: '2055-06-14T00:30:00Z' },
      });
      await entry(page, 'Fair 12').getByText('20:00 – 2:30').waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add days');

      // If making many fails in the middle, and each time that the app tries again by itself, the rest is made by pressing again, and
      // nothing twice.
      let calls = 0;
      await page.route('**/app/api/acme/events/*/days', (route) => {
        if (route.request().method() !== 'POST' || ++calls < 3 || calls > 5) return route.fallback();
        return route.fulfill({
          status: 503,
          json: { error: { code: 'unavailable', message: 'Not now.', request_id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA' } },
        });
      });
      await button(page, 'Add days').click();
      await form.getByLabel('From').fill('2055-07-01');
      await form.getByLabel('To').fill('2055-07-05');
      await form.getByLabel('Name').fill('Day');
      await button(form, 'Add 5 days').click();
      await form.getByRole('alert').waitFor();
      expect(await form.getByLabel('Name').inputValue()).toBe('Day');
      await button(form, 'Add 3 days').click();
      await form.waitFor({ state: 'detached' });
      const july = (await listOf(code, 'days')).filter(({ date }: { date: string }) => date > '2055-07');
      expect(july.map(({ name, date }: { name: string; date: string }) => [name, date]).sort()).toEqual(
        [1, 2, 3, 4, 5].map((n) => [`Day ${n}`, `2055-07-0${n}`]),
      );
    });

    test('one is changed in place with its faults beside the fields, locked and unlocked, and deleted unless it is used', async () => {
      const code = await event({
        days: [
          { code: 'd1', date: '2055-06-12', name: 'Saturday' },
          { code: 'd2', date: '2055-06-13', name: 'Sunday' },
        ],
        types: [{ code: 'crew', name: 'Crew', days: ['d1'] }],
      });
      const page = await open(code, 'tickets/days');
      await button(page, 'Saturday').press('Enter');
      const item = entry(page, 'Saturday');
      await item.getByLabel('Places').fill('many');
      await button(item, 'Save').click();
      await item.getByText('Enter a whole number such as 250.').waitFor();
      await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('many');
      await item.getByLabel('Places').fill('80');
      await item.getByLabel('Name').fill('Grand Saturday');
      await phone(page).getByLabel('Grand Saturday').waitFor();
      await page.route('**/app/api/acme/events/*/days/*', (route) => route.abort());
      await button(item, 'Save').click();
      await item.getByRole('alert').waitFor();
      expect(await item.getByLabel('Name').inputValue()).toBe('Grand Saturday');
      await page.unrouteAll();
      await button(item, 'Save').click();
      await button(page, 'Grand Saturday').waitFor();
      const first = () => send('GET', `/events/${code}/days/d1`);
      expect(await first()).toMatchObject({ name: 'Grand Saturday', capacity: 80, date: '2055-06-12' });
      // The focus is where it was before the editor opened.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Grand Saturday');

      // It is locked from a time on and unlocked, with words on what that means.
      await button(page, 'Grand Saturday').click();
      await button(entry(page, 'Grand Saturday'), 'Lock').click();
      const lock = page.getByRole('dialog', { name: 'Lock Grand Saturday?' });
      await lock.getByText('nobody can check in').waitFor();
      await lock.getByLabel('Lock from').fill('2055-06-12T20:00');
      await button(lock, 'Lock').click();
      await entry(page, 'Grand Saturday').getByText('Locked from 12 Jun').waitFor();
      expect(await first()).toMatchObject({ locked_at: '2055-06-12T18:00:00Z' });
      await button(entry(page, 'Grand Saturday'), 'Unlock').click();
      await button(page.getByRole('dialog'), 'Unlock').click();
      await entry(page, 'Grand Saturday').getByText('Locked from').waitFor({ state: 'detached' });
      expect(await first()).toMatchObject({ locked_at: null });

      // What is used is said before anything is refused; what is not is deleted.
      await button(entry(page, 'Grand Saturday'), 'Delete').click();
      const dialog = page.getByRole('dialog', { name: 'Delete Grand Saturday?' });
      await dialog.getByText('The type “Crew” is limited to it.').waitFor();
      expect(await button(dialog, 'Delete').count()).toBe(0);
      await page.keyboard.press('Escape');
      await button(page, 'Sunday').click();
      await button(entry(page, 'Sunday'), 'Delete').click();
      await button(page.getByRole('dialog'), 'Delete').click();
      await entry(page, 'Sunday').waitFor({ state: 'detached' });
      expect(await listOf(code, 'days')).toHaveLength(1);
    });
  });

  describe('types', () => {
    test('the first one is made with a price as people write it, and the preview follows while one types', async () => {
      const code = await event({
        days: [
          { code: 'd1', date: '2055-06-12' },
          { code: 'd2', date: '2055-06-13' },
        ],
      });
      const page = await open(code, 'tickets', { locale: 'de-DE' });
      await page.getByRole('heading', { name: 'Noch kann sich niemand anmelden' }).waitFor();
      await button(page, 'Art hinzufügen').click();
      const main = page.locator('.form-edit');
      await main.getByLabel('Name', { exact: true }).fill('Erwachsene');
      const shown = page.locator('.phone-screen');
      await shown.getByText('Erwachsene').waitFor();
      await shown.getByText('Kostenlos').waitFor();
      await main.getByLabel('Preis', { exact: true }).fill('1.234,50');
      await shown.getByText('1.234,50 €').waitFor();
      await main.getByLabel('Als Pass anbieten').check();
      await main.getByLabel('Anzahl: Tage').fill('1');
      await shown.getByText('Gültig: 1 von 2').waitFor();
      await button(main, 'Art hinzufügen').click();
      await button(page, 'Erwachsene').waitFor();
      expect(await listOf(code, 'attendee-types')).toMatchObject([
        { name: 'Erwachsene', price_minor: 123450, pass_days: 1, days: null, approval: false, visible: true },
      ]);

      // A refusal that only the server knows is said in words of that language, with the id of the request.
      await page.route('**/attendee-types/*', (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({
              status: 409,
              json: {
                error: { code: 'invalid_state', message: 'It is used.', request_id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA' },
              },
            })
          : route.fallback(),
      );
      await button(page, 'Erwachsene').click();
      await button(page.locator('.form-edit'), 'Löschen').click();
      await button(page.getByRole('dialog'), 'Löschen').click();
      await page.getByRole('alert').getByText('Löschen geht nicht').waitFor();
      await page.getByRole('alert').getByText('01JCQ8Z7M4T3V9R1X5K2N6P8DA').waitFor();
    });

    test('a price that ends is added where nobody else is bothered by it; what is wrong in there unfolds', async () => {
      const code = await event({
        days: [{ code: 'd1', date: '2055-06-12' }],
        types: [{ code: 'adult', name: 'Adult', price_minor: 2000 }],
      });
      const page = await open(code, 'tickets');
      await button(page, 'Adult').click();
      const form = entry(page, 'Adult');
      const more = form.getByText('More: text, prices over time, sale and amounts');
      expect(await form.getByLabel('Description').isVisible()).toBe(false);
      await more.click();
      await form.getByLabel('Description').fill('With lunch.');
      await button(form, 'Add price').click();
      const phase = form.locator('fieldset .indented');
      await phase.getByLabel('Price', { exact: true }).fill('15');
      await more.click();
      await button(form, 'Save').click();
      await phase.getByText('Fill this in.').waitFor();
      await phase.getByLabel('Name', { exact: true }).fill('Early bird');
      await button(form, 'Save').click();
      await form.getByText('€15.00').waitFor();
      expect(await listOf(code, 'attendee-types')).toMatchObject([
        {
          ...{ description: 'With lunch.', price_minor: 2000, current_price_minor: 1500, on_sale: null },
          prices: [{ name: 'Early bird', from: null, until: null, price_minor: 1500 }],
        },
      ]);
    });

    test('how many are taken is shown, and one with people is not deleted but taken off the form', async () => {
      const code = await event({
        days: [{ code: 'd1', date: '2055-06-12' }],
        types: [{ code: 'adult', name: 'Adult', capacity: 10 }],
      });
      await send('POST', `/events/${code}/publish`, {});
      await send('POST', `/events/${code}/registrations`, {
        attendees: [
          { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', attendee_type: 'adult', days: ['d1'] },
        ],
      });
      const page = await open(code, 'tickets');
      await entry(page, 'Adult').getByText('1 of 10 places taken').waitFor({ state: 'attached' });
      await button(page, 'Adult').click();
      await button(entry(page, 'Adult'), 'Delete').click();
      const dialog = page.getByRole('dialog', { name: 'Delete Adult?' });
      await dialog.getByText('1 person is or was registered.').waitFor();
      await button(dialog, 'Close').last().click();
      await entry(page, 'Adult').getByLabel('Show in the form').uncheck();
      await phone(page).getByText('Hidden from the form').waitFor();
      await button(entry(page, 'Adult'), 'Save').click();
      await entry(page, 'Adult').getByText('Hidden').waitFor();
    });
  });

  describe('questions', () => {
    test('one with options is made by keyboard; the preview shows it before it is saved', async () => {
      const code = await event({ types: [{ name: 'Adult' }, { name: 'Crew' }] });
      const page = await open(code, 'page/questions');
      await button(page, 'Add question').press('Enter');
      await page.keyboard.type('Which T-shirt?');
      await phone(page).getByLabel('Which T-shirt?').waitFor();
      const main = page.locator('.form-edit');
      await main.getByLabel('Kind of answer').selectOption({ label: 'Single choice' });
      await main.getByLabel('Option 1', { exact: true }).focus();
      await page.keyboard.type('Small');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Large');
      // Moved above the first one.
      await page.keyboard.press('Alt+ArrowUp');
      await expect.poll(() => main.getByLabel('Option 1', { exact: true }).inputValue()).toBe('Large');
      await main.getByLabel('Option 3', { exact: true }).fill('Large');
      await main.getByText('Two options are the same. Change or remove one.').waitFor();
      await button(main, 'Add question').click();
      await main.getByText('Two options are the same. Change or remove one.').waitFor();
      expect(await listOf(code, 'questions')).toEqual([]);
      await button(main, 'Remove option 3').click();
      await main.getByLabel('Required').check();
      await expect.poll(() => phone(page).getByRole('radio').count()).toBe(2);
      await main.getByLabel('Only some types').check();
      await main.getByLabel('Crew').check();
      await main.getByLabel('Use as a filter').check();
      await phone(page).getByText('This type isn’t asked this question').waitFor();
      await page.getByLabel('Preview as').selectOption('Crew');
      await phone(page).getByRole('group', { name: 'Which T-shirt?' }).waitFor();
      await button(main, 'Add question').click();
      await button(page, 'Which T-shirt?').waitFor();
      expect(await listOf(code, 'questions')).toMatchObject([
        {
          ...{ label: 'Which T-shirt?', kind: 'choice', options: ['Large', 'Small'], required: true },
          ...{ attendee_types: ['crew'], filterable: true },
        },
      ]);
    });

    test('options are pasted as a list, the order stays, what is typed survives, and nothing of others is undone', async () => {
      const code = await event({
        types: [{ name: 'Adult' }],
        questions: [
          { label: 'First', kind: 'choice', options: ['A'] },
          { label: 'Second', kind: 'text' },
        ],
      });
      const page = await open(code, 'page/questions');
      await button(page, 'First').click();
      const item = entry(page, 'First');
      await item.getByLabel('Option 1', { exact: true }).evaluate((input) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', 'B\r\n C \n\nD\n');
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      });
      await expect.poll(() => item.getByLabel('Option 4', { exact: true }).inputValue()).toBe('D');
      await item.getByLabel('Question', { exact: true }).fill('Very first');
      await button(item, 'Save').click();
      await button(page, 'Very first').waitFor();
      const names = () => page.locator('.part-name h2').allTextContents();
      await expect.poll(names).toEqual(['Very first', 'Second']);
      const isFirst = ({ code }: { code: string }) => code === 'first';
      const question = (await listOf(code, 'questions')).find(isFirst);
      expect(question).toMatchObject({ label: 'Very first', options: ['A', 'B', 'C', 'D'] });

      // What is typed survives opening another one, and leaving asks; back closes what was opened.
      await button(page, 'Second').click();
      await page.goBack();
      await page.getByLabel('Question', { exact: true }).waitFor({ state: 'detached' });
      await button(page, 'Very first').click();
      await entry(page, 'Very first').getByLabel('Question', { exact: true }).fill('First of all');
      await button(page, 'Second').click();
      await entry(page, 'Second').getByLabel('Question', { exact: true }).waitFor();
      expect(await entry(page, 'Very first').getByLabel('Question', { exact: true }).inputValue()).toBe('First of all');
      await goInEvent(page, 'Tickets & prices');
      await button(page.getByRole('dialog', { name: 'Leave without saving?' }), 'Stay').click();
      await button(entry(page, 'Very first'), 'Cancel').click();
      await button(page.getByRole('dialog', { name: 'Discard your changes?' }), 'Discard changes').click();
      await entry(page, 'Very first').getByLabel('Question', { exact: true }).waitFor({ state: 'detached' });
      await button(entry(page, 'Second'), 'Cancel').click();

      // Somebody else’s change of the same question is not undone.
      await button(page, 'Very first').click();
      await entry(page, 'Very first').getByLabel('Required').check();
      await send('PATCH', `/events/${code}/questions/first`, { label: 'Theirs' });
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      // Its heading may be theirs already.
      await button(page.locator('.form-edit'), 'Save').click();
      await button(page, 'Theirs').waitFor();
      expect((await listOf(code, 'questions')).find(isFirst)).toMatchObject({ label: 'Theirs', required: true });
      // Nothing is left to save, so nothing is asked.
      await goInEvent(page, 'Tickets & prices', 'Days');
      await page.getByRole('heading', { level: 1, name: 'Days' }).waitFor();

      // On a phone, the preview is behind a button.
      await goInEvent(page, 'Page', 'Form');
      await page.setViewportSize({ width: 390, height: 800 });
      await button(page, 'Second').waitFor();
      expect(await phone(page).count()).toBe(0);
      await button(page, 'Second').click();
      await entry(page, 'Second').getByLabel('Question', { exact: true }).fill('What do you eat?');
      await button(page, 'Show preview').click();
      const dialog = page.getByRole('dialog', { name: 'Preview' });
      await dialog.getByLabel('What do you eat?').waitFor();
      await page.keyboard.press('Escape');
      expect(await entry(page, 'Second').getByLabel('Question', { exact: true }).inputValue()).toBe('What do you eat?');
    });

    test('a viewer sees the form and its preview, and nothing to change', async () => {
      const code = await event({ types: [{ name: 'Adult' }], questions: [{ label: 'Diet', kind: 'text' }] });
      const page = await open(code, 'page/questions', { session: await world.t.session('acme', 'viewer') });
      await page.getByRole('heading', { name: 'Diet' }).waitFor();
      await phone(page).getByLabel('Diet').waitFor();
      expect(await button(page, 'Add question').count()).toBe(0);
      expect(await button(page, 'Diet').count()).toBe(0);
    });
  });
});

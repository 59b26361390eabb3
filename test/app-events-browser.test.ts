import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, startAppWorld } from './support/app-world.ts';
import { keyboard, mouse } from './support/hands.ts';
import { hasTool } from './support/tools.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describe.skipIf(!hasTool('chromium'))('events in the app', { timeout: 180_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    owner = await world.t.session('acme', 'owner');
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  // Exactly so: “Save” and “Door” stand next to each other, too.
  const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor();
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await world.call(owner, method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const event = async (code: string, more: object = {}) => send('POST', '/events', { code, name: code, ...more });
  /** An event with two days, two types, a question and a point. */
  async function whole(code: string, more: object = {}): Promise<void> {
    await event(code, more);
    for (const [day, date] of [
      ['sat', '2031-06-14'],
      ['sun', '2031-06-15'],
    ])
      await send('POST', `/events/${code}/days`, { code: day, name: day, date, capacity: 4 });
    await send('POST', `/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 2500 });
    await send('POST', `/events/${code}/attendee-types`, { code: 'child', name: 'Child' });
    await send('POST', `/events/${code}/questions`, { code: 'diet', label: 'Diet', kind: 'text' });
    await send('POST', `/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  }
  const register = (code: string, attendee_type: string, days: string[]) =>
    send('POST', `/events/${code}/registrations`, {
      attendees: [{ first_name: 'Ada', last_name: 'Lovelace', attendee_type, days }],
    });

  test('one is created by keyboard with its days, and free ones with their type; a code that is taken is said beside its field', async () => {
    await event('taken');
    const page = await world.open('/app/acme/events', { session: owner });
    const hands = keyboard(page);
    await hands.press(button(page, 'Create event').first());
    await heading(page, 'Create event').waitFor();
    // Whoever forgets the name is told so, in the field.
    await hands.press(button(page, 'Create event'));
    await said(page, 'Fill this in.');
    const name = page.getByLabel('Name', { exact: true });
    const firstDay = page.getByLabel('First day');
    const code = page.getByLabel('Code', { exact: true });
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await firstDay.getAttribute('aria-invalid')).toBe('true');
    await hands.fill(name, 'Summer Fair');
    await hands.fill(firstDay, '2031-06-14');
    await hands.fill(page.getByLabel('Last day'), '2031-06-16');
    await said(page, '3 days');
    await page.getByLabel('Opens').fill('10:00');
    await hands.fill(page.getByLabel('Venue'), 'Old Harbour');
    await hands.press(button(page, 'Create event'));
    await heading(page, 'Summer Fair').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/acme/events/summer-fair');
    await part(page, 'Before you publish').waitFor();
    // The time zone is the browser's.
    const timezone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(await send('GET', '/events/summer-fair')).toMatchObject({
      ...{ name: 'Summer Fair', status: 'draft', test: false, timezone, venue: 'Old Harbour' },
    });
    const days = (await send('GET', '/events/summer-fair/days')).data;
    expect(days.map(({ date }: { date: string }) => date).sort()).toEqual(['2031-06-14', '2031-06-15', '2031-06-16']);
    expect(await send('GET', '/events/summer-fair/attendee-types')).toMatchObject({
      data: [{ name: 'Standard', price_minor: 0 }],
    });
    // Back leads to the form, not to a second event.
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: 'Summer Fair', exact: true }).waitFor();

    const pointer = mouse(page);
    await pointer.press(button(page, 'Create event').first());
    await heading(page, 'Create event').waitFor();
    await pointer.fill(name, 'Again');
    await pointer.fill(firstDay, '2031-07-01');
    await page.getByLabel('Online').check();
    await page.getByLabel('Paid').check();
    expect(await page.getByLabel('Currency').inputValue()).toBe('EUR (organization default)');
    await pointer.press(page.getByText('More options'));
    await pointer.fill(code, 'taken');
    await pointer.press(page.getByText('More options'));
    await pointer.press(button(page, 'Create event'));
    // The field is opened for it, and what was typed stays.
    await said(page, 'Another event has this code.');
    await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await name.inputValue()).toBe('Again');
    // Nothing is lost by accident, nor by a look at the other ways to start.
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Home' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('link', { name: 'Copy another event' }).click();
    await page.getByRole('link', { name: 'Start from scratch' }).click();
    await pointer.fill(code, 'not-taken');
    await pointer.press(button(page, 'Create event'));
    await heading(page, 'Again').waitFor();
    expect(page.url()).toMatch(/\/events\/not-taken$/);
    expect(await send('GET', '/events/not-taken')).toMatchObject({ name: 'Again', venue: 'Online', currency: 'EUR' });
    expect((await send('GET', '/events/not-taken/attendee-types')).data).toEqual([]);
  });

  test('one whose answer was lost is not created twice; one whose days fail is opened all the same', async () => {
    const page = await world.open('/app/acme/events/new', { session: owner });
    const fill = async (name: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('First day').fill('2031-06-14');
      await page.getByLabel('Last day').fill('2031-06-15');
    };
    await fill('Twice');
    // The server creates it, but the answer never arrives, however often the app asks.
    let lost = 0;
    await page.route('**/app/api/acme/events', async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    await button(page, 'Create event').click();
    await page.getByRole('alert').first().waitFor();
    expect(lost).toBeGreaterThan(0);
    await page.unroute('**/app/api/acme/events');
    await button(page, 'Create event').click();
    await page.waitForURL('**/events/twice');
    expect((await send('GET', '/events?search=twice')).data).toHaveLength(1);
    expect((await send('GET', '/events/twice/days')).data).toHaveLength(2);

    await page.goto(`${world.home}/app/acme/events/new`);
    await fill('Half');
    const refused = { error: { code: 'forbidden', message: 'No.' } };
    await page.route('**/days', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 403, json: refused }) : route.continue(),
    );
    await button(page, 'Create event').click();
    await page.waitForURL('**/events/half');
    await said(page, 'Half created, but not all of its days and types.');
    expect((await send('GET', '/events?search=half')).data).toHaveLength(1);
  });

  test('publishing says what is missing; then it is published, closed, archived, and kept because of its people', async () => {
    await event('gala');
    const page = await world.open('/app/acme/events/gala', { session: owner });
    const hands = keyboard(page);
    const list = part(page, 'Before you publish');
    await hands.press(list.getByRole('button', { name: 'Publish' }));
    const alert = page.getByRole('alert').filter({ hasText: 'You can’t publish yet' });
    await alert.getByText('Add at least one day.').waitFor();
    await alert.getByText('Add at least one type.').waitFor();
    // The focus is at the first thing that is missing.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add days');
    expect((await send('GET', '/events/gala')).status).toBe('draft');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/events/gala/tickets/days');
    await send('POST', '/events/gala/days', { code: 'one', date: '2031-06-14' });
    await send('POST', '/events/gala/attendee-types', { code: 'guest', name: 'Guest' });
    await page.goto(`${world.home}/app/acme/events/gala`);
    await list.getByText('1 day: 14 Jun 2031').waitFor();
    await list.getByText('Guest (free)').waitFor();
    // Time and place name the hours that hold for all days.
    const [day] = (await send('GET', '/events/gala/days')).data;
    await send('PATCH', `/events/gala/days/${day.id}`, {
      opens_at: `2031-06-14T07:15:00Z`,
      closes_at: `2031-06-14T16:45:00Z`,
    });
    await send('PATCH', '/events/gala', { venue: 'Pier 3' });
    await page.reload();
    await expect.poll(() => list.textContent()).toMatch(/14 Jun 2031, \S*:15.* – \S*:45.*, Pier 3/);
    // Whoever takes money says how, but need not.
    const types = await send('GET', '/events/gala/attendee-types');
    expect(await list.getByText('How people pay').count()).toBe(0);
    await send('PATCH', `/events/gala/attendee-types/${types.data[0].id}`, { price_minor: 1200 });
    await page.reload();
    await list.getByText('Without payment instructions, people are told to ask you').waitFor();
    await list.getByText('You can publish now.').waitFor();
    await list.getByRole('link', { name: 'Add payment instructions' }).click();
    await page.getByLabel('Payment instructions').waitFor();
    await send('PATCH', '/events/gala', { payment_instructions: 'IBAN DE00' });
    await page.goto(`${world.home}/app/acme/events/gala`);
    await list.getByText('Payment instructions are shown to everyone who has to pay.').waitFor();
    // Somebody deletes the type meanwhile: the server's refusal is shown in words.
    await send('DELETE', `/events/gala/attendee-types/${types.data[0].id}`);
    await hands.press(list.getByRole('button', { name: 'Publish' }));
    await page.getByRole('alert').getByText('The event needs an attendee type').waitFor();
    await send('POST', '/events/gala/attendee-types', { code: 'guest', name: 'Guest' });
    await hands.press(list.getByRole('button', { name: 'Publish' }));
    await list.waitFor({ state: 'detached' });
    await said(page, 'Event published');
    expect((await send('GET', '/events/gala')).status).toBe('published');

    await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    const sectionOf = (name: string) =>
      page
        .getByRole('navigation', { name: 'Sections of the settings' })
        .getByRole('link', { name, exact: true })
        .click();
    await sectionOf('Close or delete');
    const state = part(page, 'Close or delete');
    await state.getByText('Archive it first.').waitFor();
    const move = async (name: string, status: string, by = mouse(page)) => {
      await by.press(state.getByRole('button', { name, exact: true }));
      await by.press(page.getByRole('dialog').getByRole('button', { name, exact: true }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(async () => (await send('GET', '/events/gala')).status).toBe(status);
    };
    await move('Close registration', 'closed', hands);
    await move('Publish', 'published');
    await move('Archive', 'archived');
    // Nothing can be changed in the archive, and nothing pretends that it could.
    await sectionOf('General');
    await expect.poll(() => part(page, 'General').getByLabel('Name').isDisabled()).toBe(true);
    expect(await button(page, 'Save').count()).toBe(0);
    await sectionOf('Close or delete');
    await move('Restore from archive', 'closed');
    await sectionOf('General');
    await expect.poll(() => part(page, 'General').getByLabel('Name').isEnabled()).toBe(true);
    await sectionOf('Close or delete');

    // Somebody registers while the dialog is open: the server keeps the event, in words.
    await move('Archive', 'archived');
    await state.getByRole('button', { name: 'Delete' }).click();
    await send('POST', '/events/gala/close');
    await send('POST', '/events/gala/publish');
    await register('gala', 'guest', ['one']);
    await send('POST', '/events/gala/archive');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('gala');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('archive it instead').first().waitFor();
    await page.reload();
    await state.getByText('You can’t delete an event that people have registered for').waitFor();
    expect(await state.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });

  test('the overview counts places, people and money, tells what just happened, and every number leads to its list', async () => {
    await whole('full', { timezone: 'UTC' });
    await send('POST', '/events/full/days', { code: 'now', name: 'now', date: inDays(0) });
    await send('POST', '/events/full/publish');
    await register('full', 'adult', ['sat']);
    const child = await register('full', 'child', ['sat', 'sun', 'now']);
    const page = await world.open('/healthz', { session: owner });
    await page.clock.install();
    await page.goto(`${world.home}/app/acme/events/full`);
    await heading(page, 'full').waitFor();
    const figures = page.getByRole('list', { name: 'Key figures' });
    const figure = (name: string) => figures.getByRole('listitem').filter({ hasText: name });
    await expect.poll(() => figure('confirmed attendee').innerText()).toMatch(/^1\s+2 new today\s/);
    await figure('unpaid').getByText('€25.00').waitFor();
    const byDay = page.getByRole('list', { name: 'By day' });
    await byDay.getByText('1 of 4 taken · 1 held · 2 left').waitFor();
    await byDay.getByText('1 of 4 taken · 3 left').waitFor();
    await page.getByRole('img', { name: 'Registrations by day' }).waitFor();
    const feed = part(page, 'Recent activity').getByRole('listitem');
    await expect
      .poll(() => feed.allInnerTexts())
      .toEqual([
        expect.stringMatching(/Ada Lovelace registered · Child/),
        expect.stringMatching(/Ada Lovelace registered · Adult/),
      ]);
    // Nobody tells the page: another one registers, somebody is checked in, and the numbers and the news follow by themselves.
    await register('full', 'child', ['sun']);
    const { code } = child.attendees[0].tickets[0];
    const scan = { code, check_in_point: 'gate', client_uuid: crypto.randomUUID() };
    expect((await send('POST', '/events/full/scan', scan)).admitted).toBe(true);
    await page.clock.fastForward(10_000);
    await byDay.getByText('2 of 4 taken · 2 left').waitFor();
    await expect.poll(() => feed.count()).toBe(4);
    await feed.filter({ hasText: 'Ada Lovelace checked in' }).getByRole('link').click();
    await page.waitForURL(`**/events/full/people/${child.attendees[0].id}`);
    await page.goBack();
    for (const [where, name, search] of [
      [part(page, 'To do'), 'Check 1 unpaid registration', '?status=pending_payment'],
      [figures, 'unpaid, 1 registration', '?balance=due'],
      [figures, 'confirmed attendees', '?status=confirmed'],
    ] as const) {
      await where.getByRole('link', { name, exact: true }).click();
      await page.waitForURL((url) => url.search === search);
      await page.goBack();
      await figures.waitFor();
    }
    await byDay.getByRole('link', { name: 'sat', exact: true }).click();
    await page.waitForURL('**/events/full/people?day=sat');
    // While a day is open, who is inside is shown.
    await page.goBack();
    await page.getByRole('link', { name: 'inside now' }).waitFor();
    await page.getByRole('link', { name: 'arrived, of 1 expected' }).click();
    await page.waitForURL('**/events/full/check-in/attendance');
  });

  test('what is published is shared by its link, by a code for posters and by a line for a website', async () => {
    await whole('shared');
    const page = await world.open('/app/acme/events/shared', { session: owner, permissions: ['clipboard-write'] });
    await part(page, 'Before you publish').waitFor();
    expect(await part(page, 'Share').count()).toBe(0);
    await button(page, 'Publish').click();
    const share = part(page, 'Share');
    // The button at the top leads to the panel, and its first button has the focus.
    await page.locator('.hero').getByRole('button', { name: 'Share' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Copy link');
    const { public_url } = await send('GET', '/events/shared');
    expect(await share.getByRole('link', { name: /^localhost/ }).getAttribute('href')).toBe(public_url);
    await share.getByRole('button', { name: /^Copy/ }).click();
    await said(page, 'Copied');
    await share.getByRole('img', { name: 'QR code of the registration page' }).waitFor();
    for (const [of, name, begins] of [
      [share.getByRole('button', { name: 'QR as PNG' }), 'shared.png', Buffer.from('89504e47', 'hex')],
      [share.getByRole('link', { name: 'QR as SVG' }), 'shared.svg', Buffer.from('<svg')],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), of.click()]);
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path()).subarray(0, 4)).toEqual(begins);
    }
    const line = share.getByText('<script src=');
    await share.getByText('Embed on your website').click();
    await share.getByRole('link').last().waitFor();
    expect(await line.count()).toBe(0);
    // It works only on sites that the organization has named.
    await send('PATCH', '/organization', { embed_origins: ['https://www.example.org'] });
    await page.reload();
    await share.getByText('Embed on your website').click();
    await share.getByText(`${new URL(public_url).origin}/o/acme/embed.js" data-event="shared"`).waitFor();
  });

  test('Home shows an event as a card with how full it is and who came lately, and leads to what is to be done', async () => {
    const organization = 'cards';
    await world.t.org(organization);
    const session = await world.t.session(organization, 'owner');
    const post = async (path: string, body: object = {}) => {
      const reply = await world.call(session, 'POST', path, body);
      if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
      return reply.body;
    };
    const page = await world.open(`/app/${organization}`, { session });
    // Nothing is here yet: three steps, of which the first has the button.
    const steps = part(page, 'Three steps to your first registration');
    await expect
      .poll(() => steps.getByRole('listitem').getByRole('heading').allTextContents())
      .toEqual(['Create event', 'Publish', 'Share the link']);
    await steps.getByRole('button', { name: 'Create event' }).click();
    await page.waitForURL(`**/app/${organization}/events/new`);
    const at = '/events/lake';
    await post('/events', { code: 'lake', name: 'Lake', venue: 'Pier 3', capacity: 10, timezone: 'UTC' });
    await post(`${at}/days`, { code: 'one', date: inDays(3) });
    await post(`${at}/attendee-types`, { code: 'guest', name: 'Guest' });
    await post(`${at}/attendee-types`, { code: 'crew', name: 'Crew', approval: true });
    await post(`${at}/publish`);
    for (const type of ['guest', 'guest', 'crew'])
      await post(`${at}/registrations`, {
        attendees: [{ first_name: 'Ada', last_name: 'Lovelace', attendee_type: type, days: ['one'] }],
      });
    await page.goto(`${world.home}/app/${organization}`);
    const card = part(page, 'Coming up').getByRole('listitem');
    for (const text of ['2 of 10', '+ 1 held', '7 places left', '3 new in 30 days', 'Pier 3'])
      await card.getByText(text).waitFor();
    await card.locator('.event-picture').waitFor();
    await card.locator('.sparkline').waitFor();
    // The bar says the same as the words: two of ten places, and one that is held.
    const widths = await card.locator('.fill-bar > span').evaluateAll((parts) => {
      const whole = parts[0]!.parentElement!.getBoundingClientRect().width;
      return parts.map((one) => Math.round((10 * one.getBoundingClientRect().width) / whole));
    });
    expect(widths).toEqual([2, 1]);
    await button(page, 'Create event').waitFor();
    await part(page, 'To do').getByRole('link', { name: 'Approve 1 registration' }).click();
    await page.waitForURL('**/events/lake/people/registrations?status=pending_approval');
    await page.goto(`${world.home}/app/${organization}`);
    await card.getByRole('link', { name: 'Lake' }).click();
    await page.waitForURL('**/events/lake');
  });

  test('settings are changed section by section; what does not fit, and what somebody else changed, is said beside its field', async () => {
    await whole('change', { venue: 'Hall' });
    await send('POST', '/events/change/publish');
    for (let i = 0; i < 3; i += 1) await register('change', 'child', ['sat']);
    const page = await world.open('/app/acme/events/change/settings?part=registration', { session: owner });
    const hands = keyboard(page);
    const rules = part(page, 'Registration');
    await rules.getByLabel('Opens').fill('2031-05-01T10:00');
    await rules.getByLabel('Closes').fill('2031-04-01T10:00');
    await hands.press(rules.getByRole('button', { name: 'Save' }));
    await rules.locator('.fault').waitFor();
    expect(await rules.getByLabel('Closes').getAttribute('aria-invalid')).toBe('true');
    await rules.getByLabel('Closes').fill('2031-06-01T10:00');
    await hands.fill(rules.getByLabel('Places'), '2');
    await rules.getByText('3 places are already taken.').waitFor();
    await hands.choose(rules.getByLabel('Waitlist'));
    await hands.press(rules.getByRole('button', { name: 'Save' }));
    await saved(page);
    // Typed by the clocks of the event's zone, in which it is two hours later than UTC.
    expect(await send('GET', '/events/change')).toMatchObject({
      capacity: 2,
      registration: { opens_at: '2031-05-01T08:00:00Z', closes_at: '2031-06-01T08:00:00Z', waitlist: true },
    });
    // What is typed in one section is not lost on the way to another one.
    const sections = page.getByRole('navigation', { name: 'Sections of the settings' });
    const sectionOf = (name: string) => sections.getByRole('link', { name, exact: true });
    expect(await sectionOf('Registration').getAttribute('aria-current')).toBe('page');
    await rules.getByLabel('People per registration').fill('5');
    await sectionOf('Tickets and language').click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Stay' }).click();
    expect(await rules.getByLabel('People per registration').inputValue()).toBe('5');
    await sectionOf('Tickets and language').click();
    await leaving.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/settings?part=tickets');
    expect(await button(page, 'Save').count()).toBe(1);
    const tickets = part(page, 'Tickets and language');
    await tickets.getByLabel('Each person for each day').check();
    await tickets.getByText('Issued tickets stay valid').waitFor();
    await tickets.getByLabel('Terms').fill('No dogs.');
    await tickets.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await send('GET', '/events/change')).terms).toBe('No dogs.');

    // Somebody else changes the venue, which is not touched here: it stays, and is shown.
    await sectionOf('General').click();
    const about = part(page, 'General');
    const venue = about.getByLabel('Venue');
    const save = () => about.getByRole('button', { name: 'Save' }).click();
    await about.getByLabel('Name').fill('Shared by Ada');
    await send('PATCH', '/events/change', { venue: 'Park' });
    await save();
    await expect.poll(async () => (await send('GET', '/events/change')).name).toBe('Shared by Ada');
    expect((await send('GET', '/events/change')).venue).toBe('Park');
    await expect.poll(() => venue.inputValue()).toBe('Park');
    // Both change the venue: the later one is told, and decides.
    await venue.fill('Lake');
    await send('PATCH', '/events/change', { venue: 'Barn' });
    await save();
    await about.getByText('Someone else set: Barn.').waitFor();
    expect(await venue.inputValue()).toBe('Lake');
    expect((await send('GET', '/events/change')).venue).toBe('Barn');
    await save();
    await expect.poll(async () => (await send('GET', '/events/change')).venue).toBe('Lake');

    // Another code is another address; the screen follows it, and a reload finds it.
    await about.getByLabel('Code').fill('changed');
    await about.getByText('Links with the old code stop working').waitFor();
    await save();
    await page.waitForURL('**/events/changed/settings');
    await page.reload();
    expect(await about.getByLabel('Code').inputValue()).toBe('changed');
  });

  test('one is duplicated for next year, made from the file of a template, and made from another event', async () => {
    await whole('fair', { name: 'Fair 2031' });
    await send('POST', '/events/fair/publish');
    await register('fair', 'child', ['sat']);
    const page = await world.open('/app/acme/events/fair/settings?part=next', { session: owner });
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download template').click()]);
    expect(download.suggestedFilename()).toBe('fair-template.json');
    const buffer = readFileSync(await download.path());
    const hands = keyboard(page);
    await hands.press(part(page, 'Copy and template').getByRole('button', { name: 'Duplicate' }));
    const form = page.getByRole('dialog', { name: 'Duplicate event' });
    // The year in the name and the same day of the week are proposed.
    expect(await form.getByLabel('Name').inputValue()).toBe('Fair 2032');
    expect(await form.getByLabel('First day').inputValue()).toBe('12 Jun 2032');
    await form.getByText('2 days, 2 types, 1 question and 1 check-in point').waitFor();
    await form.getByLabel('First day').fill('2032-06-19');
    await hands.press(form.getByRole('button', { name: 'Create event' }));
    await page.waitForURL('**/events/fair-2032');
    await heading(page, 'Fair 2032').waitFor();
    const days = await send('GET', '/events/fair-2032/days');
    expect(days.data.map(({ date }: { date: string }) => date).sort()).toEqual(['2032-06-19', '2032-06-20']);
    expect((await send('GET', '/events/fair-2032/attendees')).data).toEqual([]);

    await page.goto(`${world.home}/app/acme/events/new`);
    await page.getByRole('link', { name: 'Use a template' }).click();
    const choose = (name: string, content: Buffer) =>
      page
        .getByLabel('Template file', { exact: true })
        .setInputFiles({ name, mimeType: 'application/json', buffer: content });
    await choose('people.csv', Buffer.from('name,e-mail'));
    await said(page, 'This file can’t be read.');
    await choose('other.json', Buffer.from('{}'));
    await said(page, 'This file isn’t a template.');
    await choose('fair-template.json', buffer);
    await page.getByText('Fair 2031: 2 days').waitFor();
    // The form for a new one stays behind the tab, out of sight.
    const copyName = page.getByRole('textbox', { name: 'Name', exact: true });
    await copyName.fill('From a file');
    await page.getByRole('textbox', { name: 'First day' }).fill('2033-01-01');
    await button(page, 'Create event').click();
    await page.waitForURL('**/events/from-a-file');
    expect((await send('GET', '/events/from-a-file/days')).data).toHaveLength(2);
    // From another event: found by typing, and the choice stands in the address.
    await page.goto(`${world.home}/app/acme/events/new?from=event`);
    await page.getByLabel('Search', { exact: true }).fill('fair 2031');
    await page.getByRole('radio', { name: 'Fair 2031', exact: true }).check();
    await page.waitForURL('**/events/new?from=event&event=fair');
    const proposed = await copyName.inputValue();
    expect(proposed).toBe('Fair 2032');
    await page.reload();
    expect(await copyName.inputValue()).toBe(proposed);
  });

  test('events are found by name, code and state, and one is deleted once its name was typed', async () => {
    await event('zebra', { name: 'Zebra night' });
    await event('zoo', { name: 'Zoo day', test: true });
    const page = await world.open('/app/acme/events', { session: owner });
    await page.getByRole('searchbox', { name: 'Search by name or code' }).fill('zeb');
    await page.getByRole('link', { name: 'Zebra night' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Zoo day' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('link', { name: 'Zebra night' }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'By status' });
    await tabs.getByRole('link', { name: 'Archived' }).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(await tabs.getByRole('link', { name: 'Archived' }).getAttribute('aria-current')).toBe('page');
    expect(await tabs.getByRole('link', { name: 'All' }).getAttribute('aria-current')).toBeNull();
    await page.goBack();
    await page.getByRole('link', { name: 'Zebra night' }).waitFor();
    await button(page, 'Clear search').click();
    await page.getByRole('link', { name: 'Zoo day' }).click();

    await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    const hands = keyboard(page);
    await hands.press(page.getByRole('link', { name: 'Close or delete' }));
    await hands.press(part(page, 'Close or delete').getByRole('button', { name: 'Delete' }));
    const dialog = page.getByRole('dialog', { name: 'Delete Zoo day?' });
    await hands.fill(dialog.getByLabel('Name'), 'Zoo');
    await page.keyboard.press('Enter');
    await dialog.getByText('This isn’t the name.').waitFor();
    expect((await world.call(owner, 'GET', '/events/zoo')).status).toBe(200);
    await hands.fill(dialog.getByLabel('Name'), 'Zoo day');
    await page.keyboard.press('Enter');
    await heading(page, 'Events').waitFor();
    await said(page, 'Zoo day deleted');
    expect((await world.call(owner, 'GET', '/events/zoo')).status).toBe(404);
  });

  test('whoever may only look is offered nothing else', async () => {
    await event('looked-at');
    const page = await world.open('/app/acme/events', { role: 'viewer' });
    await page.getByRole('link', { name: 'looked-at', exact: true }).click();
    await part(page, 'Before you publish').getByText('Ask a manager to publish.').waitFor();
    expect(await button(page, 'Publish').count()).toBe(0);
    await page.goto(`${world.home}/app/acme/events/new`);
    await page.getByRole('heading', { name: 'You can’t create events' }).waitFor();
    await page.goto(`${world.home}/app/acme/events/looked-at/settings`);
    await part(page, 'General').waitFor();
    expect(await part(page, 'General').getByLabel('Name').isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Close or delete' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Copy and template' }).click();
    await button(page, 'Download template').waitFor();
    expect(await button(page, 'Duplicate').count()).toBe(0);
  });
});

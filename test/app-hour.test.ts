import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../server/src/store/sql.ts';
import { type AppWorld, startAppWorld } from './support/app-world.ts';
import { goInEvent } from './support/event-navigation.ts';
import { hasTool } from './support/tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
type Body = any;

const DAY_MS = 86_400_000;
const hourIn = (timeZone: string) =>
  Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format());
/** Where the organization is: far enough from midnight that the day does not change while the test runs. */
const ZONE = ['Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles'].find((zone) => Math.abs(hourIn(zone) - 12) < 8)!;
const TODAY = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format();
const inDays = (days: number) => new Date(Date.parse(TODAY) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * The first hour of somebody who has never seen the app, from an event that does not exist to the one of next year. Each step needs
 * the one before.
 */
describe.skipIf(!hasTool('chromium'))('the first hour of an organizer', { timeout: 600_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    await world.t.system((tx) => tx.run(sql`update organizations set timezone = ${ZONE} where code = 'acme'`));
    owner = await world.t.session('acme', 'owner');
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const AT = '/events/harbour-fair';
  const send = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await world.call(owner, method, path, body);
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
    return reply.body;
  };
  const get = (path: string) => send('GET', path);
  const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const poll = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
  async function createEvent(page: Page): Promise<void> {
    await button(page, 'Create event').first().click();
    await heading(page, 'Create event');
    await page.getByLabel('Name', { exact: true }).fill('Harbour Fair');
    await page.getByLabel('First day').fill(inDays(0));
    await page.getByLabel('Last day').fill(inDays(1));
    await page.getByLabel('Opens').fill('00:00');
    await page.getByLabel('Closes').fill('23:59');
    await page.getByLabel('Paid').check();
    await button(page, 'Create event').click();
    await heading(page, 'Harbour Fair');
    await page.waitForURL('**/events/harbour-fair');
    expect((await get(`${AT}/days`)).data).toHaveLength(2);
  }

  async function addTypes(page: Page): Promise<void> {
    await goInEvent(page, 'Tickets & prices', 'Types & prices');
    const form = page.locator('.form-edit');
    for (const [name, price] of [
      ['Adult', '45'],
      ['Crew', '0'],
    ] as const) {
      await button(page, 'Add type').first().click();
      await form.getByLabel('Name', { exact: true }).fill(name);
      // The zero that is there is replaced, wherever one clicks.
      await form.getByLabel('Price', { exact: true }).click({ position: { x: 4, y: 10 } });
      await page.keyboard.type(price);
      if (name === 'Crew') await form.getByLabel('Require approval').check();
      await button(form, 'Add type').last().click();
      await button(page, name).waitFor();
    }
  }

  async function addQuestion(page: Page): Promise<void> {
    await goInEvent(page, 'Page', 'Form');
    await button(page, 'Add question').first().click();
    const form = page.locator('.form-edit');
    await form.getByLabel('Question', { exact: true }).fill('Diet');
    await form.getByLabel('Kind of answer').selectOption({ label: 'Single choice' });
    await form.getByLabel('Option 1', { exact: true }).fill('Everything');
    await form.getByLabel('Option 2', { exact: true }).fill('Vegan');
    await form.getByLabel('Use as a filter').check();
    await button(form, 'Add question').last().click();
    await button(page, 'Diet').waitFor();
  }

  async function addPoint(page: Page): Promise<void> {
    await goInEvent(page, 'Check-in', 'Check-in points');
    await button(page, 'Add point').click();
    const form = dialog(page, 'Add point');
    await form.getByLabel('Name', { exact: true }).fill('Main gate');
    await button(form, 'Add point').click();
    await page.waitForURL('**/check-in/points/*');
  }

  async function publish(page: Page): Promise<void> {
    await goInEvent(page, 'Overview');
    const list = page.getByRole('region', { name: 'Before you publish' });
    await button(list, 'Publish').click();
    await list.waitFor({ state: 'detached' });
    expect((await get(AT)).status).toBe('published');
  }

  /** Registers somebody by hand; ends on the page of the registration. */
  async function register(page: Page, first: string, last: string, type: string): Promise<void> {
    await goInEvent(page, 'People');
    await page.getByRole('link', { name: 'Add people', exact: true }).first().click();
    await heading(page, 'Add people');
    const person = page.getByRole('region', { name: 'Person 1' });
    await person.getByLabel('First name').fill(first);
    await person.getByLabel('Last name').fill(last);
    await person.getByLabel('Type').selectOption({ label: type });
    await person.getByRole('group', { name: 'Days' }).getByRole('checkbox').first().check();
    await person.getByLabel('E-mail').fill(`${first}@example.org`.toLowerCase());
    await button(page, 'Register').click();
    await heading(page, /^Registration /);
  }

  async function payAndRefund(page: Page): Promise<void> {
    await button(page, 'Record payment').click();
    const payment = dialog(page, 'Record payment');
    expect(await payment.getByLabel('Amount').inputValue()).toContain('45');
    await payment.getByLabel('Method').selectOption('Cash');
    await button(payment, 'Record payment').click();
    await page.locator('.page-head').getByText('Confirmed').waitFor();
    await button(page, /^Refund of /).click();
    const refund = dialog(page, /^Refund of /);
    await refund.getByLabel('Amount').fill('5');
    await refund.getByLabel('Reason').fill('Early bird');
    await refund.getByLabel('Keep the registration').check();
    await button(refund, 'Refund').click();
    await said(page, /5\.00 refunded/);
  }

  /** 600 rows, of which six name a type that does not exist. They are corrected in the preview, one by hand and the rest by one click. */
  async function importRows(page: Page): Promise<void> {
    await goInEvent(page, 'People', 'Import');
    const rows = Array.from({ length: 600 }, (_, i) => {
      const type = i % 100 === 7 ? 'Grown-up' : 'Adult';
      return `Guest${i},Imported,guest${i}@example.org,${type},${inDays(0)},X${i}`;
    });
    const text = ['First name,Last name,E-mail,Type,Days,External id', ...rows].join('\n');
    const file = { name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.waitForURL(/step=columns/);
    await button(page, 'Preview import').click();
    await page.getByRole('heading', { name: '6 rows to correct' }).waitFor();
    await page.getByLabel('Type, row 1', { exact: true }).fill('Adult');
    await button(page, / with “Adult” in 5 more rows/).click();
    await button(page, 'Check corrections').click();
    await poll(() => page.getByText('Corrected and checked').count()).toBe(6);
    await button(page, 'Import 600 people').click();
    await page.getByRole('link', { name: 'Show people' }).waitFor({ timeout: 60_000 });
    // Whoever is imported has a place, paid or not; two of the three who were registered by hand have one too.
    await poll(async () => (await get(`${AT}/summary`)).people.confirmed).toBe(602);
  }

  /** Only whoever has one type gets it. */
  async function message(page: Page): Promise<void> {
    await goInEvent(page, 'Messages');
    await page.getByRole('link', { name: 'New message' }).first().click();
    await page.getByLabel('Subject').fill('Meet at seven');
    await page.getByLabel('Text', { exact: true }).fill('Dear {{first_name}}, the crew meets at the gate.');
    await page.getByLabel('Crew', { exact: true }).check();
    await page.getByText('Reaches 1 person').waitFor();
    await button(page, 'Send …').click();
    await button(dialog(page, 'Send to 1 person?'), 'Send now').click();
    await heading(page, 'Meet at seven');
    await page.getByText('1 sent').first().waitFor();
  }

  async function exportPeople(page: Page): Promise<void> {
    await goInEvent(page, 'People', 'Export');
    await page.getByLabel('CSV', { exact: true }).check();
    await button(page, 'Create file').click();
    const link = page.getByRole('region', { name: 'File' }).getByRole('link', { name: 'Download' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(1 + 603);
    expect(lines.filter((line) => line.includes('Lovelace'))).toHaveLength(1);
  }

  /** The pairing code from the dialog, typed into a device. */
  async function pair(page: Page): Promise<string> {
    await goInEvent(page, 'Check-in', 'Devices');
    await button(page, 'Pair').click();
    const pairing = dialog(page, 'Pair device');
    await pairing.getByLabel('Name').fill('Phone at the gate');
    await button(pairing, 'Pair').click();
    const code = await pairing.locator('code').first().textContent();
    const paired = await world.t.call('POST', '/api/v1/devices/pair', { body: { code } });
    expect(paired.status, paired.text).toBe(201);
    await said(page, 'Phone at the gate paired');
    return paired.body.token;
  }

  /** The device scans, and the scan is seen while it happens. */
  async function watch(page: Page, token: string): Promise<void> {
    await goInEvent(page, 'Check-in', 'Live');
    await said(page, 'Live');
    const { data } = await get(`${AT}/attendees?search=lovelace`);
    const scan = () =>
      world.t.call('POST', `/api/v1${AT}/scan`, {
        key: token,
        body: { code: data[0].tickets[0].code, check_in_point: 'main-gate', client_uuid: crypto.randomUUID() },
      });
    const list = page.getByRole('list', { name: 'Last scans' });
    expect((await scan()).body).toMatchObject({ admitted: true });
    await list.getByText('Ada Lovelace').first().waitFor();
    expect((await scan()).body).toMatchObject({ result: 'duplicate' });
    await list.getByText('Already admitted').first().waitFor();
  }

  /** The refused scan is let in all the same, from the list of check-ins. */
  async function override(page: Page): Promise<void> {
    await goInEvent(page, 'Check-in', 'Check-ins');
    await page.getByRole('table', { name: 'Check-ins' }).locator('.row-link').first().click();
    const open = page.locator('dialog[open]');
    await open.getByLabel('Reason').fill('Went out to the car');
    await button(open, 'Override').click();
    await poll(async () => (await get(`${AT}/checkins?admitted=true`)).data.length).toBe(2);
  }

  async function nextYear(page: Page): Promise<void> {
    await goInEvent(page, 'Settings');
    await page.getByRole('link', { name: 'Copy and template' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download template').click()]);
    const template = await download.path();
    await page.goto(`${world.home}/app/acme/events/new`);
    await page.getByRole('link', { name: 'Use a template' }).click();
    await page.getByLabel('Template file', { exact: true }).setInputFiles(template);
    await page.getByText('Harbour Fair: 2 days').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour Fair next year');
    await page.getByRole('textbox', { name: 'First day' }).fill(inDays(365));
    await button(page, 'Create event').click();
    await page.waitForURL('**/events/harbour-fair-next-year');
    const days = (await get('/events/harbour-fair-next-year/days')).data;
    expect(days.map(({ date }: Body) => date).sort()).toEqual([inDays(365), inDays(366)]);
    expect((await get('/events/harbour-fair-next-year/attendees')).data).toEqual([]);
  }

  test('from an empty organization to the event of next year', async () => {
    const page = await world.open('/app/acme/events', { session: owner, viewport: { width: 1440, height: 900 } });
    await createEvent(page);
    await addTypes(page);
    await addQuestion(page);
    await addPoint(page);
    await publish(page);
    await register(page, 'Grace', 'Hopper', 'Crew');
    await button(page, 'Approve').click();
    await page.locator('.page-head').getByText('Confirmed').waitFor();
    await register(page, 'Alan', 'Turing', 'Crew');
    await register(page, 'Ada', 'Lovelace', 'Adult · €45.00');
    await payAndRefund(page);
    await importRows(page);
    await message(page);
    const token = await pair(page);
    await watch(page, token);
    await override(page);
    await exportPeople(page);
    await nextYear(page);
  });
});

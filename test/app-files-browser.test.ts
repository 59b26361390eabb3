import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { impatient } from '../server/src/areas/transfers/platform.support.ts';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { EventbriteDouble } from './support/eventbrite-double.ts';
import { findingsOf } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';
import { startTest } from './support/turnout.ts';

const ROWS = 150;
/** People in a spreadsheet's CSV: ten of an unknown type, four wrong addresses, one without a last name. */
function peopleWithFaults(): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const type = i % 15 === 7 ? 'VIP' : i % 5 === 0 ? 'Crew' : 'Adult';
    const email = i % 40 === 20 ? `guest${i} at example.org` : `guest${i}@example.org`;
    return [`Guest${i}`, i === 33 ? '' : `Number${i}`, email, type, i % 2 === 0 ? 'vegan' : 'all', `S${i}`].join(';');
  });
  return ['Vorname;Nachname;E-Mail;Ticketart;Diet;Seat', ...rows].join('\r\n');
}

describe.skipIf(!hasTool('chromium'))('import and export, in the app', { timeout: 180_000 }, () => {
  let world: AppWorld;
  let double: EventbriteDouble;
  let key: string;
  beforeAll(async () => {
    double = await EventbriteDouble.start();
    world = await startAppWorld({ start: (options) => startTest({ ...options, eventbrite: impatient(double) }) });
    key = (await world.t.key('acme')).secret;
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
    await double?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const make = async (path: string, body: object) => {
    const reply = await world.t.call('POST', `/v1${path}`, { key, body });
    expect(reply.body.error?.message).toBeUndefined();
    return reply.body;
  };
  async function event(code: string): Promise<string> {
    await make('/events', { code, name: `Fair ${code}`, currency: 'EUR' });
    await make(`/events/${code}/days`, { code: 'sat', name: 'Saturday', date: '2055-05-01' });
    await make(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
    await make(`/events/${code}/attendee-types`, { code: 'crew', name: 'Crew' });
    await make(`/events/${code}/questions`, { code: 'diet', label: 'Diet', kind: 'text' });
    return `/app/acme/events/${code}`;
  }
  const peopleOf = async (code: string): Promise<number> => {
    const { body } = await world.t.call('GET', `/v1/events/${code}/summary`, { key });
    return body.people.confirmed;
  };
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const looksRight = async (page: Page) => {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await settled(page);
      expect(await findingsOf(page)).toEqual([]);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  };

  test('rows with faults: columns are recognized, every reject is corrected right there, nobody is missing', async () => {
    const path = await event('import');
    const page = await world.open(`${path}/people/import`);
    await settled(page);
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(peopleWithFaults()) });
    await page.waitForURL(/step=columns/);
    const use = (heading: string) => page.getByLabel(`Use column ${heading} as`, { exact: true });
    const shownUse = (heading: string) =>
      use(heading).evaluate((one: HTMLSelectElement) => one.selectedOptions[0]!.text);
    expect(await shownUse('Vorname')).toBe('First name (recognized)');
    expect(await shownUse('Ticketart')).toBe('Type (recognized)');
    expect(await shownUse('Diet')).toBe('Answer to “Diet” (recognized)');
    expect(await shownUse('Seat')).toBe('Save as an answer');
    await use('Seat').selectOption('ignore');
    await button(page, 'Preview import').click();
    await page.waitForURL(/step=preview/);

    await page.getByText('15 rows to correct').waitFor();
    const figures = await page.locator('.figures dd').allTextContents();
    expect(figures).toEqual(['135', '0', '0', '15']);
    expect(await peopleOf('import')).toBe(0);
    // The other states of these screens are looked at by the sweep at night.
    await looksRight(page);

    const table = page.getByRole('table', { name: 'Rows to correct' });
    const cells = (column: string) => table.getByRole('textbox', { name: new RegExp(`^${column}, row`) });
    const wrongCells = (column: string) => table.locator(`input[aria-label^="${column}, row"][aria-invalid="true"]`);
    const types = table.locator('input[aria-label^="Ticketart, row"]');
    // The first correction of a type offers the same for the nine others.
    const firstVip = types.nth(
      await types.evaluateAll((all) => all.findIndex((one) => (one as HTMLInputElement).value === 'VIP')),
    );
    await firstVip.fill('adult');
    await button(page, 'Replace “VIP” with “adult” in 9 more rows').click();
    await page.getByText('10 rows corrected. 5 left out.').waitFor();
    while ((await wrongCells('E-Mail').count()) > 0) {
      const cell = wrongCells('E-Mail').first();
      await cell.fill((await cell.inputValue()).replace(' at ', '@'));
    }
    // A correction that is none is found before anything is imported.
    const name = wrongCells('Nachname').first();
    await name.fill(' ');
    await button(page, 'Check corrections').click();
    await table.getByText('Corrected and checked').first().waitFor();
    expect(await table.getByText('Corrected and checked').count()).toBe(14);
    expect(await wrongCells('Nachname').count()).toBe(1);
    expect(await cells('Vorname').count()).toBe(15);
    await wrongCells('Nachname').first().fill('Number33');

    // Going back loses nothing.
    await page.goBack();
    await page.waitForURL(/step=columns/);
    expect(await use('Seat').inputValue()).toBe('ignore');
    await page.reload();
    await page.goForward();
    await page.waitForURL(/step=preview/);
    await page.getByText('15 rows corrected.').waitFor();
    await button(page, `Import ${ROWS} people`).click();
    await page.waitForURL(/step=run/);
    await page.getByRole('link', { name: 'Show people' }).waitFor({ timeout: 60_000 });
    const outcomes = () => page.locator('.job > .number').allTextContents();
    await expect.poll(outcomes).toEqual(['135 created · 135 tickets issued', '15 created · 15 tickets issued']);
    expect(await peopleOf('import')).toBe(ROWS);
    // What was corrected is not offered again.
    expect(await page.getByRole('table', { name: 'Rows to correct' }).count()).toBe(0);
    const answers = await world.t.call('GET', '/v1/events/import/attendees?search=guest33@example.org&limit=5', {
      key,
    });
    const found = answers.body.data.find(({ last_name }: { last_name: string }) => last_name === 'Number33');
    expect(found).toMatchObject({ first_name: 'Guest33', attendee_type: 'adult', answers: { diet: 'all' } });
    expect(found.answers).not.toHaveProperty('Seat');
  });

  test('a messy file: rejected rows are not among the first ones, and are mended by the reason they have in common', async () => {
    const path = await event('messy');
    await make('/events/messy/days', { code: 'sun', name: 'Sunday', date: '2055-05-02' });
    const options = ['Vegan', 'Everything'];
    await make('/events/messy/questions', { code: 'meal', label: 'What do you eat?', kind: 'choice', options });
    const row = (name: string, type: string, day: string, food: string, phone: string) =>
      [name, 'Berg', `${name}@example.org`, phone, type, day, food].join(';');
    const csv = [
      'Vorname;Nachname;E-Mail;Telefon;Ticketart;Tag;Essen',
      row('Ada', 'VIP', 'sat', 'vegan', '+49 30 111'),
      row('Bo', 'VIP', '', '', '+49 30 112'),
      row('Cy', 'adult', '', '', '+49 30 113'),
      row('Di', 'adult', 'sun', 'meat', '+49 30 114'),
      row('Ed', 'adult', 'sat', 'Vegan', '+49 30 115'),
    ].join('\r\n');
    const page = await world.open(`${path}/people/import`);
    await settled(page);
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'messy.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${csv}`) });
    await page.waitForURL(/step=columns/);
    await page.getByLabel('Use column Essen as', { exact: true }).selectOption({ label: 'What do you eat?' });
    await button(page, 'Preview import').click();
    await page.getByText('4 rows to correct').waitFor();
    const first = page.getByRole('region', { name: 'First rows to import' });
    expect(await first.locator('tbody td:first-child').allTextContents()).toEqual(['Ed']);

    const reasons = page.getByRole('list', { name: 'Why rows can’t be imported' });
    const mend = async (reason: string, choice: string, count: string) => {
      const one = reasons.getByRole('listitem').filter({ hasText: reason });
      await one.getByText(count, { exact: true }).waitFor();
      await one.getByRole('combobox').selectOption({ label: choice });
      await one.getByRole('button', { name: `Correct ${count}`, exact: true }).click();
      await one.waitFor({ state: 'detached' });
      await settled(page);
    };
    await mend('There’s no type “VIP”.', 'Adult', '2 rows');
    // Bo has a type now, and the check has found that a day is missing, too.
    await mend('Enter a day.', 'All days', '2 rows');
    await mend('“meat” isn’t one of the answers to Essen.', 'Everything', '1 row');
    await page.getByText('4 rows corrected.').waitFor();
    // Cy's row would be taken without its day, too, once Cy is there; what else was corrected in it has to stay.
    const table = page.getByRole('table', { name: 'Rows to correct' });
    await table.getByRole('textbox', { name: 'E-Mail, row 3' }).fill('cy.berg@example.org');
    await button(page, 'Import 5 people').click();
    await page.getByRole('link', { name: 'Show people' }).waitFor();
    const outcomes = () => page.locator('.job > .number').allTextContents();
    await expect.poll(outcomes).toEqual(['1 created · 1 ticket issued', '4 created · 4 tickets issued']);
    expect(await peopleOf('messy')).toBe(5);
    const { body } = await world.t.call('GET', '/v1/events/messy/attendees?limit=10', { key });
    expect(body.data.map(({ email }: { email: string }) => email)).toContain('cy.berg@example.org');
    const said = body.data.map((one: Record<string, unknown>) => [one.first_name, one.phone, one.days, one.answers]);
    expect(said.sort()).toEqual([
      ['Ada', '+49 30 111', ['sat'], { meal: 'Vegan' }],
      ['Bo', '+49 30 112', ['sat', 'sun'], {}],
      ['Cy', '+49 30 113', ['sat', 'sun'], {}],
      ['Di', '+49 30 114', ['sun'], { meal: 'Everything' }],
      ['Ed', '+49 30 115', ['sat'], { meal: 'Vegan' }],
    ]);
  });

  test('rows that were left out are corrected after the import and sent alone; pasted rows and a file without headings', async () => {
    const path = await event('later');
    const page = await world.open(`${path}/people/import`);
    await button(page, 'Paste rows instead').click();
    await page.getByLabel('Rows').fill('what\tis this\nAda\tLovelace');
    await button(page, 'Use these rows').click();
    await page
      .getByRole('alert')
      .getByText(/must begin with a line of headings/)
      .waitFor();
    // The file is kept, and its columns can be said by hand.
    await button(page, 'Match columns yourself').click();
    await page.getByLabel('Use column what as').selectOption('first_name');
    await page.getByLabel('Use column is this as').selectOption('last_name');
    await button(page, 'Preview import').click();
    await page.getByText('1 row to correct').waitFor();
    // The file has no column for what is needed, so one is added.
    await page.getByText('Enter a type.').first().waitFor();
    await page.getByLabel('Type, row 1').fill('crew');
    await button(page, 'Check corrections').click();
    await page.getByText('Corrected and checked').waitFor();
    await button(page, 'Import 1 person').click();
    await expect.poll(() => peopleOf('later')).toBe(1);

    await page.goto(`${world.home}${path}/people/import`);
    await button(page, 'Paste rows instead').click();
    await page.getByLabel('Rows').fill('First name,Last name,Type\nGrace,Hopper,adult\nKit,Lovelace,kid');
    await button(page, 'Use these rows').click();
    await page.waitForURL(/step=columns/);
    await button(page, 'Preview import').click();
    await button(page, 'Import 1 person').click();
    await page.getByText('1 row was left out').waitFor();
    await page.getByLabel('Type, row 1').fill('crew');
    await button(page, 'Import 1 corrected row').click();
    await expect.poll(() => peopleOf('later')).toBe(3);
    await page.getByText('1 row was left out').waitFor({ state: 'detached' });
    // The address alone tells what happened, also after a reload.
    await page.reload();
    await page.getByRole('link', { name: 'Show people' }).waitFor();
    expect(await page.getByText('1 row was left out').count()).toBe(0);
  });

  test('an export: what, format, filters in words, chosen columns, the file; it stands among what ran before', async () => {
    const path = await event('export');
    const person = { attendee_type: 'adult', last_name: 'Lovelace', days: ['sat'] };
    await make('/events/export/publish', {});
    await make('/events/export/registrations', { attendees: [{ ...person, first_name: 'Ada' }] });
    await make('/events/export/registrations', {
      attendees: [{ ...person, first_name: 'Kit', attendee_type: 'crew' }],
    });
    const page = await world.open(`${path}/people/export`);
    await settled(page);
    await page.getByLabel('CSV', { exact: true }).check();
    await button(page, 'Type').click();
    await page.getByRole('radio', { name: 'Crew', exact: true }).click();
    await page.getByText('People · Type: Crew').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Columns: default (17)').click();
    for (const column of ['E-mail', 'Phone', 'Marker for re-import'])
      await page.getByLabel(column, { exact: true }).uncheck();
    await page.getByText('Columns: 14 chosen').waitFor();
    await button(page, 'Create file').click();
    const link = page.getByRole('region', { name: 'File' }).getByRole('link', { name: 'Download' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text.split('\r\n')[0]).toMatch(/First name.*Last name/);
    expect(text).toContain('Kit');
    expect(text).not.toMatch(/Ada|E-?mail/i);
    expect(page.url()).toMatch(/attendee_type=crew.*job=/);
    const tasks = page.getByRole('table', { name: 'Recent tasks' });
    await tasks.getByText('Export: People').waitFor();
    // The file of a task can be reached without scrolling sideways.
    for (const width of [1024, 1360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const inSight = () =>
        tasks.getByRole('link', { name: 'Download' }).evaluate((link) => {
          const [own, cell] = [link, link.closest('[role=cell]')!].map((one) => one.getBoundingClientRect());
          return own!.right <= Math.min(cell!.right, document.documentElement.clientWidth) && own!.left >= cell!.left;
        });
      await expect.poll(inSight).toBe(true);
    }
    // Another kind of list drops the filters that do not fit it.
    await page.getByLabel('Payments', { exact: true }).check();
    await page.getByText('Payments · all rows').waitFor();
    expect(page.url()).not.toContain('attendee_type');
    await page.goBack();
    await page.getByText('People · Type: Crew').waitFor();
  });

  test('people are taken over from another platform: connect, choose, map every class, and what was left out', async () => {
    const path = await event('platform');
    const source = double.addEvent('Winter fair', ['Adult', 'Donation']);
    double.addOrder(source, [
      { ticket_class: 'Adult', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
      { ticket_class: 'Donation', first_name: 'Don', last_name: 'Ator', email: 'don@example.org' },
    ]);
    const page = await world.open(`${path}/people/import/platform`, { role: 'manager' });
    await settled(page);
    await page.getByLabel('Private token').fill('WRONG');
    await button(page, 'Connect').click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Private token').inputValue()).toBe('WRONG');
    await page.getByLabel('Private token').fill(double.token);
    await button(page, 'Connect').click();
    await page.waitForURL(/step=event/);
    await button(page, 'Winter fair').click();
    await page.waitForURL(/step=classes/);
    await page.getByLabel('Type for Adult').waitFor();
    // What is called the same is proposed; everything else needs a decision.
    expect(await page.getByLabel('Type for Adult').inputValue()).toBe('adult');
    await button(page, 'Start import').click();
    await page.getByText('Fill this in.').waitFor();
    await page.getByLabel('Type for Donation').selectOption({ label: 'Don’t import' });
    await button(page, 'Start import').click();
    await page.getByRole('link', { name: 'Show people' }).waitFor({ timeout: 60_000 });
    await page.getByText(/1 created.*1 left out/).waitFor();
    expect(await peopleOf('platform')).toBe(1);
    await page.goBack();
    await page.waitForURL(/step=classes/);
    await page.getByRole('link', { name: 'Account', exact: true }).last().click();
    await page.getByRole('table', { name: 'Connected accounts' }).getByText('Olga Owner').waitFor();
    await button(page, 'Disconnect').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('table', { name: 'Connected accounts' }).waitFor({ state: 'detached' });
    expect(double.changes).toBe(0);
  });
});

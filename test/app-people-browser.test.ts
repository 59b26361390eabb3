import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, startAppWorld } from './support/app-world.ts';
import { hasTool } from './support/tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
type Body = any;

const DAY = 86_400_000;

describe.skipIf(!hasTool('chromium'))('people and registrations, in the app', { timeout: 180_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    owner = await world.t.session('acme', 'owner');
    await post('/groups', { code: 'north', name: 'North' });
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const send = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await world.call(owner, method, path, body);
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
    return reply.body;
  };
  const post = (path: string, body: unknown = {}) => send('POST', path, body);
  const get = (path: string) => send('GET', path);

  /** A published event with two days, one of them today so that its gate admits, three types, questions and two points. */
  async function event(code: string, more: object = {}): Promise<string> {
    const at = `/events/${code}`;
    await post('/events', { code, name: 'Lakeside Fair', timezone: 'UTC', currency: 'EUR', ...more });
    await post(`${at}/days`, {
      ...{ code: 'today', name: 'Today', date: new Date().toISOString().slice(0, 10) },
      // Longer than the date, so that no test falls behind its end when it runs across midnight.
      ...{ opens_at: new Date(Date.now() - DAY).toISOString(), closes_at: new Date(Date.now() + DAY).toISOString() },
    });
    await post(`${at}/days`, { code: 'later', name: 'Later', date: '2100-01-02', capacity: 2 });
    await post(`${at}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 0 });
    await post(`${at}/attendee-types`, { code: 'paying', name: 'Paying', price_minor: 4500 });
    await post(`${at}/attendee-types`, { code: 'crew', name: 'Crew', approval: true });
    const options = ['Everything', 'Vegan'];
    await post(`${at}/questions`, {
      ...{ code: 'diet', label: 'What do you eat?', kind: 'choice', options, required: true, filterable: true },
    });
    await post(`${at}/questions`, { code: 'note', label: 'Anything else?', kind: 'text' });
    await post(`${at}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
    await post(`${at}/check-in-points`, {
      ...{ code: 'stage', name: 'Backstage', kind: 'zone', policy: { attendee_types: ['crew'] } },
    });
    await post(`${at}/publish`);
    return at;
  }
  const person = (first_name: string, last_name: string, more: object = {}) => ({
    ...{ attendee_type: 'adult', first_name, last_name, days: ['today'], answers: { diet: 'Vegan' } },
    ...{ email: `${first_name}.${last_name}@example.org`.toLowerCase().replaceAll(/[^a-z.@]/g, ''), ...more },
  });
  const register = (at: string, ...attendees: object[]) =>
    post(`${at}/registrations`, { attendees, send_emails: false });

  /** Several tests run at the same time, and the browser waits for the server. */
  const poll = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
  const rowsOf = (page: Page, table: string) =>
    page.getByRole('table', { name: table, exact: true }).locator('.data-body .data-row');
  const names = (page: Page, table: string) => rowsOf(page, table).locator('.row-link').allTextContents();
  const choose = async (page: Page, filter: string, option: string) => {
    await page.getByRole('search').getByRole('button', { name: filter }).click();
    await page.getByRole('dialog', { name: filter }).getByLabel(option, { exact: true }).click();
  };
  const said = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).first().waitFor();

  test('the table is filtered, searched and ordered, its address can be sent, and many are changed at once', async () => {
    const at = await event('table');
    for (const [first, last, more] of [
      ['Ada', 'Lovelace', { group: 'north' }],
      ['Grace', 'Hopper', {}],
      ['Alan', 'Turing', { attendee_type: 'crew', answers: { diet: 'Everything' } }],
      ['Barbara', 'Liskov', { attendee_type: 'paying' }],
    ] as const)
      await register(at, person(first, last, more));
    const hopper = (await get(`${at}/attendees?search=hopper`)).data[0];
    await post(`${at}/scan`, {
      ...{ code: hopper.tickets[0].code, check_in_point: 'gate', client_uuid: crypto.randomUUID() },
    });
    const page = await world.open('/app/acme/events/table/people', { session: owner });
    await heading(page, 'People');
    await poll(() => names(page, 'People')).toEqual(['Grace Hopper', 'Barbara Liskov', 'Ada Lovelace', 'Alan Turing']);
    await choose(page, 'Status', 'To approve');
    await poll(() => names(page, 'People')).toEqual(['Alan Turing']);
    expect(page.url()).toContain('status=pending_approval');
    await page.reload();
    await poll(() => names(page, 'People')).toEqual(['Alan Turing']);
    await page.getByRole('button', { name: 'Remove filter: Status: To approve' }).click();
    await poll(() => names(page, 'People')).toHaveLength(4);
    await choose(page, 'What do you eat?', 'Everything');
    await poll(() => names(page, 'People')).toEqual(['Alan Turing']);
    expect(page.url()).toContain('answer.diet=Everything');
    await page.goBack();
    await poll(() => names(page, 'People')).toHaveLength(4);
    // Searching while typing; the field keeps the focus.
    await page.getByRole('searchbox').pressSequentially('tur');
    await poll(() => names(page, 'People')).toEqual(['Alan Turing']);
    await page.keyboard.press('Escape');
    await poll(() => names(page, 'People')).toHaveLength(4);
    await page.getByLabel('Sort by').selectOption('Changed');
    await poll(async () => (await names(page, 'People'))[0]).toBe('Grace Hopper');
    expect(page.url()).toContain('order=newest');
    await button(page, 'Columns').click();
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel('What do you eat?').check();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('Nobody matches these filters').waitFor();
    await button(page, 'Clear search').click();
    await poll(() => names(page, 'People')).toHaveLength(4);

    await choose(page, 'Status', 'Confirmed');
    await poll(() => names(page, 'People')).toEqual(['Grace Hopper', 'Ada Lovelace']);
    await page.getByLabel('Select all loaded rows').check();
    await button(page, 'Change').click();
    const dialog = page.getByRole('dialog', { name: 'Change' });
    await dialog.getByText('2 selected').waitFor();
    await dialog.getByLabel('What to change').selectOption('Anything else?');
    await dialog.getByLabel('Anything else?').fill('Sits in front');
    await button(dialog, 'Change').click();
    await page.getByText('2 done', { exact: true }).waitFor();
    const { data } = await get(`${at}/attendees?status=confirmed`);
    expect(data.map((one: Body) => one.answers.note)).toEqual(['Sits in front', 'Sits in front']);
    await button(page, 'Close').click();
    // Whoever is to be paid cannot get a ticket: the report names them.
    await button(page, 'Clear all').click();
    await poll(() => names(page, 'People')).toHaveLength(4);
    await page.getByLabel('Select Barbara Liskov').check();
    await page.getByLabel('Select Grace Hopper').check();
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Reissue tickets' }).click();
    await page.getByRole('dialog').getByLabel('Send the new ticket by e-mail').uncheck();
    await button(page.getByRole('dialog'), 'Reissue').click();
    await page.getByText('1 done · 1 failed').waitFor();
    const rejects = page.getByRole('region', { name: 'What didn’t work' });
    await rejects.getByText('Barbara Liskov').waitFor();
    await rejects.getByText('no valid ticket').waitFor();
    // The job and the chosen column are still there after a reload.
    expect(page.url()).toContain('job=');
    await page.reload();
    await page.getByText('1 done · 1 failed').waitFor();
    await page.getByRole('columnheader', { name: 'What do you eat?' }).waitFor();
  });

  test('people are walked through by J and K and changed, and what is refused or was changed meanwhile is said', async () => {
    const at = await event('person');
    for (const first of ['Anna', 'Bert', 'Cleo']) await register(at, person(first, 'Walker', { phone: '+49 1' }));
    for (const first of ['One', 'Two']) await register(at, person(first, 'Filler', { days: ['later'] }));
    const page = await world.open(`/app/acme${at}/people?search=walker`, { session: owner });
    await poll(() => names(page, 'People')).toEqual(['Anna Walker', 'Bert Walker', 'Cleo Walker']);
    await page.getByRole('link', { name: 'Anna Walker' }).click();
    await heading(page, 'Anna Walker');
    expect(page.url()).toContain('search=walker');
    await page.keyboard.press('j');
    await heading(page, 'Bert Walker');
    await page.keyboard.press('e');
    await page.getByLabel('Last name').fill('Zwalker');
    // Keys are typed into the field and lead nowhere.
    await page.getByLabel('First name').press('j');
    await page.getByLabel('First name').fill('Bert');
    await page.getByLabel('Later').check();
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText(/full/i).waitFor();
    expect(await page.getByLabel('Later').isChecked()).toBe(true);
    await page.getByLabel('Later').uncheck();
    await page.getByLabel('Type').selectOption('Crew');
    await page.getByLabel('What do you eat?').selectOption('Everything');
    await button(page, 'Save').click();
    await said(page, 'Saved');
    await heading(page, 'Bert Zwalker');
    await page
      .getByRole('list', { name: 'Timeline' })
      .getByText(/Type: Adult\s*Crew/)
      .waitFor();
    expect((await get(`${at}/attendees?search=zwalker`)).data).toMatchObject([
      { first_name: 'Bert', attendee_type: 'crew', days: ['today'], answers: { diet: 'Everything' } },
    ]);
    // Whoever was changed on the way keeps the place in the walk.
    await page.keyboard.press('ArrowRight');
    await heading(page, 'Cleo Walker');
    await poll(() => button(page, 'Next').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('k');
    await heading(page, 'Bert Zwalker');
    await page.goBack();
    await heading(page, 'Cleo Walker');

    const { id } = (await get(`${at}/attendees?search=cleo`)).data[0];
    await button(page, 'Change').click();
    await page.getByLabel('Phone').fill('+49 222');
    await page.getByLabel('Anything else?').fill('Mine');
    await send('PATCH', `${at}/attendees/${id}`, { phone: '+49 333', last_name: 'Fingers' });
    await button(page, 'Save').click();
    await page.getByText('Someone else made changes while you were editing', { exact: true }).waitFor();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await poll(() => row('Phone').getByRole('cell').allTextContents()).toEqual([
      '+49 1',
      '+49 333',
      expect.stringContaining('+49 222'),
    ]);
    // What only the other changed is in the form now; nothing of ours is saved.
    expect(await page.getByLabel('Last name').inputValue()).toBe('Fingers');
    const between = await get(`${at}/attendees/${id}`);
    expect([between.phone, between.answers.note]).toEqual(['+49 333', undefined]);
    await button(row('Phone'), 'Use theirs').click();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+49 333');
    await button(page, 'Save').click();
    await heading(page, 'Cleo Fingers');
    expect(await get(`${at}/attendees/${id}`)).toMatchObject({
      ...{ first_name: 'Cleo', last_name: 'Fingers', phone: '+49 333', answers: { note: 'Mine' } },
    });
  });

  test('who would check somebody in without a check-in point is led to where one is added', async () => {
    const at = await event('pointless');
    const made = await register(at, person('Dora', 'Door'));
    for (const { id } of (await get(`${at}/check-in-points`)).data) await send('DELETE', `${at}/check-in-points/${id}`);
    const page = await world.open(`/app/acme${at}/people/${made.attendees[0].id}`, { session: owner });
    await button(page, 'Check in').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Add check-in point' }).click();
    await page.getByRole('heading', { name: 'Check-in points', level: 1 }).waitFor();
  });

  test('somebody is checked in, gets other tickets and is cancelled alone, all of it in the timeline', async () => {
    const at = await event('doing');
    const made = await register(at, person('Dora', 'Door'), person('Stay', 'Ing'));
    const [{ id, tickets }] = made.attendees;
    const page = await world.open(`/app/acme${at}/people/${id}`, { session: owner });
    await page.getByRole('link', { name: 'Stay Ing' }).waitFor();
    const head = page.locator('.page-head');
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await button(page, 'Check in').click();
    let dialog = page.getByRole('dialog', { name: 'Check in' });
    await dialog.getByLabel('Check-in point').selectOption('Main gate');
    await button(dialog, 'Check in').click();
    await said(page, 'Checked in at Main gate');
    await timeline.getByText('Admitted · Main gate').waitFor();
    await head.getByText('Checked in').waitFor();
    // At another point the type is not admitted; a member decides otherwise.
    await button(page, 'Check in').click();
    dialog = page.getByRole('dialog', { name: 'Check in' });
    await dialog.getByLabel('Check-in point').selectOption('Backstage');
    await button(dialog, 'Check in').click();
    await dialog.getByText('Type not admitted here').waitFor();
    await button(dialog, 'Override').click();
    const reason = page.getByRole('dialog', { name: 'Override the refusal' });
    await button(reason, 'Override').click();
    await reason.getByText('Fill this in.').waitFor();
    await reason.getByLabel('Reason').fill('Brings the cables');
    await button(reason, 'Override').click();
    await said(page, 'Admitted anyway');
    await timeline.getByText('Overridden: Brings the cables').waitFor();
    const entry = timeline.getByRole('listitem').filter({ hasText: 'Admitted · Main gate' });
    await button(entry, 'Undo').click();
    await button(page.getByRole('dialog'), 'Undo').click();
    await said(page, 'Undone');
    await head.getByText('Not checked in').waitFor();

    const { code } = tickets[0];
    await page.getByRole('img', { name: `QR code of ${code}` }).waitFor();
    const href = (await page.getByRole('link', { name: 'Print (PDF)' }).getAttribute('href'))!;
    const pdf = await page.request.get(new URL(href, page.url()).href);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await button(page, 'Send').click();
    dialog = page.getByRole('dialog', { name: 'Send ticket' });
    await dialog.getByLabel('Send to').fill('not an address');
    await button(dialog, 'Send').click();
    await dialog.locator('.fault').waitFor();
    await dialog.getByLabel('Send to').fill('other@example.org');
    await button(dialog, 'Send').click();
    await said(page, 'Sent to other@example.org');
    await timeline.getByText('other@example.org').waitFor();
    const act = async (of: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ticket ${of}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await act(code, 'Reissue');
    dialog = page.getByRole('dialog', { name: 'Reissue ticket' });
    await button(dialog, 'Reissue').dblclick();
    await said(page, /^Reissued/);
    await timeline.getByText('Ticket replaced').waitFor();
    await page.getByText('1 invalid ticket').waitFor();
    const { data } = await get(`${at}/tickets?attendee=${id}&status=valid`);
    expect(data).toHaveLength(1);
    await act(data[0].code, 'Void');
    dialog = page.getByRole('dialog', { name: 'Void ticket' });
    await dialog.getByLabel('Reason').fill('Lost');
    await button(dialog, 'Void').click();
    await page.getByText('No valid ticket').waitFor();
    await timeline.getByText(/· Lost$/).waitFor();
    await button(page, 'Issue ticket').click();
    await button(page.getByRole('dialog'), 'Issue ticket').click();
    await page.getByRole('img', { name: /^QR code of/ }).waitFor();

    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Cancel place' }).click();
    await button(page.getByRole('dialog', { name: 'Cancel the place of Dora Door?' }), 'Cancel place').click();
    await said(page, 'Cancelled');
    await head.getByText('Cancelled').waitFor();
    expect(await button(page, 'Change').count()).toBe(0);
    const now = await get(`${at}/registrations/${made.id}`);
    expect(now.attendees.map((one: Body) => one.status)).toEqual(['cancelled', 'confirmed']);
  });

  test('whoever approves sees the answers and goes on to the next one; actions of payments are in sight at 1440 pixels', async () => {
    const at = await event('approving');
    for (const [last, diet] of [
      ['First', 'Vegan'],
      ['Second', 'Everything'],
    ])
      await register(at, person('Crew', last!, { attendee_type: 'crew', answers: { diet, note: `I am ${last}` } }));
    const page = await world.open(`/app/acme${at}/people/registrations?status=pending_approval&order=name`, {
      session: owner,
    });
    await page.getByRole('link', { name: 'Crew First' }).click();
    await page.getByText('I am First').waitFor();
    expect(await page.getByRole('region', { name: 'Crew First' }).textContent()).toContain('Vegan');
    await button(page, 'Approve').click();
    await said(page, 'Approved. Here’s the next one.');
    await page.getByText('I am Second').waitFor();
    expect(page.url()).toContain('status=pending_approval');
    await button(page, 'Decline').click();
    await button(page.getByRole('dialog'), 'Decline').click();
    await said(page, 'Declined');
    await page.locator('.page-head').getByText('Declined').waitFor();

    const { id } = await register(at, person('Paula', 'Paying', { attendee_type: 'paying' }));
    const reference = 'A transfer with a long text that says what it was for';
    await post(`${at}/registrations/${id}/payments`, { amount_minor: 4500, method: 'transfer', reference });
    await page.setViewportSize({ width: 1440, height: 900 });
    /** Whether the middle of it can be clicked without scrolling sideways. */
    const isInSight = (of: Locator) =>
      of.evaluate((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return right <= innerWidth && found !== null && one.contains(found);
      });
    await page.goto(`${world.home}/app/acme${at}/money`);
    const actions = page.getByRole('button', { name: /^Actions for/ });
    await actions.waitFor();
    expect(await isInSight(actions)).toBe(true);
    await page.goto(`${world.home}/app/acme${at}/people/registrations/${id}`);
    const refund = page.getByRole('button', { name: /^Refund/ });
    await refund.scrollIntoViewIfNeeded();
    expect(await isInSight(refund)).toBe(true);

    // The overview has a code for posters. Of all places only those of the day with a limit have a bar.
    await page.goto(`${world.home}/app/acme${at}`);
    await page.getByRole('img', { name: 'QR code of the registration page' }).waitFor();
    await page.locator('.overview-places').waitFor();
    expect(await page.locator('.overview-places li:has(.bars-line) .bars-name').allTextContents()).toEqual(['Later']);
  });

  test('registrations are decided on by keyboard, below tabs with counts, and whoever is late sees what was decided', async () => {
    const at = await event('keys', { registration: { waitlist: true } });
    for (const last of ['Alpha', 'Beta', 'Gamma', 'Delta'])
      await register(at, person('Crew', last, { attendee_type: 'crew' }));
    for (const last of ['One', 'Two', 'Three']) await register(at, person('Wait', last, { days: ['later'] }));
    const page = await world.open(`/app/acme${at}/people/registrations`, { session: owner });
    await heading(page, 'Registrations');
    const tab = (name: RegExp) => page.getByRole('navigation', { name: /by status/ }).getByRole('link', { name });
    const badge = page.locator('.page-head').locator('.badge', { hasText: 'Confirmed' });
    await tab(/To approve\s*4/).click();
    await poll(() => tab(/To approve/).getAttribute('aria-current')).toBe('page');
    expect(await tab(/All/).getAttribute('aria-current')).toBeNull();
    await page.getByRole('columnheader', { name: 'Contact' }).getByRole('button').click();
    await poll(() => names(page, 'Registrations')).toEqual(['Crew Alpha', 'Crew Beta', 'Crew Delta', 'Crew Gamma']);
    await page.getByRole('link', { name: 'Crew Alpha' }).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Approve registrations' }).getByText('2 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 done', { exact: true }).waitFor();
    await poll(() => names(page, 'Registrations')).toEqual(['Crew Delta', 'Crew Gamma']);
    await tab(/Confirmed\s*4/).waitFor();
    // The keys also work on the row alone.
    await page.getByRole('link', { name: 'Crew Delta' }).focus();
    await page.keyboard.press('d');
    await page.getByRole('dialog').getByLabel('Reason').fill('No room');
    await button(page.getByRole('dialog'), 'Decline').click();
    await poll(() => names(page, 'Registrations')).toEqual(['Crew Gamma']);
    await tab(/Declined\s*1/).click();
    await poll(() => names(page, 'Registrations')).toEqual(['Crew Delta']);
    await page.goBack();
    await poll(() => names(page, 'Registrations')).toEqual(['Crew Gamma']);

    // Somebody else approves it while it is looked at.
    await page.getByRole('link', { name: 'Crew Gamma' }).click();
    await button(page, 'Approve').waitFor();
    const [gamma] = (await get(`${at}/registrations?status=pending_approval`)).data;
    await post(`${at}/registrations/${gamma.id}/approve`);
    await button(page, 'Approve').click();
    const refused = page.getByRole('dialog', { name: 'Approve' });
    await refused.getByRole('alert').waitFor();
    await badge.waitFor();
    await page.keyboard.press('Escape');
    await refused.waitFor({ state: 'detached' });

    // One waits until there is room. The waitlist may be faster than whoever presses the button; both end the same.
    await page.locator('.page-head').getByRole('link', { name: 'Registrations' }).click();
    await tab(/Waitlist\s*1/).click();
    await page.getByRole('link', { name: 'Wait Three' }).click();
    await button(page, 'Give a place').click();
    const dialog = page.getByRole('dialog', { name: 'Give a place from the waitlist?' });
    await button(dialog, 'Give a place').click();
    await dialog.getByText('enough places').waitFor();
    await send('PATCH', `${at}/days/later`, { capacity: 3 });
    await button(dialog, 'Give a place').click();
    await badge.waitFor();
  });

  test('people are added by hand, once; their registration is approved, paid, refunded, corrected and cancelled', async () => {
    const at = await event('hand');
    const page = await world.open(`/app/acme${at}/people`, { session: owner });
    await page.getByText('Nobody has registered yet').waitFor();
    await page.getByRole('link', { name: 'Add people' }).first().click();
    await heading(page, 'Add people');
    const first = page.getByRole('region', { name: 'Person 1' });
    await first.getByLabel('First name').fill('Ada');
    await button(page, 'Register').click();
    await first.getByText('Fill this in.').first().waitFor();
    await first.getByLabel('Last name').fill('Lovelace');
    await first.getByLabel('Type').selectOption('Paying · €45.00');
    await first.getByLabel('Today').check();
    await first.getByLabel('Vegan').check();
    await first.getByLabel('E-mail').fill('ada@example.org');
    await button(page, 'Add another person').click();
    const second = page.getByRole('region', { name: 'Person 2' });
    // The same family: name, type and days are there already.
    expect(await second.getByLabel('Last name').inputValue()).toBe('Lovelace');
    expect(await second.getByLabel('Today').isChecked()).toBe(true);
    await page.getByText('€90.00').waitFor();
    await second.getByLabel('First name').fill('Byron');
    await second.getByLabel('Type').selectOption('Crew');
    await second.getByLabel('Everything').check();
    await page.getByLabel('Someone else').check();
    await page.getByRole('region', { name: 'Contact' }).getByLabel('First name').fill('Annabella');
    await page.getByRole('region', { name: 'Contact' }).getByLabel('Last name').fill('Milbanke');
    await page.getByRole('region', { name: 'Contact' }).getByLabel('E-mail').fill('annabella@example.org');
    await page.getByLabel('Notify people').click();
    // Leaving asks, because something was typed.
    await page.getByRole('link', { name: 'Money', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await button(page, 'Register').dblclick();
    await heading(page, /^Registration /);
    const { data } = await get(`${at}/registrations`);
    expect(data).toHaveLength(1);
    const [made] = data;
    expect(made).toMatchObject({
      ...{ status: 'pending_approval', total_minor: 4500, contact: { email: 'annabella@example.org' } },
      attendees: [{ first_name: 'Ada' }, { first_name: 'Byron', last_name: 'Lovelace', days: ['today'] }],
    });

    await button(page, 'Approve').click();
    await said(page, 'Approved');
    const head = page.locator('.page-head');
    await head.getByText('Unpaid').waitFor();
    await button(page, 'Record payment').click();
    let dialog = page.getByRole('dialog', { name: 'Record payment' });
    expect(await dialog.getByLabel('Amount').inputValue()).toContain('45');
    await dialog.getByLabel('Amount').fill('much');
    await button(dialog, 'Record payment').click();
    await dialog.locator('.fault').waitFor();
    await dialog.getByLabel('Amount').fill('45');
    await dialog.getByLabel('Method').selectOption('Cash');
    await button(dialog, 'Record payment').dblclick();
    await said(page, '€45.00 recorded');
    await head.getByText('Confirmed').waitFor();
    const payments = page.getByRole('table', { name: 'Payments' });
    await poll(() => payments.getByRole('row').count()).toBe(2);
    await button(page, 'Refund of €45.00').click();
    dialog = page.getByRole('dialog', { name: 'Refund of €45.00' });
    await dialog.getByLabel('Amount').fill('50');
    await button(dialog, 'Refund').click();
    // Too much, and nobody has said what becomes of the registration.
    await poll(() => dialog.locator('.fault').count()).toBe(2);
    await dialog.getByLabel('Amount').fill('20');
    await dialog.getByLabel('Reason').fill('One day less');
    await dialog.getByLabel('Ask for payment again').check();
    await button(dialog, 'Refund').click();
    await said(page, '€20.00 refunded');
    await head.getByText('Unpaid').waitFor();
    // A mistyped address is corrected.
    await button(page.getByRole('region', { name: 'Contact' }), 'Change').click();
    await page.getByLabel('E-mail').fill('paul@example');
    await button(page, 'Save').click();
    await page.locator('.fault').first().waitFor();
    await page.getByLabel('E-mail').fill('paul@example.org');
    await button(page, 'Save').click();
    await said(page, 'Contact saved');
    await page.getByLabel('Notify people').click();
    await said(page, 'Notifications turned on');
    await button(page, 'Add person').click();
    dialog = page.getByRole('dialog', { name: 'Add person' });
    await dialog.getByLabel('First name').fill('Nina');
    await dialog.getByLabel('Last name').fill('New');
    await dialog.getByLabel('Type').selectOption('Adult');
    await dialog.getByLabel('Today').check();
    await dialog.getByLabel('Vegan').check();
    await button(dialog, 'Add person').click();
    await said(page, 'Nina New added');
    await page.getByRole('link', { name: 'Nina New' }).waitFor();
    await button(page, 'Cancel registration').click();
    dialog = page.getByRole('dialog', { name: `Cancel ${made.code}?` });
    await dialog.getByLabel('Reason').fill('They cannot come');
    await button(dialog, 'Cancel registration').click();
    await said(page, 'Cancelled');
    await head.getByText('Cancelled').waitFor();
    await page.getByText('History').click();
    await page.getByRole('list', { name: 'History' }).getByText('Registration: cancelled').waitFor();
    const now = await get(`${at}/registrations/${made.id}`);
    expect(now).toMatchObject({ status: 'cancelled', send_emails: true, contact: { email: 'paul@example.org' } });
  });

  test('what a role may not do is not offered', async () => {
    const at = await event('viewed');
    const made = await register(at, person('Only', 'Seen'));
    const page = await world.open(`/app/acme${at}/people`, { role: 'viewer' });
    await poll(() => names(page, 'People')).toEqual(['Only Seen']);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Add people', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Only Seen' }).click();
    await heading(page, 'Only Seen');
    await page.getByRole('img', { name: /^QR code of/ }).waitFor();
    for (const name of ['Change', 'Check in', 'Send', 'Issue ticket', 'More actions'])
      expect(await button(page, name).count(), name).toBe(0);
    await page.goto(new URL(`/app/acme${at}/people/registrations/${made.code}`, page.url()).href);
    await heading(page, `Registration ${made.code}`);
    for (const name of ['Change', 'Cancel registration', 'Add person', 'Record payment'])
      expect(await button(page, name).count(), name).toBe(0);
  });
});

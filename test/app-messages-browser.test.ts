import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { Receiver } from './support/mail-receiver.ts';
import { findingsOf } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('chromium'))('messages, payments and contacts, in the app', { timeout: 180_000 }, () => {
  let world: AppWorld;
  let mails: Receiver;
  let key: string;
  /** The code of the event. Each test has its own, so that none sees what another did. */
  let fair: string;
  let events = 0;
  beforeAll(async () => {
    mails = await new Receiver().start();
    world = await startAppWorld({ env: { SMTP_URL: mails.url, MAIL_FROM: 'events@example.org' } });
    key = (await world.t.key('acme')).secret;
  }, 240_000);
  beforeEach(async () => {
    fair = `fair-${++events}`;
    await make('/events', { code: fair, name: 'Lakeside Fair', currency: 'EUR' });
    await make(`/events/${fair}/days`, { code: 'sat', name: 'Saturday', date: '2099-05-02' });
    await make(`/events/${fair}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 2500 });
    await make(`/events/${fair}/attendee-types`, { code: 'crew', name: 'Crew' });
    await make(`/events/${fair}/publish`, {});
    await register('Ada', 'Lovelace', 'adult');
    await register('Grace', 'Hopper', 'crew');
    await register('Kit', 'Lovelace', 'crew');
  });
  afterAll(async () => {
    await world?.stop();
    await mails?.stop();
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
  const get = async (path: string) => (await world.t.call('GET', `/v1${path}`, { key })).body;
  const register = (first_name: string, last_name: string, attendee_type: string) => {
    const email = `${first_name.toLowerCase().replace('ë', 'e')}@example.org`;
    return make(`/events/${fair}/registrations`, {
      send_emails: false,
      contact: { first_name, last_name, email },
      attendees: [{ first_name, last_name, email, attendee_type, days: ['sat'] }],
    });
  };
  const at = (screen: string) => `/app/acme/events/${fair}/${screen}`;
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** As on a phone at night, where the least room and the least contrast is. The sweep of all screens looks at every width and colour. */
  const looksRight = async (page: Page) => {
    await page.setViewportSize({ width: 390, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await settled(page);
    expect(await findingsOf(page)).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  };

  test('a message to one type: number of people at once, preview, test to oneself, sent, and what became of it', async () => {
    const page = await world.open(at('messages'), { role: 'manager' });
    await page.getByText('No messages yet').waitFor();
    await looksRight(page);
    await page.getByRole('link', { name: 'New message' }).first().click();
    await page.getByLabel('Subject').fill('Doors open at nine');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('Dear ');
    await button(page, 'Insert placeholder').click();
    await button(page, 'Insert First name').click();
    expect(await text.inputValue()).toBe('Dear {{first_name}}');
    await expect.poll(() => text.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type(',\n\nsee you **on Saturday**. <b onclick="x">no HTML</b>');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByText('Reaches 2 people').waitFor();
    await page.getByLabel('Unpaid').check();
    await preview.getByText('Reaches 3 people').waitFor();
    await page.getByLabel('Crew').check();
    await preview.getByText('Reaches 2 people').waitFor();
    const mail = page.frameLocator('iframe');
    await mail.locator('p', { hasText: 'see you' }).waitFor();
    // Each version of the text is a new page in the frame.
    await expect.poll(() => mail.locator('strong, b').filter({ hasText: 'on Saturday' }).count()).toBe(1);
    await mail.locator('p', { hasText: '<b onclick="x">no HTML</b>' }).waitFor();
    // The mail is dressed although the page allows no styles inside of texts.
    await expect.poll(() => mail.locator('[style]').count()).toBeGreaterThan(5);
    expect(page.url()).toContain('draft=');
    await looksRight(page);
    // The draft is there after a reload, without a button to save it.
    await page.getByText('Draft saved').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Doors open at nine');
    expect(await page.getByLabel('Crew').isChecked()).toBe(true);

    await page.getByLabel('Subject').fill('Doors open at {{nine}}');
    await page.getByText(/is not a placeholder/).waitFor();
    await page.getByLabel('Subject').fill('Doors open at nine');
    await page.getByText('Draft saved').waitFor();

    await button(page, 'Send a test').click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByLabel('E-mail').fill('me@example.org');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    const got = () => mails.received.filter(({ raw }) => raw.includes('Doors open at nine')).map(({ to }) => to[0]);
    await expect.poll(got, { timeout: 20_000 }).toEqual(['me@example.org']);

    await button(page, 'Send …').click();
    const sending = page.getByRole('dialog', { name: 'Send to 2 people?' });
    await sending.getByRole('button', { name: 'Send now' }).click();
    await page.waitForURL(/messages\/[^/]+$/);
    await page.getByRole('heading', { name: 'Doors open at nine', level: 1 }).waitFor();
    const recipients = page.getByRole('table', { name: 'Recipients' });
    await expect.poll(() => recipients.locator('.badge', { hasText: 'Sent' }).count(), { timeout: 30_000 }).toBe(2);
    await recipients.getByText('Grace Hopper').waitFor();
    expect(got().toSorted()).toEqual(['grace@example.org', 'kit@example.org', 'me@example.org']);
    await looksRight(page);
    // Its task is done when the last mail is queued. Nothing in it waits.
    await page.goto(new URL(at('people/export'), page.url()).href);
    const task = page.getByRole('table', { name: 'Recent tasks' }).getByRole('row', { name: 'Message' });
    await task.getByText('2 queued to send').waitFor();
    expect(await task.textContent()).not.toContain('waiting');
  });

  test('a message at a time: scheduled, back to a draft, stopped, copied, deleted', async () => {
    const page = await world.open(at('messages/new'));
    await page.getByLabel('Subject').fill('Next year');
    await page.getByLabel('Text', { exact: true }).fill('Same place.');
    await button(page, 'Send …').click();
    const dialog = page.getByRole('dialog', { name: /^Send to/ });
    await dialog.getByLabel('Later').check();
    await dialog.getByText('Time in Europe/Berlin').waitFor();
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await dialog.getByText('Fill this in.').waitFor();
    await dialog.getByLabel('Send at').fill('2099-05-01T09:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await page.locator('.badge', { hasText: 'Scheduled' }).waitFor();
    await page.getByText(/1 May 2099, 0?9:00 \(Europe\/Berlin\)/).waitFor();
    await button(page, 'Return to draft').click();
    await page.getByLabel('Subject').waitFor();
    await button(page, 'Send …').click();
    await dialog.getByLabel('Later').check();
    await dialog.getByLabel('Send at').fill('2099-05-01T09:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await button(page, 'Stop sending').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sending' }).click();
    await page.locator('.badge', { hasText: 'Cancelled' }).first().waitFor();
    await button(page, 'Copy as a new draft').click();
    await page.getByRole('heading', { name: 'Draft', level: 1 }).waitFor();
    await button(page, 'Delete draft').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click();
    await page.waitForURL(/\/messages$/);
    const { data } = await get(`/events/${fair}/communications`);
    expect(data.filter(({ subject }: { subject: string }) => subject === 'Next year')).toHaveLength(1);
  });

  test('a payment is recorded for who owes it, refunded in part, and the totals follow', async () => {
    const page = await world.open(at('money'), { role: 'manager' });
    await page.getByText('No payments yet').waitFor();
    await looksRight(page);
    await button(page, 'Record payment').first().click();
    const dialog = page.getByRole('dialog', { name: 'Record payment' });
    await dialog.getByText('Unpaid registrations:').waitFor();
    await dialog.getByRole('button', { name: /Ada Lovelace/ }).click();
    await dialog.getByText('Unpaid: €25.00').waitFor();
    await dialog.getByLabel('Amount').fill('much');
    await dialog.getByRole('button', { name: 'Record payment' }).click();
    await dialog.getByText(/Enter an amount such as/).waitFor();
    await dialog.getByLabel('Amount').fill('25');
    await dialog.getByLabel('Method').selectOption('cash');
    await dialog.getByLabel('Reference').fill('Receipt 7');
    await dialog.getByRole('button', { name: 'Record payment' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('table', { name: 'Payments' }).getByRole('row').nth(1);
    await row.getByText('Ada Lovelace').waitFor();
    await row.getByText('€25.00').waitFor();
    expect((await get(`/events/${fair}/payments`)).data).toHaveLength(1);
    await button(page, 'Actions for €25.00').click();
    await page.getByRole('menuitem', { name: 'Refund' }).click();
    const refund = page.getByRole('dialog', { name: 'Refund of €25.00' });
    await refund.getByLabel('Amount to refund').fill('30');
    await refund.getByRole('button', { name: 'Refund' }).click();
    await refund.getByText(/at most/).waitFor();
    await refund.getByLabel('Amount to refund').fill('5');
    await refund.getByLabel('Reason').fill('Came late');
    // What becomes of the registration is asked, and nothing is chosen beforehand.
    expect(await refund.getByRole('radio', { checked: true }).count()).toBe(0);
    await refund.getByRole('button', { name: 'Refund' }).click();
    await refund.locator('fieldset[data-invalid]').waitFor();
    await refund.getByLabel('Keep the registration').check();
    await refund.getByRole('button', { name: 'Refund' }).click();
    await refund.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.locator('.figures dd').allTextContents())
      .toEqual(['€25.00', '€5.00', '€20.00', '€5.00']);
    await row.getByText('€5.00').waitFor();
    await looksRight(page);
    // One payment has an address of its own; filters stand in it too.
    await row.getByRole('button', { name: /Ada Lovelace/ }).click();
    await page.getByRole('dialog', { name: 'Payment' }).getByText('Receipt 7').waitFor();
    expect(page.url()).toContain('payment=');
    await page.goBack();
    await button(page, 'Method').click();
    await page.getByRole('radio', { name: 'Card', exact: true }).click();
    await page.getByText('No payments match these filters').waitFor();

    // Whoever may not record or refund is not offered it.
    const viewer = await world.open(at('money'), { role: 'viewer' });
    await settled(viewer);
    expect(await button(viewer, 'Record payment').count()).toBe(0);
    expect(await viewer.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });

  test('a contact is found, changed together with the open registration, and erased by typing the name', async () => {
    const made = await register('Zoë', 'Ortega', 'crew');
    await register('Wanda', 'Quick', 'crew');
    const page = await world.open('/app/acme/contacts');
    await settled(page);
    await looksRight(page);
    // Somebody types and clicks a link at once. The code of the next screen takes longer than the pause after which what is typed goes
    // into the address, and they still get to what the link leads to.
    await page.clock.install();
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/app/assets/*.js', async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Wanda Quick' }).evaluate((link: HTMLElement) => {
      const field = document.querySelector<HTMLInputElement>('input[type=search]')!;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'quick');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      link.click();
    });
    await asked.promise;
    await page.clock.fastForward(1000);
    released.resolve();
    await page.getByRole('heading', { name: 'Wanda Quick', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.unrouteAll();
    await page.goBack();
    await page.getByRole('searchbox').fill('ortega');
    await page.getByRole('link', { name: 'Zoë Ortega' }).click();
    await page.getByRole('heading', { name: 'Zoë Ortega', level: 1 }).waitFor();
    await page.getByRole('table', { name: 'Registrations' }).getByText(made.code).waitFor();
    await looksRight(page);
    await button(page, 'Change').click();
    const dialog = page.getByRole('dialog', { name: 'Change contact' });
    await dialog.getByLabel('Last name').fill('Ortega y Gasset');
    await dialog.getByLabel('Also change 1 open registration').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Messages' }).getByText('Saved, also in 1 open registration').waitFor();
    await page.getByRole('heading', { name: 'Zoë Ortega y Gasset', level: 1 }).waitFor();
    expect((await get(`/events/${fair}/registrations/${made.id}`)).contact.last_name).toBe('Ortega y Gasset');
    await button(page, 'Erase person').click();
    const erase = page.getByRole('dialog', { name: 'Erase Zoë Ortega y Gasset?' });
    await erase.getByRole('textbox').fill('Zoë');
    await erase.getByRole('button', { name: 'Erase person' }).click();
    await erase.getByText('Type the name exactly as shown.').waitFor();
    await erase.getByRole('textbox').fill('Zoë Ortega y Gasset');
    await erase.getByRole('button', { name: 'Erase person' }).click();
    await page.getByText('This person was erased').waitFor();
    expect(await button(page, 'Change').count()).toBe(0);
    expect(JSON.stringify(await get(`/events/${fair}/registrations/${made.id}`))).not.toContain('Ortega');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, startAppWorld } from './support/app-world.ts';
import { picture } from './support/screens/picture.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('chromium'))('registration pages, in the app', { timeout: 120_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    owner = await world.t.session('acme', 'owner');
    await send('POST', '/events', { code: 'fair', name: 'Fair', timezone: 'Europe/Berlin' });
    await send('POST', '/events/fair/days', { code: 'sat', date: '2031-06-14' });
    await send('POST', '/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
    await send('POST', '/events/fair/publish', {});
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await world.call(owner, method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  /** Saves, and waits until the screen knows the answer, too. */
  const save = async (on: Locator) => {
    await on.getByRole('button', { name: 'Save' }).click();
    await on.locator('form[aria-busy]').waitFor({ state: 'detached' });
  };
  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const shownWidth = (image: Locator) =>
    image.evaluate((one: HTMLImageElement) => (one.complete ? one.naturalWidth : null));

  test('the overview leads to the page and to what it shows; a picture is chosen, kept and removed', async () => {
    const page = await world.open('/app/acme/events/fair', { session: owner });
    const { public_url } = await send('GET', '/events/fair');
    const view = page.getByRole('link', { name: 'View page (opens in a new tab)' });
    expect([await view.getAttribute('href'), await view.getAttribute('target')]).toEqual([public_url, '_blank']);
    expect(await (await fetch(public_url)).text()).toContain('Fair</h1>');
    await page.getByRole('link', { name: 'Page', exact: true }).first().click();
    await page.waitForURL('**/events/fair/page');
    const on = page.locator('.page');
    await on.getByRole('button', { name: 'Copy Page address' }).waitFor();

    // A picture is chosen by keyboard, kept when another one is refused, and removed.
    await on.getByText('No picture').waitFor();
    await on.getByLabel('Description').fill('Typed before');
    const field = on.getByLabel('Picture', { exact: true });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), field.press('Enter')]);
    await chooser.setFiles(await picture());
    const image = on.getByRole('img', { name: 'Picture, as people see it' });
    await expect.poll(() => shownWidth(image)).toBe(1200);
    const address = await image.getAttribute('src');

    let calls = 0;
    page.on('request', (request) => {
      if (request.method() === 'PUT') calls += 1;
    });
    const large = join(world.t.dataDir, 'large.png');
    writeFileSync(large, Buffer.alloc(10.5 * 1024 * 1024));
    await field.setInputFiles(large);
    await on.getByText('This file is 10.5 MB.').waitFor();
    expect([await field.getAttribute('aria-invalid'), calls]).toEqual(['true', 0]);
    const text = { name: 'script.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg><script/></svg>') };
    await field.setInputFiles(text);
    await on.getByText('Choose a JPEG, PNG or WebP picture.').waitFor();
    expect([await image.getAttribute('src'), calls]).toEqual([address, 1]);
    // What was typed is still there, and so is the rest of the form.
    expect(await on.getByLabel('Description').inputValue()).toBe('Typed before');

    await on.getByRole('button', { name: 'Remove Picture' }).click();
    await on.getByText('No picture').waitFor();
    expect((await send('GET', '/events/fair')).image).toBeNull();
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await on.getByLabel('Description').inputValue()).toBe('Typed before');
  });

  test('what the page shows, and until when people may do something themselves', async () => {
    // Where it was before leads to where it is now.
    const page = await world.open('/app/acme/events/fair/settings?part=page', { session: owner });
    await page.waitForURL('**/events/fair/page');
    const on = page.getByRole('main');
    await on.getByLabel('Description').fill('Boats and **music**');
    await on.getByLabel('Show in the public list').uncheck();
    await save(on);
    await page.goto(`${world.home}/app/acme/events/fair/settings?part=payment`);
    await on.getByLabel('Payment instructions').fill('IBAN DE00');
    await save(on);
    const event = () => send('GET', '/events/fair');
    const shown = { description: 'Boats and **music**', payment_instructions: 'IBAN DE00', listed: false };
    await expect.poll(event).toMatchObject(shown);
    await page.getByRole('link', { name: 'Self-service', exact: true }).click();
    const self = part(page, 'Self-service');
    await self.getByLabel('Cancel until').fill('2031-06-13T18:00');
    await save(self);
    const until = { change_until: null, cancel_until: '2031-06-13T16:00:00Z', transfer_until: null };
    await expect.poll(event).toMatchObject({ ...shown, self_service: until });
    await self.getByLabel('Cancel until').fill('');
    await save(self);
    await expect.poll(event).toMatchObject({ ...shown, self_service: { cancel_until: null } });
    await page.goto(`${world.home}/app/acme/events/fair/page`);
    await on.getByLabel('Description').fill(' ');
    await save(on);
    await expect.poll(event).toMatchObject({ ...shown, description: null });
  });

  test('the organization names its sites, and only then an event has the line for them', async () => {
    const page = await world.open('/app/acme/events/fair/page', { session: owner });
    await page.getByRole('link', { name: 'Add your website' }).click();
    const pages = part(page, 'Registration pages');
    await pages.getByText('/o/acme', { exact: false }).first().waitFor();
    await pages.getByLabel('Logo').setInputFiles(await picture());
    await expect.poll(() => shownWidth(pages.getByRole('img', { name: 'Logo, as people see it' }))).toBe(284);
    await pages.getByLabel('Imprint').fill('acme.example/imprint');
    await pages.getByLabel('Websites that may show your forms').fill('https://acme.example/\n\nhttps://b.example/path');
    await save(pages);
    await pages.getByText('Enter the address of a page.').waitFor();
    await pages.getByText('Enter one site per line').first().waitFor();
    expect(await pages.getByLabel('Imprint').inputValue()).toBe('acme.example/imprint');
    await pages.getByLabel('Imprint').fill('https://acme.example/imprint');
    await pages.getByLabel('Websites that may show your forms').fill('https://acme.example/');
    await save(pages);
    await expect
      .poll(() => send('GET', '/organization'))
      .toMatchObject({
        imprint_url: 'https://acme.example/imprint',
        embed_origins: ['https://acme.example'],
        logo: expect.stringMatching(/-logo\.png$/),
      });
    await page.goBack();
    const { public_url } = await send('GET', '/events/fair');
    const line = `<script src="${public_url.replace('/fair', '')}/embed.js" data-event="fair" async></script>`;
    await page.getByText(line, { exact: true }).waitFor();
  });

  test('a manager gets the line without knowing the sites; a viewer changes nothing', async () => {
    const manager = await world.t.session('acme', 'manager');
    const page = await world.open('/app/acme/events/fair/page', { session: manager });
    await page.getByText('an owner or admin has added').waitFor();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    const viewer = await world.t.session('acme', 'viewer');
    const other = await world.open('/app/acme/events/fair/page', { session: viewer });
    const on = other.getByRole('main');
    await on.getByText('No picture').waitFor();
    expect([await on.locator('input[type=file]').count(), await on.getByLabel('Description').isDisabled()]).toEqual([
      0,
      true,
    ]);
  });
});

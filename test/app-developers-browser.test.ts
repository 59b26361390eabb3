import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../packages/sdk/src/index.ts';
import { sql } from '../server/src/store/sql.ts';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('chromium'))('developers, in the app', { timeout: 120_000 }, () => {
  let world: AppWorld;
  beforeAll(async () => {
    world = await startAppWorld();
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    world.receiver.answer(200, 'thank you');
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const secretOf = async (page: Page, label: string) =>
    (await page.locator('.field', { hasText: label }).locator('code').first().textContent())!;
  const choose = async (page: Page, menu: RegExp, item: string) => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  test('a key is made, tried, renamed and revoked, and the audit log says who changed what', async () => {
    const page = await world.open('/app/acme/developers', { role: 'owner' });
    await heading(page, 'Keys');
    await button(page, 'Create key').click();
    await heading(page, 'Create key');
    await button(page, 'Create key').click();
    await page.getByText('Fill this in.').waitFor();
    await page.getByLabel('Name').fill('CRM');
    await button(page, 'Create key').click();
    // A scope is missing, which only the server says; what was typed is kept.
    await page.locator('fieldset', { hasText: 'Scopes' }).locator('.fault').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('CRM');
    await page.getByLabel('Read', { exact: true }).check();
    await button(page, 'Create key').dblclick();
    await heading(page, 'CRM is ready');
    const secret = await secretOf(page, 'Secret');
    expect(await secretOf(page, 'Your first call')).toMatch(
      /^curl -H "Authorization: Bearer svc_live_\w+" http:.*\/v1\/me$/,
    );
    const first = await world.t.call('GET', '/v1/me', { key: secret });
    // The form proposed what the plan allows.
    expect([first.status, first.headers.get('x-ratelimit-limit')]).toEqual([200, '600']);
    await page.getByRole('link', { name: 'I have stored it' }).click();
    await heading(page, 'Keys');
    // A double click made one key.
    await expect.poll(() => page.getByRole('link', { name: 'CRM', exact: true }).count()).toBe(1);
    await choose(page, /Actions for CRM/, 'Change key');
    await page.getByLabel('Name').fill('HubSpot');
    await page.getByLabel('Requests per minute').fill('90');
    await page.getByLabel('Addresses').fill('not an address');
    await button(page, 'Save').click();
    await page.locator('.fault').first().waitFor();
    await page.getByLabel('Addresses').fill('192.0.2.0/24, 198.51.100.7');
    await button(page, 'Save').click();
    await page.getByText('From 2 addresses').waitFor();
    expect((await world.t.call('GET', '/v1/me', { key: secret })).status).toBe(403);
    await choose(page, /Actions for HubSpot/, 'Revoke key');
    const question = page.getByRole('dialog', { name: 'Revoke HubSpot?' });
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('link', { name: 'HubSpot' }).waitFor({ state: 'hidden' });
    await page.getByText(/inactive keys?/).click();
    await page.getByRole('link', { name: 'HubSpot' }).click();
    const details = page.getByRole('dialog', { name: 'HubSpot' });
    await details.getByText('Key: revoked').waitFor();
    await details.getByRole('definition').filter({ hasText: /^90$/ }).waitFor();

    // The log of everything, with its filters in the address.
    const { data } = (await world.call(await world.t.session('acme', 'owner'), 'GET', '/keys')).body;
    const [{ id }] = data.filter(({ name }: { name: string }) => name === 'HubSpot');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('What').selectOption('Key: changed');
    const log = page.getByRole('list', { name: 'Audit log' });
    const renamed = log.getByRole('listitem').filter({ hasText: 'Key: changed' }).first();
    await renamed.locator('del', { hasText: 'CRM' }).waitFor();
    await renamed.locator('ins', { hasText: 'HubSpot' }).waitFor();
    await renamed.getByRole('link', { name: /^Key …/ }).click();
    await button(page, 'Clear filters').waitFor();
    await page.getByLabel('What').selectOption('Anything');
    await expect.poll(() => log.getByRole('listitem').count()).toBe(3);
    expect(page.url()).toContain(`object=${id}`);
    await page.getByLabel('From', { exact: true }).fill('2090-01-01T00:00');
    await page.getByText('No changes match these filters').waitFor();
  });

  test('agents are turned on, and the configuration has the address; a developer is told whom to ask', async () => {
    const { secret } = await world.t.key('acme', { scopes: ['read'] });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = { accept: 'application/json, text/event-stream' };
    const knock = async () => (await world.t.call('POST', '/mcp', { key: secret, body: list, headers })).status;
    expect(await knock()).toBe(403);
    const page = await world.open('/app/acme/developers/agents', { role: 'owner' });
    await heading(page, 'Agents');
    const allow = page.getByRole('switch', { name: 'Let agents use your keys' });
    await allow.click();
    await page.getByText('Agents can now use your keys').first().waitFor();
    expect(await knock()).toBe(200);
    const shown = await page.getByRole('figure', { name: 'Configuration' }).textContent();
    expect(JSON.parse(shown!).mcpServers.turnout.url).toBe(await secretOf(page, 'Address'));
    await allow.click();
    await page.getByText('Agents can no longer use your keys').first().waitFor();
    expect(await knock()).toBe(403);
    const developer = await world.open('/app/acme/developers/agents', { role: 'developer' });
    await developer.getByText('Only owners and admins can turn agents on').waitFor();
    expect(await developer.getByRole('switch').count()).toBe(0);
  });

  test('a webhook is made, tested, fails, is looked into, replayed, rotated and paused', async () => {
    const { receiver } = world;
    // What another test could not deliver is tried again while this one runs.
    const lastIssued = () => receiver.got.findLast(({ body }) => JSON.parse(body.toString()).type === 'ticket.issued')!;
    const page = await world.open('/app/acme/developers/webhooks/new', { role: 'developer' });
    await heading(page, 'Create webhook');
    await page.getByLabel('URL').fill('http://hooks.example.org');
    await button(page, 'Create webhook').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Only these').check();
    await page.getByLabel('Ticket issued').check();
    await button(page, 'Create webhook').click();
    await heading(page, 'The webhook is ready');
    const secret = await secretOf(page, 'Signing secret');
    await page.getByRole('link', { name: 'I have stored it' }).click();
    await page.getByText('No deliveries yet').waitFor();

    // A test event, and its answer.
    await button(page, 'Send test event').click();
    const dialog = page.getByRole('dialog', { name: 'Send test event' });
    await dialog.getByText('Example').click();
    const example = dialog.getByRole('figure', { name: 'Example' });
    expect(JSON.parse((await example.textContent()) ?? '')).toMatchObject({ type: 'ticket.issued', data: {} });
    await dialog.getByRole('button', { name: 'Send test event' }).click();
    await dialog.getByText('Test event delivered').waitFor();
    await dialog.getByText('thank you').waitFor();
    receiver.answer(503, 'closed for lunch');
    await dialog.getByRole('button', { name: 'Send test event' }).click();
    await dialog.getByText('Test event not delivered').waitFor();
    await dialog.getByRole('link', { name: 'Open delivery' }).click();

    // The delivery: exactly what was sent, what came back, and every attempt.
    await heading(page, 'Ticket issued');
    const sent = lastIssued();
    await page.getByText('closed for lunch').waitFor();
    expect(await page.getByLabel('Body', { exact: true }).textContent()).toBe(sent.body.toString());
    expect(await page.getByLabel('Headers', { exact: true }).textContent()).toContain(
      sent.headers['service-signature'],
    );
    const envelope = await verify(sent.body.toString(), String(sent.headers['service-signature']), secret);
    expect(envelope.livemode).toBe(false);
    expect(await page.getByRole('table', { name: 'Attempts' }).getByRole('row').count()).toBe(2);
    receiver.answer(200, 'back again');
    const failed = page.url();
    await button(page, 'Replay').click();
    await page.getByText('back again').waitFor();
    expect(page.url()).not.toBe(failed);
    await page.getByText('Replay of').waitFor();
    expect(lastIssued().body.toString()).toBe(sent.body.toString());

    // Whoever leaves before another replay is answered stays where they are.
    const { promise: left, resolve: answerNow } = Promise.withResolvers<void>();
    await page.route('**/replay', async (route) => {
      await left;
      await route.continue();
    });
    await button(page, 'Replay').click();
    await page.getByRole('link', { name: 'Deliveries' }).click();
    const table = page.getByRole('table', { name: 'Deliveries' });
    await expect.poll(() => table.getByRole('row').count()).toBe(4);
    const deliveries = page.url();
    const answered = page.waitForResponse('**/replay');
    answerNow();
    await answered;
    await expect.poll(() => table.getByRole('row').count()).toBe(5);
    await settled(page);
    expect(page.url()).toBe(deliveries);

    // Filters stand in the address.
    await page.getByLabel('Status').selectOption('Given up');
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    expect(page.url()).toContain('status=dead');
    await page.reload();
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    await button(page, 'Clear filters').click();
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
    await page.getByText('No deliveries match these filters').waitFor();
    await button(page, 'Clear filters').click();

    await choose(page, /^Actions for/, 'Rotate secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('heading', { name: 'Secret rotated' }).waitFor();
    expect(await secretOf(page, 'Signing secret')).not.toBe(secret);
    await button(page, 'I have stored it').click();
    await button(page, 'Pause').click();
    await page.getByText('Paused by a team member').waitFor();
    await button(page, 'Resume').click();
    await button(page, 'Pause').waitFor();
    const history = page.getByRole('list', { name: 'History' });
    for (const what of ['created', 'test sent', 'secret rotated', 'paused', 'resumed'])
      await history.getByText(`Webhook: ${what}`).first().waitFor();

    await choose(page, /^Actions for/, 'Delete webhook');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
    await heading(page, 'Webhooks');
    // Another test may have made one with the same address, for other events.
    const cookie = `turnout_session=${await world.t.session('acme', 'developer')}`;
    const { data } = (await world.t.call('GET', '/app/api/webhooks', { headers: { cookie } })).body;
    expect(data.filter(({ events }: { events: string[] }) => events.includes('ticket.issued'))).toEqual([]);
  });

  test('everything that did not arrive is replayed by a job', async () => {
    const { receiver, t, call } = world;
    const session = await t.session('acme', 'owner');
    const { id } = (await call(session, 'POST', '/webhooks', { url: receiver.url, events: ['registration.created'] }))
      .body;
    receiver.answer(500, 'no');
    await call(session, 'POST', '/events', { code: 'fair', name: 'Spring Fair', timezone: 'UTC' });
    await call(session, 'POST', '/events/fair/days', { code: 'd1', date: '2100-01-01' });
    await call(session, 'POST', '/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
    await call(session, 'POST', '/events/fair/publish');
    for (const last_name of ['One', 'Two', 'Three']) {
      const attendees = [{ attendee_type: 'adult', first_name: 'Pat', last_name, days: ['d1'] }];
      const made = await call(session, 'POST', '/events/fair/registrations', { attendees, send_emails: false });
      expect(made.status).toBe(201);
    }
    const deliveries = async (status: string) =>
      (await call(session, 'GET', `/webhooks/${id}/deliveries?status=${status}`)).body.data;
    await expect.poll(() => deliveries('failed')).toHaveLength(3);
    const page = await world.open(`/app/acme/developers/webhooks/${id}?status=failed`, { session });
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(4);
    // Nothing arrives by itself before it is replayed, however long that takes.
    await t.system((tx) => tx.run(sql`update webhook_queue set due_at = due_at + interval '1 day' where retry`));
    receiver.answer(200, 'yes');
    await button(page, 'Replay failed').click();
    const dialog = page.getByRole('dialog', { name: 'Replay failed' });
    await dialog.getByLabel('Since').fill('2020-01-01T00:00');
    await dialog.getByRole('button', { name: 'Replay failed' }).click();
    await page.getByText('3 deliveries replayed').first().waitFor();
    expect(page.url()).toContain('job=');
    await expect.poll(() => deliveries('delivered')).toHaveLength(3);
    await page.getByLabel('Status').selectOption('Delivered');
    await expect.poll(() => rows.count()).toBe(4);
  });

  test('Ctrl-K finds and does things by keyboard alone, and gives the focus back', async () => {
    const session = await world.t.session('acme', 'owner');
    await world.call(session, 'POST', '/keys', { name: 'Übersetzer', mode: 'test', scopes: ['read'] });
    const page = await world.open('/app/acme/groups', { session });
    const link = page.getByRole('link', { name: 'Developers' });
    await link.focus();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('uberse');
    await page.getByRole('option', { name: /Übersetzer/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Übersetzer' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create');
    await page.getByRole('option', { name: 'Create key', selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Create webhook', selected: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await heading(page, 'Create key');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('invite');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Invite' }).waitFor();
  });
});

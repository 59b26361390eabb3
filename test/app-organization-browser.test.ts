import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { type DnsServer, startDnsServer } from './support/dns-server.ts';
import { hasTool } from './support/tools.ts';

describe.skipIf(!hasTool('chromium'))('team, groups and organization, in the app', { timeout: 120_000 }, () => {
  let world: AppWorld;
  let dns: DnsServer;
  beforeAll(async () => {
    dns = await startDnsServer();
    world = await startAppWorld({ env: { DNS_SERVERS: dns.address } });
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
    await dns?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const choose = async (page: Page, menu: string, item: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  interface Member {
    id: string;
    name: string;
    you: boolean;
    role: string;
  }
  const membersOf = async (session: string): Promise<Member[]> =>
    (await world.call(session, 'GET', '/members')).body.data;
  const ownMember = async (session: string) =>
    (await world.call(session, 'GET', '/membership')).body.member as { id: string; name: string };

  test('somebody is invited, again, and no more; a member’s role is changed, and they are removed', async () => {
    const session = await world.t.session('acme', 'owner');
    const page = await world.open('/app/acme/team', { session });
    await button(page, 'Invite').click();
    const form = page.getByRole('dialog', { name: 'Invite' });
    await form.getByRole('textbox', { name: 'E-mail' }).fill('nobody');
    await form.getByRole('button', { name: 'Invite' }).click();
    await form.getByText('Enter an e-mail such as').waitFor();
    await form.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.org');
    await form.getByLabel('Developer').check();
    await form.getByRole('button', { name: 'Invite' }).dblclick();
    const made = page.getByRole('dialog', { name: 'grace@example.org is invited' });
    const link = (await made.locator('code').textContent())!;
    expect(link).toMatch(/\/app\/-\/invitation#[\w-]+$/);
    await page.keyboard.press('Escape');
    const waiting = page.getByRole('table', { name: 'Invitations' });
    // A double click invited once.
    await expect.poll(() => waiting.getByRole('row').count()).toBe(2);
    await button(page, 'Send again to grace@example.org').click();
    await made.waitFor();
    expect(await made.locator('code').textContent()).not.toBe(link);
    await page.keyboard.press('Escape');
    await button(page, 'Withdraw the invitation to grace@example.org').click();
    await waiting.waitFor({ state: 'detached' });

    // A member’s role is changed, and they are removed; each opens with a history.
    const other = await ownMember(await world.t.session('acme', 'viewer'));
    await page.reload();
    await choose(page, `Actions for ${other.name}`, 'Change role or group');
    const change = page.getByRole('dialog', { name: `What can ${other.name} do?` });
    await change.getByLabel('Desk').check();
    await change.getByRole('button', { name: 'Save' }).click();
    await change.waitFor({ state: 'detached' });
    expect((await membersOf(session)).find(({ id }) => id === other.id)?.role).toBe('desk');
    await page.getByRole('link', { name: other.name, exact: true }).click();
    const details = page.getByRole('dialog', { name: other.name });
    await details.getByText('Member: changed').waitFor();
    expect(await details.locator('del').first().textContent()).toBe('viewer');
    expect(page.url()).toContain(`member=${other.id}`);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await choose(page, `Actions for ${other.name}`, 'Remove');
    await page
      .getByRole('dialog', { name: `Remove ${other.name}?` })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByRole('link', { name: other.name, exact: true }).waitFor({ state: 'detached' });
  });

  test('the last owner cannot leave, and the screen says why', async () => {
    await world.t.org('solo');
    const session = await world.t.session('solo', 'owner');
    const page = await world.open('/app/solo/team', { session });
    await page.getByRole('button', { name: /^Leave/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Leave/ })
      .click();
    await page.getByRole('alert').getByText(/owner/).waitFor();
  });

  test('groups are added, moved and deleted; what is in the way is said', async () => {
    const page = await world.open('/app/acme/groups');
    const add = async (name: string) => {
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await button(page, 'Add group').click();
    await add('North');
    await choose(page, 'Actions for North', 'Add below');
    await add('Coast');
    await button(page, 'Add group').click();
    await add('South');
    await choose(page, 'Actions for North', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'Actions for Coast', 'Move');
    await page.getByRole('dialog').getByLabel('Belongs to').selectOption({ label: 'South' });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Move|Save/ })
      .click();
    await page.getByText('Coast moved').first().waitFor();
    await choose(page, 'Actions for North', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('North deleted').first().waitFor();
    const tree = page.getByRole('list', { name: 'Groups' });
    await expect.poll(() => tree.locator(':scope > li').count()).toBe(1);
    await tree.getByRole('list').getByText('Coast', { exact: true }).waitFor();
  });

  test('the organization’s name and colour are saved and used at once, and its hosts proved', async () => {
    const page = await world.open('/app/acme/organization');
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByLabel('Name').fill('');
    await profile.getByRole('button', { name: 'Save' }).click();
    await profile.getByText('Fill this in.').waitFor();
    await profile.getByLabel('Name').fill('Acme & Söhne');
    await profile.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /Switch organization: Acme & Söhne/ }).waitFor();
    const section = (name: string) =>
      page.getByRole('navigation', { name: 'Organization settings' }).getByRole('link', { name, exact: true }).click();
    // What is typed is not lost by another section.
    await profile.getByLabel('Name').fill('Half');
    await section('Look');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
    const look = page.getByRole('region', { name: 'Look' });
    await look.getByRole('textbox', { name: /^Colour/ }).fill('#7a1fa2');
    await look.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--accent-light')))
      .toBe('#7a1fa2');

    // A host is added, proved by its record, made the primary one and removed.
    await section('Own hosts');
    expect(new URL(page.url()).search).toBe('?part=hosts');
    const hosts = page.getByRole('region', { name: 'Own hosts' });
    const add = async (name: string) => {
      await hosts.getByLabel('Host').fill(name);
      await button(page, 'Add host').click();
      await hosts.getByRole('heading', { name: name.toLowerCase() }).waitFor();
    };
    await hosts.getByLabel('Host').fill('https://tickets.example.org');
    await button(page, 'Add host').click();
    await hosts.getByText('Enter a host such as').waitFor();
    await add('Tickets.example.org');
    const value = (await hosts.locator('code').nth(1).textContent())!;
    expect(await hosts.locator('code').first().textContent()).toBe('_turnout.tickets.example.org');
    await button(page, 'Check now (tickets.example.org)').click();
    await hosts.getByText('No record with this name found.').waitFor();
    dns.zone.set('_turnout.tickets.example.org', [value]);
    world.t.clock.advance(10_000);
    await button(page, 'Check now (tickets.example.org)').click();
    await page.getByText('tickets.example.org verified. Your pages are there now.').first().waitFor();
    await hosts.locator('.badge', { hasText: 'Primary' }).waitFor();
    await add('karten.example');
    dns.zone.set('_turnout.karten.example', [(await hosts.locator('li').nth(1).locator('code').nth(1).textContent())!]);
    await button(page, 'Check now (karten.example)').click();
    await button(page, 'Make primary (karten.example)').click();
    await page.getByText('Links to your pages now lead to karten.example').first().waitFor();
    await button(page, 'Remove (karten.example)').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await hosts.getByRole('heading', { name: 'karten.example', exact: true }).waitFor({ state: 'detached' });
    // The other one has taken its place.
    await hosts.locator('.badge', { hasText: 'Primary' }).waitFor();
  });

  test('what a role may not do is not offered, also after it was lowered', async () => {
    const owner = await world.t.session('acme', 'owner');
    const session = await world.t.session('acme', 'developer');
    const page = await world.open('/app/acme', { session });
    await settled(page);
    const links = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(links.map((one) => one.trim())).toEqual(['Home', 'Events', 'Contacts', 'Developers']);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('e');
    await page.getByRole('option', { name: 'Create key' }).waitFor();
    expect(await page.getByRole('option', { name: 'Invite member' }).count()).toBe(0);
    await page.goto(new URL('/app/acme/team', page.url()).href);
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);

    // The role is lowered meanwhile: the next click says so, and what is offered follows.
    const { id } = await ownMember(session);
    await page.goto(new URL('/app/acme/developers/keys/new', page.url()).href);
    await page.getByLabel('Name').fill('Too late');
    await page.getByLabel('Read', { exact: true }).check();
    expect((await world.call(owner, 'PATCH', `/members/${id}`, { role: 'viewer' })).status).toBe(200);
    await button(page, 'Create key').click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/role|permission|tenant\.api_keys/i);
    expect(await page.getByLabel('Name').inputValue()).toBe('Too late');
    await page.getByRole('link', { name: 'Developers' }).waitFor({ state: 'detached' });
  });

  test('a form that cannot be sent keeps what was typed, and sends it once when the connection is back', async () => {
    const session = await world.t.session('acme', 'owner');
    const page = await world.open('/app/acme/developers/keys/new', { session });
    await page.getByLabel('Name').fill('Patient');
    await page.getByLabel('Read', { exact: true }).check();
    let sent = 0;
    // The server does it, but its answers are lost.
    await page.route('**/app/api/acme/keys', async (route) => {
      if (route.request().method() !== 'POST' || sent >= 3) return route.continue();
      sent += 1;
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Create key').click();
    await page.getByText('Can’t reach the server.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Patient');
    await button(page, 'Create key').click();
    await page.getByRole('heading', { name: 'Patient is ready' }).waitFor();
    const { data } = (await world.call(session, 'GET', '/keys')).body as { data: { name: string }[] };
    expect(data.filter(({ name }) => name === 'Patient')).toHaveLength(1);
    // Leaving a changed form asks.
    await page.goto(new URL('/app/acme/developers/keys/new', page.url()).href);
    await page.getByLabel('Name').fill('Half');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half');
  });
});

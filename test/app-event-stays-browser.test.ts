import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../server/src/store/sql.ts';
import { emailOf, endSessionOf, signInAgainAs } from './support/app-session.ts';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { goInEvent } from './support/event-navigation.ts';
import { freePort } from './support/running.ts';
import { hasTool } from './support/tools.ts';
import { startTest } from './support/turnout.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
type Body = any;

/** What stays in an event: filters, half-filled forms, the live page, and what somebody else has saved meanwhile. */
describe.skipIf(!hasTool('chromium'))('what stays in an event', { timeout: 180_000 }, () => {
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

  const sendAs = async (session: string, method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await world.call(session, method, path, body);
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
    return reply.body;
  };
  const send = (method: string, path: string, body?: unknown) => sendAs(owner, method, path, body);
  const get = (path: string) => send('GET', path);

  /** A published event that is open now. */
  async function event(code: string, as = owner): Promise<string> {
    const at = `/events/${code}`;
    const post = (path: string, body: unknown = {}) => sendAs(as, 'POST', path, body);
    await post('/events', { code, name: 'Lakeside Fair', timezone: 'UTC', currency: 'EUR' });
    await post(`${at}/days`, {
      ...{ code: 'today', name: 'Today', date: new Date().toISOString().slice(0, 10), capacity: 100 },
      ...{ opens_at: new Date(Date.now() - DAY).toISOString(), closes_at: new Date(Date.now() + DAY).toISOString() },
    });
    await post(`${at}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 0 });
    await post(`${at}/attendee-types`, { code: 'paying', name: 'Paying', price_minor: 4500 });
    await post(`${at}/questions`, { code: 'diet', label: 'What do you eat?', kind: 'text' });
    await post(`${at}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
    await post(`${at}/publish`);
    return at;
  }
  const DAY = 86_400_000;
  const person = (first_name: string, last_name: string) => ({
    ...{ attendee_type: 'adult', first_name, last_name, days: ['today'] },
  });
  const register = (at: string, first: string, last: string, as = owner): Promise<Body> =>
    sendAs(as, 'POST', `${at}/registrations`, { attendees: [person(first, last)], send_emails: false });

  const poll = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
  const open = (path: string) => world.open(`/app/acme${path}`, { session: owner });
  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const search = (page: Page) => page.getByRole('searchbox').or(page.locator('input[name="search"]')).first();

  /** Fills the form that registers people by hand. */
  async function fillPerson(page: Page, first: string, last: string): Promise<Locator> {
    const one = page.getByRole('region', { name: 'Person 1' });
    await one.getByLabel('First name').fill(first);
    await one.getByLabel('Last name').fill(last);
    await one.getByLabel('Type').selectOption('adult');
    await one.getByLabel('Today').check();
    return one;
  }

  test('filters and the open record are in the address: reload, back and forward find them again', async () => {
    const at = await event('walked');
    await register(at, 'Ada', 'Miller');
    await register(at, 'Ben', 'Miller');
    await register(at, 'Zoe', 'Schmidt');
    const page = await open(`${at}/people`);
    const rows = page.getByRole('link', { name: /Ada|Ben|Zoe/ });
    await poll(() => rows.count()).toBe(3);
    await search(page).fill('mil');
    await poll(() => rows.allTextContents()).toEqual(['Ada Miller', 'Ben Miller']);
    await page.getByRole('link', { name: 'Ben Miller' }).click();
    await heading(page, 'Ben Miller');
    await page.reload();
    await heading(page, 'Ben Miller');
    await page.goBack();
    await poll(() => rows.allTextContents()).toEqual(['Ada Miller', 'Ben Miller']);
    expect(await search(page).inputValue()).toBe('mil');
    await page.reload();
    await poll(() => rows.allTextContents()).toEqual(['Ada Miller', 'Ben Miller']);
    expect(await search(page).inputValue()).toBe('mil');
    await page.goForward();
    await heading(page, 'Ben Miller');
    // A part of the form that is open is in the address as well.
    await page.goto(`${world.home}/app/acme${at}/tickets`);
    await button(page, 'Paying').click();
    await page.getByRole('textbox', { name: /^Price/ }).waitFor();
    await page.reload();
    await poll(() => page.getByRole('textbox', { name: /^Price/ }).inputValue()).toMatch(/45/);
    await page.goBack();
    await page.getByRole('textbox', { name: /^Price/ }).waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('textbox', { name: /^Price/ }).waitFor();
  });

  test('two tabs with events of the same code in two organizations keep apart', async () => {
    await world.t.org('beta');
    await world.t.system((tx) =>
      tx.run(sql`
        insert into members (org_id, id, account_id, role, created_at, updated_at)
        select o.id, gen_random_uuid(), m.account_id, 'owner', now(), now()
        from organizations o, members m join organizations a on a.id = m.org_id
        where o.code = 'beta' and a.code = 'acme' and m.role = 'owner'`),
    );
    const at = await event('twice');
    await register(at, 'Ada', 'Acme');
    const beta = await world.t.session('beta', 'owner');
    await event('twice', beta);
    const one = await open(`${at}/people`);
    await one.getByRole('link', { name: 'Ada Acme' }).waitFor();
    const other = await one.context().newPage();
    await other.goto(`${world.home}/app/beta${at}/people/registrations/new`);
    await heading(other, 'Add people');
    await fillPerson(other, 'Ben', 'Beta');
    await one.reload();
    await one.getByRole('link', { name: 'Ada Acme' }).waitFor();
    await button(other, 'Register').click();
    await heading(other, /^Registration /);
    await other.goto(`${world.home}/app/beta${at}/people`);
    await other.getByRole('link', { name: 'Ben Beta' }).waitFor();
    expect(await other.getByText('Ada Acme').count()).toBe(0);
    // The first tab still writes to its own organization.
    await one.bringToFront();
    await one.goto(`${world.home}/app/acme${at}/people/registrations/new`);
    await heading(one, 'Add people');
    await fillPerson(one, 'Cleo', 'Acme');
    await button(one, 'Register').click();
    await heading(one, /^Registration /);
    const names = (reply: Body) => reply.data.map(({ first_name }: Body) => first_name).toSorted();
    expect(names(await get(`${at}/attendees`))).toEqual(['Ada', 'Cleo']);
    expect(names(await sendAs(beta, 'GET', `${at}/attendees`))).toEqual(['Ben']);
  });

  test('a registration that is being typed survives the end of the session, and is made once', async () => {
    const at = await event('ended');
    const page = await world.open(`/app/acme${at}/people/registrations/new`, {
      session: await world.t.session('acme', 'owner'),
    });
    await settled(page);
    const email = await emailOf(page);
    const typed = await fillPerson(page, 'Ada', 'Lovelace');
    await endSessionOf(world, page);
    await button(page, 'Register').click();
    const form = page.locator('form').filter({ has: typed });
    await form.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await typed.getByLabel('Last name').inputValue()).toBe('Lovelace');
    expect((await get(`${at}/registrations`)).data).toEqual([]);
    await signInAgainAs(world, page, email);
    // It is done, but the answer is lost: the browser asks again, and the server knows the submission.
    const keys: (string | undefined)[] = [];
    await page.route('**/events/ended/registrations', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await button(page, 'Register').click();
    await heading(page, /^Registration /);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await get(`${at}/registrations`)).data).toMatchObject([{ attendees: [{ last_name: 'Lovelace' }] }]);
  });

  test('the live page and a form go on when the server is started again', async () => {
    const at = await event('restarted');
    const ada = await register(at, 'Ada', 'Lovelace');
    const port = String(await freePort());
    const home = `http://localhost:${port}`;
    const server = () =>
      startTest({ database: world.t.database, clock: world.t.clock, env: { PORT: port, PUBLIC_URL: home } });
    const first = await server();
    const live = await open(`${at}/people`);
    await live.context().addCookies([{ name: 'turnout_session', value: owner, url: home }]);
    await live.goto(`${home}/app/acme${at}/check-in/live`);
    await live.locator('.live[data-state="live"]').waitFor();
    const page = await live.context().newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${home}/app/acme${at}/people/registrations/new`);
    const typed = await fillPerson(page, 'Grace', 'Hopper');
    await first.stop();
    await live.getByText('These numbers are out of date').waitFor();
    await button(page, 'Register').click();
    await page.getByText('Can’t reach the server.').first().waitFor();
    expect(await typed.getByLabel('Last name').inputValue()).toBe('Hopper');
    const second = await server();
    await button(page, 'Register').click();
    await heading(page, /^Registration /);
    await live.locator('.live[data-state="live"]').waitFor();
    await send('POST', `${at}/scan`, {
      ...{ code: ada.attendees[0].tickets[0].code, check_in_point: 'gate', client_uuid: randomUUID() },
    });
    await poll(() => live.locator('.live-big').first().textContent()).toBe('1');
    const names = (await get(`${at}/attendees`)).data.map((one: Body) => one.last_name);
    expect(names.toSorted()).toEqual(['Hopper', 'Lovelace']);
    // A screen whose code was not loaded before the restart.
    await goInEvent(page, 'Reports');
    await heading(page, 'Reports');
    await page.close();
    await live.goto('about:blank');
    await second.stop();
    world.complaints.splice(0); // the browser complains about connections that were refused
  });

  describe('two people at once', () => {
    /** Saves what the page has: it is told what the other one set, and saving again means it. */
    async function clashes(page: Page | Locator, theirs: string, saved: () => Promise<unknown>): Promise<void> {
      const before = await saved();
      await button(page, 'Save').click();
      await page.getByText(`Someone else set: ${theirs}.`).waitFor();
      expect(await saved()).toEqual(before);
      await button(page, 'Save').click();
      await poll(saved).not.toEqual(before);
    }

    /** Changes that the page has sent without the version which they are based on. Members and keys have none: no GET shows one alone. */
    const changesWithoutVersion = (page: Page): string[] => {
      const found: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (!['PATCH', 'DELETE'].includes(request.method()) || /\/(members|keys)\//.test(pathname)) return;
        if (request.headers()['if-match'] === undefined) found.push(`${request.method()} ${pathname}`);
      });
      return found;
    };

    test('the same type, question, day and point: both are shown, and what only the other changed is kept', async () => {
      const at = await event('prices');
      const page = await open(`${at}/tickets`);
      const without = changesWithoutVersion(page);
      await button(page, 'Paying').click();
      await page.getByRole('textbox', { name: /^Price/ }).fill('50');
      await send('PATCH', `${at}/attendee-types/paying`, { price_minor: 3000, capacity: 7 });
      await clashes(page, '€30.00', async () => (await get(`${at}/attendee-types/paying`)).price_minor);
      expect(await get(`${at}/attendee-types/paying`)).toMatchObject({ price_minor: 5000, capacity: 7 });

      await goInEvent(page, 'Page', 'Form');
      await button(page, 'What do you eat?').click();
      await page.getByLabel('Question', { exact: true }).fill('What may we cook?');
      await send('PATCH', `${at}/questions/diet`, { label: 'What do you not eat?', required: true });
      await clashes(page, 'What do you not eat?', async () => (await get(`${at}/questions/diet`)).label);
      expect(await get(`${at}/questions/diet`)).toMatchObject({ label: 'What may we cook?', required: true });

      await goInEvent(page, 'Tickets & prices', 'Days');
      await button(page, 'Today').click();
      await page.getByLabel('Places').fill('50');
      await send('PATCH', `${at}/days/today`, { capacity: 70 });
      await clashes(page, '70', async () => (await get(`${at}/days/today`)).capacity);
      expect((await get(`${at}/days/today`)).capacity).toBe(50);

      await page.goto(`${world.home}/app/acme${at}/check-in/points/gate`);
      await page.getByLabel('Opens early, in minutes').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('Big gate');
      await send('PATCH', `${at}/check-in-points/gate`, { policy: { cooldown_seconds: 9 } });
      // The page has heard of it before it saves; a rule that changed meanwhile is not taken back.
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await button(page, 'Save').click();
      await poll(async () => (await get(`${at}/check-in-points/gate`)).name).toBe('Big gate');
      expect((await get(`${at}/check-in-points/gate`)).policy.cooldown_seconds).toBe(9);
      await page.getByLabel('Name', { exact: true }).fill('Great gate');
      await send('PATCH', `${at}/check-in-points/gate`, { name: 'South gate' });
      await clashes(page, 'South gate', async () => (await get(`${at}/check-in-points/gate`)).name);
      expect(await get(`${at}/check-in-points/gate`)).toMatchObject({
        ...{ name: 'Great gate', policy: { cooldown_seconds: 9 } },
      });
      expect(without).toEqual([]);
    });

    test('what somebody else has changed is not deleted before that was shown', async () => {
      const at = await event('deleted');
      const page = await open(`${at}/tickets`);
      const without = changesWithoutVersion(page);
      const entry = (name: string) =>
        page
          .getByRole('main')
          .getByRole('listitem')
          .filter({ has: page.getByRole('heading', { name, exact: true }) });
      await button(page, 'Paying').click();
      await button(entry('Paying'), 'Delete').click();
      await send('PATCH', `${at}/attendee-types/paying`, { name: 'Patrons' });
      const dialog = page.getByRole('dialog');
      await button(dialog, 'Delete').click();
      await dialog.getByText('Check what changed, then try again.').waitFor();
      await dialog.getByRole('heading', { name: 'Delete Patrons?' }).waitFor();
      expect((await get(`${at}/attendee-types/paying`)).name).toBe('Patrons');
      await button(dialog, 'Delete').click();
      await entry('Patrons').waitFor({ state: 'detached' });
      expect((await get(`${at}/attendee-types`)).data).toMatchObject([{ code: 'adult' }]);
      expect(without).toEqual([]);
      world.complaints.splice(0); // the browser complains about the answer 412
    });

    test('the same contact, of a registration and of the address book: theirs beside what was typed, and taken or replaced', async () => {
      const at = await event('reached');
      const contact = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '+49 0' };
      const body = { contact, attendees: [person('Ada', 'Lovelace')], send_emails: false };
      const made = await send('POST', `${at}/registrations`, body);
      const saved = async () => (await get(`${at}/registrations/${made.id}`)).contact;
      const page = await open(`${at}/people/registrations/${made.id}`);
      const region = page.getByRole('region', { name: 'Contact' });
      await button(region, 'Change').click();
      await region.getByLabel('Phone').fill('+49 1');
      await region.getByLabel('E-mail').fill('mine@example.org');
      const theirs = { phone: '+49 2', email: 'theirs@example.org', last_name: 'Byron' };
      await send('PATCH', `${at}/registrations/${made.id}`, { contact: theirs });
      await button(region, 'Save').click();
      const row = (name: RegExp) => region.getByRole('row', { name });
      await row(/^Phone \+49 0 \+49 2 \+49 1/).waitFor();
      await row(/^Last name Lovelace Byron/).waitFor();
      expect(await saved()).toMatchObject(theirs);
      await button(row(/theirs@example\.org/), 'Use theirs').click();
      await button(region, 'Save').click();
      await poll(saved).toMatchObject({ ...theirs, phone: '+49 1' });

      const { id } = made.contact;
      await page.goto(`${world.home}/app/acme/contacts/${id}`);
      await button(page, 'Change').click();
      await page.getByLabel('Phone').fill('+49 3');
      await send('PATCH', `/contacts/${id}`, { phone: '+49 4', last_name: 'King' });
      await clashes(page, '+49 4', async () => (await get(`/contacts/${id}`)).phone);
      expect(await get(`/contacts/${id}`)).toMatchObject({ phone: '+49 3', last_name: 'King' });
    });

    test('the same draft of a message: nothing is saved until somebody chose, and other fields are merged', async () => {
      const at = await event('written');
      const draft = { subject: 'Doors', text: 'We open at nine.', kind: 'service' };
      const { id } = await send('POST', `${at}/communications`, draft);
      const saved = () => get(`${at}/communications/${id}`);
      const page = await open(`${at}/messages/${id}`);
      const subject = page.getByLabel('Subject');
      const text = page.getByLabel('Text', { exact: true });
      await text.waitFor();
      await send('PATCH', `${at}/communications/${id}`, { subject: 'Gates', text: 'We open at ten.' });
      await text.fill('We open at eleven.');
      await page.getByText('We open at ten.').waitFor();
      expect(await saved()).toMatchObject({ subject: 'Gates', text: 'We open at ten.' });
      // Typing on does not decide it either.
      await text.fill('We open at noon.');
      await button(page, 'Keep mine').click();
      await poll(saved).toMatchObject({ subject: 'Gates', text: 'We open at noon.' });
      await poll(() => subject.inputValue()).toBe('Gates');
      await page.getByText('Draft saved').waitFor();
      await send('PATCH', `${at}/communications/${id}`, { text: 'We do not open.' });
      await text.fill('We open.');
      await button(page, 'Use theirs').click();
      await poll(() => text.inputValue()).toBe('We do not open.');
      await subject.fill('Closed');
      await poll(saved).toMatchObject({ subject: 'Closed', text: 'We do not open.' });
    });

    test('the same group, the same member, the same key, and the same settings of the organization', async () => {
      const group = await send('POST', '/groups', { code: 'north', name: 'North' });
      const page = await open('/groups');
      const without = changesWithoutVersion(page);
      await button(page, 'Actions for North').click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Northern');
      await send('PATCH', `/groups/${group.id}`, { name: 'Nordic', code: 'nordic' });
      await clashes(page.getByRole('dialog'), 'Nordic', async () => (await get(`/groups/${group.id}`)).name);
      expect(await get(`/groups/${group.id}`)).toMatchObject({ name: 'Northern', code: 'nordic' });

      await world.t.session('acme', 'viewer');
      const member = async () => (await get('/members')).data.find((one: Body) => one.role !== 'owner');
      const { id, name } = await member();
      await page.getByRole('link', { name: 'Team' }).click();
      await button(page, `Actions for ${name}`).click();
      await page.getByRole('menuitem', { name: /^Change role/ }).click();
      await page.getByRole('radio', { name: 'Manager' }).check();
      await send('PATCH', `/members/${id}`, { role: 'desk', group: 'nordic' });
      await clashes(page.getByRole('dialog'), 'Desk', async () => (await member()).role);
      expect(await member()).toMatchObject({ role: 'manager', group: 'nordic' });

      const secret = await send('POST', '/keys', { name: 'CRM', mode: 'live', scopes: ['read'] });
      const key = async () => (await get('/keys')).data.find((one: Body) => one.id === secret.id);
      await page.getByRole('link', { name: 'Developers' }).click();
      await button(page, 'Actions for CRM').click();
      await page.getByRole('menuitem', { name: 'Change key' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Shop');
      await send('PATCH', `/keys/${secret.id}`, { name: 'Till', requests_per_minute: 90 });
      await clashes(page.getByRole('dialog'), 'Till', async () => (await key()).name);
      expect(await key()).toMatchObject({ name: 'Shop', requests_per_minute: 90 });

      await page.getByRole('link', { name: 'Organization', exact: true }).click();
      const profile = page.getByRole('region', { name: 'Profile' });
      await profile.getByLabel('Name', { exact: true }).fill('Acme & Sons');
      await send('PATCH', '/organization', { name: 'Acme & Daughters', timezone: 'Europe/Madrid' });
      await clashes(profile, 'Acme & Daughters', async () => (await get('/organization')).name);
      expect(await get('/organization')).toMatchObject({ name: 'Acme & Sons', timezone: 'Europe/Madrid' });
      expect(without).toEqual([]);
    });
  });
});

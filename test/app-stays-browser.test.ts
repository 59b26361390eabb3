import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../server/src/store/sql.ts';
import { emailOf, endSessionOf, signInAgainAs } from './support/app-session.ts';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { freePort } from './support/running.ts';
import { hasTool } from './support/tools.ts';
import { startTest } from './support/turnout.ts';

/** What stays: a half-filled form when the session ends, the language of a person, an open app when the server is started again. */
describe.skipIf(!hasTool('chromium'))('what stays in the app', { timeout: 180_000 }, () => {
  let world: AppWorld;
  beforeAll(async () => {
    world = await startAppWorld();
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
  /** Tells the page that somebody looks at it again, which makes it ask for what it shows. */
  const lookAgain = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  const endSession = (page: Page) => endSessionOf(world, page);
  const signInAgain = (page: Page, email: string) => signInAgainAs(world, page, email);

  test('a form of the organization survives the end of the session and is sent after signing in again', async () => {
    const page = await world.open('/app/acme/organization');
    await settled(page);
    const email = await emailOf(page);
    await name(page).fill('Typed before it ended');
    await endSession(page);
    await page.waitForTimeout(5100); // what was answered before counts as fresh for five seconds
    await lookAgain(page);
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await name(page).inputValue()).toBe('Typed before it ended');
    const save = page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' });
    await save.click();
    const elsewhere = page.getByRole('region', { name: 'Profile' }).getByRole('link', { name: 'Sign in' });
    expect(await elsewhere.getAttribute('target')).toBe('_blank');
    expect(await name(page).inputValue()).toBe('Typed before it ended');
    await signInAgain(page, email);
    await save.click();
    await page.getByText('Saved').first().waitFor();
    await page.reload();
    await settled(page);
    expect(await name(page).inputValue()).toBe('Typed before it ended');
  });

  test('a form that is left while it is being saved: the answer is awaited, and what is not saved is asked about', async () => {
    const page = await world.open('/app/acme/organization');
    await settled(page);
    const save = page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' });
    const asks = page.getByRole('dialog', { name: 'Leave without saving?' });
    const home = page.getByRole('heading', { name: 'Home', exact: true });
    let answer: 'later' | 'lost' | 'never' = 'later';
    let [saved, go] = [() => {}, () => {}];
    const isSaved = new Promise<void>((resolve) => {
      saved = resolve;
    });
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/app/api/acme/organization', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      if (answer === 'lost') return route.abort();
      const response = await route.fetch();
      saved();
      await (answer === 'later' ? gone : new Promise(() => {}));
      await route.fulfill({ response });
    });
    const toHome = page.getByRole('link', { name: 'Home', exact: true }).first();

    await noteDialogs(page);
    await name(page).fill('Saved while leaving');
    await save.click();
    await isSaved;
    // The app waits three seconds for the answer, so little may happen in between on a slow machine.
    const stayedAt = await toHome.evaluate(clickAndLook);
    go();
    await home.waitFor();
    expect(stayedAt).toBe('/app/acme/organization');
    expect(await page.evaluate(() => document.documentElement.dataset.dialog)).toBe(undefined);

    for (const other of ['lost', 'never'] as const) {
      answer = other;
      await page.goBack();
      await name(page).fill(`An answer that is ${other}`);
      await save.click();
      await toHome.click();
      await asks.getByRole('button', { name: 'Stay' }).click();
      expect(await name(page).inputValue()).toBe(`An answer that is ${other}`);
      await toHome.click();
      await asks.getByRole('button', { name: 'Leave' }).click();
      await home.waitFor();
    }
    world.complaints.splice(0); // the browser says which request was lost
  });

  test('an invitation that is being written survives it too', async () => {
    const page = await world.open('/app/acme/team');
    await settled(page);
    const email = await emailOf(page);
    await button(page, 'Invite').click();
    const dialog = page.getByRole('dialog', { name: 'Invite' });
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('stays@example.org');
    await endSession(page);
    await page.waitForTimeout(5100);
    await lookAgain(page);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('link', { name: 'Sign in' }).waitFor();
    await signInAgain(page, email);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog', { name: 'stays@example.org is invited' }).waitFor();
  });

  test('the app goes on when the server is started again, with what was typed', async () => {
    const port = String(await freePort());
    const env = { PORT: port, PUBLIC_URL: `http://localhost:${port}` };
    const server = () => startTest({ database: world.t.database, clock: world.t.clock, env });
    const first = await server();
    const session = await world.t.session('acme', 'owner');
    const page = await world.open('/app/acme/team');
    await page.context().addCookies([{ name: 'turnout_session', value: session, url: `http://localhost:${port}` }]);
    await page.goto(`http://localhost:${port}/app/acme/organization`);
    await settled(page);
    await name(page).fill('Typed before the restart');
    await first.stop();
    const save = page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('The server cannot be reached.').first().waitFor();
    await lookAgain(page);
    expect(await name(page).inputValue()).toBe('Typed before the restart');
    const second = await server();
    await save.click();
    await page.getByText('Saved').first().waitFor();
    // A screen that was not loaded before the restart.
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    await page.goto('about:blank');
    await second.stop();
    world.complaints.splice(0); // the browser complains about connections that were refused
  });

  test('two tabs with two organizations keep apart', async () => {
    await world.t.org('beta');
    const session = await world.t.session('acme', 'owner');
    await world.t.system((tx) =>
      tx.run(sql`
        insert into members (org_id, id, account_id, role, created_at, updated_at)
        select o.id, gen_random_uuid(), a.id, 'owner', now(), now() from organizations o, accounts a
        where o.code = 'beta' and a.id = (select account_id from account_sessions order by created_at desc, id desc limit 1)`),
    );
    const one = await world.open('/app/acme/organization', { session });
    await settled(one);
    const other = await one.context().newPage();
    await other.goto(one.url().replace('/acme/', '/beta/'));
    await other.getByRole('heading', { level: 1 }).waitFor();
    await name(other).fill('Beta renamed');
    await other.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click();
    await other.getByText('Saved').first().waitFor();
    await name(one).fill('Acme renamed');
    await one.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click();
    await one.getByText('Saved').first().waitFor();
    const names = await world.t.system((tx) =>
      tx.all<{ name: string }>(sql`select name from organizations where code in ('acme', 'beta') order by code`),
    );
    expect(names.map((row) => row.name)).toEqual(['Acme renamed', 'Beta renamed']);
  });

  test('the language that is chosen in the menu is that of the account, also at the next sign-in elsewhere', async () => {
    const page = await world.open('/app/acme/team');
    await settled(page);
    const email = await emailOf(page);
    await page.getByRole('button', { name: /^Your account/ }).click();
    const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
    await page
      .getByRole('menuitemradio', { name: 'Français' })
      .or(page.getByRole('menuitem', { name: 'Français' }))
      .click();
    await page.getByRole('heading', { level: 1, name: 'Équipe' }).waitFor();
    expect((await saved).status()).toBe(200);
    const other = await world.open('/app/-/sign-in', { locale: 'de-DE' });
    await signInAgain(other, email);
    await other.goto(page.url());
    await other.getByRole('heading', { level: 1, name: 'Équipe' }).waitFor();
    expect(await other.evaluate(() => document.documentElement.lang)).toBe('fr');
  });

  test('what is wrong with a field is said in the person’s language', async () => {
    const page = await world.open('/app/acme/organization', { locale: 'de-DE' });
    await settled(page);
    const profile = page.getByRole('region', { name: 'Profil' });
    await profile.getByRole('textbox', { name: 'Name' }).evaluate((input) => input.removeAttribute('maxlength'));
    await profile.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(201));
    await profile.getByRole('button', { name: 'Speichern' }).click();
    await profile.getByText('Höchstens 200 Zeichen.').waitFor();
    await profile.getByRole('textbox', { name: 'Name' }).fill('\u200b');
    await profile.getByRole('button', { name: 'Speichern' }).click();
    await profile.getByText('Bitte ausfüllen.').waitFor();
  });

  test('Ctrl-K finds events and people on the server, by keyboard, and the last answer wins', async () => {
    const session = await world.t.session('acme', 'owner');
    const made = await world.call(session, 'POST', '/events', { code: 'zurich', name: 'Fest am Zürichsee' });
    expect(made.status).toBe(201);
    await world.t.system((tx) =>
      tx.run(sql`
        insert into contacts (org_id, id, first_name, last_name, email, name_key, given_key, email_key, test, created_at, updated_at)
        select id, gen_random_uuid(), 'Zora', 'Zürcher', 'zora@example.org', 'zurcher zora', 'zora zurcher', 'zora@example.org', false, now(), now()
        from organizations where code = 'acme'`),
    );
    const page = await world.open('/app/acme', { session });
    await settled(page);
    // The answer to the first text comes last.
    await page.route(/\/events\?.*search=fe(&|$)/, async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue().catch(() => {});
    });
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    // The search is loaded when it is first opened; what is typed meanwhile is not lost.
    await page.keyboard.type('fe');
    await field.waitFor();
    expect(await field.inputValue()).toBe('fe');
    await page.waitForTimeout(400);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('zur');
    const event = page.getByRole('option', { name: /Fest am Zürichsee/ });
    const person = page.getByRole('option', { name: /Zora Zürcher/ });
    await event.waitFor();
    await person.waitFor();
    await page.waitForTimeout(1500);
    expect(await page.getByRole('option').count()).toBe(2);
    while ((await person.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/app\/acme\/contacts\/[0-9A-Z]{26}$/);
    await page.goto(new URL('/app/acme', page.url()).href);
    await settled(page);
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('zurichsee');
    await event.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/acme/events/zurich');
  });
});

/** Remembers in the page the text of any dialog that opens from now on. */
const noteDialogs = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const note = () => {
      const open = document.querySelector('dialog[open]');
      if (open !== null) document.documentElement.dataset.dialog = open.textContent ?? '';
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, attributeFilter: ['open'] });
  });

/** Clicks a link and tells where the page is a moment later. It runs in the page. */
async function clickAndLook(link: SVGElement | HTMLElement): Promise<string> {
  (link as HTMLElement).click();
  for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
  return window.location.pathname;
}

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { emailOf, endSessionOf, signInAgainAs } from './support/app-session.ts';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { hasTool } from './support/tools.ts';

/** What stays: a half-filled form when the session ends or the screen is left, the language of a person. And what Ctrl-K finds. */
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
  const signInAgain = (page: Page, email: string) => signInAgainAs(world, page, email);

  test('what is typed survives the end of the session, in a form and in a dialog, and is sent after signing in again', async () => {
    const page = await world.open('/app/acme/organization');
    await settled(page);
    await page.clock.install();
    const email = await emailOf(page);
    /** The session ends, and the page learns of it. What was answered before counts as fresh for five seconds. */
    const endSession = async () => {
      await endSessionOf(world, page);
      await page.clock.fastForward(5100);
      await lookAgain(page);
    };
    await name(page).fill('Typed before it ended');
    await endSession();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await name(page).inputValue()).toBe('Typed before it ended');
    const save = page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' });
    await save.click();
    const form = page.getByRole('region', { name: 'Profile' }).locator('form');
    const elsewhere = form.getByRole('link', { name: 'Sign in' });
    expect(await elsewhere.getAttribute('target')).toBe('_blank');
    expect(await name(page).inputValue()).toBe('Typed before it ended');
    await signInAgain(page, email);
    await save.click();
    await page.getByText('Saved').first().waitFor();
    await page.reload();
    await settled(page);
    expect(await name(page).inputValue()).toBe('Typed before it ended');

    await page.getByRole('link', { name: 'Team' }).click();
    await button(page, 'Invite').click();
    const dialog = page.getByRole('dialog', { name: 'Invite' });
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('stays@example.org');
    await endSession();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('link', { name: 'Sign in' }).waitFor();
    await signInAgain(page, email);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog', { name: 'stays@example.org is invited' }).waitFor();
  });

  test('a form that is left while it is being saved: the answer is awaited, and what is not saved is asked about', async () => {
    const page = await world.open('/app/acme/organization');
    await settled(page);
    await page.clock.install();
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
      // Nobody waits longer than three seconds for an answer.
      if (other === 'never') await page.clock.fastForward(3000);
      await asks.getByRole('button', { name: 'Stay' }).click();
      expect(await name(page).inputValue()).toBe(`An answer that is ${other}`);
      await toHome.click();
      await asks.getByRole('button', { name: 'Leave' }).click();
      await home.waitFor();
    }
    world.complaints.splice(0); // the browser says which request was lost
  });

  test('the language that is chosen in the menu is that of the account, also at the next sign-in elsewhere, and of its faults', async () => {
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
    await other.goto(page.url().replace('/team', '/organization'));
    await settled(other);
    expect(await other.evaluate(() => document.documentElement.lang)).toBe('fr');
    const profile = other.getByRole('region', { name: 'Profil' });
    const named = profile.getByRole('textbox', { name: 'Nom' });
    await named.evaluate((input) => input.removeAttribute('maxlength'));
    await named.fill('x'.repeat(201));
    await profile.getByRole('button', { name: 'Enregistrer' }).click();
    await profile.getByText('200 caractères au plus.').waitFor();
    await named.fill('\u200b');
    await profile.getByRole('button', { name: 'Enregistrer' }).click();
    await profile.getByText('Remplissez ce champ.').waitFor();
  });

  test('Ctrl-K finds events and people, by keyboard; the last answer wins, and what belongs to the open event comes first', async () => {
    const session = await world.t.session('acme', 'owner');
    const post = async (path: string, body: object = {}) => {
      const reply = await world.call(session, 'POST', path, body);
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.body;
    };
    await post('/events', { code: 'zurich', name: 'Fest am Zürichsee' });
    await post('/events/zurich/days', { code: 'sat', date: '2099-06-06' });
    await post('/events/zurich/attendee-types', { code: 'adult', name: 'Adult' });
    await post('/events/zurich/publish');
    await post('/events', { code: 'trade', name: 'Zürcher trade fair' });
    const person = { first_name: 'Zora', last_name: 'Zürcher', email: 'zora@example.org' };
    const { code, attendees } = await post('/events/zurich/registrations', {
      ...{ contact: person, send_emails: false },
      attendees: [{ ...person, attendee_type: 'adult', days: ['sat'] }],
    });
    const page = await world.open('/app/acme', { session });
    await settled(page);
    // The answer to the first text comes last.
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/\/events\?.*search=fe(&|$)/, async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue().catch(() => {});
    });
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Find anything' });
    const field = page.getByRole('combobox', { name: 'Find anything' });
    // The search is loaded when it is first opened; what is typed meanwhile is not lost.
    await page.keyboard.type('fe');
    await field.waitFor();
    expect(await field.inputValue()).toBe('fe');
    await asked.promise;
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('zur');
    const options = page.getByRole('option');
    const event = page.getByRole('option', { name: /Fest am Zürichsee/ });
    const contact = page.getByRole('option', { name: /Zora Zürcher/ });
    await event.waitFor();
    await contact.waitFor();
    released.resolve();
    await settled(page);
    expect(await options.count()).toBe(3);
    while ((await contact.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/app\/acme\/contacts\/[0-9A-Z]{26}$/);
    await settled(page);
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('zurichsee');
    await event.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/acme/events/zurich');

    // Inside of an event, its people come first.
    await page.getByRole('heading', { level: 1, name: 'Fest am Zürichsee' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('zurch');
    await page.getByRole('option', { name: 'Zürcher trade fair' }).waitFor();
    await expect.poll(async () => (await options.allTextContents())[0] ?? '').toContain('Zora Zürcher');
    await expect.poll(() => palette.getByRole('group').first().getAttribute('aria-labelledby')).toMatch(/-attendee$/);
    // By the code of a ticket, and by that of a registration.
    await field.fill(attendees[0].tickets[0].code);
    await page.getByRole('option', { name: 'Zürcher trade fair' }).waitFor({ state: 'detached' });
    await expect.poll(async () => (await options.allTextContents())[0] ?? '').toContain('Zora Zürcher');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/events/zurich/people/${attendees[0].id}`);
    await page.keyboard.press('Control+k');
    await field.fill(code);
    await page.getByRole('option', { name: code }).waitFor();
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

import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appPages } from '../server/src/web/app-pages.ts';
import { openBrowser, requireApps } from './support/apps.ts';
import { hasTool } from './support/tools.ts';

const REQUEST = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
const refusal = (reply: FastifyReply, status: number, code: string) =>
  reply.code(status).send({ error: { code, message: `It is ${code}.`, request_id: REQUEST } });
const organization = (code: string, name: string) => ({
  id: code,
  code,
  name,
  accent: null,
  role: 'owner',
  group: null,
  second_factor_missing: false,
});
const account = {
  id: 'A1',
  email: 'ada@example.org',
  name: 'Ada Lovelace',
  language: 'en',
  organizations: [organization('acme', 'Acme Events'), organization('rhein', 'Rheinische Veranstaltungsgesellschaft')],
  passkeys: [],
  identities: [],
  session: { id: 'S1', method: 'password', second_factor: false, proved_until: '2026-11-16T14:00:00Z' },
};
const membership = {
  member: {
    id: 'M1',
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    role: 'owner',
    permissions: ['tenant.members', 'tenant.settings', 'tenant.groups', 'tenant.api_keys'],
    group: null,
    door_pin: false,
  },
  organization: {
    id: 'acme',
    code: 'acme',
    name: 'Acme Events',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    accent: '#7a1fa2',
    sandbox: false,
  },
  plan: {
    code: 'scale',
    entitlements: [],
    limits: { api_rate_per_min: null, api_calls_monthly: null, attendees_per_event: null },
  },
  usage: { month: '2026-11', calls: 12, allowance: null },
  terminology: { groups: 'chapters' },
};

// The server of these tests gives made-up answers, so that each of them can be what a test needs.
describe.skipIf(!hasTool('chromium'))('the frame of the app', { timeout: 180_000 }, () => {
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the server answers at present. */
  let answer: { account: (reply: FastifyReply) => unknown; membership: (reply: FastifyReply) => unknown };
  let reported: { message: string; screen: string }[];

  beforeAll(async () => {
    await requireApps();
    app = Fastify();
    app.get('/app/api/-/account', (_request, reply) => reply.send(answer.account(reply)));
    app.get('/app/api/:org/membership', (_request, reply) => reply.send(answer.membership(reply)));
    app.post('/app/api/-/client-errors', (request, reply) => {
      reported.push(request.body as (typeof reported)[number]);
      return reply.header('X-Request-Id', REQUEST).code(204).send();
    });
    // Whatever else a screen asks for does not exist here.
    app.all('/app/api/*', (_request, reply) => refusal(reply, 404, 'not_found'));
    appPages(app, { publicUrl: 'http://localhost' });
    url = await app.listen({ port: 0 });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });
  beforeEach(async () => {
    answer = { account: () => account, membership: () => membership };
    reported = [];
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
  });
  afterEach(() => context.close());
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  test('/app leads to the organization that was used last, or to signing in', async () => {
    await page.goto(`${url}/app`);
    await page.waitForURL('**/app/acme');
    // The organization is remembered when its frame is drawn.
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    await page.evaluate(() => localStorage.setItem('turnout.organization', 'rhein'));
    await page.goto(`${url}/app`);
    await page.waitForURL('**/app/rhein');
    answer.account = (reply) => void refusal(reply, 401, 'sign_in_required');
    await page.goto(`${url}/app`);
    await page.waitForURL('**/app/-/sign-in');
  });

  test('the navigation offers what the member may do, in the organization’s own words, and can be skipped', async () => {
    await page.goto(`${url}/app/acme`);
    const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
    await expect.poll(() => links.allInnerTexts()).toEqual(['Home', 'Chapters', 'Team', 'Developers', 'Organization']);
    answer.membership = () => ({ ...membership, member: { ...membership.member, permissions: ['tenant.profile'] } });
    await page.reload();
    await expect.poll(() => links.allInnerTexts()).toEqual(['Home']);

    // The link to the content is the first stop of the keyboard, and leads there.
    // The heading takes the focus when the screen is drawn; from the body, Tab begins at the beginning.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
    });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  test('appearance and language are changed in the menu, and kept', async () => {
    await page.goto(`${url}/app/acme`);
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe('rgb(20, 25, 30)');
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: 'Übersicht' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Übersicht' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(20, 25, 30)');
  });

  test('a language that is chosen in another tab is spoken here too, and what was typed stays', async () => {
    answer.account = (reply) => void refusal(reply, 401, 'sign_in_required');
    await page.goto(`${url}/app/-/sign-in`);
    const other = await context.newPage();
    await other.goto(`${url}/app/-/sign-in`);
    await page.getByLabel('Password', { exact: true }).fill('half of it');
    await other.getByRole('button', { name: 'Français' }).click();
    await page.getByRole('button', { name: 'Se connecter', exact: true }).waitFor();
    expect(await page.getByLabel('Mot de passe', { exact: true }).inputValue()).toBe('half of it');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('fr');
  });

  test('what is in the way is said in words: signed out, not found, refused', async () => {
    answer.membership = (reply) => void refusal(reply, 401, 'sign_in_required');
    await page.goto(`${url}/app/acme/team?q=x`);
    await heading('You’re signed out');
    const link = page.getByRole('link', { name: 'Sign in' });
    expect(await link.getAttribute('href')).toBe('/app/-/sign-in?then=%2Fapp%2Facme%2Fteam%3Fq%3Dx');

    // An organization that one does not belong to, and an address that does not exist.
    answer.membership = (reply) => void refusal(reply, 404, 'not_found');
    await page.goto(`${url}/app/other`);
    await heading('Page not found');
    await page.goto(`${url}/app/-/no-such-screen`);
    await heading('Page not found');

    // A refusal is shown with the id of the request.
    answer.membership = (reply) => void refusal(reply, 403, 'permission_required');
    await page.goto(`${url}/app/acme`);
    await heading('You don’t have access to this page');
    await page.getByText(REQUEST).waitFor();
  });

  test('a server that does not answer: it says so, and trying again works; the page says what it waits for', async () => {
    await page.route('**/membership', (route) => route.abort());
    await page.goto(`${url}/app/acme`);
    await heading('Can’t reach the server');
    await page.unroute('**/membership');
    const answered = Promise.withResolvers<void>();
    await page.route('**/membership', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    // Tests wait until nothing is asked for any more, by this.
    await page.locator('html[data-calls]').waitFor();
    answered.resolve();
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    await page.locator('html:not([data-calls])').waitFor();
  });

  test('an error of a screen: never a blank page, but the id of its line in the log', async () => {
    // An answer that breaks its own schema makes the frame fail.
    answer.membership = () => ({ ...membership, member: { ...membership.member, permissions: null } });
    await page.goto(`${url}/app/acme`);
    await heading('Something went wrong on this page');
    await page.getByText(REQUEST).waitFor();
    expect(reported).toEqual([
      expect.objectContaining({ message: expect.stringContaining('includes'), screen: '/app/acme' }),
    ]);
    answer.membership = () => membership;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();

    // A part of the app that is gone after an update: it offers to load the page again.
    await page.context().route('**/assets/organization-frame-*.js', (route) => route.fulfill({ status: 404 }));
    const other = await context.newPage();
    await other.goto(`${url}/app/acme`);
    await other.getByRole('heading', { level: 1, name: 'Can’t load this page' }).waitFor();
  });
});

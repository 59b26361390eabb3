import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, requireApps } from './support/apps.ts';
import { type Hands, keyboard, mouse } from './support/hands.ts';
import { isNight } from './support/night.ts';
import { Authority, answer, startReceiver } from './support/receivers.ts';
import { cleanUp, freePort, newFolder, serve } from './support/running.ts';
import { hasTool } from './support/tools.ts';
import { noteTraffic } from './support/traffic.ts';
import { call } from './support/turnout.ts';

/** An empty installation as `npm start` leaves it, and a real TLS receiver of webhooks. */
async function install() {
  const port = await freePort();
  const folder = newFolder();
  const authority = await Authority.make();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.pem);
  const receiver = await startReceiver(await authority.issue(['127.0.0.1']));
  receiver.behaviour = answer(200, 'thank you');
  const server = await serve({
    DATA_DIR: folder,
    PORT: String(port),
    SANDBOX: 'off',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    WEBHOOK_CA_FILE: ca,
  });
  return {
    server,
    receiver,
    home: `http://localhost:${port}`,
    printed: /http:\S+\/app\/-\/start#\S+/.exec(server.stdout)![0],
  };
}

/** One person with a browser of their own. Whatever the browser asks for is noted. */
class Person {
  readonly page: Page;
  readonly hands: Hands;
  readonly context: BrowserContext;
  readonly traffic: ReturnType<typeof noteTraffic>;
  readonly errors: string[] = [];

  private constructor(page: Page, context: BrowserContext, hands: Hands, home: string) {
    this.page = page;
    this.context = context;
    this.hands = hands;
    this.traffic = noteTraffic(context, home);
    page.on('pageerror', (error) => this.errors.push(error.message));
  }

  static async open(browser: Browser, handsOf: (page: Page) => Hands, home: string): Promise<Person> {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    // Otherwise the passkey would sign in by itself, as autofill does, before the button is pressed.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Person(page, context, handsOf(page), home);
  }

  /** Inside the dialog that is open, else on the page. */
  get #here(): Locator {
    return this.page.locator('dialog[open], body:not(:has(dialog[open]))').last();
  }
  press = (role: 'button' | 'link' | 'menuitem', name: string | RegExp) =>
    this.hands.press(this.#here.getByRole(role, { name, exact: typeof name === 'string' }));
  fill = (label: string, text: string) => this.hands.fill(this.#here.getByLabel(label, { exact: true }), text);
  choose = (role: 'radio' | 'checkbox', name: string) =>
    this.hands.choose(this.#here.getByRole(role, { name, exact: true }));
  sees = (role: 'heading' | 'alert' | 'status', name: string | RegExp) =>
    role === 'heading'
      ? this.page
          .getByRole('heading', { name, exact: typeof name === 'string' })
          .first()
          .waitFor()
      : this.page.getByRole(role).filter({ hasText: name }).first().waitFor();
  /** What a field with a button to copy it holds, such as a secret that is shown once. */
  copied = async (label: string): Promise<string> =>
    (await this.page
      .locator('.field', { has: this.page.getByText(label, { exact: true }) })
      .locator('code')
      .first()
      .textContent())!;
}

/** By the API: an event that people can register for, and a registration, so that there is something to tell about. */
async function register(home: string, key: string): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const reply = await call(home, 'POST', `/v1${path}`, { key, body });
    expect(reply.status, reply.text).toBeLessThan(300);
  };
  await post('/events', { code: 'fair', name: 'Spring fair', timezone: 'Europe/Berlin' });
  await post('/events/fair/days', { code: 'd1', name: 'Saturday', date: '2031-05-03' });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/publish', {});
  await post('/events/fair/registrations', {
    attendees: [{ attendee_type: 'adult', first_name: 'Pat', last_name: 'Miller', days: ['d1'] }],
    send_emails: false,
  });
}

/** Whoever can do it by keyboard alone can do it by mouse, which other tests use on each of these screens. At night both are walked. */
const HANDS = [['keyboard alone', keyboard] as const, ...(isNight ? [['mouse', mouse] as const] : [])];

describe.skipIf(!hasTool('chromium')).each(HANDS)(
  'from the printed link to a lowered role, by %s',
  (_name, handsOf) => {
    let installed: Awaited<ReturnType<typeof install>>;
    let browser: Browser;
    let owner: Person;
    let developer: Person;
    beforeAll(async () => {
      await requireApps();
      installed = await install();
      browser = await openBrowser();
      owner = await Person.open(browser, handsOf, installed.home);
      developer = await Person.open(browser, handsOf, installed.home);
    });
    afterAll(async () => {
      await browser?.close();
      await installed?.receiver.stop();
      await cleanUp();
    });

    // One story: each step needs the one before.
    test('people get in, work, and are told when they may no longer', { timeout: 240_000 }, async () => {
      const { home, receiver } = installed;

      // The first person makes the organization, gets a passkey, signs out and comes back with it.
      await owner.page.goto(installed.printed);
      await owner.fill('Organization name', 'Harbour Events');
      await owner.fill('Name', 'Ada Lovelace');
      await owner.fill('E-mail', 'ada@example.org');
      await owner.press('button', 'Create organization');
      await owner.press('button', 'Add passkey');
      await owner.sees('heading', 'Home');
      expect(new URL(owner.page.url()).pathname).toBe('/app/harbour-events');
      await owner.press('button', /^Your account: /);
      await owner.press('menuitem', 'Sign out');
      await owner.press('button', 'Sign in with a passkey');
      await owner.sees('heading', 'Home');

      // She invites a developer, who comes by the link in another browser.
      await owner.press('link', 'Team');
      await owner.press('button', 'Invite');
      await owner.fill('E-mail', 'grace@example.org');
      await owner.choose('radio', 'Developer');
      await owner.press('button', 'Invite');
      await owner.sees('heading', 'grace@example.org is invited');
      const invitation = await owner.copied('Invitation link');
      await owner.press('button', 'Close');
      await developer.page.goto(invitation);
      await developer.fill('Name', 'Grace Hopper');
      await developer.fill('Password', 'a ship in port is safe');
      await developer.press('button', 'Join');
      await developer.press('button', 'Not now');
      await developer.sees('heading', 'Home');

      // The developer makes a key and calls the API with it.
      await developer.press('link', 'Developers');
      await developer.press('button', 'Create key');
      await developer.fill('Name', 'CRM');
      for (const scope of ['Read', 'Write', 'Admin']) await developer.choose('checkbox', scope);
      await developer.press('button', 'Create key');
      await developer.sees('heading', 'CRM is ready');
      const key = await developer.copied('Secret');
      expect((await call(home, 'GET', '/v1/me', { key })).body.key).toMatchObject({
        name: 'CRM',
        scopes: ['read', 'write', 'admin'],
      });
      await developer.press('link', 'I have stored it');

      // A webhook: made, something happens, its delivery is seen and replayed, the secret rotated.
      await developer.press('link', 'Webhooks');
      await developer.press('button', 'Create webhook');
      await developer.fill('URL', receiver.url('127.0.0.1'));
      await developer.press('button', 'Create webhook');
      await developer.sees('heading', 'The webhook is ready');
      const secret = await developer.copied('Signing secret');
      await developer.press('link', 'I have stored it');
      await register(home, key);
      await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
      await developer.page.reload();
      await developer.press('link', 'Registration created');
      await developer.sees('heading', 'Registration created');
      const envelope = receiver.received
        .map((one) => JSON.parse(one.body.toString()))
        .find((one) => one.type === 'registration.created');
      await developer.page.getByText(envelope.id).first().waitFor();
      await developer.press('button', 'Replay');
      await expect
        .poll(() => receiver.received.filter((one) => one.body.includes(envelope.id)).length, { timeout: 20_000 })
        .toBe(2);
      await developer.page.getByText('Replay of').waitFor();
      await developer.press('link', 'Deliveries');
      await developer.press('button', /^Actions for /);
      await developer.press('menuitem', 'Rotate secret');
      await developer.press('button', 'Rotate secret');
      await developer.sees('heading', 'Secret rotated');
      expect(await developer.copied('Signing secret')).not.toBe(secret);
      await developer.press('button', 'I have stored it');

      // The owner lowers the role; the developer's next click says so.
      await owner.press('link', 'Home');
      await owner.press('link', 'Team');
      // A list counts as fresh for five seconds, and a mouse may be here within them: then Grace is still only invited.
      await owner.page.reload();
      await owner.press('button', 'Actions for Grace Hopper');
      await owner.press('menuitem', 'Change role or group');
      await owner.choose('radio', 'Viewer');
      await owner.press('button', 'Save');
      await owner.sees('status', /Access of Grace Hopper changed/);
      await developer.press('button', 'Pause');
      await developer.sees('alert', /Your role doesn’t allow this/);
      await expect.poll(() => developer.page.getByRole('link', { name: 'Developers' }).count()).toBe(0);

      // All of it is in the audit log.
      await owner.press('link', 'Developers');
      await owner.press('link', 'Audit log');
      await owner.page.locator('.log-entry').first().waitFor();
      const log = await owner.page.locator('.log-what').allTextContents();
      for (const entry of [
        'Organization: created',
        'Account: passkey added',
        'Account: signed out',
        'Account: signed in',
        'Invitation: created',
        'Key: created',
        'Webhook: created',
        'Delivery: replayed',
        'Webhook: secret rotated',
        'Member: changed',
      ]) {
        expect(log).toContain(entry);
      }

      // The app has used operations only, and nothing of any other host.
      for (const person of [owner, developer]) {
        expect(person.traffic.strange).toEqual([]);
        expect(person.errors).toEqual([]);
      }
      // The check can fail: it has seen what was done.
      const used = new Set([...owner.traffic.used, ...developer.traffic.used]);
      for (const id of [
        'startOrganization',
        'acceptInvitation',
        'createKey',
        'createWebhook',
        'changeMember',
        'listAuditLog',
      ]) {
        expect(used).toContain(id);
      }
    });
  },
);

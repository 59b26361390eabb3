import * as OTPAuth from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AccountWorld, accountWorld, PASSWORD } from '../server/src/areas/accounts/accounts.support.ts';
import { DAY, HOUR, MINUTE } from '../server/src/clock.ts';
import { openBrowser, requireApps } from './support/apps.ts';
import { freePort } from './support/running.ts';
import { hasTool } from './support/tools.ts';

/** The screens around signing in, the account and Home, in a real browser against a real server. */
describe.skipIf(!hasTool('chromium'))('signing in, in the app', { timeout: 120_000 }, () => {
  let browser: Browser;
  let world: AccountWorld;
  let home: string;
  const contexts: BrowserContext[] = [];
  /** What the browser complains about: errors of scripts, and everything that the Content-Security-Policy stops. */
  const complaints: string[] = [];

  async function startWorld(env: Record<string, string> = {}): Promise<{ world: AccountWorld; home: string }> {
    const port = String(await freePort());
    const home = `http://localhost:${port}`;
    return { world: await accountWorld({ env: { PORT: port, PUBLIC_URL: home, ...env } }), home };
  }
  beforeAll(async () => {
    await requireApps();
    browser = await openBrowser();
    ({ world, home } = await startWorld({ SIGNUP: 'open', SANDBOX: 'on' }));
    await world.t.org('acme');
    const { secret } = await world.t.key('acme');
    const at = (ms: number) => new Date(world.t.clock.now().getTime() + ms).toISOString();
    for (const body of [
      { name: 'Lakeside fair', capacity: 200, starts_at: at(-HOUR), ends_at: at(HOUR) },
      { name: 'Spring conference', starts_at: at(40 * DAY), ends_at: at(42 * DAY), timezone: 'Asia/Tokyo' },
    ])
      expect((await world.t.call('POST', '/v1/events', { key: secret, body })).status).toBe(201);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.t.stop();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });

  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}, at = home): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => {
      // A refusal is an answer like any other, but the browser writes it into its console.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(at + path);
    return page;
  }
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));
  async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Sign in');
  }
  async function signedIn(role = 'owner', options: Parameters<Browser['newContext']>[0] = {}) {
    const person = await world.person({ role });
    const page = await open('/app/-/sign-in', options);
    await fillSignIn(page, person.email);
    await heading(page, 'Home');
    return { person, page };
  }
  async function withAuthenticator(page: Page): Promise<void> {
    const devices = await page.context().newCDPSession(page);
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
  }
  const signOut = (page: Page) => page.evaluate(() => fetch('/app/api/-/sign-out', { method: 'POST' }));
  const owner = async () => `turnout_session=${await world.t.session('acme', 'owner')}`;
  async function invite(email: string, role = 'manager'): Promise<{ mailed: string; copied: string }> {
    const body = { email, role };
    const reply = await world.t.call('POST', '/app/api/invitations', { headers: { cookie: await owner() }, body });
    expect(reply.status).toBe(201);
    const mailed = (await world.links(email)).at(-1)!;
    return {
      mailed: `/app/-/invitation#${mailed}`,
      copied: new URL(reply.body.link).pathname + new URL(reply.body.link).hash,
    };
  }

  test('the printed link makes an organization, its owner and a passkey, which signs in the next time', async () => {
    const fresh = await startWorld();
    try {
      const { first } = await fresh.world.t.welcomeLinks();
      const page = await open(first!, { timezoneId: 'America/Lima' }, fresh.home);
      await withAuthenticator(page);
      await heading(page, 'Create your organization');
      await page.getByRole('textbox', { name: 'Organization name' }).fill('Müller & Söhne e. V.');
      const code = page.getByRole('textbox', { name: 'Code' });
      expect(await code.inputValue()).toBe('mueller-soehne-e-v');
      await code.fill('mueller');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace');
      await page.getByRole('textbox', { name: 'E-mail' }).fill('not an address');
      await press(page, 'Create organization');
      await said(page, 'Enter an e-mail such as');
      expect([await focused(page), await code.inputValue()]).toEqual(['email', 'mueller']);
      await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org');
      // Twice, as impatient people do.
      await page.getByRole('button', { name: 'Create organization' }).dblclick();
      await heading(page, 'Sign in without a password next time');
      await press(page, 'Add passkey');
      await heading(page, 'Home');
      await said(page, 'Three steps to your first registration');
      expect(new URL(page.url()).pathname).toBe('/app/mueller');
      const { body } = await page.evaluate(async () => ({
        body: await (await fetch('/app/api/mueller/membership')).json(),
      }));
      expect([body.organization.timezone, body.member.role]).toEqual(['America/Lima', 'owner']);
      await signOut(page);
      await page.goto(`${fresh.home}/app`);
      // The authenticator answers as soon as the field of the e-mail address offers its passkey.
      await heading(page, 'Home');
      await page.goto(`${fresh.home}${first!}`);
      await heading(page, 'This link no longer works');
    } finally {
      await fresh.world.t.stop();
    }
  });

  test('a wrong password says so, too many of them count down, and a link by mail signs in, once', async () => {
    const viewer = await world.person({ role: 'viewer' });
    const page = await open('/app/acme/?x=1');
    await heading(page, 'You’re signed out');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await heading(page, 'Sign in');
    await expect.poll(() => focused(page)).toBe('email');
    await fillSignIn(page, viewer.email, 'not the password');
    await said(page, 'The e-mail or password is wrong.');
    // What was typed is kept, and the focus is where it is corrected.
    await expect.poll(() => focused(page)).toBe('password');
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(viewer.email);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Home');
    expect(new URL(page.url()).pathname.replace(/\/$/, '')).toBe('/app/acme');
    // Home tells which events run and come next, and how full they are.
    const now = page.getByRole('region', { name: 'Happening now' });
    await now.getByRole('heading', { name: 'Lakeside fair' }).waitFor();
    await now.getByText('0 of 200', { exact: true }).waitFor();
    await now.getByText('200 places left').waitFor();
    await page.getByRole('region', { name: 'Coming up' }).getByRole('heading', { name: 'Spring conference' }).waitFor();
    await said(page, 'You’re all caught up');
    await page.goto(`${home}/app/-/sign-in`);
    await heading(page, 'You’re signed in');
    await press(page, 'Continue');
    await heading(page, 'Home');

    const person = await world.person();
    await signOut(page);
    await page.goto(`${home}/app/-/sign-in`);
    await page.getByRole('textbox', { name: 'E-mail' }).fill(person.email);
    const waiting = page.getByRole('main').getByText(/Too many failed attempts\. Try again in \d+/);
    for (let tries = 0; tries < 30 && (await waiting.count()) === 0; tries++) {
      await page.getByLabel('Password', { exact: true }).fill(`wrong ${tries}`);
      const answered = page.waitForResponse('**/sign-in/password');
      await press(page, 'Sign in');
      await answered;
      await page.locator('form:not([aria-busy])').waitFor();
    }
    await waiting.waitFor();
    // The other ways still work.
    await press(page, 'E-mail me a link');
    await heading(page, 'Check your e-mail');
    await said(page, person.email);
    const [token] = await world.links(person.email);
    await page.goto(`${home}/app/-/link#${token}`);
    await heading(page, 'Sign in');
    await page.keyboard.press('Enter');
    await heading(page, 'Home');
    const other = await open(`/app/-/link#${token}`);
    await press(other, 'Sign in');
    await said(other, /used/);
    await other.getByRole('link', { name: 'Get a new link' }).click();
    await other.getByRole('textbox', { name: 'E-mail' }).waitFor();
    // An address is needed for it.
    await other.goto(`${home}/app/-/sign-in`);
    await press(other, 'E-mail me a link');
    await heading(other, 'E-mail me a link');
    await press(other, 'E-mail me a link');
    await said(other, 'Fill this in.');
    await expect.poll(() => focused(other)).toBe('email');
    await other.keyboard.type(viewer.email);
    await other.keyboard.press('Enter');
    await heading(other, 'Check your e-mail');
  });

  test('an authenticator app is set up after signing in again, and its codes and recovery codes are asked for', async () => {
    const { person, page } = await signedIn();
    world.t.clock.advance(11 * MINUTE);
    await page.goto(`${home}/app/-/account?part=sign-in`);
    await heading(page, 'Account');
    await press(page, 'Set up');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    const setUp = page.getByRole('dialog', { name: 'Set up authenticator app' });
    const secret = (await setUp.locator('code').innerText()).replaceAll(/\s/g, '');
    await setUp.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const app = new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret) });
    const code = () => app.generate({ timestamp: world.t.clock.now().getTime() });
    await setUp.getByRole('textbox', { name: 'Code' }).fill(code());
    await setUp.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('dialog', { name: 'Recovery codes' });
    await codes.getByRole('listitem').first().waitFor();
    const saved = await codes.getByRole('listitem').allInnerTexts();
    expect(saved).toHaveLength(10);
    const downloading = page.waitForEvent('download');
    await codes.getByRole('button', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).toBe('turnout-recovery-codes-localhost.txt');
    await codes.getByRole('button', { name: 'I’ve saved the codes' }).click();
    await said(page, 'On. 10 recovery codes are left.');

    world.t.clock.advance(MINUTE);
    const other = await open('/app/-/sign-in');
    await fillSignIn(other, person.email);
    await heading(other, 'Enter your code');
    await expect.poll(() => focused(other)).toBe('code');
    await other.keyboard.type('000000');
    await other.keyboard.press('Enter');
    await said(other, 'This code is wrong');
    await other.getByRole('textbox', { name: 'Code' }).fill(code());
    await press(other, 'Sign in');
    await heading(other, 'Home');
    await signOut(other);
    await other.goto(`${home}/app/-/sign-in`);
    await fillSignIn(other, person.email);
    await press(other, 'Use a recovery code instead');
    await other.getByRole('textbox', { name: 'Recovery code' }).fill(saved[0]!.toLowerCase());
    await press(other, 'Sign in');
    await heading(other, 'Home');
  });

  test('who is invited makes an account, and who has one joins with it', async () => {
    const email = `grace${Date.now()}@example.org`;
    const page = await open((await invite(email)).mailed);
    await heading(page, 'Join acme events');
    await said(page, 'You can run events: people, payments, messages and check-in.');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace Hopper');
    await page.getByLabel('Password').first().fill('short');
    await press(page, 'Join');
    await said(page, 'Enter at least 12 characters.');
    await page.getByLabel('Password').first().fill(PASSWORD);
    await press(page, 'Join');
    await heading(page, 'Sign in without a password next time');
    await press(page, 'Not now');
    await heading(page, 'Home');

    await world.t.org('second').catch(() => {});
    const session = await world.t.session('second', 'owner');
    const headers = { cookie: `turnout_session=${session}` };
    const made = await world.t.call('POST', '/app/api/invitations', { headers, body: { email, role: 'viewer' } });
    const copied = new URL(made.body.link);
    // Signed out: the copied link proves nothing, so one signs in first and comes back.
    const other = await open(copied.pathname + copied.hash);
    await heading(other, 'Join second events');
    await other.getByRole('link', { name: 'Sign in' }).click();
    await heading(other, 'Sign in');
    expect(await other.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(email);
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(other, 'Sign in');
    await heading(other, 'Join second events');
    await press(other, 'Join');
    await heading(other, 'Home');
    expect(new URL(other.url()).pathname).toBe('/app/second');
    // Somebody else is told whose invitation it is.
    const third = await signedIn();
    const next = await invite(`somebody${Date.now()}@example.org`);
    await third.page.goto(home + next.copied);
    await said(third.page, `You’re signed in as ${third.person.email}, but this invitation is for another e-mail.`);
    await press(third.page, 'Sign out and continue');
    await third.page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  });

  test('the account: name, language, password, address, passkeys and sessions', async () => {
    const { person, page } = await signedIn('desk');
    await withAuthenticator(page);
    const elsewhere = await open('/app/-/sign-in', { userAgent: FIREFOX });
    await fillSignIn(elsewhere, person.email);
    await heading(elsewhere, 'Home');
    await page.goto(`${home}/app/-/account`);
    await heading(page, 'Account');

    await page.getByRole('textbox', { name: 'Name' }).fill('Ada King');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await press(page, 'Save');
    await heading(page, 'Konto');
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await press(page, 'Speichern');
    await heading(page, 'Account');
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ada King');

    const section = (name: string) =>
      page.getByRole('navigation', { name: 'Account settings' }).getByRole('link', { name, exact: true }).click();
    await section('Sessions');
    await page.getByText('Firefox on Linux').waitFor();
    await page.getByRole('button', { name: 'Sign out Firefox on Linux' }).click();
    await said(page, 'Browser signed out');
    await elsewhere.reload();
    await heading(elsewhere, 'You’re signed out');

    await section('Sign-in');
    await press(page, 'Add passkey');
    await said(page, 'Passkey added');
    await page.getByRole('button', { name: /^Rename/ }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Ada’s phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await said(page, 'Ada’s phone');

    await press(page, 'Change password');
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByLabel('New password').waitFor();
    await expect.poll(() => focused(page)).toBe('password');
    await dialog.getByLabel('New password').fill('password1234');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This is one of the most common passwords.').first().waitFor();
    await dialog.getByLabel('New password').fill('another long enough one');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Password saved.');

    await section('Door PIN');
    await page.getByRole('button', { name: /^Set PIN/ }).click();
    const pin = page.getByRole('dialog', { name: /^Door PIN/ });
    await pin.getByRole('textbox', { name: 'PIN' }).fill('1234');
    await pin.getByRole('button', { name: 'Save' }).click();
    await pin.getByText('Enter exactly six digits.').waitFor();
    await pin.getByRole('textbox', { name: 'PIN' }).fill('739154');
    await pin.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Door PIN saved');

    await section('Sign-in');
    await press(page, 'Change e-mail');
    const next = `king${Date.now()}@example.org`;
    await page.getByRole('dialog').getByRole('textbox', { name: 'New e-mail' }).fill(next);
    await page.getByRole('dialog').getByRole('button', { name: 'Send link' }).click();
    await said(page, `We sent a link to ${next}.`);
    await page.goto(`${home}/app/-/email#${(await world.links(next))[0]}`);
    await press(page, 'Confirm');
    await heading(page, 'E-mail confirmed');
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await said(page, next);

    // Without the offer in the field, the button asks for the passkey.
    await signOut(page);
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    await page.goto(`${home}/app/-/sign-in`);
    await press(page, 'Sign in with a passkey');
    await heading(page, 'Home');
  });

  test('an organization is signed up by mail where anybody may, and its owner looks into the sandbox', async () => {
    const page = await open('/app/-/sign-in');
    await page.getByRole('link', { name: 'Create an organization' }).click();
    await heading(page, 'Create your organization');
    const email = `new${Date.now()}@example.org`;
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await press(page, 'E-mail me a link');
    await heading(page, 'Check your e-mail');
    const [token] = await world.links(email);
    await page.goto(`${home}/app/-/start#${token}`);
    await page.getByRole('textbox', { name: 'Organization name' }).fill('Signed Up');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
    await press(page, 'Create organization');
    await press(page, 'Not now');
    await heading(page, 'Home');

    const { sandbox } = await world.t.welcomeLinks();
    await page.goto(home + sandbox!);
    // Somebody who is signed in is told that this ends.
    await said(page, 'Entering the sandbox signs you out in this browser.');
    await press(page, 'Enter the sandbox');
    await heading(page, 'Home');
    await said(page, 'This is the sandbox');
    await page.getByRole('heading', { level: 3 }).first().waitFor();
    await page.goto(`${home}/app/-/account`);
    await said(page, 'Everyone shares this account');
    expect(await page.getByRole('button', { name: /password|passkey|Save/i }).count()).toBe(0);
    await page.goto(home + sandbox!);
    await heading(page, 'Explore the sandbox');
  });
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

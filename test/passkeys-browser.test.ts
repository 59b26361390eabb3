import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CLIENT, LocalProvider } from '../server/src/outside/oidc.support.ts';
import { sql } from '../server/src/store/sql.ts';
import { openBrowser } from './support/apps.ts';
import { freePort } from './support/running.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** What the browser does, in a page of the server: the calls of the app around the browser's own interface. */
type Outcome = { status: number; body: { [field: string]: unknown } } | { refused: string };

describe.skipIf(!hasTool('chromium'))('in a real browser', () => {
  let t: TestTurnout;
  let home: string;
  let provider: LocalProvider;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let devices: CDPSession;
  let authenticatorId: string;

  beforeAll(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    // Another site than ours, as a provider is: our cookies reach the callback only because it is a navigation.
    provider = await LocalProvider.start(`${home}/app/-/oidc/callback`, '127.0.0.1');
    const env = { PORT: String(port), PUBLIC_URL: home };
    const oidc = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
    t = await startTest({ env: { ...env, ...oidc } });
    await t.org('acme');
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await t?.stop();
    await provider?.stop();
  });

  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    ({ authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
    await page.goto(`${home}/healthz`);
  });
  afterEach(() => context?.close());

  const signedIn = async () => {
    const value = await t.session('acme', 'manager');
    await context.addCookies([{ name: 'turnout_session', value, url: home }]);
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  const call = (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> =>
    page.evaluate(
      async ([method, path, body]) => {
        const response = await fetch(`/app/api/-${path}`, {
          method: method as string,
          ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        });
        return { status: response.status, body: await response.json().catch(() => null) };
      },
      [method, path, body] as const,
    );
  /** Asks for options, has the browser make or use a passkey, and sends what came out. */
  const passkey = async (what: 'create' | 'get'): Promise<Outcome> => {
    const paths =
      what === 'create'
        ? ['/account/passkeys/options', '/account/passkeys']
        : ['/sign-in/passkey/options', '/sign-in/passkey'];
    const { options } = (await call('POST', paths[0]!)).body;
    const credential = await page.evaluate(
      async ([what, options]) => {
        try {
          const made =
            what === 'create'
              ? await navigator.credentials.create({
                  publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
                })
              : await navigator.credentials.get({
                  publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
                });
          return (made as PublicKeyCredential).toJSON();
        } catch (error) {
          return { refused: (error as Error).name };
        }
      },
      [what, options] as const,
    );
    if ('refused' in credential) return credential;
    return call('POST', paths[1]!, what === 'create' ? { name: 'This laptop', credential } : { credential });
  };

  test('a passkey is made, and signs in without a name', async () => {
    await signedIn();
    expect(await passkey('create')).toMatchObject({ status: 201, body: { name: 'This laptop' } });
    const { id } = (await call('GET', '/account')).body;
    expect((await call('POST', '/sign-out')).status).toBe(204);
    expect((await call('GET', '/account')).status).toBe(401);
    expect(await passkey('get')).toMatchObject({ status: 200, body: { status: 'signed_in', organization: 'acme' } });
    expect((await call('GET', '/account')).body).toMatchObject({
      id,
      session: { method: 'passkey', second_factor: true },
    });
    // The authenticator counts its uses, and each use is newer than the last.
    expect(await passkey('get')).toMatchObject({ status: 200 });
  });

  test('the browser makes no second one for the same account on the same device', async () => {
    await signedIn();
    expect(await passkey('create')).toMatchObject({ status: 201 });
    expect(await passkey('create')).toEqual({ refused: 'InvalidStateError' });
  });

  test('whoever cannot show the device who they are is not signed in', async () => {
    await signedIn();
    await passkey('create');
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    expect(await passkey('get')).toEqual({ refused: 'NotAllowedError' });
  });

  test('a passkey whose counter was set back is refused', async () => {
    await signedIn();
    await passkey('create');
    await passkey('get');
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId });
    const [credential] = credentials;
    expect(credential!.signCount).toBeGreaterThan(0);
    await devices.send('WebAuthn.clearCredentials', { authenticatorId });
    await devices.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 0 } });
    expect(await passkey('get')).toMatchObject({ status: 401, body: { error: { code: 'passkey_not_valid' } } });
  });

  test('a page of another host cannot use our passkeys', async () => {
    await signedIn();
    await passkey('create');
    const { options } = (await call('POST', '/sign-in/passkey/options')).body;
    await page.goto(`${home.replace('localhost', '127.0.0.1')}/healthz`);
    const refused = await page.evaluate(
      (json) =>
        navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) }).then(
          () => 'used',
          (error: Error) => error.name,
        ),
      options,
    );
    expect(refused).toBe('SecurityError');
  });

  test('single sign-on leads to a provider on another site and back, signed in', async () => {
    await signedIn();
    const { id, email } = (await call('GET', '/account')).body;
    await t.system((tx) => tx.run(sql`update accounts set email_proved_at = now() where email = ${email}`));
    await call('POST', '/sign-out');
    provider.who = { sub: 'somebody', email, email_verified: true };
    // The screen that it ends at is not there in this test, but the address is.
    await page.goto(`${home}/app/-/oidc/start?then=/app/acme/team`);
    expect(page.url()).toBe(`${home}/app/acme/team`);
    await page.goto(`${home}/healthz`);
    expect((await call('GET', '/account')).body).toMatchObject({ id, session: { method: 'oidc' } });
  });
});

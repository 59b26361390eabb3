import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT, LocalProvider } from '../server/src/outside/oidc.support.ts';
import { sql } from '../server/src/store/sql.ts';
import { openBrowser, requireApps } from './support/apps.ts';
import { freePort } from './support/running.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

describe.skipIf(!hasTool('chromium'))('single sign-on, in a browser', { timeout: 120_000 }, () => {
  let t: TestTurnout;
  let provider: LocalProvider;
  let browser: Browser;
  let home: string;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    await requireApps();
    const port = String(await freePort());
    home = `http://localhost:${port}`;
    provider = await LocalProvider.start(`${home}/app/-/oidc/callback`);
    t = await startTest({
      env: {
        PORT: port,
        PUBLIC_URL: home,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        OIDC_NAME: 'Acme login',
      },
    });
    await t.org('acme');
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await t?.stop();
    await provider?.stop();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  const open = async (path: string): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(home + path);
    return page;
  };
  let serial = 0;
  const somebody = (email = `sso${++serial}@example.org`) => ({
    sub: `sub-${email}`,
    email,
    email_verified: true,
    name: 'Sam Singh',
  });
  const invite = async (email: string): Promise<{ id: string; path: string; withdraw: () => Promise<unknown> }> => {
    const headers = { cookie: `turnout_session=${await t.session('acme', 'owner')}` };
    const { body } = await t.call('POST', '/app/api/invitations', { headers, body: { email, role: 'manager' } });
    const link = new URL(body.link);
    const withdraw = () => t.call('DELETE', `/app/api/invitations/${body.id}`, { headers });
    return { id: body.id, path: link.pathname + link.hash, withdraw };
  };
  const known = (email: string) =>
    t.system((tx) =>
      tx.one<{ accounts: number; members: number }>(sql`
        select count(distinct a.id)::int as accounts, count(m.id)::int as members
        from accounts a left join members m on m.account_id = a.id where a.email = ${email}`),
    );

  test('whoever is invited and has no account joins with it', async () => {
    const person = somebody();
    provider.who = person;
    const page = await open((await invite(person.email)).path);
    await page.getByRole('button', { name: /Acme login/ }).click();
    await page.getByText('You’re signed in with this e-mail, so one click is enough.').waitFor();
    // The provider vouches for the address, but joining is a step of its own.
    expect(await known(person.email)).toEqual({ accounts: 1, members: 0 });
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/acme');
    expect(await known(person.email)).toEqual({ accounts: 1, members: 1 });
    const role = await t.system((tx) =>
      tx.one<{ role: string }>(sql`
        select m.role from members m join accounts a on a.id = m.account_id where a.email = ${person.email}`),
    );
    expect(role.role).toBe('manager');
    // From now on the button on the sign-in screen is enough.
    const again = await open('/app/-/sign-in');
    await again
      .getByRole('link', { name: /Acme login/ })
      .or(again.getByRole('button', { name: /Acme login/ }))
      .click();
    await again.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('without an open invitation nobody gets an account or becomes a member', async () => {
    const stranger = somebody();
    provider.who = stranger;
    const page = await open('/app/-/sign-in');
    await page
      .getByRole('link', { name: /Acme login/ })
      .or(page.getByRole('button', { name: /Acme login/ }))
      .click();
    await page.getByText('There’s no account here with your e-mail.').waitFor();
    expect(await known(stranger.email)).toEqual({ accounts: 0, members: 0 });

    // It is withdrawn while the person is at the provider.
    const late = somebody();
    provider.who = late;
    const invitation = await invite(late.email);
    const other = await open(invitation.path);
    await other.getByRole('button', { name: /Acme login/ }).waitFor();
    await invitation.withdraw();
    await other.getByRole('button', { name: /Acme login/ }).click();
    await other.getByText('There’s no account here with your e-mail.').waitFor();
    expect(await known(late.email)).toEqual({ accounts: 0, members: 0 });

    // It is withdrawn between signing in and joining: the account stays, without any organization.
    const later = somebody();
    provider.who = later;
    const second = await invite(later.email);
    const third = await open(second.path);
    await third.getByRole('button', { name: /Acme login/ }).click();
    await third.getByText('You’re signed in with this e-mail, so one click is enough.').waitFor();
    await second.withdraw();
    await third.getByRole('button', { name: 'Join', exact: true }).click();
    await third.getByRole('alert').waitFor();
    expect(await known(later.email)).toEqual({ accounts: 1, members: 0 });
  });
});

import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../test/support/running.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { newId } from '../../common/ids.ts';
import { CLIENT, LocalProvider, type Person, type Tampering, Wanderer } from '../../outside/oidc.support.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { addMember } from '../access/index.ts';
import { lockAccount } from './accounts.ts';
import { returnPath } from './oidc-return.ts';
import { hashToken, newToken } from './tokens.ts';

let t: TestTurnout;
let provider: LocalProvider;
let home: string;
let acme: string;
const logged: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  home = `http://localhost:${port}`;
  provider = await LocalProvider.start(`${home}/app/-/oidc/callback`);
  const stream = new Writable({
    write: (line, _encoding, done) => {
      logged.push(String(line));
      done();
    },
  });
  const env = {
    PORT: String(port),
    PUBLIC_URL: home,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Acme',
  };
  t = await startTest({ env, log: pino({ level: 'info' }, stream) });
  acme = await t.org('acme');
});
afterAll(async () => {
  await t?.stop();
  await provider?.stop();
});
afterEach(() => {
  provider.tampering = null;
});

let serial = 0;
const somebody = (more: Partial<Person> = {}): Person => {
  serial += 1;
  return {
    sub: `subject-${serial}`,
    email: `p${serial}@example.org`,
    email_verified: true,
    name: `P ${serial}`,
    ...more,
  };
};

/** Makes the account of an address, a member of acme. */
const member = (email: string, { proved = true } = {}) =>
  t.system(async (tx) => {
    const { account } = await addMember(tx, acme, { email, role: 'viewer' });
    if (proved) await tx.run(sql`update accounts set email_proved_at = ${tx.clock.now()} where id = ${account}`);
    return account;
  });

/** Whether the browser has left the provider and our own redirects behind. */
const isScreen = (url: string) => url.startsWith(`${home}/app`) && !url.startsWith(`${home}/app/-/oidc/`);
const isCallback = (url: string) => url.startsWith(`${home}/app/-/oidc/callback`);
const pathOf = (url: string) => url.slice(home.length);

async function signIn(who: Person | null, browser = new Wanderer(), query = ''): Promise<string> {
  provider.who = who;
  return pathOf(await browser.follow(`${home}/app/-/oidc/start${query}`, isScreen));
}
/** Goes as far as the provider's redirect back to us, which is not opened yet. */
async function comeBack(who: Person, browser: Wanderer): Promise<string> {
  provider.who = who;
  return browser.follow(`${home}/app/-/oidc/start`, isCallback);
}
const cookieOf = (browser: Wanderer) =>
  [...(browser.cookies.get(home) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
const accountIn = async (browser: Wanderer) =>
  t.call('GET', '/app/api/-/account', { headers: { cookie: cookieOf(browser) } });
const identities = (sub: string) =>
  t.system((tx) =>
    tx.all<{ account_id: string }>(sql`select account_id from account_identities where subject = ${sub}`),
  );
const accounts = (email: string) =>
  t.system((tx) =>
    tx.all<{ id: string; email_proved_at: string | null; name: string; members: number }>(sql`
      select a.id, a.email_proved_at, a.name, (select count(*)::int from members m where m.account_id = a.id) as members
      from accounts a where lower(a.email) = lower(${email})`),
  );
const audited = (account: string) =>
  t.system(async (tx) =>
    (
      await tx.all<{ action: string }>(sql`
        select l.action from audit_log l join members m on m.id = l.object_id where m.account_id = ${account} order by l.id`)
    ).map((row) => row.action),
  );
const failed = (code: string) => `/app/-/sign-in?error=${code}`;

describe('an account that is there', () => {
  test('is linked by its proved address the first time, and known by issuer and subject from then on', async () => {
    const person = somebody();
    const account = await member(person.email!.toUpperCase());
    const browser = new Wanderer();
    expect(await signIn(person, browser)).toBe('/app');
    const own = (await accountIn(browser)).body;
    expect(own).toMatchObject({
      email: person.email!.toUpperCase(),
      session: { method: 'oidc', second_factor: true },
      identities: [{ issuer: provider.issuer }],
      organizations: [{ code: 'acme' }],
    });
    expect(await audited(account)).toEqual(['account.identity_linked', 'account.signed_in']);

    const moved = { ...person, email: 'another@example.org', email_verified: false };
    const again = new Wanderer();
    expect(await signIn(moved, again)).toBe('/app');
    expect((await accountIn(again)).body.id).toBe(own.id);
    expect(await identities(person.sub)).toHaveLength(1);
    expect(await audited(account)).toEqual(['account.identity_linked', 'account.signed_in', 'account.signed_in']);
  });

  test('is not asked for the code of an authenticator app', async () => {
    const person = somebody();
    const account = await member(person.email!);
    await t.system((tx) => tx.run(sql`update accounts set totp_secret = ${randomBytes(40)} where id = ${account}`));
    const browser = new Wanderer();
    expect(await signIn(person, browser)).toBe('/app');
    expect((await accountIn(browser)).status).toBe(200);
  });

  test('gets into an organization that requires a second factor', async () => {
    const person = somebody();
    const strict = await t.org(`strict${serial}`);
    await t.system(async (tx) => {
      await tx.run(sql`update organizations set require_second_factor = true where id = ${strict}`);
      const { account } = await addMember(tx, strict, { email: person.email!, role: 'viewer' });
      await tx.run(sql`update accounts set email_proved_at = ${tx.clock.now()} where id = ${account}`);
    });
    const browser = new Wanderer();
    await signIn(person, browser);
    const [organization] = (await accountIn(browser)).body.organizations;
    expect(organization).toMatchObject({ second_factor_missing: false });
  });

  test('is not linked if its address was never proved', async () => {
    const person = somebody();
    await member(person.email!, { proved: false });
    expect(await signIn(person)).toBe(failed('oidc_address_not_proved'));
    expect(await identities(person.sub)).toEqual([]);
  });

  test.each<[string, Partial<Person>]>([
    ['says that the address was not verified', { email_verified: false }],
    ['does not say whether the address was verified', { email_verified: 'perhaps' }],
  ])('is not linked if the provider %s', async (_name, more) => {
    const person = somebody(more);
    await member(person.email!);
    expect(await signIn(person)).toBe(failed('oidc_email_not_verified'));
    expect(await identities(person.sub)).toEqual([]);
  });

  test('a provider that tells no address links nothing', async () => {
    const { email: _, ...person } = somebody();
    expect(await signIn(person)).toBe(failed('oidc_email_not_verified'));
  });

  test('the sandbox’s account is never linked', async () => {
    const person = somebody();
    const account = await member(person.email!);
    await t.system((tx) => tx.run(sql`update accounts set sandbox = true where id = ${account}`));
    expect(await signIn(person)).toBe(failed('oidc_no_account'));
    expect(await identities(person.sub)).toEqual([]);
  });

  test('a session that the browser had before ends, and the step’s cookie goes', async () => {
    const person = somebody();
    await member(person.email!);
    const before = await t.session('acme', 'viewer');
    const browser = new Wanderer();
    browser.keep(home, [`turnout_session=${before}`]);
    await signIn(person, browser);
    expect(cookieOf(browser)).not.toContain(before);
    expect(cookieOf(browser)).not.toContain('turnout_step');
    const old = await t.call('GET', '/app/api/-/account', { headers: { cookie: `turnout_session=${before}` } });
    expect(old.status).toBe(401);
  });
});

test('somebody without an account does not get one', async () => {
  const person = somebody();
  expect(await signIn(person)).toBe(failed('oidc_no_account'));
  expect(await accounts(person.email!)).toEqual([]);
});

describe('an invitation', () => {
  /** Invites an address; returns the two tokens. */
  const invite = (email: string, more: Record<string, unknown> = {}) =>
    t.system(async (tx) => {
      const now = tx.clock.now();
      const tokens = { mailed: newToken(), copied: newToken() };
      await insertRow(tx, 'invitations', {
        org_id: acme,
        id: newId(now),
        email,
        role: 'viewer',
        mailed_hash: hashToken(tokens.mailed),
        copied_hash: hashToken(tokens.copied),
        created_at: now,
        updated_at: now,
        expires_at: new Date(now.getTime() + 72 * HOUR),
        ...more,
      });
      return tokens;
    });
  /** Presses the button on the invitation's screen. */
  async function open(token: string, browser: Wanderer): Promise<string> {
    const reply = await t.call('POST', '/app/api/-/sign-in/oidc', { body: { token } });
    expect(reply.status).toBe(200);
    expect(reply.body.location).not.toContain(token);
    browser.keep(home, reply.headers.getSetCookie());
    return reply.body.location;
  }
  async function accept(who: Person, token: string, browser = new Wanderer()): Promise<string> {
    provider.who = who;
    return pathOf(await browser.follow(await open(token, browser), isScreen));
  }

  test.each(['mailed', 'copied'] as const)(
    'gives the invited address an account, by the %s link, which is not a member yet',
    async (link) => {
      const person = somebody();
      const token = (await invite(person.email!))[link];
      const browser = new Wanderer();
      expect(await accept(person, token, browser)).toBe(`/app/-/invitation#${token}`);
      expect(await accounts(person.email!)).toEqual([
        { id: expect.any(String), email_proved_at: expect.any(String), name: person.name, members: 0 },
      ]);
      expect((await accountIn(browser)).body).toMatchObject({ email: person.email, organizations: [] });
    },
  );

  test('is accepted by whoever came back from the provider, and only while it is open', async () => {
    const join = (token: string, browser: Wanderer) =>
      t.call('POST', '/app/api/-/invitations/accept', { body: { token }, headers: { cookie: cookieOf(browser) } });
    const person = somebody();
    const { copied } = await invite(person.email!);
    const browser = new Wanderer();
    await accept(person, copied, browser);
    expect((await join(copied, browser)).body).toMatchObject({ status: 'signed_in', organization: 'acme' });
    expect((await accountIn(browser)).body.organizations).toMatchObject([{ code: 'acme', role: 'viewer' }]);
    expect((await accounts(person.email!)).map(({ members }) => members)).toEqual([1]);

    const late = somebody();
    const withdrawn = (await invite(late.email!)).mailed;
    const other = new Wanderer();
    await accept(late, withdrawn, other);
    await t.system((tx) =>
      tx.run(sql`update invitations set withdrawn_at = ${tx.clock.now()} where email = ${late.email}`),
    );
    expect((await join(withdrawn, other)).status).toBe(404);
    // Somebody else’s open invitation is not theirs.
    const foreign = (await invite('foreign@example.org')).mailed;
    expect((await join(foreign, other)).status).toBe(409);
    expect((await accounts(late.email!)).map(({ members }) => members)).toEqual([0]);
  });

  test('leads an account that is there back to the invitation', async () => {
    const person = somebody();
    await t.org(`other${serial}`);
    await member(person.email!);
    await t.system((tx) =>
      tx.run(sql`delete from members where account_id = (select id from accounts where email = ${person.email})`),
    );
    const { copied } = await invite(person.email!);
    expect(await accept(person, copied)).toBe(`/app/-/invitation#${copied}`);
  });

  test('of another address gives nothing', async () => {
    const person = somebody();
    const { mailed } = await invite('invited@example.org');
    expect(await accept(person, mailed)).toBe(failed('oidc_other_address'));
    expect(await accounts(person.email!)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['accepted', { accepted_at: new Date() }],
    ['withdrawn', { withdrawn_at: new Date() }],
    ['expired', { expires_at: new Date(Date.now() - 1000) }],
  ])('that was %s gives nothing', async (_name, more) => {
    const person = somebody();
    const { mailed } = await invite(person.email!, more);
    expect(await accept(person, mailed)).toBe(failed('oidc_no_account'));
    expect(await accounts(person.email!)).toEqual([]);
  });

  test('whose address the provider does not vouch for gives nothing', async () => {
    const person = somebody({ email_verified: false });
    const { mailed } = await invite(person.email!);
    expect(await accept(person, mailed)).toBe(failed('oidc_email_not_verified'));
    expect(await accounts(person.email!)).toEqual([]);
  });

  test('opened in eight browsers at once gives one account', async () => {
    const person = somebody();
    const { mailed } = await invite(person.email!);
    provider.who = person;
    const browsers = Array.from({ length: 8 }, () => new Wanderer());
    const callbacks: string[] = [];
    for (const browser of browsers) callbacks.push(await browser.follow(await open(mailed, browser), isCallback));
    const ends = await Promise.all(browsers.map((browser, i) => browser.get(callbacks[i]!)));
    expect(ends.map((end) => pathOf(end.location!))).toEqual(Array(8).fill(`/app/-/invitation#${mailed}`));
    expect(await accounts(person.email!)).toHaveLength(1);
    expect(await identities(person.sub)).toHaveLength(1);
  });

  test('a strange name of the provider is not taken over', async () => {
    for (const name of ['\u200b\u200b', 'x'.repeat(201), 'a\0b', '   ']) {
      const person = somebody({ name });
      const { mailed } = await invite(person.email!);
      expect(await accept(person, mailed)).toBe(`/app/-/invitation#${mailed}`);
      expect((await accounts(person.email!))[0]!.name).toBe(person.email!.split('@')[0]);
    }
  });
});

describe('coming back', () => {
  test('in another browser signs nobody in', async () => {
    const person = somebody();
    await member(person.email!);
    const [own, other] = [new Wanderer(), new Wanderer()];
    const callback = await comeBack(person, own);
    expect(pathOf((await other.get(callback)).location!)).toBe(failed('oidc_step_over'));
    expect(cookieOf(other)).not.toContain('turnout_session');
    // A browser that has begun a sign-in of its own has another state.
    await comeBack(person, other);
    expect(pathOf((await other.get(callback)).location!)).toBe(failed('oidc_failed'));
    expect(cookieOf(other)).not.toContain('turnout_session');
    expect(pathOf((await own.get(callback)).location!)).toBe('/app');
  });

  test('works once, also if it comes eight times at once', async () => {
    const person = somebody();
    await member(person.email!);
    const browser = new Wanderer();
    const callback = await comeBack(person, browser);
    const cookie = cookieOf(browser);
    const tabs = Array.from({ length: 8 }, () => {
      const tab = new Wanderer();
      tab.keep(home, cookie.split('; '));
      return tab;
    });
    // All of them have come before the first one takes the step.
    let coming: ReturnType<Wanderer['get']>[] = [];
    await t.system(async (tx) => {
      const token = browser.cookies.get(home)!.get('turnout_step')!;
      await tx.one(sql`select 1 from sign_in_steps where hash = ${hashToken(token)} for update`);
      coming = tabs.map((tab) => tab.get(callback));
      await untilWaitingForLock(t.database, 8);
    });
    const ends = await Promise.all(coming);
    expect(ends.map((end) => pathOf(end.location!)).sort()).toEqual(
      [...Array(7).fill(failed('oidc_step_over')), '/app'].sort(),
    );
    expect(pathOf((await tabs[0]!.get(callback)).location!)).toBe(failed('oidc_step_over'));
  });

  test('after more than ten minutes is too late', async () => {
    const person = somebody();
    await member(person.email!);
    const browser = new Wanderer();
    const callback = await comeBack(person, browser);
    t.clock.advance(10 * MINUTE + 1000);
    expect(pathOf((await browser.get(callback)).location!)).toBe(failed('oidc_step_over'));
  });

  test('with another state or code, or none, signs nobody in', async () => {
    const person = somebody();
    await member(person.email!);
    for (const change of [
      (url: URL) => url.searchParams.set('state', 'x'.repeat(43)),
      (url: URL) => url.searchParams.delete('state'),
      (url: URL) => url.searchParams.append('state', 'twice'),
      (url: URL) => url.searchParams.set('code', 'made-up'),
      (url: URL) => url.searchParams.delete('code'),
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    ]) {
      const browser = new Wanderer();
      const callback = new URL(await comeBack(person, browser));
      change(callback);
      expect(pathOf((await browser.get(callback.href)).location!)).toBe(failed('oidc_failed'));
      expect(cookieOf(browser)).not.toContain('turnout_session');
    }
    expect(pathOf((await new Wanderer().get(`${home}/app/-/oidc/callback`)).location!)).toBe(failed('oidc_step_over'));
  });

  test('after cancelling at the provider', async () => {
    expect(await signIn(null)).toBe(failed('oidc_cancelled'));
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, Tampering, RegExp]>([
    ['another issuer', { claims: (honest) => ({ ...honest, iss: 'https://evil.example' }) }, /\(iss\)/],
    ['another nonce', { claims: (honest) => ({ ...honest, nonce: 'x' }) }, /\(nonce\)/],
    ['another audience', { claims: (honest) => ({ ...honest, aud: 'x' }) }, /\(aud\)/],
    ['an expired token', { claims: (honest) => ({ ...honest, exp: now() - 3600 }) }, /\(exp\)/],
    ['a foreign signature', { foreignKey: true }, /signature/],
  ])('with %s signs nobody in, and the log says why', async (_name, tampering, why) => {
    const person = somebody();
    await member(person.email!);
    provider.tampering = tampering;
    const browser = new Wanderer();
    expect(await signIn(person, browser)).toBe(failed('oidc_failed'));
    expect(cookieOf(browser)).not.toContain('turnout_session');
    expect(logged.slice(-5).join('\n')).toMatch(why);
  });

  test('in two browsers at once links one identity, and both are signed in to the same account', async () => {
    const person = somebody();
    const account = await member(person.email!);
    const browsers = Array.from({ length: 8 }, () => new Wanderer());
    const callbacks: string[] = [];
    for (const browser of browsers) callbacks.push(await comeBack(person, browser));
    // None of them has found the identity, and all wait for the account that they are going to link.
    let coming: ReturnType<Wanderer['get']>[] = [];
    await t.system(async (tx) => {
      await lockAccount(tx, account);
      coming = browsers.map((browser, i) => browser.get(callbacks[i]!));
      await untilWaitingForLock(t.database, 8);
    });
    const ends = await Promise.all(coming);
    expect(ends.map((end) => pathOf(end.location!))).toEqual(Array(8).fill('/app'));
    expect(await identities(person.sub)).toEqual([{ account_id: account }]);
    expect((await audited(account)).filter((action) => action === 'account.identity_linked')).toHaveLength(1);
  });
});

describe('where it goes afterwards', () => {
  test('to the screen that one came from', async () => {
    const person = somebody();
    await member(person.email!);
    const then = encodeURIComponent('/app/acme/team?role=owner');
    expect(await signIn(person, new Wanderer(), `?then=${then}`)).toBe('/app/acme/team?role=owner');
  });

  test.each([
    'https://evil.example/app/',
    '//evil.example/app/x',
    '/\\evil.example/app/',
    '/app/../evil',
    '/app/..//evil.example',
    '/app\\..\\..\\x',
    '/app/x\r\nSet-Cookie: a=b',
    '/application',
    '/app/api/acme/me',
    '/app/-/oidc/callback?code=x',
    `/app/${'x'.repeat(500)}`,
    'javascript:alert(1)',
    '',
    ['/app/a', '/app/b'],
    undefined,
  ])('never to %j', (then) => expect(returnPath(then)).toBe('/app'));
  test.each([
    ['/app/acme', '/app/acme'],
    ['/app/acme/team?role=owner#x', '/app/acme/team?role=owner'],
    ['/app/-/account', '/app/-/account'],
    ['/app/a/../b', '/app/b'],
  ])('%s', (then, path) => expect(returnPath(then)).toBe(path));
});

test('the cookies are bound to this site, and neither the answer nor its address is kept anywhere', async () => {
  const response = await fetch(`${home}/app/-/oidc/start`, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^turnout_step=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

test('what is remembered meanwhile is not readable in the database', async () => {
  const browser = new Wanderer();
  const { location } = await browser.get(`${home}/app/-/oidc/start`);
  const { searchParams } = new URL(location!);
  const rows = await t.system((tx) =>
    tx.all<{ data: Buffer }>(sql`select data from sign_in_steps where kind = 'oidc'`),
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { data } of rows) {
    expect(data.toString('latin1')).not.toContain(searchParams.get('state'));
    expect(data.toString('latin1')).not.toContain(searchParams.get('nonce'));
  }
});

test('the log has no code, state or token of a sign-in', async () => {
  const person = somebody();
  await member(person.email!);
  const browser = new Wanderer();
  const callback = new URL(await comeBack(person, browser));
  await browser.get(callback.href);
  const text = logged.join('\n');
  expect(text).not.toContain(callback.searchParams.get('code'));
  expect(text).not.toContain(callback.searchParams.get('state'));
  expect(text).not.toContain(CLIENT.secret);
});

test('the sign-in screen learns what the button says', async () => {
  expect((await t.call('GET', '/app/api/-/sign-in')).body.oidc).toEqual({ name: 'Acme' });
});

describe('without a provider that answers', () => {
  const startWith = (env: Record<string, string>) => startTest({ env });

  test('Turnout starts, and the sign-in screen says it', async () => {
    const away = `http://localhost:${await freePort()}`;
    const other = await startWith({ OIDC_ISSUER: away, OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' });
    try {
      const started = await fetch(`${other.url}/app/-/oidc/start`, { redirect: 'manual' });
      expect([started.status, started.headers.get('location')]).toEqual([303, failed('oidc_unavailable')]);
      const token = newToken();
      const reply = await other.call('POST', '/app/api/-/sign-in/oidc', { body: { token } });
      expect([reply.status, reply.body.error.code]).toEqual([503, 'oidc_unavailable']);
      expect((await other.call('GET', '/app/api/-/sign-in')).body.oidc).toEqual({ name: new URL(away).host });
    } finally {
      await other.stop();
    }
  });

  test('an installation that has none says so too', async () => {
    const other = await startWith({});
    try {
      for (const page of ['start', 'callback']) {
        const reply = await fetch(`${other.url}/app/-/oidc/${page}`, { redirect: 'manual' });
        expect(reply.headers.get('location')).toBe(failed('oidc_unavailable'));
      }
      expect((await other.call('GET', '/app/api/-/sign-in')).body.oidc).toBeNull();
    } finally {
      await other.stop();
    }
  });
});

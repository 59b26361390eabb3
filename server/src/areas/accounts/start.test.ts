import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { type AccountWorld, accountWorld, code, expectSignedIn, newEmail, PASSWORD } from './accounts.support.ts';

const tokenIn = (link: string | null) => link?.split('#')[1] ?? 'no link was made';
let serial = 0;
const wanted = (token: string, more: object = {}) => ({
  token,
  organization: { code: `org${++serial}`, name: 'Acme Events', timezone: 'Europe/Berlin' },
  name: 'Ada Lovelace',
  email: newEmail(),
  password: PASSWORD,
  ...more,
});

describe('the link of the first person', () => {
  let w: AccountWorld;
  beforeAll(async () => {
    w = await accountWorld({ env: { SANDBOX: 'on' } });
  });
  afterAll(() => w.t.stop());

  test('is replaced by a new start, and looking at it changes nothing', async () => {
    const older = tokenIn((await w.t.welcomeLinks()).first);
    const { first } = await w.t.welcomeLinks();
    expect(first).toMatch(/^\/app\/-\/start#[\w-]{43}$/);
    const look = (token: string) => w.browser().post('/start/look', { token });
    expect(code(await look(older))).toEqual([404, 'link_not_valid']);
    for (let i = 0; i < 2; i += 1) expect((await look(tokenIn(first))).body).toEqual({ first: true, email: null });
  });

  test('a faulty body names every fault and leaves the link as it was', async () => {
    const token = tokenIn((await w.t.welcomeLinks()).first);
    const browser = w.browser();
    const faulty = await browser.post('/start', {
      token,
      organization: { code: '-', name: ' ' },
      name: '',
      email: 'x',
    });
    expect(faulty.body.error.details.map((one: { path: string }) => one.path).sort()).toEqual([
      'email',
      'name',
      'organization/code',
      'organization/name',
      'organization/timezone',
    ]);
    const weak = await browser.post('/start', wanted(token, { password: 'password1234' }));
    expect(weak.body.error.details[0].path).toBe('password');
    const taken = await browser.post('/start', {
      ...wanted(token),
      organization: { code: 'Sandbox', name: 'Mine', timezone: 'Europe/Berlin' },
    });
    expect(code(taken)).toEqual([409, 'code_taken']);
    expect((await browser.post('/start/look', { token })).status).toBe(200);
  });

  test('of two people with one link, exactly one gets an organization; the other leaves nothing behind, and the owner works in it', async () => {
    // From here on nobody is the first person, so this test has a world of its own.
    const own = await accountWorld({ env: { SANDBOX: 'on' } });
    try {
      const token = tokenIn((await own.t.welcomeLinks()).first);
      const tries = Array.from({ length: 4 }, () => wanted(token));
      const replies = await Promise.all(tries.map((one) => own.browser().post('/start', one)));
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404, 404, 404]);
      const left = await own.t.system((tx) =>
        tx.one(sql`
          select (select count(*)::int from organizations where not sandbox) as organizations,
            (select count(*)::int from accounts where not sandbox) as accounts,
            (select count(*)::int from account_sessions) as sessions`),
      );
      expect(left).toEqual({ organizations: 1, accounts: 1, sessions: 1 });
      const won = replies.findIndex((reply) => reply.status === 200);
      expect(replies[won]!.body).toEqual({
        status: 'signed_in',
        organization: tries[won]!.organization.code,
        cleared: false,
      });
      const row = await own.t.system((tx) =>
        tx.one(sql`
          select o.plan, m.role, a.email_proved_at from organizations o join members m on m.org_id = o.id
          join accounts a on a.id = m.account_id where not o.sandbox`),
      );
      expect(row).toEqual({ plan: 'scale', role: 'owner', email_proved_at: null });
      expect((await own.t.welcomeLinks()).first).toBeNull();
      const browser = own.browser();
      expectSignedIn(await browser.signIn(tries[won]!.email));
      const answer = await fetch(`${own.t.url}/app/api/${tries[won]!.organization.code}/me`, {
        headers: { cookie: browser.header() },
      });
      expect(answer.status).toBe(200);
    } finally {
      await own.t.stop();
    }
  });

  test('is over as soon as the command line has made an organization', async () => {
    const own = await accountWorld();
    try {
      const token = tokenIn((await own.t.welcomeLinks()).first);
      await own.t.org('acme');
      expect(code(await own.browser().post('/start/look', { token }))).toEqual([404, 'link_not_valid']);
      expect(code(await own.browser().post('/start', wanted(token)))).toEqual([404, 'link_not_valid']);
      expect((await own.t.welcomeLinks()).sandbox).toBeNull();
    } finally {
      await own.t.stop();
    }
  });
});

describe('signing up', () => {
  let w: AccountWorld;
  let invited: AccountWorld;
  beforeAll(async () => {
    [w, invited] = await Promise.all([accountWorld({ env: { SIGNUP: 'open' } }), accountWorld()]);
    await w.t.org('acme');
  });
  afterAll(() => Promise.all([w.t.stop(), invited.t.stop()]));

  async function mailed(email = newEmail()): Promise<{ email: string; token: string }> {
    expect((await w.browser().post('/sign-up', { email })).status).toBe(202);
    return { email, token: (await w.links(email)).at(-1)! };
  }

  test('is refused unless the operator has opened it', async () => {
    expect((await invited.browser().get('/sign-in')).body).toEqual({
      oidc: null,
      signup: 'invited',
      sandbox: expect.any(Boolean),
    });
    expect(code(await invited.browser().post('/sign-up', { email: newEmail() }))).toEqual([403, 'signup_closed']);
    expect((await w.browser().get('/sign-in')).body).toEqual({
      oidc: null,
      signup: 'open',
      sandbox: expect.any(Boolean),
    });
  });

  test('makes an organization on the smallest plan, and an account whose address is proved', async () => {
    const { email, token } = await mailed();
    expect((await w.browser().post('/start/look', { token })).body).toEqual({ first: false, email });
    const browser = w.browser();
    const elsewhere = await browser.post('/start', wanted(token));
    expect(elsewhere.body.error.details[0].path).toBe('email');
    const body = wanted(token, { email, language: 'de' });
    expectSignedIn(await browser.post('/start', body));
    expect((await browser.get('/account')).body).toMatchObject({ email_proved: true, language: 'de' });
    const org = await w.t.system((tx) =>
      tx.one(sql`select plan from organizations where code = ${body.organization.code}`),
    );
    expect(org).toEqual({ plan: 'free' });
    expect(code(await w.browser().post('/start', wanted(token, { email })))).toEqual([404, 'link_not_valid']);
  });

  test('with an address that has an account needs to be signed in with it', async () => {
    const ada = await w.person();
    const { token } = await mailed(ada.email);
    const browser = w.browser();
    const body = wanted(token, { email: ada.email, password: 'a password of somebody' });
    expect(code(await browser.post('/start', body))).toEqual([401, 'sign_in_required']);
    const other = w.browser();
    await other.signIn((await w.person()).email);
    expect(code(await other.post('/start', body))).toEqual([401, 'sign_in_required']);
    await browser.signIn(ada.email);
    expectSignedIn(await browser.post('/start', body));
    expect((await browser.get('/account')).body.organizations).toHaveLength(2);
    expectSignedIn(await w.browser().signIn(ada.email));
  });

  test('the link lives for a day', async () => {
    const { email, token } = await mailed();
    w.t.clock.advance(DAY);
    expect(code(await w.browser().post('/start', wanted(token, { email })))).toEqual([404, 'link_not_valid']);
  });
});

describe('the link into the sandbox', () => {
  let w: AccountWorld;
  let token: string;
  beforeAll(async () => {
    w = await accountWorld({ env: { SANDBOX: 'on' } });
    await w.t.org('acme');
  });
  // A test that lets the link expire leaves a new one to the next.
  beforeEach(async () => {
    token = tokenIn((await w.t.welcomeLinks()).sandbox);
  });
  afterAll(() => w.t.stop());

  test('signs everybody in as its manager, as often as wanted, for seven days', async () => {
    for (const browser of [w.browser(), w.browser()]) {
      expect((await browser.post('/sign-in/sandbox', { token })).body).toMatchObject({ organization: 'sandbox' });
      const me = (org: string) => fetch(`${w.t.url}/app/api/${org}/me`, { headers: { cookie: browser.header() } });
      expect([(await me('sandbox')).status, (await me('acme')).status]).toEqual([200, 404]);
      const { body } = await browser.get('/account');
      expect(body).toMatchObject({ sandbox: true, organizations: [{ code: 'sandbox', role: 'manager' }] });
    }
  });

  test('its account can change nothing of itself, and sees no other session', async () => {
    const [one, two] = [w.browser(), w.browser()];
    await one.post('/sign-in/sandbox', { token });
    await two.post('/sign-in/sandbox', { token });
    const refused = [403, 'sandbox_account'];
    expect(code(await one.call('PATCH', '/account', { name: 'Eve' }))).toEqual(refused);
    expect(code(await one.post('/account/password', { password: PASSWORD }))).toEqual(refused);
    expect(code(await one.post('/account/totp'))).toEqual(refused);
    expect(code(await one.post('/account/email', { email: newEmail() }))).toEqual(refused);
    expect(code(await one.post('/account/sessions/end-others'))).toEqual(refused);
    expect((await one.get('/account/sessions')).body.data).toHaveLength(1);
    const { id } = (await two.get('/account')).body.session;
    expect(code(await one.call('DELETE', `/account/sessions/${id}`))).toEqual(refused);
    expect((await one.post('/sign-out')).status).toBe(204);
    expect((await two.get('/account')).status).toBe(200);
  });

  test('nobody signs in to its account in another way', async () => {
    const { email } = await w.t.system((tx) =>
      tx.one<{ email: string }>(sql`select email from accounts where sandbox`),
    );
    expect(code(await w.browser().signIn(email))).toEqual([401, 'sign_in_failed']);
    expect((await w.browser().post('/sign-in/mail', { email })).status).toBe(202);
    expect(await w.links(email)).toEqual([]);
  });

  test('expires after seven days; a new start makes a new one and leaves the account as it is', async () => {
    w.t.clock.advance(7 * DAY);
    expect(code(await w.browser().post('/sign-in/sandbox', { token }))).toEqual([404, 'link_not_valid']);
    const fresh = tokenIn((await w.t.welcomeLinks()).sandbox);
    expectSignedIn(await w.browser().post('/sign-in/sandbox', { token: fresh }));
    const count = await w.t.system((tx) => tx.one(sql`select count(*)::int as n from accounts where sandbox`));
    expect(count).toEqual({ n: 1 });
  });

  test('does not work where the sandbox is off', async () => {
    const fresh = tokenIn((await w.t.welcomeLinks()).sandbox);
    const off = await accountWorld({ database: w.t.database, clock: w.t.clock });
    try {
      expect(code(await off.browser().post('/sign-in/sandbox', { token: fresh }))).toEqual([404, 'link_not_valid']);
    } finally {
      await off.t.stop();
    }
  });
});

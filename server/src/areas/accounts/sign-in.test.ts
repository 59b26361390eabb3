import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import {
  type AccountWorld,
  accountWorld,
  Browser,
  code,
  expectSignedIn,
  newEmail,
  PASSWORD,
} from './accounts.support.ts';

let w: AccountWorld;
beforeAll(async () => {
  w = await accountWorld();
  await w.t.org('acme');
  await w.t.org('other');
});
afterAll(() => w.t.stop());

describe('signing in with a password', () => {
  test('opens a session, and the audit log of every organization of the account says so', async () => {
    const ada = await w.person();
    const browser = w.browser();
    const reply = await browser.signIn(ada.email.toUpperCase());
    expectSignedIn(reply);
    expect(reply.body).toEqual({ status: 'signed_in', organization: 'acme', cleared: false });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const account = await browser.get('/account');
    expect(account.body).toMatchObject({
      email: ada.email,
      has_password: true,
      totp: false,
      session: { method: 'password', second_factor: false },
      organizations: [{ code: 'acme', role: 'owner', second_factor_missing: false }],
    });
    expect(await w.audited(ada)).toEqual(['account.signed_in']);
  });

  test('the cookie cannot be read by scripts and is not sent by other sites; the table holds only its hash', async () => {
    const ada = await w.person();
    const browser = w.browser();
    const [cookie] = (await browser.signIn(ada.email)).headers
      .getSetCookie()
      .filter((line) => line.includes('session'));
    expect(cookie).toMatch(/^turnout_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
    const rows = await w.t.system((tx) => tx.all(sql`select * from account_sessions where account_id = ${ada.id}`));
    expect(JSON.stringify(rows)).not.toContain(browser.session);
  });

  test('a wrong password, an unknown address and an account without a password get the same answer', async () => {
    const [ada, grace] = [await w.person(), await w.person({ password: null })];
    const browser = w.browser();
    const wrong = await browser.signIn(ada.email, 'not the password');
    const without = await browser.signIn(grace.email, 'not the password');
    const unknown = await browser.signIn(newEmail(), 'not the password');
    const bare = ({ body, status, headers }: typeof wrong) => ({
      status,
      error: { ...body.error, request_id: '' },
      cookies: headers.getSetCookie(),
    });
    expect(bare(wrong)).toEqual(bare(unknown));
    expect(bare(without)).toEqual(bare(unknown));
    expect(code(wrong)).toEqual([401, 'sign_in_failed']);
    expect(await w.audited(ada)).toEqual(['account.sign_in_failed']);
  });

  test('the same letters typed in another way are the same password', async () => {
    const ada = await w.person({ password: 'caf\u00e9 au lait et croissants' });
    expectSignedIn(await w.browser().signIn(ada.email, 'cafe\u0301 au lait et croissants'));
  });

  test('every fault of the body is named at once', async () => {
    const reply = await w.browser().post('/sign-in/password', { email: 'nobody', more: 1 });
    expect(code(reply)).toEqual([400, 'validation_failed']);
    expect(reply.body.error.details.map((one: { path: string }) => one.path).sort()).toEqual([
      'email',
      'more',
      'password',
    ]);
    expect(reply.body.error.request_id).toBe(reply.headers.get('x-request-id'));
  });

  test('a body of more than 64 KiB is refused', async () => {
    const reply = await w.browser().post('/sign-in/password', { email: 'a@b.c', password: 'x'.repeat(70_000) });
    expect(code(reply)).toEqual([413, 'payload_too_large']);
  });
});

describe('a session', () => {
  test('belongs to the account and works in each organization that it is a member of, and in no other', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    const me = (org: string) =>
      fetch(`${w.t.url}/app/api/${org}/me`, { headers: { cookie: browser.header() } }).then((answer) => answer.status);
    expect([await me('acme'), await me('other'), await me('nowhere')]).toEqual([200, 404, 404]);
  });

  test('ends 14 days after its last use, and its use is noted at most every five minutes', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    const used = async () =>
      (
        await w.t.system((tx) =>
          tx.one<{ last_used_at: string }>(sql`select last_used_at from account_sessions where account_id = ${ada.id}`),
        )
      ).last_used_at;
    const first = await used();
    w.t.clock.advance(4 * MINUTE);
    await browser.get('/account');
    expect(await used()).toBe(first);
    w.t.clock.advance(2 * MINUTE);
    await browser.get('/account');
    expect(await used()).not.toBe(first);
    w.t.clock.advance(13 * DAY);
    expect((await browser.get('/account')).status).toBe(200);
    w.t.clock.advance(14 * DAY + MINUTE);
    expect(code(await browser.get('/account'))).toEqual([401, 'sign_in_required']);
  });

  test('ends after 90 days, however often it is used; calls of members keep it alive as well', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    const statuses: number[] = [];
    for (let day = 0; day < 96; day += 8) {
      const answer = await fetch(`${w.t.url}/app/api/acme/me`, { headers: { cookie: browser.header() } });
      statuses.push(answer.status);
      w.t.clock.advance(8 * DAY);
    }
    expect(statuses).toEqual(Array(12).fill(200));
    expect((await browser.get('/account')).status).toBe(401);
  });

  test('is listed with browser and address; one is ended, then all others', async () => {
    const ada = await w.person();
    const [here, there, phone] = [w.browser('203.0.113.5'), w.browser('2001:db8::7'), w.browser()];
    for (const browser of [here, there, phone]) await browser.signIn(ada.email);
    const { data } = (await here.get('/account/sessions')).body;
    expect(data).toHaveLength(3);
    expect(data.find((one: { current: boolean }) => one.current)).toMatchObject({
      browser: 'Firefox on Linux',
      address: '203.0.113.5',
      method: 'password',
    });
    const theirs = data.find((one: { address: string }) => one.address === '2001:db8::7');
    expect((await here.call('DELETE', `/account/sessions/${theirs.id}`)).status).toBe(204);
    expect((await there.get('/account')).status).toBe(401);
    expect(code(await here.call('DELETE', `/account/sessions/${theirs.id}`))).toEqual([404, 'not_found']);
    expect((await phone.get('/account')).status).toBe(200);
    expect((await here.post('/account/sessions/end-others')).status).toBe(204);
    expect([(await phone.get('/account')).status, (await here.get('/account')).status]).toEqual([401, 200]);
    expect(await w.audited(ada)).toEqual([
      ...Array(3).fill('account.signed_in'),
      ...Array(2).fill('account.sessions_ended'),
    ]);
  });

  test('of somebody else cannot be ended', async () => {
    const [ada, eve] = [await w.person(), await w.person()];
    const [hers, evil] = [w.browser(), w.browser()];
    await hers.signIn(ada.email);
    await evil.signIn(eve.email);
    const { data } = (await hers.get('/account/sessions')).body;
    expect(code(await evil.call('DELETE', `/account/sessions/${data[0].id}`))).toEqual([404, 'not_found']);
    expect((await hers.get('/account')).status).toBe(200);
  });

  test('signing out ends it at the server', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    const copied = new Browser(w.t);
    copied.cookies.set('turnout_session', browser.session!);
    expect((await copied.get('/account')).status).toBe(200);
    expect((await browser.post('/sign-out')).status).toBe(204);
    expect(browser.session).toBeUndefined();
    expect((await copied.get('/account')).status).toBe(401);
    expect((await browser.post('/sign-out')).status).toBe(204);
    expect(await w.audited(ada)).toEqual(['account.signed_in', 'account.signed_out']);
  });
});

describe('on https', () => {
  test('the cookies carry `__Host-` and Secure, and a session without that name does not count', async () => {
    const secure = await accountWorld({ env: { PUBLIC_URL: 'https://turnout.example.org' } });
    try {
      await secure.t.org('acme');
      const ada = await secure.person();
      const browser = secure.browser();
      const lines = (await browser.signIn(ada.email)).headers.getSetCookie();
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(line).toMatch(/^__Host-turnout_\w+=.*; Path=\/; .*; Secure$/);
      expect((await browser.get('/account')).status).toBe(200);
      const token = browser.cookies.get('__Host-turnout_session')!;
      const plain = new Browser(secure.t);
      plain.cookies.set('turnout_session', token);
      expect((await plain.get('/account')).status).toBe(401);
      const me = (cookie: string) => fetch(`${secure.t.url}/app/api/acme/me`, { headers: { cookie } });
      expect((await me(`turnout_session=${token}`)).status).toBe(401);
      expect((await me(`__Host-turnout_session=${token}`)).status).toBe(200);
    } finally {
      await secure.t.stop();
    }
  });
});

describe('a link by mail', () => {
  test('signs in once, within 15 minutes', async () => {
    const ada = await w.person({ password: null });
    const browser = w.browser();
    expect((await browser.post('/sign-in/mail', { email: ada.email })).status).toBe(202);
    const [token] = await w.links(ada.email);
    expectSignedIn(await browser.post('/sign-in/link', { token }));
    expect((await browser.get('/account')).body.session).toMatchObject({ method: 'mail' });
    expect(code(await w.browser().post('/sign-in/link', { token }))).toEqual([404, 'link_not_valid']);
    await browser.post('/sign-in/mail', { email: ada.email });
    const late = (await w.links(ada.email)).at(-1);
    w.t.clock.advance(15 * MINUTE);
    expect(code(await browser.post('/sign-in/link', { token: late }))).toEqual([404, 'link_not_valid']);
  });

  test('is not sent to an address without an account, with the same answer', async () => {
    const [ada, unknown] = [await w.person(), newEmail()];
    const browser = w.browser();
    const answers = [
      await browser.post('/sign-in/mail', { email: ada.email }),
      await browser.post('/sign-in/mail', { email: unknown }),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, ''],
      [202, ''],
    ]);
    expect([(await w.links(ada.email)).length, (await w.links(unknown)).length]).toEqual([1, 0]);
    const fate = await w.t.system((tx) => tx.one(sql`select status from mails where recipient = ${unknown}`));
    expect(fate).toEqual({ status: 'withdrawn' });
  });

  test('has a token that is nowhere in the database', async () => {
    const ada = await w.person();
    await w.browser().post('/sign-in/mail', { email: ada.email });
    const [token] = await w.links(ada.email);
    const rows = await w.t.system(async (tx) => [
      ...(await tx.all(sql`select *, encode(hash, 'escape') from account_links`)),
      ...(await tx.all(sql`select * from mails where recipient = ${ada.email}`)),
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('at most five an hour go to one address; somebody else’s asking does not keep its owner’s browser out', async () => {
    const ada = await w.person();
    const hers = w.browser();
    await hers.signIn(ada.email);
    const ask = async (email: string) => code(await w.browser().post('/sign-in/mail', { email }));
    const unknown = newEmail();
    for (const email of [ada.email, unknown]) {
      for (let i = 0; i < 5; i += 1) expect(await ask(email)).toEqual([202, undefined]);
      expect(await ask(email)).toEqual([429, 'sign_in_throttled']);
    }
    expect((await hers.post('/sign-in/mail', { email: ada.email })).status).toBe(202);
    w.t.clock.advance(60 * MINUTE);
    expect(await ask(ada.email)).toEqual([202, undefined]);
  });

  test('proves the address: the first time, what was set before is gone, because somebody else may have set it', async () => {
    const ada = await w.person({ proved: false });
    const squatter = w.browser();
    expectSignedIn(await squatter.signIn(ada.email));
    const browser = w.browser();
    await browser.post('/sign-in/mail', { email: ada.email });
    const [token] = await w.links(ada.email);
    const reply = await browser.post('/sign-in/link', { token });
    expect(reply.body).toMatchObject({ status: 'signed_in', cleared: true });
    expect((await browser.get('/account')).body).toMatchObject({ email_proved: true, has_password: false });
    expect((await squatter.get('/account')).status).toBe(401);
    expect(code(await squatter.signIn(ada.email, PASSWORD))).toEqual([401, 'sign_in_failed']);
    await browser.post('/sign-in/mail', { email: ada.email });
    const again = await browser.post('/sign-in/link', { token: (await w.links(ada.email)).at(-1) });
    expect(again.body).toMatchObject({ status: 'signed_in', cleared: false });
  });
});

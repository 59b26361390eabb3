import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { type AccountWorld, accountWorld, code, expectSignedIn, newEmail } from './accounts.support.ts';
import { crons } from './jobs.ts';

let w: AccountWorld;
const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
beforeAll(async () => {
  w = await accountWorld({ log });
  await w.t.org('acme');
});
afterAll(() => w.t.stop());

async function signedIn() {
  const ada = await w.person();
  const browser = w.browser();
  await browser.signIn(ada.email);
  return { ada, browser };
}

describe('the own account', () => {
  test('needs a session', async () => {
    for (const [method, path] of [
      ['GET', '/account'],
      ['PATCH', '/account'],
      ['GET', '/account/sessions'],
      ['POST', '/account/totp'],
      ['DELETE', '/account/totp'],
      ['POST', '/account/recovery-codes'],
      ['POST', '/account/sessions/end-others'],
    ] as const) {
      const reply = await w.browser().call(method, path, method === 'PATCH' ? { name: 'Eve' } : undefined);
      expect([path, ...code(reply)]).toEqual([path, 401, 'sign_in_required']);
    }
  });

  test('name and language are changed, and the audit log has before and after', async () => {
    const { ada, browser } = await signedIn();
    const reply = await browser.call('PATCH', '/account', { name: 'Ada King', language: 'fr' });
    expect(reply.body).toMatchObject({ name: 'Ada King', language: 'fr' });
    await browser.call('PATCH', '/account', { name: 'Ada King' });
    expect(await w.audited(ada)).toEqual(['account.signed_in', 'account.changed']);
    const row = await w.t.system((tx) =>
      tx.one<{ changes: unknown; actor_kind: string; actor_name: string; source: string }>(sql`
        select l.changes, l.actor_kind, l.actor_name, l.source from audit_log l join members m on m.id = l.object_id
        where m.account_id = ${ada.id} and l.action = 'account.changed'`),
    );
    expect(row).toMatchObject({
      actor_kind: 'member',
      actor_name: 'Ada King',
      source: 'app',
      changes: {
        fields: { name: { before: 'Ada Lovelace', after: 'Ada King' }, language: { before: 'en', after: 'fr' } },
      },
    });
    expect(code(await browser.call('PATCH', '/account', {}))).toEqual([400, 'validation_failed']);
    expect(code(await browser.call('PATCH', '/account', { email: 'eve@example.org' }))).toEqual([
      400,
      'validation_failed',
    ]);
  });

  test('what happens to it is in the audit log of each of its organizations', async () => {
    await w.t.org('second');
    const { ada, browser } = await signedIn();
    await w.t.system((tx) =>
      tx.run(sql`
        insert into members (org_id, id, account_id, role, created_at, updated_at)
        select id, gen_random_uuid(), ${ada.id}, 'viewer', now(), now() from organizations where code = 'second'`),
    );
    await browser.call('PATCH', '/account', { name: 'Ada King' });
    expect((await w.audited(ada)).filter((action) => action === 'account.changed')).toHaveLength(2);
  });
});

describe('the address', () => {
  test('changes when the link is opened by whoever is signed in; the old address is told', async () => {
    const { ada, browser } = await signedIn();
    const to = newEmail();
    expect((await browser.post('/account/email', { email: to })).status).toBe(202);
    expect((await browser.get('/account')).body.email).toBe(ada.email);
    const [token] = await w.links(to);
    expect(code(await w.browser().post('/account/email/confirm', { token }))).toEqual([401, 'sign_in_required']);
    expect((await browser.post('/account/email/confirm', { token })).status).toBe(204);
    expect((await browser.get('/account')).body).toMatchObject({ email: to, email_proved: true });
    expect(code(await browser.post('/account/email/confirm', { token }))).toEqual([404, 'link_not_valid']);
    expect((await w.mails(ada.email)).at(-1)).toContain(to);
    expectSignedIn(await w.browser().signIn(to));
    expect(code(await w.browser().signIn(ada.email))).toEqual([401, 'sign_in_failed']);
    expect(await w.audited(ada)).toContain('account.email_changed');
  });

  test('a stranger cannot make somebody share an account: the link works only for the account that asked', async () => {
    const [{ browser: evil }, { browser: victim }] = [await signedIn(), await signedIn()];
    const theirs = newEmail();
    await evil.post('/account/email', { email: theirs });
    const [token] = await w.links(theirs);
    expect(code(await victim.post('/account/email/confirm', { token }))).toEqual([404, 'link_not_valid']);
  });

  test('of another account is refused only to whoever reads its mails', async () => {
    const [{ browser }, { ada: other }] = [await signedIn(), await signedIn()];
    expect((await browser.post('/account/email', { email: other.email.toUpperCase() })).status).toBe(202);
    const [token] = await w.links(other.email.toUpperCase());
    expect(code(await browser.post('/account/email/confirm', { token }))).toEqual([409, 'invalid_state']);
  });

  test('is proved without loss by confirming it while signed in', async () => {
    const ada = await w.person({ proved: false });
    const browser = w.browser();
    await browser.signIn(ada.email);
    await browser.post('/account/email', { email: ada.email });
    const [token] = await w.links(ada.email);
    expect((await browser.post('/account/email/confirm', { token })).status).toBe(204);
    expect((await browser.get('/account')).body).toMatchObject({ email_proved: true, has_password: true });
  });

  test('a newer link replaces the older one, and links expire after a day', async () => {
    const { browser } = await signedIn();
    const [one, two] = [newEmail(), newEmail()];
    await browser.post('/account/email', { email: one });
    await browser.post('/account/email', { email: two });
    const [[older], [newer]] = [await w.links(one), await w.links(two)];
    expect(code(await browser.post('/account/email/confirm', { token: older }))).toEqual([404, 'link_not_valid']);
    w.t.clock.advance(DAY);
    expect(code(await browser.post('/account/email/confirm', { token: newer }))).toEqual([404, 'link_not_valid']);
  });
});

describe('mails to an account', () => {
  test.each([
    ['en', 'Sign in to Turnout'],
    ['de', 'Bei Turnout anmelden'],
    ['fr', 'Se connecter à Turnout'],
    ['es', 'Iniciar sesión en Turnout'],
  ])('are in its language: %s', async (language, button) => {
    const ada = await w.person();
    await w.t.system((tx) => tx.run(sql`update accounts set language = ${language} where id = ${ada.id}`));
    await w.browser().post('/sign-in/mail', { email: ada.email });
    expect((await w.mails(ada.email)).at(-1)).toMatch(new RegExp(`${button}:\nhttp\\S+/app/-/link#[\\w-]{43}\n`));
  });
});

describe('an error of the app', () => {
  test('is one line of the log, at most 60 an hour from one network', async () => {
    const browser = w.browser();
    lines.length = 0;
    const reply = await browser.post('/client-errors', {
      message: 'x is not a function',
      screen: '/app/acme',
      request_id: 'R1',
    });
    expect(reply.status).toBe(204);
    const said = lines.filter((line) => line.includes('an error in a browser')).map((line) => JSON.parse(line));
    expect(said).toMatchObject([
      {
        request_id: reply.headers.get('x-request-id'),
        client_error: { message: 'x is not a function', request_id: 'R1' },
      },
    ]);
    for (let i = 0; i < 70; i += 1)
      expect((await browser.post('/client-errors', { message: 'again' })).status).toBe(204);
    expect(lines.filter((line) => line.includes('an error in a browser'))).toHaveLength(60);
  });
});

describe('what has expired', () => {
  test('is deleted: sessions, steps, links, tries and old mails', async () => {
    const counts = () =>
      w.t.system((tx) =>
        tx.one<Record<string, number>>(sql`
          select (select count(*)::int from account_sessions) as sessions, (select count(*)::int from sign_in_steps) as steps,
            (select count(*)::int from account_links) as links, (select count(*)::int from sign_in_tries) as tries,
            (select count(*)::int from mails where kind like 'account_%') as mails`),
      );
    const { ada, browser } = await signedIn();
    await browser.post('/account/totp');
    await browser.signIn(ada.email, 'wrong wrong wrong');
    await browser.post('/sign-in/mail', { email: ada.email });
    const sweep = () => crons[0]!.run({ pool: w.t.pool, clock: w.t.clock, log, outside: w.t.outside });
    await sweep();
    const fresh = await counts();
    for (const kind of ['sessions', 'steps', 'links', 'tries', 'mails'])
      expect([kind, fresh[kind]]).not.toEqual([kind, 0]);
    w.t.clock.advance(2 * HOUR);
    await sweep();
    expect(await counts()).toMatchObject({ steps: 0, tries: 0, sessions: fresh.sessions });
    w.t.clock.advance(15 * DAY + MINUTE);
    await sweep();
    expect(await counts()).toEqual({ sessions: 0, steps: 0, links: 0, tries: 0, mails: 0 });
  });
});

describe('the log', () => {
  test('contains no password, token, code, cookie or address of a person', async () => {
    lines.length = 0;
    const { ada, browser } = await signedIn();
    await browser.signIn(ada.email, 'a very wrong password');
    await browser.post('/sign-in/mail', { email: ada.email });
    const [token] = await w.links(ada.email);
    await browser.post('/sign-in/link', { token });
    const secret = (await browser.post('/account/totp')).body.secret as string;
    await browser.post('/account/totp/confirm', { code: '918273' });
    const logged = lines.join('');
    expect(logged).toContain('/app/api/-/sign-in/password');
    for (const word of [token!, ada.email, 'very wrong', secret, '918273', ...browser.cookies.values()])
      expect(logged).not.toContain(word);
  });
});

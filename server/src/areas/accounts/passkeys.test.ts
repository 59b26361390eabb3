import { Writable } from 'node:stream';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { lockAccount } from './accounts.ts';
import { type Lies, SoftAuthenticator, Tab } from './passkey.support.ts';
import { endSessions } from './sessions.ts';
import { hashToken } from './tokens.ts';

const ORIGIN = 'http://localhost:3000';
let t: TestTurnout;
/** What the server has logged. */
const logged: string[] = [];
beforeAll(async () => {
  const stream = new Writable({
    write: (line, _encoding, done) => {
      logged.push(String(line));
      done();
    },
  });
  t = await startTest({ env: { PUBLIC_URL: ORIGIN }, log: pino({ level: 'info' }, stream) });
  await t.org('acme');
});
afterAll(() => t?.stop());

const authenticator = (options: { counter?: number } = {}) => new SoftAuthenticator(ORIGIN, options);
const account = async (tab: Tab) => (await tab.get('/account')).body;

/** A member with a passkey: the browser it was made in, and the authenticator. */
async function memberWithPasskey(options: { counter?: number } = {}) {
  const tab = await Tab.member(t, 'acme');
  const phone = authenticator(options);
  expect((await tab.makePasskey(phone)).status).toBe(201);
  return { tab, phone, account: await account(tab) };
}

/** The audit rows of a kind that name the account's member in acme. */
const audited = (email: string, action: string) =>
  t.system((tx) =>
    tx.all<{ details: Record<string, unknown>; actor_name: string }>(sql`
      select l.changes -> 'details' as details, l.actor_name from audit_log l
      join members m on m.org_id = l.org_id and m.id = l.object_id join accounts a on a.id = m.account_id
      where a.email = ${email} and l.action = ${action} order by l.id`),
  );

/** Sends calls while the account is locked, and lets them go on together when so many of them wait for it. */
async function heldAccount<T>(
  tab: Tab,
  waiting: number,
  send: () => Promise<T>[],
  meanwhile: (tx: Tx, account: Id) => Promise<unknown> = async () => {},
): Promise<T[]> {
  let sent: Promise<T>[] = [];
  await t.system(async (tx) => {
    const { account_id: own } = await tx.one<{ account_id: Id }>(
      sql`select account_id from account_sessions where hash = ${hashToken(tab.session!)}`,
    );
    await lockAccount(tx, own);
    sent = send();
    await untilWaitingForLock(t.database, waiting);
    await meanwhile(tx, own);
  });
  return Promise.all(sent);
}

/** Expects the one answer that every refused passkey gets, and its reason in the log alone. */
function expectRefused(reply: { status: number; body: { error?: { code: string } }; text: string }, why: RegExp) {
  expect([reply.status, reply.body.error?.code]).toEqual([401, 'passkey_not_valid']);
  expect(logged.slice(-5).join('\n')).toMatch(why);
  expect(reply.text).not.toMatch(why);
}

describe('making a passkey', () => {
  test('the browser is asked for one that is kept, checks who holds it, and is not there yet', async () => {
    const { tab, phone, account: own } = await memberWithPasskey();
    const { options } = (await tab.post('/account/passkeys/options')).body;
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Turnout' },
      user: { name: own.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: phone.id.toString('base64url'), transports: ['internal', 'hybrid'] }],
    });
    expect(Buffer.from(options.challenge, 'base64url').length).toBeGreaterThanOrEqual(32);
  });

  test('it is listed with its name, renamed and removed, and the audit log has it', async () => {
    const { tab, phone, account: own } = await memberWithPasskey();
    const [passkey] = own.passkeys;
    expect(passkey).toMatchObject({ name: 'My phone', last_used_at: null });
    const renamed = await tab.call('PATCH', `/account/passkeys/${passkey.id}`, { name: 'Old phone' });
    expect(renamed.body).toEqual({ ...passkey, name: 'Old phone' });
    expect((await tab.call('DELETE', `/account/passkeys/${passkey.id}`)).status).toBe(204);
    expect((await account(tab)).passkeys).toEqual([]);
    expect((await tab.call('DELETE', `/account/passkeys/${passkey.id}`)).status).toBe(404);
    expectRefused(await new Tab(t).usePasskey(phone), /unknown passkey/);
    expect(await audited(own.email, 'account.passkey_added')).toHaveLength(1);
    expect(await audited(own.email, 'account.passkey_removed')).toHaveLength(1);
  });

  test('adding and removing one signs out everywhere else', async () => {
    const { tab, phone, account: own } = await memberWithPasskey();
    const elsewhere = new Tab(t);
    await elsewhere.usePasskey(phone);
    expect((await tab.makePasskey(authenticator())).status).toBe(201);
    expect((await elsewhere.get('/account')).status).toBe(401);
    await elsewhere.usePasskey(phone);
    expect((await tab.call('DELETE', `/account/passkeys/${own.passkeys[0].id}`)).status).toBe(204);
    expect((await elsewhere.get('/account')).status).toBe(401);
    expect((await tab.get('/account')).status).toBe(200);
  });

  test('with it, this session has a second factor; without the last one, it has none', async () => {
    const { tab, account: own } = await memberWithPasskey();
    expect(own.session).toMatchObject({ method: 'password', second_factor: true });
    const second = (await tab.makePasskey(authenticator())).body;
    await tab.call('DELETE', `/account/passkeys/${second.id}`);
    expect((await account(tab)).session.second_factor).toBe(true);
    await tab.call('DELETE', `/account/passkeys/${own.passkeys[0].id}`);
    expect((await account(tab)).session.second_factor).toBe(false);
  });

  test.each([
    { order: ['passkeys', 'totp'], left: [false, false] },
    { order: ['totp', 'passkeys'], left: [true, false] },
  ])('a session that began with one has no second factor without it: $order removed', async ({ order, left }) => {
    const { phone, account: own } = await memberWithPasskey();
    const tab = new Tab(t);
    await tab.usePasskey(phone);
    const { secret } = (await tab.post('/account/totp')).body;
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = app.generate({ timestamp: t.clock.now().getTime() });
    expect((await tab.post('/account/totp/confirm', { code })).status).toBe(200);
    expect((await account(tab)).session).toMatchObject({ method: 'passkey', second_factor: true });
    const paths: Record<string, string> = {
      passkeys: `/account/passkeys/${own.passkeys[0].id}`,
      totp: '/account/totp',
    };
    for (const [i, factor] of order.entries()) {
      expect((await tab.call('DELETE', paths[factor]!)).status).toBe(204);
      expect((await account(tab)).session.second_factor).toBe(left[i]);
    }
  });

  test('a session that asked for the app keeps its second factor when a passkey goes, and loses it with the app', async () => {
    const { tab, account: own } = await memberWithPasskey();
    const { secret } = (await tab.post('/account/totp')).body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: t.clock.now().getTime() });
    await tab.post('/account/totp/confirm', { code });
    await tab.call('DELETE', `/account/passkeys/${own.passkeys[0].id}`);
    expect((await account(tab)).session).toMatchObject({ method: 'password', second_factor: true });
    await tab.call('DELETE', '/account/totp');
    expect((await account(tab)).session.second_factor).toBe(false);
  });

  test.each([
    ['sets no password', (tab: Tab) => tab.post('/account/password', { password: 'correct horse battery staple' })],
    ['removes no app', (tab: Tab) => tab.call('DELETE', '/account/totp')],
    ['asks for no other address', (tab: Tab) => tab.post('/account/email', { email: 'thief@example.org' })],
  ])('a session that ended meanwhile %s', async (_name, send) => {
    const tab = await Tab.member(t, 'acme');
    const replies = await heldAccount(
      tab,
      1,
      () => [send(tab)],
      (tx, own) => endSessions(tx, own),
    );
    expect(replies.map(({ status }) => status)).toEqual([401]);
  });

  test('a session that ended meanwhile adds none', async () => {
    const tab = await Tab.member(t, 'acme');
    const { options } = (await tab.post('/account/passkeys/options')).body;
    const credential = authenticator().create(options);
    // The owner ends all sessions in a transaction that holds the account. The call has found its session by then, and waits.
    const [reply] = await heldAccount(
      tab,
      1,
      () => [tab.post('/account/passkeys', { name: 'too late', credential })],
      (tx, own) => endSessions(tx, own),
    );
    expect(reply!.status).toBe(401);
    expect(await t.system((tx) => tx.all(sql`select 1 from account_passkeys where name = 'too late'`))).toEqual([]);
  });

  const lies: [string, Lies, RegExp][] = [
    ['another challenge', { challenge: 'AAAA' }, /challenge is another one/],
    ['another origin', { origin: 'https://evil.example' }, /origin is/],
    ['another RP ID', { rpId: 'evil.example' }, /RP ID/],
    ['another type', { type: 'webauthn.get' }, /type is/],
    ['nobody verified', { userVerified: false }, /verif/],
  ];
  test.each(lies)('refused: %s', async (_name, lie, why) => {
    const tab = await Tab.member(t, 'acme');
    expectRefused(await tab.makePasskey(authenticator(), lie), why);
    expect((await account(tab)).passkeys).toEqual([]);
  });

  test('refused: a credential that another account has', async () => {
    const { phone } = await memberWithPasskey();
    const other = await Tab.member(t, 'acme');
    expectRefused(await other.makePasskey(phone), /belongs to an account already/);
  });

  test('refused: a challenge that another account was given, in the same browser', async () => {
    const first = await Tab.member(t, 'acme');
    const started = await first.post('/account/passkeys/options');
    const second = await Tab.member(t, 'acme');
    second.cookies.set('turnout_step', first.cookies.get('turnout_step')!);
    const credential = authenticator().create(started.body.options);
    expectRefused(await second.post('/account/passkeys', { name: 'x', credential }), /another account/);
  });

  test('refused: a challenge for signing in', async () => {
    const tab = await Tab.member(t, 'acme');
    const started = await tab.post('/sign-in/passkey/options');
    const credential = authenticator().create({ ...started.body.options, user: { id: 'AAAA' } });
    expectRefused(await tab.post('/account/passkeys', { name: 'x', credential }), /no challenge/);
  });

  test('needs a proof of the last ten minutes, and a session', async () => {
    const tab = await Tab.member(t, 'acme');
    t.clock.advance(11 * MINUTE);
    expect((await tab.makePasskey(authenticator())).body.error.code).toBe('sign_in_again');
    expect((await new Tab(t).makePasskey(authenticator())).body.error.code).toBe('sign_in_required');
  });

  test('another account’s passkey can be neither renamed nor removed', async () => {
    const { account: own } = await memberWithPasskey();
    const other = await Tab.member(t, 'acme');
    const path = `/account/passkeys/${own.passkeys[0].id}`;
    expect((await other.call('PATCH', path, { name: 'Mine' })).status).toBe(404);
    expect((await other.call('DELETE', path)).status).toBe(404);
  });

  test('an account has at most 20, also if the last two come at once', async () => {
    const tab = await Tab.member(t, 'acme');
    for (let made = 0; made < 19; made += 1) expect((await tab.makePasskey(authenticator())).status).toBe(201);
    const tabs = [tab.copy(), tab.copy()];
    const asked = await Promise.all(tabs.map((one) => one.post('/account/passkeys/options')));
    const replies = await heldAccount(tab, 2, () =>
      tabs.map((one, i) =>
        one.post('/account/passkeys', { name: 'x', credential: authenticator().create(asked[i]!.body.options) }),
      ),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, expect.toSatisfy((status) => status > 400)]);
    expect((await account(tab)).passkeys).toHaveLength(20);
    const full = await tab.makePasskey(authenticator());
    expect([full.status, full.body.error.message]).toEqual([409, expect.stringContaining('20 passkeys')]);
  });

  test('what is too large or no credential at all is refused field by field, and unknown fields are ignored', async () => {
    const tab = await Tab.member(t, 'acme');
    const { options } = (await tab.post('/account/passkeys/options')).body;
    const credential = authenticator().create(options);
    const large = { ...credential, response: { ...credential.response, attestationObject: 'A'.repeat(8001) } };
    for (const wrong of [large, 'text', null, {}, { ...credential, id: '+/=' }]) {
      const reply = await tab.post('/account/passkeys', { name: 'x', credential: wrong });
      expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
      expect(reply.body.error.details[0].path).toMatch(/^credential/);
    }
    const more = { ...credential, authenticatorAttachment: 'platform', clientExtensionResults: { credProps: {} } };
    expect((await tab.post('/account/passkeys', { name: 'x', credential: more })).status).toBe(201);
  });
});

describe('signing in', () => {
  test('needs no name, counts as a second factor, and makes a new session each time', async () => {
    const { tab, phone, account: own } = await memberWithPasskey();
    const elsewhere = new Tab(t);
    const { options } = (await elsewhere.post('/sign-in/passkey/options')).body;
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const reply = await elsewhere.usePasskey(phone);
    expect([reply.status, reply.body]).toEqual([200, { status: 'signed_in', organization: 'acme', cleared: false }]);
    const now = await account(elsewhere);
    expect(now).toMatchObject({ id: own.id, session: { method: 'passkey', second_factor: true } });
    expect(now.passkeys[0].last_used_at).not.toBeNull();
    const before = elsewhere.cookies.get('turnout_session');
    await elsewhere.usePasskey(phone);
    expect(elsewhere.cookies.get('turnout_session')).not.toBe(before);
    expect((await new Tab(t, [['turnout_session', before!]]).get('/account')).status).toBe(401);
    expect((await tab.get('/account')).status).toBe(200);
    expect((await audited(own.email, 'account.signed_in')).at(-1)!.details).toMatchObject({ method: 'passkey' });
  });

  const lies: [string, Lies, RegExp][] = [
    ['another challenge', { challenge: 'AAAA' }, /challenge is another one/],
    ['another origin', { origin: 'http://localhost:3001' }, /origin is/],
    ['another RP ID', { rpId: 'evil.example' }, /RP ID/],
    ['another type', { type: 'webauthn.create' }, /type is/],
    ['a frame of another site', { crossOrigin: true }, /frame/],
    ['nobody verified', { userVerified: false }, /verif/],
    ['the handle of another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }, /another account/],
    ['no handle', { userHandle: null }, /another account/],
  ];
  test.each(lies)('refused, and in the audit log: %s', async (_name, lie, why) => {
    const { phone, account: own } = await memberWithPasskey();
    const stranger = new Tab(t);
    expectRefused(await stranger.usePasskey(phone, lie), why);
    expect(stranger.cookies.has('turnout_session')).toBe(false);
    const rows = await audited(own.email, 'account.sign_in_failed');
    expect(rows.map((row) => row.details)).toEqual([expect.objectContaining({ method: 'passkey' })]);
    expect(rows[0]!.actor_name).toMatch(/not signed in/);
  });

  test('refused: a signature of another key under this passkey’s id', async () => {
    const { phone } = await memberWithPasskey();
    const forger = authenticator();
    const tab = new Tab(t);
    const { options } = (await tab.post('/sign-in/passkey/options')).body;
    const [right, forged] = [phone.get(options), forger.get(options)];
    const credential = { ...right, response: { ...forged.response, userHandle: right.response.userHandle } };
    expectRefused(await tab.post('/sign-in/passkey', { credential }), /signature is wrong/);
  });

  test('refused: a passkey that nobody has', async () => {
    expectRefused(await new Tab(t).usePasskey(authenticator()), /unknown passkey/);
  });

  test('refused: a challenge that is used, expired, of another browser, or of nobody', async () => {
    const { phone } = await memberWithPasskey();
    const tab = new Tab(t);
    const { options } = (await tab.post('/sign-in/passkey/options')).body;
    const step = tab.copy();
    const credential = phone.get(options);
    expectRefused(await new Tab(t).post('/sign-in/passkey', { credential }), /no challenge/);
    const other = new Tab(t);
    await other.post('/sign-in/passkey/options');
    expectRefused(await other.post('/sign-in/passkey', { credential }), /challenge is another one/);
    expect((await tab.post('/sign-in/passkey', { credential })).status).toBe(200);
    expectRefused(await step.post('/sign-in/passkey', { credential }), /no challenge/);

    const late = new Tab(t);
    const asked = (await late.post('/sign-in/passkey/options')).body.options;
    t.clock.advance(10 * MINUTE + 1000);
    expectRefused(await late.post('/sign-in/passkey', { credential: phone.get(asked) }), /no challenge/);
  });

  test('a wrong answer uses the challenge up as well', async () => {
    const { phone } = await memberWithPasskey();
    const tab = new Tab(t);
    const { options } = (await tab.post('/sign-in/passkey/options')).body;
    const wrong = { credential: phone.get(options, { userVerified: false }) };
    expectRefused(await tab.post('/sign-in/passkey', wrong), /verif/);
    expectRefused(await tab.post('/sign-in/passkey', { credential: phone.get(options) }), /no challenge/);
  });

  test('asking for a challenge leaves what is under way in another tab alone', async () => {
    const tab = await Tab.member(t, 'acme');
    const { options } = (await tab.post('/account/passkeys/options')).body;
    await tab.post('/sign-in/passkey/options');
    const credential = authenticator().create(options);
    expect((await tab.post('/account/passkeys', { name: 'x', credential })).status).toBe(201);
  });

  test('the challenge is not readable in the database', async () => {
    const tab = new Tab(t);
    const { options } = (await tab.post('/sign-in/passkey/options')).body;
    const rows = await t.system((tx) => tx.all<{ data: Buffer }>(sql`select data from sign_in_steps`));
    expect(rows.length).toBeGreaterThan(0);
    for (const { data } of rows) expect(data.toString('latin1')).not.toContain(options.challenge);
  });

  test('one challenge used twice at once signs in once; two challenges at once sign in twice', async () => {
    const { phone } = await memberWithPasskey();
    const tab = new Tab(t);
    const { options } = (await tab.post('/sign-in/passkey/options')).body;
    const credential = phone.get(options);
    const same = Array.from({ length: 8 }, () => tab.copy().post('/sign-in/passkey', { credential }));
    const statuses = (await Promise.all(same)).map((reply) => reply.status).sort();
    expect(statuses).toEqual([200, ...Array(7).fill(401)]);
    const own = await Promise.all(Array.from({ length: 8 }, () => new Tab(t).usePasskey(phone)));
    expect(own.map((reply) => reply.status)).toEqual(Array(8).fill(200));
  });
});

describe('the counter of a passkey', () => {
  test('may grow by any number', async () => {
    const { phone } = await memberWithPasskey({ counter: 5 });
    expect((await new Tab(t).usePasskey(phone)).status).toBe(200);
    phone.counter = 1000;
    expect((await new Tab(t).usePasskey(phone)).status).toBe(200);
  });

  test('is refused and audited if it goes back or stays, and the stored one is kept', async () => {
    const { phone, account: own } = await memberWithPasskey({ counter: 50 });
    expect((await new Tab(t).usePasskey(phone)).status).toBe(200);
    for (const counter of [50, 51, 0])
      expectRefused(await new Tab(t).usePasskey(phone, { counter }), /may have been copied/);
    const rows = await audited(own.email, 'account.sign_in_failed');
    expect(rows).toHaveLength(3);
    expect(rows[0]!.details).toMatchObject({ reason: expect.stringContaining('the counter went from 51 to 50') });
    expect((await new Tab(t).usePasskey(phone, { counter: 52 })).status).toBe(200);
  });

  test('may always be 0', async () => {
    const { phone } = await memberWithPasskey();
    for (let times = 0; times < 3; times += 1) expect((await new Tab(t).usePasskey(phone)).status).toBe(200);
  });

  test('that two copies send at once is accepted once', async () => {
    const { phone } = await memberWithPasskey({ counter: 7 });
    const tries = Array.from({ length: 4 }, () => new Tab(t).usePasskey(phone, { counter: 99 }));
    expect((await Promise.all(tries)).map((reply) => reply.status).sort()).toEqual([200, 401, 401, 401]);
  });
});

test('under an IP address, passkeys are refused in words', async () => {
  const other = await startTest({ env: { PUBLIC_URL: 'http://127.0.0.1:3000' } });
  try {
    const reply = await new Tab(other).post('/sign-in/passkey/options');
    expect([reply.status, reply.body.error.message]).toEqual([409, expect.stringContaining('IP address')]);
  } finally {
    await other.stop();
  }
});

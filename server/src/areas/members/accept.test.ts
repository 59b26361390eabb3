import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR } from '../../clock.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { MOST_MEMBERS } from './queries.ts';

let t: TestTurnout;
let serial = 0;
let org: string;
let orgId: Id;
let owner: string;
const sent: { to: string; text: string }[] = [];
beforeAll(async () => {
  t = await startTest({
    mail: {
      send: async (mail) => {
        sent.push(mail);
      },
      close: () => {},
      describe: 'kept by the test',
    },
  });
});
afterAll(() => t.stop());
beforeEach(async () => {
  org = `acme-${++serial}`;
  orgId = await t.org(org);
  owner = await t.session(org, 'owner');
});

const PASSWORD = 'correct horse battery staple';
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const newEmail = () => `new-${++serial}@example.org`;
const cookieOf = (session: string | undefined) =>
  session === undefined ? {} : { headers: { cookie: `turnout_session=${session}` } };
const account = (path: string, body: unknown, session?: string) =>
  t.call('POST', `/app/api/-${path}`, { body, ...cookieOf(session) });
const look = (token: string, session?: string) => account('/invitations/look', { token }, session);
const accept = (token: string, more: object = {}, session?: string) =>
  account('/invitations/accept', { token, ...more }, session);
const manage = (method: string, path: string, body?: unknown) =>
  t.call(method, `/app/api${path}`, { ...cookieOf(owner), ...(body !== undefined && { body }) });
/** The session that an answer has opened. */
const sessionOf = (reply: Reply): string | undefined =>
  reply.headers
    .getSetCookie()
    .map((line) => /^turnout_session=([\w-]{43})/.exec(line)?.[1])
    .find((token) => token !== undefined);
const tokenOf = (text: string): string => /#([\w-]{43})/.exec(text)![1]!;

async function invite(email: string, more: object = {}): Promise<{ id: string; copied: string; mailed: string }> {
  const made = await manage('POST', '/invitations', { email, role: 'manager', ...more });
  expect(made.status).toBe(201);
  while ((await t.step.mails()) > 0);
  const mail = sent.findLast(({ to }) => to === email);
  return { id: made.body.id, copied: tokenOf(made.body.link), mailed: mail === undefined ? '' : tokenOf(mail.text) };
}
const inOrganization = (session: string) => t.call('GET', '/app/api/membership', { ...cookieOf(session), org });
const membersOf = (email: string) =>
  t.system((tx) =>
    tx.all<{ role: string; proved: boolean; language: string; name: string }>(sql`
      select m.role, a.email_proved_at is not null as proved, a.language, a.name from members m join accounts a on a.id = m.account_id
      where m.org_id = ${orgId} and lower(a.email) = lower(${email})`),
  );

describe('somebody without an account', () => {
  test('sees what is offered; looking changes nothing', async () => {
    const email = newEmail();
    const { copied, mailed } = await invite(email);
    for (const token of [copied, mailed, copied]) {
      expect((await look(token)).body).toEqual({
        organization: { code: org, name: `${org} events` },
        email,
        role: 'manager',
        group: null,
        invited_by: expect.any(String),
        expires_at: expect.any(String),
        account: 'none',
      });
    }
    expect(await membersOf(email)).toEqual([]);
  });

  test('accepts by the mailed link: a new account whose address is proved, a session and the membership', async () => {
    const email = newEmail();
    const { mailed } = await invite(email);
    const reply = await accept(mailed, { name: 'Ada Lovelace', language: 'de', password: PASSWORD });
    expect([reply.status, reply.body]).toEqual([200, { status: 'signed_in', organization: org, cleared: false }]);
    expect(await membersOf(email)).toEqual([{ role: 'manager', proved: true, language: 'de', name: 'Ada Lovelace' }]);
    expect((await t.call('GET', `/app/api/-/account`, cookieOf(sessionOf(reply)))).body).toMatchObject({
      email,
      has_password: true,
      organizations: [{ code: org, role: 'manager' }],
    });
    const log = (await manage('GET', '/audit-log?action=member.joined')).body.data;
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({
      actor: { kind: 'member', name: 'Ada Lovelace' },
      source: 'app',
      changes: { fields: { role: { before: null, after: 'manager' } }, details: { email, link: 'mailed' } },
    });
    expect((await manage('GET', '/invitations')).body.data).toEqual([]);
  });

  test('accepts by the copied link: the address is not proved', async () => {
    const email = newEmail();
    const { copied } = await invite(email, { send: false });
    expect((await accept(copied, { name: 'Ada' })).status).toBe(200);
    expect(await membersOf(email)).toMatchObject([{ proved: false }]);
  });

  test('needs a name and, if any, a good password; a refused try uses nothing up', async () => {
    const email = newEmail();
    const { copied } = await invite(email);
    expect((await accept(copied)).body.error.details).toEqual([
      { path: 'name', message: expect.any(String), rule: 'required' },
    ]);
    expect((await accept(copied, { name: 'Ada', password: 'short' })).body.error.details[0].path).toBe('password');
    expect(await membersOf(email)).toEqual([]);
    expect((await accept(copied, { name: 'Ada', password: PASSWORD })).status).toBe(200);
  });

  test('joins with the group that the invitation names', async () => {
    await manage('POST', '/groups', { code: 'north', name: 'North' });
    const { copied } = await invite(newEmail(), { group: 'north' });
    expect((await look(copied)).body.group).toBe('North');
    const session = sessionOf(await accept(copied, { name: 'Ada' }))!;
    expect((await inOrganization(session)).body.member).toMatchObject({ role: 'manager', group: 'north' });
  });
});

describe('404 link_not_valid', () => {
  test('a link works once: of many who accept at once one becomes a member', async () => {
    const email = newEmail();
    const { copied, mailed } = await invite(email);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => accept(i % 2 === 0 ? copied : mailed, { name: `Ada ${i}` })),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    for (const reply of replies.filter((one) => one.status !== 200)) {
      // Who comes later finds the link used; who has looked just before finds that the address has an account now.
      expect([...code(reply)]).toEqual([404, 'link_not_valid']);
    }
    expect(await membersOf(email)).toHaveLength(1);
    expect(code(await accept(mailed, { name: 'Ada' }))).toEqual([404, 'link_not_valid']);
    expect(code(await look(copied))).toEqual([404, 'link_not_valid']);
  });

  test('after 72 hours, withdrawn, sent again, or never made', async () => {
    const email = newEmail();
    const first = await invite(email);
    await manage('POST', `/invitations/${first.id}/send`);
    for (const token of [first.copied, first.mailed]) {
      expect(code(await accept(token, { name: 'Ada' }))).toEqual([404, 'link_not_valid']);
    }
    const again = tokenOf((await manage('POST', `/invitations/${first.id}/send`)).body.link);
    t.clock.advance(72 * HOUR - 1000);
    expect((await look(again)).status).toBe(200);
    t.clock.advance(1000);
    expect(code(await look(again))).toEqual([404, 'link_not_valid']);
    owner = await t.session(org, 'owner');
    const { id, copied } = await invite(newEmail());
    await manage('DELETE', `/invitations/${id}`);
    expect(code(await accept(copied, { name: 'Ada' }))).toEqual([404, 'link_not_valid']);
    expect(code(await accept('x'.repeat(43), { name: 'Ada' }))).toEqual([404, 'link_not_valid']);
    expect(code(await accept('x'.repeat(42), { name: 'Ada' }))).toEqual([400, 'validation_failed']);
  });

  test('when whoever made it was removed', async () => {
    const admin = await t.session(org, 'admin');
    const made = await t.call('POST', '/app/api/invitations', {
      ...cookieOf(admin),
      body: { email: newEmail(), role: 'desk', send: false },
    });
    const { data } = (await manage('GET', '/members')).body;
    await manage('DELETE', `/members/${data.find((one: { role: string }) => one.role === 'admin').id}`);
    expect(code(await accept(tokenOf(made.body.link), { name: 'Ada' }))).toEqual([404, 'link_not_valid']);
  });
});

describe('somebody whose address has an account', () => {
  /** An account, made by an invitation into another organization. */
  async function person(proved = true): Promise<{ email: string; session: string }> {
    const [mine, my] = [org, owner];
    org = `other-${++serial}`;
    await t.org(org);
    owner = await t.session(org, 'owner');
    const email = newEmail();
    const { copied, mailed } = await invite(email);
    const reply = await accept(proved ? mailed : copied, { name: 'Ada', password: PASSWORD });
    [org, owner] = [mine, my];
    return { email, session: sessionOf(reply)! };
  }

  test('joins with it when signed in, and stays signed in', async () => {
    const { email, session } = await person();
    const { copied } = await invite(email.toUpperCase());
    expect((await look(copied, session)).body.account).toBe('signed_in');
    const reply = await accept(copied, { name: 'Ignored' }, session);
    expect(reply.body).toEqual({ status: 'signed_in', organization: org, cleared: false });
    expect(sessionOf(reply)).toBeUndefined();
    expect(await membersOf(email)).toMatchObject([{ role: 'manager', name: 'Ada' }]);
    expect((await inOrganization(session)).status).toBe(200);
  });

  test('is asked to sign in by the copied link, which makes nobody a member', async () => {
    const { email } = await person();
    const { copied } = await invite(email);
    expect((await look(copied)).body.account).toBe('sign_in_first');
    expect(code(await accept(copied, { name: 'Eve', password: PASSWORD }))).toEqual([401, 'sign_in_required']);
    expect(await membersOf(email)).toEqual([]);
  });

  test('joins by the mailed link, which signs in', async () => {
    const { email } = await person();
    const { mailed } = await invite(email);
    expect((await look(mailed)).body.account).toBe('joins');
    const reply = await accept(mailed);
    expect(reply.body).toEqual({ status: 'signed_in', organization: org, cleared: false });
    expect((await inOrganization(sessionOf(reply)!)).body.member.role).toBe('manager');
  });

  test('is asked for the second factor that the account has', async () => {
    const { email } = await person();
    await t.system((tx) => tx.run(sql`update accounts set totp_secret = '\\x00' where email = ${email}`));
    const { mailed } = await invite(email);
    const reply = await accept(mailed);
    expect([reply.body.status, sessionOf(reply)]).toEqual(['second_factor', undefined]);
    expect(await membersOf(email)).toHaveLength(1);
  });

  test('loses what somebody else may have set, when the mailed link proves the address for the first time', async () => {
    const { email, session } = await person(false);
    const { mailed } = await invite(email);
    expect((await accept(mailed)).body).toEqual({ status: 'signed_in', organization: org, cleared: true });
    expect((await t.call('GET', '/app/api/-/account', cookieOf(session))).status).toBe(401);
    const signIn = await account('/sign-in/password', { email, password: PASSWORD });
    expect(code(signIn)).toEqual([401, 'sign_in_failed']);
  });

  test('proves the address by the mailed link while signed in, and loses nothing', async () => {
    const { email, session } = await person(false);
    const { mailed } = await invite(email);
    expect((await accept(mailed, {}, session)).body.cleared).toBe(false);
    expect(await membersOf(email)).toMatchObject([{ proved: true }]);
    expect((await inOrganization(session)).status).toBe(200);
  });

  test('keeps the role if they became a member in another way meanwhile', async () => {
    const { email, session } = await person();
    const { copied } = await invite(email);
    await t.system((tx) =>
      tx.run(sql`
        insert into members (org_id, id, account_id, role, created_at, updated_at)
        select ${orgId}, gen_random_uuid(), id, 'viewer', now(), now() from accounts where email = ${email}`),
    );
    expect((await accept(copied, {}, session)).status).toBe(200);
    expect(await membersOf(email)).toMatchObject([{ role: 'viewer' }]);
  });
});

test('409 invalid_state: somebody who is signed in with another address', async () => {
  const { copied, mailed } = await invite(newEmail());
  for (const token of [copied, mailed]) {
    expect((await look(token, owner)).body.account).toBe('other');
    expect(code(await accept(token, { name: 'Ada' }, owner))).toEqual([409, 'invalid_state']);
  }
});

test('409 invalid_state: an organization that is full', async () => {
  const { copied } = await invite(newEmail());
  await t.system((tx) =>
    tx.run(sql`
      with made as (
        insert into accounts (id, email, name, created_at, updated_at)
        select gen_random_uuid(), ${org} || n || '@full.example', 'Many', now(), now() from generate_series(2, ${MOST_MEMBERS}) n
        returning id)
      insert into members (org_id, id, account_id, role, created_at, updated_at)
      select ${orgId}, id, id, 'desk', now(), now() from made`),
  );
  expect(code(await accept(copied, { name: 'Ada' }))).toEqual([409, 'invalid_state']);
  expect((await look(copied)).status).toBe(200);
});

test('403 sandbox_account: the sandbox’s made-up manager joins nothing', async () => {
  const email = newEmail();
  await t.system((tx) =>
    tx.run(sql`
      insert into accounts (id, email, name, sandbox, created_at, updated_at)
      values (gen_random_uuid(), ${email}, 'Made up', true, now(), now())`),
  );
  const { mailed } = await invite(email);
  expect(code(await accept(mailed))).toEqual([403, 'sandbox_account']);
  expect(await membersOf(email)).toEqual([]);
});

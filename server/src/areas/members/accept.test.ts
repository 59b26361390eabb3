import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { HOUR } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { MAX_MEMBERS } from './queries.ts';

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

/** Adds members until the organization has as many as it can have. */
const fill = () =>
  t.system((tx) =>
    tx.run(sql`
      with made as (
        insert into accounts (id, email, name, created_at, updated_at)
        select gen_random_uuid(), ${org} || n || '@full.example', 'Many', now(), now() from generate_series(2, ${MAX_MEMBERS}) n
        returning id)
      insert into members (org_id, id, account_id, role, created_at, updated_at)
      select ${orgId}, id, id, 'desk', now(), now() from made`),
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
        account: token === mailed ? 'none' : 'unproved',
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
    t.clock.advance(71 * HOUR);
    expect((await look(again)).status).toBe(200);
    t.clock.advance(HOUR);
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
    expect((await look(copied)).body.account).toBe('unproved');
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

  test('a session that has ended meanwhile joins nothing', async () => {
    const { email, session } = await person();
    const { copied } = await invite(email);
    let reply!: Promise<Reply>;
    await t.system(async (tx) => {
      const { id } = await tx.one<{ id: Id }>(sql`select id from accounts where email = ${email} for no key update`);
      reply = accept(copied, {}, session);
      await untilWaitingForLock(t.database);
      await tx.run(sql`delete from account_sessions where account_id = ${id}`);
    });
    expect(code(await reply)).toEqual([401, 'sign_in_required']);
    expect(await membersOf(email)).toEqual([]);
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

describe('whoever has only the copied link is not told whether the address has an account', () => {
  /** Invitations of an address that has an account and of one that has none, by their copied links. */
  async function knownAndUnknown(): Promise<[known: string, unknown: string]> {
    const email = newEmail();
    await t.system((tx) =>
      tx.run(sql`
        insert into accounts (id, email, name, created_at, updated_at) values (gen_random_uuid(), ${email}, 'Known', now(), now())`),
    );
    return [(await invite(email, { send: false })).copied, (await invite(newEmail(), { send: false })).copied];
  }

  test('by looking at the invitation', async () => {
    const offers = await Promise.all((await knownAndUnknown()).map(async (token) => (await look(token)).body));
    const [known, unknown] = offers.map(({ email: _email, expires_at: _until, ...rest }) => rest);
    expect(known).toEqual(unknown);
    expect(known.account).toBe('unproved');
  });

  test('by tries that are refused for another reason', async () => {
    const links = await knownAndUnknown();
    const both = async (more: object) => {
      const replies = await Promise.all(links.map((token) => accept(token, more)));
      return replies.map((reply) => [...code(reply), reply.body.error.message]);
    };
    for (const more of [{}, { name: 'Ada', password: 'short' }]) {
      const [known, unknown] = await both(more);
      expect(known).toEqual(unknown);
      expect(known![0]).toBe(400);
    }
    await fill();
    const [known, unknown] = await both({ name: 'Ada' });
    expect(known).toEqual(unknown);
    expect(known!.slice(0, 2)).toEqual([409, 'invalid_state']);
  });

  test('429 sign_in_throttled: more than 100 times in an hour, of all invitations of an organization', async () => {
    const [known, unknown] = await knownAndUnknown();
    for (let i = 0; i < 100; i += 1) expect((await accept(i % 2 === 0 ? known : unknown)).status).toBe(400);
    for (const token of [known, unknown]) {
      const refused = await accept(token, { name: 'Ada' });
      expect(code(refused)).toEqual([429, 'sign_in_throttled']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Who has the mailed link, or is signed in, has proved the address, and does not count.
    expect((await accept((await invite(newEmail())).mailed, { name: 'Ada' })).status).toBe(200);
    t.clock.advance(HOUR);
    expect((await accept(unknown, { name: 'Ada' })).status).toBe(200);
  });
});

describe('an invitation whose maker is lowered in the moment in which it is accepted', () => {
  /** Accepts an invitation of an admin while `change` is not committed yet. */
  async function acceptDuring(change: (tx: Tx, admin: Id) => Promise<unknown>): Promise<Reply> {
    const admin = await t.session(org, 'admin');
    const { member } = (await t.call('GET', '/app/api/membership', cookieOf(admin))).body;
    const body = { email: newEmail(), role: 'desk', send: false };
    const { link } = (await t.call('POST', '/app/api/invitations', { ...cookieOf(admin), body })).body;
    let reply!: Promise<Reply>;
    await t.system(async (tx) => {
      await tx.run(sql`select from organizations where id = ${orgId} for no key update`);
      await change(tx, toUuid(member.id));
      // What is true before the commit is not enough: looking still finds the invitation open.
      expect((await look(tokenOf(link))).status).toBe(200);
      reply = accept(tokenOf(link), { name: 'Ada' });
      await untilWaitingForLock(t.database);
    });
    return reply;
  }

  test('is refused', async () => {
    const lower = (tx: Tx, id: Id) => tx.run(sql`update members set role = 'manager' where id = ${id}`);
    expect(code(await acceptDuring(lower))).toEqual([404, 'link_not_valid']);
  });

  test('the control: it is accepted if the change takes nothing away', async () => {
    const raise = (tx: Tx, id: Id) => tx.run(sql`update members set role = 'owner' where id = ${id}`);
    expect((await acceptDuring(raise)).status).toBe(200);
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
  await fill();
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

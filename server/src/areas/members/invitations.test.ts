import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let serial = 0;
let org: string;
let orgId: Id;
let owner: string;
/** Mails as they were handed to the mail server. */
const sent: { to: string; subject: string; text: string; html?: string | null }[] = [];
beforeAll(async () => {
  t = await startTest({
    env: { PUBLIC_URL: 'https://tickets.example.org' },
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
  await mailsSent(); // of the test before
  sent.length = 0;
});

const call = (session: string, method: string, path: string, body?: unknown) =>
  t.call(method, `/app/api${path}`, {
    headers: { cookie: `__Host-turnout_session=${session}` },
    ...(body !== undefined && { body }),
  });
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const invite = (body: object = {}, session = owner) =>
  call(session, 'POST', '/invitations', { email: `new-${++serial}@example.org`, role: 'manager', ...body });
const list = async () => (await call(owner, 'GET', '/invitations')).body.data;
const mailsSent = async () => {
  while ((await t.step.mails()) > 0);
  return [...sent];
};
const tokenOf = (text: string): string => /#([\w-]{43})/.exec(text)![1]!;
const row = () =>
  t.system((tx) =>
    tx.one<{ mailed_hash: Buffer | null; copied_hash: Buffer; expires_at: string }>(sql`
      select mailed_hash, copied_hash, expires_at from invitations where org_id = ${orgId} and withdrawn_at is null`),
  );

describe('an invitation', () => {
  test('has a link to be copied and another one that is mailed; the database holds neither', async () => {
    const reply = await invite({ email: 'ada@example.org' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      email: 'ada@example.org',
      role: 'manager',
      group: null,
      state: 'open',
      mailed: true,
    });
    expect(reply.body.link).toMatch(/^https:\/\/tickets\.example\.org\/app\/-\/invitation#[\w-]{43}$/);
    expect(Date.parse(reply.body.expires_at) - t.clock.now().getTime()).toBeGreaterThan(71 * HOUR);
    const [mail] = await mailsSent();
    const [copied, mailed] = [tokenOf(reply.body.link), tokenOf(mail!.text)];
    expect(mailed).not.toBe(copied);
    expect(tokenOf(mail!.html!)).toBe(mailed);
    const stored = await row();
    expect(stored.copied_hash).toEqual(hashSecret(copied));
    expect(stored.mailed_hash).toEqual(hashSecret(mailed));
    const everything = await t.system((tx) =>
      tx.one<{ text: string }>(sql`
        select coalesce((select string_agg(m::text, '') from mails m), '') || coalesce((select string_agg(a::text, '') from audit_log a), '')
          || coalesce((select string_agg(d::text, '') from idempotency d), '') as text`),
    );
    expect(everything.text).toContain('ada@example.org');
    expect(everything.text).not.toContain(copied);
    expect(everything.text).not.toContain(mailed);
    expect(await list()).toEqual([expect.objectContaining({ id: reply.body.id, invited_by: expect.any(String) })]);
    expect(JSON.stringify(await list())).not.toContain(copied);
  });

  test('that is not to be mailed is not mailed', async () => {
    const reply = await invite({ send: false });
    expect([reply.status, reply.body.mailed]).toEqual([201, false]);
    expect(await mailsSent()).toEqual([]);
    expect((await row()).mailed_hash).toBeNull();
  });

  test('sent again has new links and 72 new hours; a mail with dead links that still waits is not sent', async () => {
    const first = (await invite()).body;
    t.clock.advance(80 * HOUR);
    expect((await list())[0].state).toBe('expired');
    const again = await call(owner, 'POST', `/invitations/${first.id}/send`);
    expect([again.status, again.body.id, again.body.state, again.body.mailed]).toEqual([200, first.id, 'open', true]);
    expect(again.body.link).not.toBe(first.link);
    const mails = await mailsSent();
    expect(mails).toHaveLength(1);
    const stored = await row();
    expect(stored.copied_hash).toEqual(hashSecret(tokenOf(again.body.link)));
    expect(stored.mailed_hash).toEqual(hashSecret(tokenOf(mails[0]!.text)));
  });

  test('withdrawn is gone, and its mail is not sent any more', async () => {
    const { id } = (await invite()).body;
    expect((await call(owner, 'DELETE', `/invitations/${id}`)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect(await mailsSent()).toEqual([]);
    expect(code(await call(owner, 'POST', `/invitations/${id}/send`))).toEqual([404, 'not_found']);
    expect(code(await call(owner, 'DELETE', `/invitations/${id}`))).toEqual([404, 'not_found']);
  });

  test('is made, sent and withdrawn with an audit row each', async () => {
    const { id } = (await invite({ email: 'ada@example.org', send: false })).body;
    await call(owner, 'POST', `/invitations/${id}/send`);
    await call(owner, 'DELETE', `/invitations/${id}`);
    const log = (await call(owner, 'GET', `/audit-log?object=${id}`)).body.data;
    expect(log.map((one: { action: string }) => one.action)).toEqual([
      'invitation.withdrawn',
      'invitation.sent',
      'invitation.created',
    ]);
    expect(log[2].changes.fields).toMatchObject({
      email: { before: null, after: 'ada@example.org' },
      role: { before: null, after: 'manager' },
    });
  });

  test('of an expired address is made anew; the old one is gone', async () => {
    const first = (await invite({ email: 'Ada@example.org' })).body;
    t.clock.advance(72 * HOUR);
    const second = await invite({ email: 'ada@example.org' });
    expect(second.status).toBe(201);
    expect((await list()).map((one: { id: string }) => one.id)).toEqual([second.body.id]);
    expect(second.body.id).not.toBe(first.id);
  });
});

describe('409 invalid_state', () => {
  test('a member and an invited address cannot be invited, in whatever letters', async () => {
    const { email } = (await call(owner, 'GET', '/members')).body.data[0];
    const refused = await invite({ email: email.toUpperCase() });
    expect([...code(refused), refused.body.error.message]).toEqual([
      409,
      'invalid_state',
      expect.stringContaining('already a member'),
    ]);
    await invite({ email: 'ada@example.org' });
    const twice = await invite({ email: 'ADA@example.org' });
    expect([...code(twice), twice.body.error.message]).toEqual([
      409,
      'invalid_state',
      expect.stringContaining('already invited'),
    ]);
  });

  test('an address that is invited many times at once has one invitation', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => invite({ email: 'ada@example.org' })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });
});

describe('403 permission_required', () => {
  test('an admin can neither invite an owner nor get at the link of an owner’s invitation', async () => {
    const admin = await t.session(org, 'admin');
    expect(code(await invite({ role: 'owner' }, admin))).toEqual([403, 'permission_required']);
    expect((await invite({ role: 'admin' }, admin)).status).toBe(201);
    const { id } = (await invite({ role: 'owner' })).body;
    const before = await t.system((tx) => tx.all(sql`select copied_hash from invitations where org_id = ${orgId}`));
    expect(code(await call(admin, 'POST', `/invitations/${id}/send`))).toEqual([403, 'permission_required']);
    expect(code(await call(admin, 'DELETE', `/invitations/${id}`))).toEqual([403, 'permission_required']);
    expect(await t.system((tx) => tx.all(sql`select copied_hash from invitations where org_id = ${orgId}`))).toEqual(
      before,
    );
  });
});

test('429 rate_limited: at most 100 invitations are mailed in an hour', async () => {
  const { id } = (await invite({ send: false })).body;
  const send = () => call(owner, 'POST', `/invitations/${id}/send`);
  for (let i = 0; i < 100; i += 1) expect((await send()).status).toBe(200);
  const refused = await send();
  expect(code(refused)).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  t.clock.advance(HOUR);
  expect((await send()).status).toBe(200);
});

test.each([
  ['en', 'You’re invited to join Acme & Söhne', 'View invitation'],
  ['de', 'Sie sind zu Acme & Söhne eingeladen', 'Einladung ansehen'],
  ['fr-CA', 'Vous êtes invité(e) à rejoindre Acme & Söhne', 'Voir l’invitation'],
  ['es', 'Tiene una invitación de Acme & Söhne', 'Ver la invitación'],
])('the mail is in the organization’s language: %s', async (language, subject, button) => {
  await t.system((tx) =>
    tx.run(sql`update organizations set language = ${language}, name = 'Acme & Söhne' where id = ${orgId}`),
  );
  await invite({ email: 'ada@example.org' });
  const [mail] = await mailsSent();
  expect(mail).toMatchObject({ to: 'ada@example.org', subject });
  expect(mail!.text).toContain(button);
  expect(mail!.html).toContain(button);
  expect(mail!.html).toContain('Acme &amp; Söhne');
  // Once in the button and twice as a plain link.
  expect(mail!.html!.split(tokenOf(mail!.text))).toHaveLength(4);
});

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../server/src/areas/accounts/index.ts';
import { makeLink } from '../server/src/areas/accounts/links.ts';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { LEADS_TO } from '../server/src/road/for-areas/links.ts';
import { SESSION_COOKIE } from '../server/src/road/router.ts';
import { sql } from '../server/src/store/sql.ts';
import { type Reply, startTest, type TestTurnout } from './support/turnout.ts';

/**
 * Rights that outlive their reason: everything that a member makes and that gives rights × everything that can happen to the member
 * afterwards. What is expected is the table of docs/internals/rights.md, so that the page cannot say anything else than what is true.
 */
const PAGE = readFileSync(new URL('../docs/internals/rights.md', import.meta.url), 'utf8');
const ROWS = PAGE.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));
const [, ...CHANGES] = ROWS[0]!;
const FATES = new Map(ROWS.slice(1).map(([right, ...fates]) => [right!, fates]));

let t: TestTurnout;
let serial = 0;
beforeAll(async () => {
  t = await startTest();
});
afterAll(() => t?.stop());

interface World {
  org: string;
  orgId: Id;
  owner: string;
  /** The member who makes everything: the session, the other session, and the member's and the account's ids. */
  session: string;
  elsewhere: string;
  member: string;
  account: Id;
  email: string;
}

const cookieOf = (session: string) => ({ cookie: `${SESSION_COOKIE}=${session}` });
const app = (w: World, session: string, method: string, path: string, body?: unknown, idempotencyKey?: string) =>
  t.call(method, `/app/api${path}`, {
    headers: cookieOf(session),
    org: w.org,
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
const made = (reply: Reply): Reply['body'] => {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
};
const asOwner = async (w: World, method: string, path: string, body?: unknown) =>
  made(await app(w, w.owner, method, path, body));
const asMember = async (w: World, method: string, path: string, body?: unknown) =>
  made(await app(w, w.session, method, path, body));
const answers = async (reply: Promise<Reply>): Promise<boolean> => (await reply).status < 300;
const tokenOf = (link: string): string => /#([\w-]{43})/.exec(link)![1]!;
/** Signed links are absolute, and name the address that the server is configured with. */
const open = (link: string) => t.call('GET', new URL(link).pathname);

async function world(group: string | null, proved: boolean): Promise<World> {
  const org = `rights-${++serial}`;
  const orgId = await t.org(org);
  const owner = await t.session(org, 'owner');
  const session = await t.session(org, 'admin');
  const w: World = { org, orgId, owner, session, elsewhere: '', member: '', account: '' as Id, email: '' };
  await asOwner(w, 'POST', '/groups', { code: 'north', name: 'North' });
  await asOwner(w, 'POST', '/groups', { code: 'city', name: 'City', parent: 'north' });
  await asOwner(w, 'POST', '/groups', { code: 'south', name: 'South' });
  await asOwner(w, 'POST', '/events', { code: 'fair', name: 'Fair', ...(group !== null && { group }) });
  await asOwner(w, 'POST', '/events/fair/days', { code: 'd1', date: '2031-03-02' });
  await asOwner(w, 'POST', '/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await asOwner(w, 'POST', '/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await asOwner(w, 'POST', '/events/fair/publish');
  const { member } = await asMember(w, 'GET', '/membership');
  if (group !== null) await asOwner(w, 'PATCH', `/members/${member.id}`, { group });
  return t.system(async (tx) => {
    const { id: account } = await tx.one<{ id: Id }>(sql`
      update accounts set email_proved_at = ${proved ? tx.clock.now() : null} where email = ${member.email} returning id`);
    const elsewhere = await openSession(tx, { account, method: 'password', secondFactor: false });
    return { ...w, member: member.id, account, email: member.email, elsewhere };
  });
}

/** Makes the thing as the member, and returns how to find out whether it still gives what it gave. */
type Right = (w: World) => Promise<() => Promise<boolean>>;

async function invitation(w: World, body: object): Promise<() => Promise<boolean>> {
  const email = `invited-${++serial}@example.org`;
  const { id, link } = await asMember(w, 'POST', '/invitations', { email, send: false, ...body });
  return async () => {
    const listed: { id: string }[] = (await asOwner(w, 'GET', '/invitations')).data;
    const looked = await t.call('POST', '/app/api/-/invitations/look', { body: { token: tokenOf(link) } });
    const joined = await t.call('POST', '/app/api/-/invitations/accept', {
      body: { token: tokenOf(link), name: 'Ada' },
    });
    const all = [listed.some((one) => one.id === id), looked.status === 200, joined.status === 200];
    if (new Set(all).size !== 1) throw new Error(`listed, looked at and accepted differ: ${all}`);
    return all[0]!;
  };
}
const pairingCode = async (w: World): Promise<string> =>
  (await asMember(w, 'POST', '/events/fair/devices/pairing-codes', {})).code;
const pair = (code: string) => t.call('POST', '/api/v1/devices/pair', { body: { code } });
const scanner = async (w: World): Promise<string> => made(await pair(await pairingCode(w))).token;
const newKey = { name: 'Key', mode: 'live', scopes: ['read'] };

const RIGHTS: Record<string, Right> = {
  'invitation into the own role and group': (w) => invitation(w, { role: 'admin' }),
  'invitation of a viewer into City': (w) => invitation(w, { role: 'viewer', group: 'city' }),
  'code that pairs a scanner': async (w) => {
    const code = await pairingCode(w);
    return () => answers(pair(code));
  },
  'paired scanner': async (w) => {
    const key = await scanner(w);
    return () => answers(t.call('GET', '/api/v1/events/fair/scan/manifest', { key }));
  },
  'API key': async (w) => {
    const { secret } = await asMember(w, 'POST', '/keys', newKey);
    return () => answers(t.call('GET', '/v1/me', { key: secret }));
  },
  webhook: async (w) => {
    const { id } = await asMember(w, 'POST', '/webhooks', { url: 'https://hooks.example.org/x', events: ['*'] });
    return async () => (await asOwner(w, 'GET', `/webhooks/${id}`)).status === 'healthy';
  },
  'scheduled message': async (w) => {
    const wanted = { subject: 'Later', text: 'Later', send_at: '2031-03-01T00:00:00Z' };
    const { id } = await asMember(w, 'POST', '/events/fair/communications', wanted);
    await asMember(w, 'POST', `/events/fair/communications/${id}/send`, { send_at: wanted.send_at });
    return async () => (await asOwner(w, 'GET', `/events/fair/communications/${id}`)).status === 'scheduled';
  },
  'PIN for the door': async (w) => {
    await asMember(w, 'PUT', '/membership/pin', { pin: '048213' });
    const key = await scanner(w);
    return () =>
      answers(t.call('POST', '/api/v1/devices/self/unlock', { key, body: { member: w.member, pin: '048213' } }));
  },
  'link to the roster': async (w) => {
    const { roster } = await asMember(w, 'GET', '/events/fair/scan/manifest');
    return () => answers(open(roster.url));
  },
  'link to an exported file': async (w) => {
    const { result_url } = await asMember(w, 'POST', '/exports', { what: 'people', format: 'csv', event: 'fair' });
    return () => answers(open(result_url));
  },
  'answer that is asked for again': async (w) => {
    const again = randomUUID();
    const { secret } = made(await app(w, w.session, 'POST', '/keys', newKey, again));
    return async () => (await app(w, w.session, 'POST', '/keys', newKey, again)).body?.secret === secret;
  },
  'this session': async (w) => () => answers(app(w, w.session, 'GET', '/membership')),
  'session in another browser': async (w) => () => answers(app(w, w.elsewhere, 'GET', '/membership')),
  'link by mail to sign in': async (w) => {
    const token = await t.system((tx) => makeLink(tx, { kind: 'sign_in', account: w.account, email: w.email }));
    return () => answers(t.call('POST', '/app/api/-/sign-in/link', { body: { token } }));
  },
};

interface Happening {
  group?: string;
  /** Whether the address was proved before. */
  unproved?: true;
  happens: (w: World) => Promise<unknown>;
}
const changed = (change: object) => (w: World) => asOwner(w, 'PATCH', `/members/${w.member}`, change);
const account = async (w: World, method: string, path: string, body?: unknown, cookie = cookieOf(w.session).cookie) => {
  const reply = await t.call(method, `/app/api/-${path}`, { headers: { cookie }, ...(body !== undefined && { body }) });
  return { ...made(reply), cookies: reply.headers.getSetCookie().map((line) => line.split(';')[0]) };
};

const HAPPENINGS: Record<string, Happening> = {
  'lowered to viewer': { happens: changed({ role: 'viewer' }) },
  'lowered to manager': { happens: changed({ role: 'manager' }) },
  'limited to North': { happens: changed({ group: 'north' }) },
  'from North to City': { group: 'north', happens: changed({ group: 'city' }) },
  'from North to South': { group: 'north', happens: changed({ group: 'south' }) },
  'City moves below South': {
    group: 'north',
    happens: (w) => asOwner(w, 'POST', '/groups/city/move', { parent: 'south' }),
  },
  removed: { happens: (w) => asOwner(w, 'DELETE', `/members/${w.member}`) },
  leaves: { happens: (w) => asMember(w, 'DELETE', '/membership') },
  'sets a password': {
    happens: (w) => account(w, 'POST', '/account/password', { password: 'correct horse battery staple' }),
  },
  'sets up an app': {
    happens: async (w) => {
      const { secret, cookies } = await account(w, 'POST', '/account/totp');
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: t.clock.now().getTime() });
      const cookie = [cookieOf(w.session).cookie, ...cookies].join('; ');
      await account(w, 'POST', '/account/totp/confirm', { code }, cookie);
    },
  },
  'second factor required': {
    happens: (w) =>
      t.system((tx) => tx.run(sql`update organizations set require_second_factor = true where id = ${w.orgId}`)),
  },
  'address first proved': {
    unproved: true,
    happens: async (w) => {
      const token = await t.system((tx) => makeLink(tx, { kind: 'sign_in', account: w.account, email: w.email }));
      const reply = await t.call('POST', '/app/api/-/sign-in/link', { body: { token } });
      expect(made(reply).cleared).toBe(true);
    },
  },
};

/** Makes everything, lets it happen, and tells what is left of each. */
async function outcome({ group = '', unproved, happens }: Happening): Promise<Record<string, string>> {
  const w = await world(group === '' ? null : group, unproved !== true);
  const works: [string, () => Promise<boolean>][] = [];
  for (const [name, make] of Object.entries(RIGHTS)) works.push([name, await make(w)]);
  await happens(w);
  const fates: Record<string, string> = {};
  for (const [name, still] of works) {
    // Owners who look must not be kept out by the rule themselves.
    await t.system((tx) =>
      tx.run(sql`
        update account_sessions s set second_factor = true from members m
        where m.org_id = ${w.orgId} and m.account_id = s.account_id and m.role = 'owner'`),
    );
    fates[name] = (await still()) ? 'stays' : 'ends';
  }
  return fates;
}

test('the page lists exactly what is tried here', () => {
  expect([...FATES.keys()].sort()).toEqual(Object.keys(RIGHTS).sort());
  expect([...CHANGES].sort()).toEqual(Object.keys(HAPPENINGS).sort());
});

test.each([null, 'north'])(
  'the control: if nothing happens, everything works (group %s)',
  async (group) => {
    const fates = await outcome({ ...(group !== null && { group }), happens: async () => {} });
    expect(fates).toEqual(Object.fromEntries(Object.keys(RIGHTS).map((name) => [name, 'stays'])));
  },
  60_000,
);

describe('what a member has made, afterwards', () => {
  test.each(CHANGES)(
    '%s',
    async (name) => {
      const column = CHANGES.indexOf(name);
      const expected = Object.fromEntries([...FATES].map(([right, fates]) => [right, fates[column]]));
      expect(await outcome(HAPPENINGS[name]!)).toEqual(expected);
    },
    60_000,
  );
});

test('what was withdrawn stays withdrawn when the member gets the role back, and the audit log tells why', async () => {
  const w = await world(null, true);
  const works = await invitation(w, { role: 'desk' });
  await changed({ role: 'manager' })(w);
  await changed({ role: 'admin' })(w);
  expect(await works()).toBe(false);
  const { data } = await asOwner(w, 'GET', '/audit-log?action=invitation.withdrawn');
  expect(data).toHaveLength(1);
  expect(data[0].changes).toMatchObject({
    fields: { role: { before: 'desk', after: null } },
    details: { because: 'The member who made it can no longer give it.' },
  });
});

test('an invitation that the operator made needs nobody, and one that somebody else sent again is theirs', async () => {
  const w = await world(null, true);
  const [byOperator, sentAgain] = [await invitation(w, { role: 'desk' }), await invitation(w, { role: 'viewer' })];
  const { data } = await asOwner(w, 'GET', '/invitations');
  const [desk, viewer] = ['desk', 'viewer'].map((role) => data.find((one: { role: string }) => one.role === role).id);
  await t.system((tx) => tx.run(sql`update invitations set invited_by = null where id = ${toUuid(desk)}`));
  const { link } = await asOwner(w, 'POST', `/invitations/${viewer}/send`);
  await asOwner(w, 'DELETE', `/members/${w.member}`);
  expect(await byOperator()).toBe(true);
  // The links before the last sending are dead, but the invitation stands.
  const accepted = await t.call('POST', '/app/api/-/invitations/accept', {
    body: { token: tokenOf(link), name: 'Ada' },
  });
  expect(accepted.status).toBe(200);
  await expect(sentAgain()).resolves.toBe(false);
});

describe('whatever gives rights is listed', () => {
  /** Columns for secrets, and the row of the page that they belong to. Null: no member makes what they are for. */
  const SECRETS: Record<string, string | null> = {
    'account_links.hash': 'link by mail to sign in',
    'account_recovery_codes.hash': null,
    'account_sessions.hash': 'this session',
    'accounts.password_hash': null,
    'accounts.totp_secret': null,
    'api_keys.hash': 'API key',
    'devices.token_hash': 'paired scanner',
    'invitations.copied_hash': 'invitation into the own role and group',
    'invitations.mailed_hash': 'invitation into the own role and group',
    'members.pin_hash': 'PIN for the door',
    'pairing_codes.code_hash': 'code that pairs a scanner',
    'platform_connections.token': null,
    'sign_in_steps.hash': null,
    'tenant_hosts.token': null,
    'webhook_endpoints.old_secret': 'webhook',
    'webhook_endpoints.secret': 'webhook',
  };
  const LINKS: Record<string, string | null> = {
    roster: 'link to the roster',
    jobs: 'link to an exported file',
    unsubscribe: null,
  };

  test('every column for a secret', async () => {
    const columns = await t.system((tx) =>
      tx.all<{ name: string }>(sql`
        select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name ~ '(^|_)(hash|secret|token)$' order by 1`),
    );
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(SECRETS).sort());
  });

  test('every kind of signed link', () => {
    expect(Object.keys(LEADS_TO).sort()).toEqual(Object.keys(LINKS).sort());
  });

  test('each of them has its row on the page', () => {
    const named = [...Object.values(SECRETS), ...Object.values(LINKS)].filter((row) => row !== null);
    for (const row of named) expect(FATES.has(row), row).toBe(true);
  });
});

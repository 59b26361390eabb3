import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { type Id, newId, toUuid } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { MAX_INVITATIONS } from './invitation-queries.ts';
import { MAX_MEMBERS } from './queries.ts';

let t: TestTurnout;
let serial = 0;
/** Each test has an organization of its own. */
let org: string;
let orgId: Id;
beforeAll(async () => {
  t = await startTest();
});
afterAll(() => t.stop());
beforeEach(async () => {
  org = `acme-${++serial}`;
  orgId = await t.org(org);
});

const call = (session: string, method: string, path: string, body?: unknown) =>
  t.call(method, `/app/api${path}`, {
    headers: { cookie: `turnout_session=${session}` },
    ...(body !== undefined && { body }),
  });
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const idOf = async (session: string): Promise<string> => (await call(session, 'GET', '/membership')).body.member.id;

/** A session and the member that it belongs to; with a group, limited to it. */
async function member(role: string, group?: string): Promise<{ session: string; id: string }> {
  const session = await t.session(org, role);
  const id = await idOf(session);
  if (group !== undefined) {
    await t.system((tx) =>
      tx.run(sql`
        update members set group_id = (select id from groups where org_id = ${orgId} and code = ${group})
        where id = ${toUuid(id)}`),
    );
  }
  return { session, id };
}
/** The group city is below north; south is separate. */
async function withGroups(): Promise<void> {
  const { secret: key } = await t.key(org);
  for (const body of [
    { code: 'north', name: 'North' },
    { code: 'city', name: 'City', parent: 'north' },
    { code: 'south', name: 'South' },
  ]) {
    await t.call('POST', '/v1/groups', { key, body });
  }
}
const roleOf = async (id: string): Promise<string | null> => {
  const row = await t.system((tx) =>
    tx.maybe<{ role: string }>(sql`select role from members where id = ${toUuid(id)}`),
  );
  return row?.role ?? null;
};
const audit = (action: string) =>
  t.system((tx) =>
    // biome-ignore lint/suspicious/noExplicitAny: the test reads what it expects
    tx.all<any>(sql`
      select actor_kind, actor_id, source, object_kind, object_id, changes from audit_log
      where org_id = ${orgId} and action = ${action} order by id`),
  );

test('members are listed by name, with what concerns their access', async () => {
  const owner = await member('owner');
  const desk = await member('desk');
  await t.system(async (tx) => {
    await tx.run(sql`
      update accounts set totp_secret = '\\x00', name = 'Aaron'
      where id = (select account_id from members where id = ${toUuid(desk.id)})`);
    await tx.run(sql`update members set pin_hash = 'x' where id = ${toUuid(desk.id)}`);
  });
  const { data } = (await call(owner.session, 'GET', '/members')).body;
  expect(data).toHaveLength(2);
  expect(data[0]).toMatchObject({
    id: desk.id,
    name: 'Aaron',
    role: 'desk',
    group: null,
    second_factor: true,
    door_pin: true,
    you: false,
  });
  expect(data[0].last_seen_at).not.toBeNull();
  expect(data[1]).toMatchObject({ id: owner.id, role: 'owner', second_factor: false, door_pin: false, you: true });
});

test('when somebody was last seen is told of this organization alone, and written every five minutes', async () => {
  const owner = await member('owner');
  const other = `${org}-elsewhere`;
  const otherId = await t.org(other);
  const { session, id } = await member('viewer');
  const seen = async () =>
    (await call(owner.session, 'GET', '/members')).body.data.find((one: { id: string }) => one.id === id).last_seen_at;
  const first = await seen();
  expect(first).not.toBeNull();
  await t.system((tx) =>
    tx.run(sql`
      insert into members (org_id, id, account_id, role, created_at, updated_at)
      select ${otherId}, ${newId(tx.clock.now())}, account_id, 'owner', now(), now() from members where id = ${toUuid(id)}`),
  );
  const headers = { cookie: `turnout_session=${session}` };
  const use = (where: string) => t.call('GET', '/app/api/membership', { headers, org: where });
  t.clock.advance(HOUR);
  expect((await use(other)).status).toBe(200);
  expect(await seen()).toBe(first);
  expect((await use(org)).status).toBe(200);
  const second = await seen();
  expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(HOUR);
  t.clock.advance(4 * MINUTE);
  await use(org);
  expect(await seen()).toBe(second);
  t.clock.advance(2 * MINUTE);
  await use(org);
  expect(await seen()).not.toBe(second);
});

test('an account’s membership of another organization is told nobody', async () => {
  const owner = await member('owner');
  const other = `${org}-other`;
  await t.org(other);
  const theirs = await t.session(other, 'owner');
  const { data } = (await call(theirs, 'GET', '/members')).body;
  expect(data.map((one: { id: string }) => one.id)).not.toContain(owner.id);
  expect(code(await call(theirs, 'PATCH', `/members/${owner.id}`, { role: 'viewer' }))).toEqual([404, 'not_found']);
  expect(code(await call(theirs, 'DELETE', `/members/${owner.id}`))).toEqual([404, 'not_found']);
  expect(await roleOf(owner.id)).toBe('owner');
});

test('the membership says what the frame of the app needs', async () => {
  const { session, id } = await member('door');
  const { body } = await call(session, 'GET', '/membership');
  expect(body).toMatchObject({
    member: { id, role: 'door', permissions: ['tenant.profile', 'events.read', 'door.scan'], group: null },
    organization: { code: org, currency: 'EUR', accent: null, sandbox: false },
    plan: { code: 'scale' },
    terminology: { attendee: 'attendee' },
  });
});

describe('a change of role', () => {
  test('holds from the next request on, and is in the audit log with both roles', async () => {
    const owner = await member('owner');
    const manager = await member('manager');
    const changed = await call(owner.session, 'PATCH', `/members/${manager.id}`, { role: 'viewer' });
    expect(changed.body).toMatchObject({ id: manager.id, role: 'viewer' });
    expect(code(await call(manager.session, 'POST', '/events', { name: 'x' }))).toEqual([403, 'permission_required']);
    const [row] = await audit('member.changed');
    expect(row).toMatchObject({
      actor_kind: 'member',
      actor_id: toUuid(owner.id),
      source: 'app',
      object_kind: 'member',
      object_id: toUuid(manager.id),
      changes: { fields: { role: { before: 'manager', after: 'viewer' } } },
    });
  });

  test('that changes nothing leaves no audit row and the same stamp', async () => {
    const owner = await member('owner');
    const desk = await member('desk');
    const before = (await call(owner.session, 'GET', '/members')).text;
    expect((await call(owner.session, 'PATCH', `/members/${desk.id}`, { role: 'desk' })).status).toBe(200);
    expect((await call(owner.session, 'GET', '/members')).text).toBe(before);
    expect(await audit('member.changed')).toEqual([]);
  });

  test.each([
    ['admin', 'viewer', 'admin', 200],
    ['admin', 'viewer', 'owner', 403],
    ['admin', 'owner', 'viewer', 403],
    ['admin', 'owner', 'owner', 403],
    ['owner', 'viewer', 'owner', 200],
    ['owner', 'owner', 'admin', 200],
  ])('by an %s, from %s to %s: %i', async (by, from, to, status) => {
    await member('owner');
    const { session } = await member(by);
    const other = await member(from);
    const reply = await call(session, 'PATCH', `/members/${other.id}`, { role: to });
    expect(reply.status).toBe(status);
    expect(await roleOf(other.id)).toBe(status === 200 ? to : from);
    const removed = await call(session, 'DELETE', `/members/${other.id}`);
    expect(removed.status).toBe(by === 'admin' && from === 'owner' ? 403 : 204);
  });

  test('of one’s own: downwards only', async () => {
    await member('owner');
    const admin = await member('admin');
    expect(code(await call(admin.session, 'PATCH', `/members/${admin.id}`, { role: 'owner' }))).toEqual([
      403,
      'permission_required',
    ]);
    expect((await call(admin.session, 'PATCH', `/members/${admin.id}`, { role: 'viewer' })).body.you).toBe(true);
    expect(code(await call(admin.session, 'PATCH', `/members/${admin.id}`, { role: 'admin' }))).toEqual([
      403,
      'permission_required',
    ]);
  });

  test('withdraws the invitations that the member could no longer make, also into roles that they could give', async () => {
    const owner = await member('owner');
    const admin = await member('admin');
    const made = (await call(admin.session, 'POST', '/invitations', { email: 'new@example.org', role: 'viewer' })).body;
    await call(owner.session, 'PATCH', `/members/${admin.id}`, { role: 'manager' });
    expect((await call(owner.session, 'GET', '/invitations')).body.data).toEqual([]);
    const [row] = await audit('member.changed');
    expect(row.changes.objects).toEqual([{ kind: 'invitation', id: made.id }]);
  });
});

describe('409 last_owner', () => {
  test('the last owner is neither lowered nor limited nor removed, and does not leave', async () => {
    const owner = await member('owner');
    await member('admin');
    await withGroups();
    const limited = await member('owner', 'north');
    const path = `/members/${owner.id}`;
    const last = [409, 'last_owner'];
    expect(code(await call(owner.session, 'PATCH', path, { role: 'admin' }))).toEqual(last);
    expect(code(await call(owner.session, 'PATCH', path, { group: 'north' }))).toEqual(last);
    expect(code(await call(owner.session, 'DELETE', path))).toEqual(last);
    expect(code(await call(owner.session, 'DELETE', '/membership'))).toEqual(last);
    // An owner of a group does not count, but may go.
    expect((await call(limited.session, 'DELETE', '/membership')).status).toBe(204);
    expect(await audit('member.changed')).toEqual([]);

    const second = await member('owner');
    expect((await call(second.session, 'PATCH', path, { role: 'admin' })).status).toBe(200);
    expect(code(await call(second.session, 'DELETE', '/membership'))).toEqual(last);
  });

  test('of two owners who lower, remove or leave each other at once, one stays', async () => {
    for (let round = 0; round < 6; round += 1) {
      org = `race-${++serial}`;
      orgId = await t.org(org);
      const [a, b] = [await member('owner'), await member('owner')];
      const go = [
        () => [
          call(a.session, 'PATCH', `/members/${b.id}`, { role: 'viewer' }),
          call(b.session, 'PATCH', `/members/${a.id}`, { role: 'viewer' }),
        ],
        () => [call(a.session, 'DELETE', `/members/${b.id}`), call(b.session, 'DELETE', `/members/${a.id}`)],
        () => [call(a.session, 'DELETE', '/membership'), call(b.session, 'DELETE', '/membership')],
      ][round % 3]!;
      const replies = await Promise.all(go());
      expect(replies.filter((reply) => reply.status < 300)).toHaveLength(1);
      const roles = [await roleOf(a.id), await roleOf(b.id)];
      expect(roles.filter((role) => role === 'owner')).toHaveLength(1);
    }
  });

  test('the control: without the lock, two owners who look for each other first both go', async () => {
    const [a, b] = [await member('owner'), await member('owner')];
    let arrived = 0;
    let open!: () => void;
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    const lower = (id: string) =>
      t.system(async (tx) => {
        const other = await tx.maybe(sql`
          select 1 from members where org_id = ${orgId} and role = 'owner' and id <> ${toUuid(id)}`);
        arrived += 1;
        if (arrived === 2) open();
        await both;
        if (other !== null) await tx.run(sql`update members set role = 'viewer' where id = ${toUuid(id)}`);
      });
    await Promise.all([lower(a.id), lower(b.id)]);
    expect([await roleOf(a.id), await roleOf(b.id)]).toEqual(['viewer', 'viewer']);
  });

  test('whoever was lowered while the call waited for its turn is refused', async () => {
    const [a, b] = [await member('owner'), await member('owner')];
    await member('owner');
    const replies = await Promise.all([
      call(a.session, 'PATCH', `/members/${b.id}`, { role: 'viewer' }),
      call(b.session, 'PATCH', `/members/${a.id}`, { role: 'viewer' }),
    ]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403]);
  });
});

describe('a removed member', () => {
  test('loses the organization with the next request; what they made for it stays, their invitations do not', async () => {
    const owner = await member('owner');
    const admin = await member('admin');
    await call(admin.session, 'POST', '/invitations', { email: 'new@example.org', role: 'desk' });
    const event = (await call(admin.session, 'POST', '/events', { name: 'Fair' })).body.id;
    expect((await call(owner.session, 'DELETE', `/members/${admin.id}`)).status).toBe(204);
    expect(code(await call(admin.session, 'GET', '/membership'))).toEqual([404, 'not_found']);
    expect((await call(owner.session, 'GET', `/events/${event}`)).status).toBe(200);
    expect((await call(owner.session, 'GET', '/invitations')).body.data).toEqual([]);
    const [row] = await audit('member.removed');
    expect(row.changes.fields).toMatchObject({ role: { before: 'admin', after: null } });
    expect(code(await call(owner.session, 'DELETE', `/members/${admin.id}`))).toEqual([404, 'not_found']);
  });

  test('who leaves is in the audit log, too', async () => {
    await member('owner');
    const desk = await member('desk');
    expect((await call(desk.session, 'DELETE', '/membership')).status).toBe(204);
    const [row] = await audit('member.left');
    expect(row).toMatchObject({ actor_id: toUuid(desk.id), object_id: toUuid(desk.id) });
  });

  test('the sandbox’s made-up manager stays', async () => {
    const { session, id } = await member('manager');
    await t.system((tx) =>
      tx.run(sql`
        update accounts set sandbox = true where id = (select account_id from members where id = ${toUuid(id)})`),
    );
    expect(code(await call(session, 'DELETE', '/membership'))).toEqual([403, 'sandbox_account']);
  });
});

describe('a member who is limited to a group', () => {
  test('sees and manages the members and invitations of that group and below, and gives only such groups', async () => {
    await withGroups();
    const owner = await member('owner');
    const north = await member('admin', 'north');
    const city = await member('desk', 'city');
    const south = await member('desk', 'south');
    const invite = async (email: string, group: string | null) =>
      (await call(owner.session, 'POST', '/invitations', { email, role: 'desk', group, send: false })).body.id;
    const [toCity, toSouth, toAll] = [
      await invite('c@example.org', 'city'),
      await invite('s@example.org', 'south'),
      await invite('a@example.org', null),
    ];
    const ids = async (path: string) =>
      (await call(north.session, 'GET', path)).body.data.map((one: { id: string }) => one.id).sort();
    expect(await ids('/members')).toEqual([north.id, city.id].sort());
    expect(await ids('/invitations')).toEqual([toCity]);

    for (const id of [owner.id, south.id]) {
      expect(code(await call(north.session, 'PATCH', `/members/${id}`, { role: 'viewer' }))).toEqual([
        404,
        'not_found',
      ]);
      expect(code(await call(north.session, 'DELETE', `/members/${id}`))).toEqual([404, 'not_found']);
    }
    for (const id of [toSouth, toAll]) {
      expect(code(await call(north.session, 'POST', `/invitations/${id}/send`))).toEqual([404, 'not_found']);
      expect(code(await call(north.session, 'DELETE', `/invitations/${id}`))).toEqual([404, 'not_found']);
    }
    for (const group of ['south', null]) {
      expect(code(await call(north.session, 'PATCH', `/members/${city.id}`, { group }))).toEqual([
        400,
        'validation_failed',
      ]);
      const body = { email: 'n@example.org', role: 'desk', group };
      expect(code(await call(north.session, 'POST', '/invitations', body))).toEqual([400, 'validation_failed']);
    }
    expect((await call(north.session, 'PATCH', `/members/${city.id}`, { group: 'north' })).body.group).toBe('north');
    const made = await call(north.session, 'POST', '/invitations', { email: 'n@example.org', role: 'desk' });
    expect([made.status, made.body.group]).toEqual([201, 'north']);
  });
});

test('a group with members or invitations is not deleted; one whose invitation has ended is', async () => {
  await withGroups();
  const owner = await member('owner');
  const { id } = (
    await call(owner.session, 'POST', '/invitations', {
      email: 'c@example.org',
      role: 'desk',
      group: 'city',
      send: false,
    })
  ).body;
  const refused = await call(owner.session, 'DELETE', '/groups/city');
  expect([...code(refused), refused.body.error.message]).toEqual([
    409,
    'invalid_state',
    expect.stringContaining('1 invitation.'),
  ]);
  expect((await call(owner.session, 'DELETE', `/invitations/${id}`)).status).toBe(204);
  expect((await call(owner.session, 'DELETE', '/groups/city')).status).toBe(204);
});

describe('409 invalid_state', () => {
  test('at most 500 members, and at most 200 open invitations however many are made at once', async () => {
    const owner = await member('owner');
    await t.system(async (tx) => {
      const now = tx.clock.now();
      for (let i = 0; i < MAX_INVITATIONS - 5; i += 1) {
        await insertRow(tx, 'invitations', {
          org_id: orgId,
          id: newId(now),
          email: `i${i}@example.org`,
          role: 'desk',
          copied_hash: hashSecret(randomBytes(32).toString('hex')),
          created_at: now,
          updated_at: now,
          expires_at: new Date(now.getTime() + 3_600_000),
        });
      }
    });
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        call(owner.session, 'POST', '/invitations', { email: `at-once-${i}@example.org`, role: 'desk', send: false }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(5);
    expect(replies.filter((reply) => reply.body.error?.code === 'invalid_state')).toHaveLength(7);

    await t.system(async (tx) => {
      await tx.run(sql`delete from invitations where org_id = ${orgId}`);
      await tx.run(sql`
        with made as (
          insert into accounts (id, email, name, created_at, updated_at)
          select gen_random_uuid(), ${org} || n || '@many.example', 'Many', now(), now() from generate_series(1, ${MAX_MEMBERS - 1}) n
          returning id)
        insert into members (org_id, id, account_id, role, created_at, updated_at)
        select ${orgId}, id, id, 'desk', now(), now() from made`);
    });
    const full = await call(owner.session, 'POST', '/invitations', { email: 'one@example.org', role: 'desk' });
    expect(code(full)).toEqual([409, 'invalid_state']);
  });
});

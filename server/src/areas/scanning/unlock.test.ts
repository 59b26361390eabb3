import { argon2Sync, randomUUID } from 'node:crypto';
import { ROLE_PERMISSIONS, ROLES } from '@turnout/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { secrets } from '../../../../test/support/secrets.ts';
import type { Reply } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { type Id, toUlid, toUuid } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { fingerprint } from '../../road/write/idempotency.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';

const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
let fair: Fair;
beforeAll(async () => {
  fair = await openFair(clock);
});
afterAll(() => fair.t.stop());
// Moving the clock ends the rate windows of the test before.
beforeEach(() => clock.advance(2 * MINUTE));

const PIN = '048213';
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];

interface Member {
  session: string;
  id: string;
  name: string;
}
let serial = 0;
/** A member who has just signed in. */
async function member(role = 'desk', group: string | null = null): Promise<Member> {
  const session = await fair.t.session('acme', role);
  const name = `${role} ${++serial}`;
  const { id } = await fair.t.system((tx) =>
    tx.one<{ id: Id }>(sql`
      update members m set group_id = (select g.id from groups g where g.org_id = m.org_id and g.code = ${group})
      from account_sessions s where s.hash = ${hashSecret(session)} and m.account_id = s.account_id returning m.id`),
  );
  await fair.t.system((tx) =>
    tx.run(sql`
      update accounts a set name = ${name} from account_sessions s where s.hash = ${hashSecret(session)} and a.id = s.account_id`),
  );
  return { session, id: toUlid(id), name };
}

const setPin = ({ session }: Member, pin = PIN) => fair.app(session, 'PUT', '/membership/pin', { pin });
const removePin = ({ session }: Member) => fair.app(session, 'DELETE', '/membership/pin');
/** A member with a PIN. */
async function withPin(role = 'desk', group: string | null = null, pin = PIN): Promise<Member> {
  const made = await member(role, group);
  expect((await setPin(made, pin)).status).toBe(204);
  return made;
}

interface Device {
  token: string;
  id: string;
}
/** Paired by a member of this group, and so limited to it. */
async function device(group: string | null = null, event = 'fair'): Promise<Device> {
  const { session } = await member('manager', group);
  const made = await fair.app(session, 'POST', `/events/${event}/devices/pairing-codes`, { name: 'North gate' });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { body } = await fair.t.call('POST', '/api/v1/devices/pair', { body: { code: made.body.code } });
  return { token: body.token, id: body.device.id };
}
const offered = async ({ token }: Device) =>
  (await fair.get('/devices/self/members', token)).body.data as { id: string; name: string }[];
const unlock = ({ token }: Device, who: Pick<Member, 'id'>, pin = PIN, idempotencyKey: string = randomUUID()) =>
  fair.t.call('POST', '/api/v1/devices/self/unlock', { key: token, body: { member: who.id, pin }, idempotencyKey });
const override = ({ token }: Device, id: string, reason = 'Known to the crew') =>
  fair.t.call('POST', `/api/v1/checkins/${id}/override`, { key: token, body: { reason } });
const undo = ({ token }: Device, id: string, body?: object) =>
  fair.t.call('POST', `/api/v1/checkins/${id}/undo`, { key: token, ...(body !== undefined && { body }) });

/** Somebody who is refused because they come on the wrong day. Gives the id of the check-in. */
async function refused(group?: string): Promise<string> {
  const { code: ticket } = await fair.register({ days: ['d2'], ...(group !== undefined && { group }) });
  const { body } = await fair.scan(ticket);
  expect(body.admitted).toBe(false);
  return body.checkins[0].id;
}
async function admitted(): Promise<string> {
  const { code: ticket } = await fair.register();
  const { body } = await fair.scan(ticket);
  expect(body.admitted).toBe(true);
  return body.checkins[0].id;
}
const audited = async (action: string) =>
  (await fair.t.call('GET', `/v1/audit-log?action=${action}&limit=5`, { key: fair.key })).body.data;

describe('the PIN', () => {
  test.each(ROLES)('%s may set one if the role may override', async (role) => {
    const may = ROLE_PERMISSIONS[role].includes('door.override');
    const one = await member(role);
    expect((await setPin(one)).status).toBe(may ? 204 : 403);
    expect((await removePin(one)).status).toBe(may ? 204 : 403);
  });

  test('is set and removed only by somebody who has just signed in', async () => {
    const one = await member();
    clock.advance(10 * MINUTE);
    expect(code(await setPin(one))).toEqual([403, 'sign_in_again']);
    expect(code(await removePin(one))).toEqual([403, 'sign_in_again']);
  });

  test.each(['12345', '1234567', 'abcdef', '12 456', '١٢٣٤٥٦', ''])('400 for %j', async (pin) => {
    expect(code(await setPin(await member(), pin))).toEqual([400, 'validation_failed']);
  });

  test('is stored as argon2id over an HMAC, and nowhere else', async () => {
    const [one, other] = [await withPin('desk', null, '902817'), await withPin('desk', null, '902817')];
    const at = await device();
    const key = randomUUID();
    expect((await unlock(at, one, '902817', key)).status).toBe(200);
    const kept = await fair.t.system((tx) =>
      tx.all<{ id: string; pin_hash: string }>(sql`
        select id, pin_hash from members where id = any(${[toUuid(one.id), toUuid(other.id)]}::uuid[])`),
    );
    expect(kept.every(({ pin_hash }) => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/.test(pin_hash))).toBe(true);
    expect(new Set(kept.map(({ pin_hash }) => pin_hash)).size).toBe(2);
    const text = await fair.t.system((tx) =>
      tx.all<{ all: string }>(sql`
        select row_to_json(l)::text as all from audit_log l where action like '%pin%' or action like 'device.%'
        union all select row_to_json(i)::text from idempotency i union all select row_to_json(d)::text from devices d`),
    );
    expect(text.filter(({ all }) => all.includes('902817'))).toEqual([]);
    // A plain hash of the body would let every PIN be tried out.
    const sent = Buffer.from(JSON.stringify({ member: one.id, pin: '902817' }));
    const plain = fingerprint('POST', '/api/v1/devices/self/unlock', sent);
    const stored = await fair.t.system((tx) =>
      tx.one<{ fingerprint: string }>(sql`
        select encode(fingerprint, 'hex') as fingerprint from idempotency where key = ${key}`),
    );
    expect(stored.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(stored.fingerprint).not.toBe(plain);
  });

  test('is hashed anew when it is right and the cost has changed since, and locks nothing again', async () => {
    const one = await withPin('desk', null, '902817');
    const at = await device();
    const read = () =>
      fair.t.system((tx) =>
        tx.one<{ org_id: string; pin_hash: string; pin_set_at: string }>(
          sql`select org_id, pin_hash, pin_set_at from members where id = ${toUuid(one.id)}`,
        ),
      );
    const present = await read();
    const [, , , , salt] = present.pin_hash.split('$');
    const keyed = secrets()
      .sign(`door pin ${present.org_id} ${toUuid(one.id)} 902817`)
      .toString('base64url');
    const nonce = Buffer.from(salt!, 'base64');
    const cost = { memory: 9728, passes: 1, parallelism: 1, tagLength: 32 };
    const tag = argon2Sync('argon2id', { message: Buffer.from(keyed), nonce, ...cost }).toString('base64');
    const older = `$argon2id$v=19$m=9728,t=1,p=1$${salt}$${tag.replaceAll('=', '')}`;
    await fair.t.system((tx) => tx.run(sql`update members set pin_hash = ${older} where id = ${toUuid(one.id)}`));
    expect(code(await unlock(at, one, '000000'))).toEqual([401, 'pin_wrong']);
    expect((await read()).pin_hash).toBe(older);
    expect((await unlock(at, one, '902817')).status).toBe(200);
    const renewed = await read();
    expect(renewed.pin_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(renewed.pin_set_at).toBe(present.pin_set_at);
    clock.advance(2 * MINUTE);
    expect((await unlock(at, one, '902817')).status).toBe(200);
  });

  test('setting and removing it is in the audit log of the organization', async () => {
    const one = await withPin();
    await removePin(one);
    await removePin(one);
    for (const action of ['member.pin_set', 'member.pin_removed']) {
      const mine = (await audited(action)).filter((entry: { object: { id: string } }) => entry.object.id === one.id);
      expect(mine).toMatchObject([{ actor: { kind: 'member', name: one.name }, source: 'app' }]);
    }
  });
});

describe('whom a device offers', () => {
  test('members who have set a PIN and may override, by name; keys and members cannot ask', async () => {
    const [desk, manager, none] = [await withPin(), await withPin('manager'), await member()];
    const lowered = await withPin();
    await fair.t.system((tx) => tx.run(sql`update members set role = 'door' where id = ${toUuid(lowered.id)}`));
    const at = await device();
    const names = (await offered(at)).map(({ id }) => id);
    for (const { id } of [desk, manager]) expect(names).toContain(id);
    for (const { id } of [none, lowered]) expect(names).not.toContain(id);
    expect(Object.keys((await offered(at))[0]!)).toEqual(['id', 'name']);
    const shown = (await offered(at)).map(({ name }) => name.toLowerCase());
    expect(shown).toEqual(shown.toSorted());
    expect(code(await fair.get('/devices/self/members'))).toEqual([404, 'not_found']);
    expect(code(await unlock({ token: fair.key, id: '' }, desk))).toEqual([404, 'not_found']);
    expect((await fair.app(desk.session, 'GET', '/devices/self/members')).status).toBe(404);
  });

  test('only those whose group has to do with the device’s event and group', async () => {
    const [north, hill, south, all] = [
      await withPin('desk', 'north'),
      await withPin('desk', 'hill'),
      await withPin('desk', 'south'),
      await withPin('desk'),
    ];
    const who = async (at: Device) => {
      const ids = (await offered(at)).map(({ id }) => id);
      return [north, hill, south, all].map(({ id }) => ids.includes(id));
    };
    expect(await who(await device())).toEqual([true, true, true, true]);
    for (const [group, expected] of [
      ['north', [true, true, false, true]],
      ['hill', [true, true, false, true]],
      ['south', [false, false, true, true]],
    ] as const) {
      await fair.post('/events', { code: `of-${group}`, name: group, timezone: 'UTC', group });
      expect(await who(await device(null, `of-${group}`))).toEqual(expected);
      expect(await who(await device(group, `of-${group}`))).toEqual(expected);
    }
    const wrong = await device('south', 'of-south');
    expect(code(await unlock(wrong, north))).toEqual([404, 'not_found']);
  });

  test('nobody of another organization', async () => {
    await fair.t.org('elsewhere');
    const session = await fair.t.session('elsewhere', 'owner');
    const pin = await fair.t.call('PUT', '/app/api/membership/pin', {
      headers: { cookie: `turnout_session=${session}` },
      body: { pin: PIN },
    });
    expect(pin.status).toBe(204);
    const { id } = await fair.t.system((tx) =>
      tx.one<{ id: Id }>(sql`
        select m.id from members m join account_sessions s on s.account_id = m.account_id where s.hash = ${hashSecret(session)}`),
    );
    const at = await device();
    expect((await offered(at)).map((one) => one.id)).not.toContain(toUlid(id));
    expect(code(await unlock(at, { id: toUlid(id) }))).toEqual([404, 'not_found']);
  });
});

describe('an unlocked device', () => {
  test('overrides and undoes for 15 minutes; the check-in and the audit log name member and device', async () => {
    const one = await withPin();
    const at = await device();
    const check = await refused();
    expect(code(await override(at, check))).toEqual([403, 'permission_required']);
    expect(code(await undo(at, await admitted()))).toEqual([403, 'permission_required']);
    const unlocked = await unlock(at, one);
    expect(unlocked.body).toEqual({
      member: { id: one.id, name: one.name },
      expires_at: new Date(clock.now().getTime() + 15 * MINUTE).toISOString().replace('.000Z', 'Z'),
    });
    const overridden = await override(at, check);
    expect(overridden.body).toMatchObject({
      admitted: true,
      actor: { kind: 'member', id: one.id, name: one.name },
      device: { id: at.id, name: 'North gate' },
      override: { of: check, reason: 'Known to the crew' },
    });
    const listed = (await fair.get('/events/fair/checkins?limit=1', at.token)).body.data[0];
    expect(listed).toEqual(overridden.body);
    const wrong = await admitted();
    expect((await undo(at, wrong, { reason: 'The wrong person' })).status).toBe(200);
    expect((await audited('checkin.undone'))[0]).toMatchObject({
      changes: { details: { reason: 'The wrong person' } },
    });
    expect(code(await undo(at, wrong, { reason: 'x'.repeat(501) }))).toEqual([400, 'validation_failed']);
    for (const action of ['checkin.overridden', 'checkin.undone', 'device.unlocked']) {
      const [entry] = await audited(action);
      expect(entry).toMatchObject({
        actor: { kind: 'member', id: one.id, name: one.name },
        source: 'scanner',
        changes: { details: { device: 'North gate' } },
      });
    }
    const ofDevice = await fair.t.call('GET', `/v1/audit-log?object=${at.id}`, { key: fair.key });
    expect(ofDevice.status).toBe(200);
    clock.advance(15 * MINUTE - 1);
    expect((await override(at, await refused())).status).toBe(200);
    clock.advance(1);
    expect(code(await override(at, await refused()))).toEqual([403, 'permission_required']);
  });

  test('a member’s own override names no device', async () => {
    const one = await member();
    const reply = await fair.app(one.session, 'POST', `/checkins/${await refused()}/override`, { reason: 'ok' });
    expect(reply.status).toBe(200);
    expect(reply.body.device).toBeUndefined();
    expect(reply.body.actor.name).toBe(one.name);
  });

  const ends: [string, (one: Member, at: Device) => Promise<unknown>][] = [
    ['changes the PIN', (one) => setPin(one, '555111')],
    ['sets the same PIN again', (one) => setPin(one)],
    ['removes the PIN', (one) => removePin(one)],
    ['loses the permission', ({ id }) => sets(id, sql`role = 'door'`)],
    ['is removed', ({ id }) => fair.t.system((tx) => tx.run(sql`delete from members where id = ${toUuid(id)}`))],
    ['moves to a group outside', ({ id }) => sets(id, sql`group_id = (select id from groups where code = 'south')`)],
  ];
  const sets = (id: string, columns: ReturnType<typeof sql>) =>
    fair.t.system((tx) => tx.run(sql`update members set ${columns} where id = ${toUuid(id)}`));
  test.each(ends)('is locked when the member %s', async (_what, end) => {
    const one = await withPin();
    const at = await device();
    const check = await refused('north');
    await unlock(at, one);
    await end(one, at);
    expect(code(await override(at, check))).toEqual([403, 'permission_required']);
  });

  test('is refused once it was unpaired, and locked for one member when another unlocks it', async () => {
    const [one, other] = [await withPin(), await withPin()];
    const at = await device();
    await unlock(at, one);
    await unlock(at, other);
    expect((await override(at, await refused())).body.actor.id).toBe(other.id);
    const { session } = await member('manager');
    await fair.app(session, 'DELETE', `/events/fair/devices/${at.id}`);
    expect(code(await override(at, await refused()))).toEqual([401, 'api_key_revoked']);
    expect(code(await unlock(at, one))).toEqual([401, 'api_key_revoked']);
  });

  test('decides only about people whom both the member and the device reach, in the device’s event', async () => {
    const hill = await withPin('desk', 'hill');
    const at = await device();
    await unlock(at, hill);
    expect((await override(at, await refused('hill'))).status).toBe(200);
    for (const group of ['north', 'south', undefined]) {
      expect(code(await override(at, await refused(group)))).toEqual([403, 'permission_required']);
    }
    await fair.post('/events', { code: 'apart', name: 'Apart', timezone: 'UTC' });
    const elsewhere = await device(null, 'apart');
    const everybody = await withPin();
    await unlock(elsewhere, everybody);
    expect(code(await override(elsewhere, await refused()))).toEqual([404, 'not_found']);
  });

  test('another device stays locked, and keys are refused', async () => {
    const one = await withPin();
    const [at, other] = [await device(), await device()];
    await unlock(at, one);
    const check = await refused();
    expect(code(await override(other, check))).toEqual([403, 'permission_required']);
    expect(code(await override({ token: fair.key, id: '' }, check))).toEqual([403, 'api_key_cannot_override']);
  });
});

describe('wrong PINs', () => {
  const wrong = (at: Device, one: Member, idempotencyKey?: string) => unlock(at, one, '000001', idempotencyKey);
  /** A device can try twice a second. */
  const next = () => clock.advance(1000);

  test('five close the member at that device for 15 minutes, also for the right PIN; others are not closed', async () => {
    const [one, other] = [await withPin(), await withPin()];
    const [at, elsewhere] = [await device(), await device()];
    for (let i = 0; i < 5; i += 1) {
      expect(code(await wrong(at, one))).toEqual([401, 'pin_wrong']);
      next();
    }
    const closed = await unlock(at, one);
    expect(code(closed)).toEqual([429, 'sign_in_throttled']);
    expect(Number(closed.headers.get('retry-after'))).toBe(899);
    expect((await unlock(at, other)).status).toBe(200);
    expect((await unlock(elsewhere, one)).status).toBe(200);
    clock.advance(15 * MINUTE - 2000);
    expect(code(await unlock(at, one))).toEqual([429, 'sign_in_throttled']);
    clock.advance(2000);
    expect((await unlock(at, one)).status).toBe(200);
  });

  test('the right one begins anew at that device', async () => {
    const one = await withPin();
    const at = await device();
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) {
        expect(code(await wrong(at, one))).toEqual([401, 'pin_wrong']);
        next();
      }
      expect((await unlock(at, one)).status).toBe(200);
      next();
    }
  });

  test('20 within an hour close the member everywhere, and only wrong ones count', async () => {
    const one = await withPin();
    const devices = await Promise.all(Array.from({ length: 5 }, () => device()));
    for (let i = 0; i < 20; i += 1) {
      if (i % 4 === 0) {
        expect((await unlock(devices[4]!, one)).status).toBe(200);
      }
      expect(code(await wrong(devices[i % 4]!, one))).toEqual([401, 'pin_wrong']);
      next();
    }
    for (const at of devices) expect(code(await unlock(at, one))).toEqual([429, 'sign_in_throttled']);
    clock.advance(15 * MINUTE);
    expect((await unlock(devices[4]!, one)).status).toBe(200);
  });

  test('are forgotten after an hour', async () => {
    const one = await withPin();
    const at = await device();
    for (let i = 0; i < 4; i += 1) {
      await wrong(at, one);
      next();
    }
    clock.advance(HOUR);
    for (let i = 0; i < 4; i += 1) {
      expect(code(await wrong(at, one))).toEqual([401, 'pin_wrong']);
      next();
    }
    expect((await unlock(at, one)).status).toBe(200);
  });

  test('many at once count one after the other', async () => {
    const one = await withPin();
    const devices = await Promise.all(Array.from({ length: 8 }, () => device()));
    // Two a second at each of eight devices, for four seconds.
    const replies: Reply[] = [];
    for (let second = 0; second < 4; second += 1) {
      replies.push(...(await Promise.all(devices.flatMap((at) => [wrong(at, one), wrong(at, one)]))));
      next();
    }
    const got = replies.map(({ status }) => status);
    expect(got.filter((status) => status === 401)).toHaveLength(20);
    expect(got.filter((status) => status === 429)).toHaveLength(44);
  });

  test('the control: if tries were counted only after they turned out wrong, all of them would be let through', async () => {
    const bucket = Buffer.from(randomUUID());
    const tries = (change = 0) =>
      fair.t.system((tx) =>
        tx.one<{ tries: number }>(sql`
          insert into sign_in_tries as t (bucket, tries, first_at, last_at) values (${bucket}, ${change}, ${clock.now()}, ${clock.now()})
          on conflict (bucket) do update set tries = t.tries + ${change} returning tries`),
      );
    const seen = await Promise.all(Array.from({ length: 30 }, () => tries()));
    expect(seen.filter((row) => row.tries < 20)).toHaveLength(30);
    await Promise.all(seen.map(() => tries(1)));
    expect((await tries()).tries).toBe(30);
  });

  test('a retry of a wrong try is a try, and each is in the audit log with member and device', async () => {
    const one = await withPin();
    const at = await device();
    const key = randomUUID();
    for (let i = 0; i < 5; i += 1) {
      expect((await wrong(at, one, key)).status).toBe(401);
      next();
    }
    expect((await wrong(at, one, key)).status).toBe(429);
    const entries = await audited('device.unlock_failed');
    expect(entries).toHaveLength(5);
    expect(entries[0]).toMatchObject({
      actor: { kind: 'device', id: at.id },
      source: 'scanner',
      object: { kind: 'device', id: at.id },
      changes: { details: { member: one.name, device: 'North gate' } },
    });
  });
});

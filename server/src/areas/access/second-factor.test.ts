import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { newId, toUuid } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest();
});
afterAll(() => t.stop());

const as = (session: string) => ({ headers: { cookie: `turnout_session=${session}` } });
const patch = (session: string, body: unknown) => t.call('PATCH', '/app/api/organization', { ...as(session), body });
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const withSecondFactor = (session: string) =>
  t.system((tx) => tx.run(sql`update account_sessions set second_factor = true where hash = ${hashSecret(session)}`));

test('only somebody who is signed in with a second factor can require one', async () => {
  await t.org('strict');
  const owner = await t.session('strict', 'owner');
  const refused = await patch(owner, { require_second_factor: true, name: 'Renamed' });
  expect(code(refused)).toEqual([403, 'second_factor_required']);
  const before = (await t.call('GET', '/app/api/organization', as(owner))).body;
  expect(before).toMatchObject({ require_second_factor: false, name: 'strict events' });
  expect((await patch(owner, { require_second_factor: false })).status).toBe(200);

  await withSecondFactor(owner);
  expect((await patch(owner, { require_second_factor: true })).body.require_second_factor).toBe(true);
  expect((await patch(owner, { require_second_factor: true })).status).toBe(200);
  const log = (await t.call('GET', '/app/api/audit-log?action=organization.changed', as(owner))).body.data;
  expect(log.map((one: { changes: { fields: object } }) => one.changes.fields)).toEqual([
    { require_second_factor: { before: false, after: true } },
  ]);
});

test('the rule holds for members from their next request on, and touches neither keys nor devices', async () => {
  const org = await t.org('ruled');
  const owner = await t.session('ruled', 'owner');
  const desk = await t.session('ruled', 'desk');
  const { secret: key } = await t.key('ruled');
  const event = (await t.call('POST', '/v1/events', { key, body: { name: 'Fair' } })).body.id;
  const token = `svc_device_${'x'.repeat(32)}`;
  await t.system((tx) => {
    const now = tx.clock.now();
    const device = {
      org_id: org,
      id: newId(now),
      event_id: toUuid(event),
      name: 'Gate',
      token_hash: hashSecret(token),
    };
    return insertRow(tx, 'devices', { ...device, created_at: now, updated_at: now });
  });
  await withSecondFactor(owner);
  expect((await t.call('GET', '/app/api/me', as(desk))).status).toBe(200);
  await patch(owner, { require_second_factor: true });
  expect(code(await t.call('GET', '/app/api/me', as(desk)))).toEqual([403, 'second_factor_required']);
  expect((await t.call('GET', '/app/api/me', as(owner))).status).toBe(200);
  expect((await t.call('GET', '/v1/me', { key })).status).toBe(200);
  expect((await t.call('GET', `/api/v1/events/${event}/scan/manifest`, { key: token })).status).toBe(200);
  await withSecondFactor(desk);
  expect((await t.call('GET', '/app/api/me', as(desk))).status).toBe(200);
});

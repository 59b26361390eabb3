import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../../../test/support/turnout.ts';
import { DAY } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { Secrets } from '../../common/secrets.ts';
import { resolveClaims } from '../../road/write/idempotency.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, openFair } from './fair.support.ts';

/** An answer is stored once, with its scan. A retry with the same Idempotency-Key finds it, whatever happened in between. */
let fair: Fair;
beforeAll(async () => {
  fair = await openFair();
});
afterAll(() => fair.t.stop());

/** A scan together with its Idempotency-Key, so that it can be sent again unchanged. */
function scanning(code: string, as = fair.key, event = 'fair', more: object = {}) {
  const idempotencyKey = randomUUID();
  const body = { code, check_in_point: 'gate', client_uuid: randomUUID(), ...more };
  return {
    idempotencyKey,
    body,
    send: () => fair.t.call('POST', `/v1/events/${event}/scan`, { key: as, body, idempotencyKey }),
  };
}
const isRepeat = (reply: Reply) => reply.headers.get('idempotent-replayed') === 'true';
const kept = (key: string) =>
  fair.t.system((tx) =>
    tx.one<{ here: boolean; kept_in: string | null }>(
      sql`select body is not null as here, kept_in from idempotency where key = ${key}`,
    ),
  );
const traces = (client_uuid: string) =>
  fair.t.system((tx) =>
    tx.one<{ checkins: number; audit: number; scans: number }>(sql`
      select count(*)::int as checkins, (select count(*)::int from audit_log where object_id in (
          select id from checkins where client_uuid = ${client_uuid})) as audit,
        (select count(*)::int from scans where client_uuid = ${client_uuid}) as scans
      from checkins where client_uuid = ${client_uuid}`),
  );

test('a retry gets exactly the first answer and writes nothing', async () => {
  const { code } = await fair.register();
  const { send, body, idempotencyKey } = scanning(code);
  const first = await send();
  expect(first.body).toMatchObject({ result: 'accepted' });
  expect(await kept(idempotencyKey)).toMatchObject({ here: false, kept_in: expect.stringContaining(body.client_uuid) });
  const again = await send();
  expect([again.status, again.text, isRepeat(again)]).toEqual([200, first.text, true]);
  expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
  expect(await traces(body.client_uuid)).toEqual({ checkins: 1, audit: 1, scans: 1 });
});

test('of many scans at once, admitted or refused, each retry gets its own answer', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => fair.register()));
  const { send: before, body: used } = scanning(people[0]!.code);
  await before();
  const { client_uuid } = used;
  const calls = people.flatMap(({ code }, i) => [
    scanning(code),
    i % 3 === 0 ? scanning(`OTHER${i}`, fair.key, 'fair', { client_uuid }) : scanning(`NOBODY${i}`),
  ]);
  const first = await Promise.all(calls.map(({ send }) => send()));
  expect(first.filter(({ body }) => body.error?.code === 'client_uuid_reused')).toHaveLength(4);
  expect((await kept(calls[1]!.idempotencyKey)).here).toBe(true); // the road stores an error, because nothing was recorded
  const again = await Promise.all(calls.map(({ send }) => send()));
  expect(again.map(({ status, text }) => [status, text])).toEqual(first.map(({ status, text }) => [status, text]));
  expect(again.every(isRepeat)).toBe(true);
});

test('after test check-ins were cleared, a retry with the key gets the first answer, one with the client_uuid is a new scan', async () => {
  const { code } = await fair.register({ as: fair.testKey });
  const { send, body, idempotencyKey } = scanning(code, fair.testKey);
  const first = await send();
  const live = scanning((await fair.register()).code);
  await live.send();
  expect((await fair.t.call('DELETE', '/v1/events/fair/checkins/test', { key: fair.key })).status).toBe(204);
  expect(await kept(idempotencyKey)).toEqual({ here: true, kept_in: null });
  expect((await kept(live.idempotencyKey)).here).toBe(false);
  expect((await send()).text).toBe(first.text);
  expect(await traces(body.client_uuid)).toMatchObject({ checkins: 0, scans: 0 });
  const anew = await fair.scan(code, { client_uuid: body.client_uuid }, fair.testKey);
  expect(anew.body).toMatchObject({ result: 'accepted' });
  expect(anew.body.checkins[0].id).not.toBe(first.body.checkins[0].id);
});

test('a retry gets the first answer even if it is moved between reading its record and reading its place', async () => {
  const { code } = await fair.register({ as: fair.testKey });
  const { send, idempotencyKey } = scanning(code, fair.testKey);
  const first = await send();
  const { org_id, actor_id, fingerprint } = await fair.t.system((tx) =>
    tx.one<{ org_id: Id; actor_id: Id; fingerprint: string }>(
      sql`select org_id, actor_id, encode(fingerprint, 'hex') as fingerprint from idempotency where key = ${idempotencyKey}`,
    ),
  );
  const claim = { actor: actor_id, key: idempotencyKey, fingerprint };
  const secrets = new Secrets(Buffer.alloc(32, 7));
  const [met] = await fair.t.system((tx) =>
    resolveClaims(tx, org_id, [claim], secrets, false, async (_tx, _org, places) => {
      expect(places).toHaveLength(1);
      await fair.t.call('DELETE', '/v1/events/fair/checkins/test', { key: fair.key });
      return new Map();
    }),
  );
  expect(String((met as { body: Buffer }).body)).toBe(first.text);
});

test('after the event was deleted, a retry gets the first answer', async () => {
  const { post, testKey, t } = fair;
  await post('/events', { code: 'gone', name: 'Gone', timezone: 'UTC' });
  await post('/events/gone/days', { code: 'd1', date: t.clock.now().toISOString().slice(0, 10) });
  await post('/events/gone/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/gone/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await post('/events/gone/publish');
  const attendees = [{ attendee_type: 'adult', first_name: 'Pat', last_name: 'Gone', days: ['d1'] }];
  const made = await post('/events/gone/registrations', { attendees }, testKey);
  const { send } = scanning(made.body.attendees[0].tickets[0].code, testKey, 'gone');
  const first = await send();
  expect(first.body).toMatchObject({ result: 'accepted', test: true });
  for (const move of ['close', 'archive']) await post(`/events/gone/${move}`);
  expect((await t.call('DELETE', '/v1/events/gone', { key: fair.key })).status).toBe(204);
  const again = await send();
  expect([again.status, again.text]).toEqual([200, first.text]);
});

test('after the attendee was erased, a retry gets the answer without the person', async () => {
  const { code, people } = await fair.register();
  const { send } = scanning(code);
  expect((await send()).text).toContain('Pat');
  const { body: person } = await fair.t.call('GET', `/v1/events/fair/attendees/${people[0]}`, { key: fair.key });
  expect((await fair.post(`/contacts/${person.contact_id}/erase`)).status).toBe(200);
  const again = await send();
  expect(again.status).toBe(200);
  expect(again.text).not.toContain('Pat');
});

test('a live scan that repeats the client_uuid of a test scan is a scan of its own, and both answers stay', async () => {
  const { code } = await fair.register();
  const other = await fair.register();
  const client_uuid = randomUUID();
  const trial = scanning(code, fair.testKey, 'fair', { client_uuid });
  const live = scanning(code, fair.key, 'fair', { client_uuid });
  const first = await trial.send();
  expect(first.body).toMatchObject({ result: 'accepted', test: true });
  const second = await live.send();
  expect(second.body).toMatchObject({ result: 'accepted', test: false });
  expect(second.body.checkins[0].id).not.toBe(first.body.checkins[0].id);
  // A retry gets the answer of its own mode, by its Idempotency-Key and by its client_uuid.
  for (const [one, answer, as] of [
    [trial, first, fair.testKey],
    [live, second, fair.key],
  ] as const) {
    expect((await one.send()).text).toBe(answer.text);
    expect((await fair.scan(code, { client_uuid }, as)).text).toBe(answer.text);
    const batch = await fair.t.call('POST', '/api/v1/events/fair/scan/batch', { key: as, body: { scans: [one.body] } });
    expect(batch.body.results).toEqual([answer.body]);
    const reused = await fair.scan(other.code, { client_uuid }, as);
    expect([reused.status, reused.body.error.code]).toEqual([422, 'client_uuid_reused']);
  }
  expect(await traces(client_uuid)).toEqual({ checkins: 2, audit: 2, scans: 2 });
  // Also when both are in one transaction.
  const shared = randomUUID();
  const { code: third } = await fair.register();
  const both = await Promise.all([fair.testKey, fair.key].map((as) => fair.scan(third, { client_uuid: shared }, as)));
  expect(both.map(({ status, body }) => [status, body.result, body.test])).toEqual([
    [200, 'accepted', true],
    [200, 'accepted', false],
  ]);
  // Clearing the tests does not change the live answer.
  expect((await fair.t.call('DELETE', '/v1/events/fair/checkins/test', { key: fair.key })).status).toBe(204);
  expect((await live.send()).text).toBe(second.text);
  expect((await trial.send()).text).toBe(first.text);
  expect((await fair.scan(code, { client_uuid })).text).toBe(second.text);
  expect((await fair.scan(code, { client_uuid }, fair.testKey)).body.checkins[0].id).not.toBe(
    first.body.checkins[0].id,
  );
});

test('erasing an attendee does not change the answer of a scan in the other mode with the same client_uuid', async () => {
  const [gone, stays] = [await fair.register({ as: fair.testKey }), await fair.register()];
  const client_uuid = randomUUID();
  await fair.scan(gone.code, { client_uuid }, fair.testKey);
  const live = await fair.scan(stays.code, { client_uuid });
  const person = await fair.t.call('GET', `/v1/events/fair/attendees/${gone.people[0]}`, { key: fair.testKey });
  const erased = await fair.t.call('POST', `/v1/contacts/${person.body.contact_id}/erase`, { key: fair.testKey });
  expect(erased.status).toBe(200);
  expect((await fair.scan(stays.code, { client_uuid })).text).toBe(live.text);
  expect((await fair.scan(gone.code, { client_uuid }, fair.testKey)).text).not.toContain('Pat');
});

test('a retry whose answer was deleted, or whose key is older than a day, is a new scan', async () => {
  const { code } = await fair.register();
  const lost = scanning(code);
  await lost.send();
  await fair.t.system((tx) => tx.run(sql`delete from scans where client_uuid = ${lost.body.client_uuid}`));
  const again = await lost.send();
  expect([again.status, again.body.result, isRepeat(again)]).toEqual([200, 'duplicate', false]);
  expect((await lost.send()).text).toBe(again.text);
  fair.t.clock.advance(DAY + 1000);
  expect(isRepeat(await lost.send())).toBe(false);
  fair.t.clock.advance(-DAY - 1000); // the event is open today
});

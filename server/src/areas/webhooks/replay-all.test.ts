import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '../../clock.ts';
import { newId, toUuid } from '../../common/ids.ts';
import { JOB_LIMITS } from '../../road/for-areas/job-room.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { eraseEnvelopes } from './erase.ts';
import { type Delivered, type Hooks, startHooks } from './hooks.support.ts';
import { replayBatch } from './replay-all.ts';

let hooks: Hooks;
beforeAll(async () => {
  hooks = await startHooks();
  for (const group of [
    { code: 'north', name: 'North' },
    { code: 'south', name: 'South' },
  ]) {
    expect((await hooks.post('/groups', group)).status).toBe(201);
  }
});
afterAll(() => hooks.stop());
beforeEach(async () => {
  hooks.receiver.answer(200);
  hooks.receiver.got.length = 0;
  await hooks.t.system(async (tx) => {
    await tx.run(sql`delete from webhook_queue`);
    await tx.run(sql`update webhook_endpoints set deleted_at = ${hooks.clock.now()} where deleted_at is null`);
  });
});

const start = (id: string, body: object = {}, as = hooks.key) => hooks.post(`/webhooks/${id}/replay`, body, as);
const job = async (id: string, as = hooks.key) => (await hooks.get(`/jobs/${id}`, as)).body;
/** Starts a replay, runs it and answers the job. */
async function replay(id: string, body: object = {}, as = hooks.key) {
  const started = await start(id, body, as);
  expect(started.body).toMatchObject({ kind: 'webhook_replay', status: 'queued' });
  expect(started.status).toBe(202);
  await hooks.t.step.jobs();
  return job(started.body.id, as);
}
/** Makes `count` occurrences whose deliveries fail once. */
async function fail(count: number, more: Parameters<Hooks['occur']>[1] = {}) {
  hooks.receiver.answer(500);
  await hooks.occur(count, more);
  expect(await hooks.deliver()).toBe(count);
  hooks.receiver.answer(200);
  hooks.receiver.got.length = 0;
}
/** Makes the deliveries dead, so that they are not tried any more. */
const die = () =>
  hooks.t.system(async (tx) => {
    await tx.run(sql`
      with gone as (delete from webhook_queue returning org_id, delivery_id)
      update webhook_deliveries d set dead = true from gone g where d.org_id = g.org_id and d.id = g.delivery_id`);
  });
const arrived = () => hooks.receiver.got.map(({ body }) => JSON.parse(body.toString()).data.id as string);
const copies = (list: Delivered[]) => list.filter((one) => (one as { replay_of?: string }).replay_of != null);

describe('what is replayed', () => {
  test('all deliveries that failed or are dead, once each, oldest first, with the same bytes and the same id', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur(1, { data: { id: 'arrived' } });
    expect(await hooks.deliver()).toBe(1);
    for (const data of ['one', 'two', 'three']) await fail(1, { data: { id: data } });
    await die();
    hooks.clock.advance(1000);
    await fail(1, { data: { id: 'four' } });
    const before = await hooks.deliveries(id);
    const done = await replay(id);
    expect(done).toMatchObject({
      status: 'succeeded',
      progress: { done: 4, total: 4 },
      counts: { replayed: 4, skipped: 0 },
      error: null,
    });
    const made = copies(await hooks.deliveries(id));
    expect(made.map((one) => one.envelope_id)).toEqual(
      before.filter((one) => one.status !== 'delivered').map((one) => one.envelope_id),
    );
    expect(new Set(made.map((one) => one.status))).toEqual(new Set(['pending']));
    expect(await hooks.deliver()).toBe(4);
    expect(arrived().sort()).toEqual(['four', 'one', 'three', 'two']);
    expect(new Set(copies(await hooks.deliveries(id)).map((one) => one.status))).toEqual(new Set(['delivered']));
  });

  test('each occurrence once, by its newest delivery; failed copies do not count as occurrences of their own', async () => {
    const { id } = await hooks.endpoint();
    await fail(3);
    await die();
    const [third, second] = await hooks.deliveries(id);
    // The third was replayed twice and failed; the second was replayed once and arrived.
    for (const one of [third!, third!]) await hooks.post(`/webhooks/deliveries/${one.id}/replay`);
    hooks.receiver.answer(500);
    await hooks.deliver();
    await die();
    await hooks.post(`/webhooks/deliveries/${second!.id}/replay`);
    hooks.receiver.answer(200);
    await hooks.deliver();
    hooks.receiver.got.length = 0;
    expect(await replay(id)).toMatchObject({ progress: { done: 2, total: 2 }, counts: { replayed: 2, skipped: 0 } });
    expect(await replay(id), 'both are under way').toMatchObject({ counts: { replayed: 0, skipped: 0 } });
    expect(await hooks.deliver()).toBe(2);
    expect(await replay(id), 'both have arrived').toMatchObject({ counts: { replayed: 0, skipped: 0 } });
    expect(await replay(id, { status: 'delivered' })).toMatchObject({ counts: { replayed: 3, skipped: 0 } });
    expect(await hooks.deliver()).toBe(3);
  });

  test('only deliveries in the requested statuses, one or several', async () => {
    const { id } = await hooks.endpoint();
    await fail(2);
    await die();
    await fail(3);
    await hooks.occur(4);
    expect(await hooks.deliver()).toBe(4);
    await hooks.occur(5);
    for (const [status, count] of [
      ['dead', 2],
      [['failed'], 3],
      [['delivered', 'dead'], 4], // the dead ones are pending now
    ] as const) {
      expect(await replay(id, { status })).toMatchObject({ counts: { replayed: count, skipped: 0 } });
    }
  });

  test('only what was first recorded at or after `since` and before `until`', async () => {
    const { id } = await hooks.endpoint();
    const at = () => hooks.clock.now().toISOString();
    await fail(1);
    hooks.clock.advance(1000);
    const since = at();
    await fail(2);
    hooks.clock.advance(1000);
    const until = at();
    await fail(4);
    await die();
    // A copy that failed later counts with the time of its original.
    const first = (await hooks.deliveries(id)).at(-1)!;
    await hooks.post(`/webhooks/deliveries/${first.id}/replay`);
    await die();
    expect(await replay(id, { since, until })).toMatchObject({ counts: { replayed: 2, skipped: 0 } });
    expect(await replay(id, { since })).toMatchObject({ counts: { replayed: 4, skipped: 0 } });
    expect(await replay(id, { since: '0001-01-01T00:00:00Z', until: '9999-01-01T00:00:00Z' })).toMatchObject({
      counts: { replayed: 1, skipped: 0 },
    });
  });

  test('no test events', async () => {
    const { id } = await hooks.endpoint();
    hooks.receiver.answer(500);
    await hooks.post(`/webhooks/${id}/test`, {});
    await hooks.deliver();
    expect(await hooks.deliveries(id)).toMatchObject([{ status: 'dead' }]);
    expect(await replay(id)).toMatchObject({ progress: { done: 0, total: 0 }, counts: { replayed: 0, skipped: 0 } });
  });

  test('nothing if nothing was recorded, and also more than fits into one transaction', async () => {
    const { id } = await hooks.endpoint();
    expect(await replay(id)).toMatchObject({ status: 'succeeded', counts: { replayed: 0, skipped: 0 } });
    await hooks.occur(1203);
    await die();
    expect(await replay(id)).toMatchObject({
      progress: { done: 1203, total: 1203 },
      counts: { replayed: 1203, skipped: 0 },
    });
    const { queued, envelopes } = await hooks.t.system((tx) =>
      tx.one<{ queued: number; envelopes: number }>(sql`
        select count(*)::int as queued, count(distinct envelope_id)::int as envelopes from webhook_queue`),
    );
    expect([queued, envelopes]).toEqual([1203, 1203]);
  });

  test('also for a paused endpoint; it is sent when the endpoint is enabled', async () => {
    const { id } = await hooks.endpoint();
    await fail(2);
    await hooks.post(`/webhooks/${id}/pause`);
    expect(await replay(id)).toMatchObject({ counts: { replayed: 2, skipped: 0 } });
    expect(await hooks.deliver()).toBe(0);
    await hooks.post(`/webhooks/${id}/enable`);
    expect(await hooks.deliver()).toBe(2);
  });
});

describe('what is skipped', () => {
  test('what is older than 30 days, what was erased, and what lies outside of the endpoint’s group', async () => {
    const { id } = await hooks.endpoint();
    await fail(2);
    hooks.clock.advance(30 * DAY);
    expect(await replay(id, { status: 'failed' })).toMatchObject({ counts: { replayed: 2, skipped: 0 } });
    await die();
    hooks.clock.advance(1);
    await fail(1, { data: { id: '01JCAX9M5D8E3F6G1H4J9K2M7A' } });
    const north = (await hooks.get('/groups/north')).body.id;
    await fail(3, { group: toUuid(north) });
    await die();
    const erased = toUuid('01JCAX9M5D8E3F6G1H4J9K2M7A');
    await hooks.t.system((tx) => eraseEnvelopes(tx, hooks.org, [erased], new Date(hooks.clock.now().getTime() - DAY)));
    expect(await replay(id)).toMatchObject({
      status: 'succeeded',
      progress: { done: 6, total: 6 },
      counts: { replayed: 3, skipped: 3 },
    });
    await die();
    expect(
      (await hooks.t.call('PATCH', `/v1/webhooks/${id}`, { key: hooks.key, body: { group: 'south' } })).status,
    ).toBe(200);
    expect(await replay(id)).toMatchObject({ counts: { replayed: 0, skipped: 6 } });
    expect(await hooks.deliver()).toBe(0);
  });
});

describe('who may replay', () => {
  test('a key of a group replays what it sees, and the counts include nothing else', async () => {
    const { secret: north } = await hooks.t.key('acme', { group: 'north' });
    const { id } = (await hooks.post('/webhooks', { url: hooks.receiver.url, events: ['*'] }, north)).body;
    const group = toUuid((await hooks.get('/groups/north')).body.id);
    await fail(4, { group });
    await hooks.t.system((tx) =>
      // Recorded while the endpoint had a wider filter.
      tx.run(sql`
        update webhook_deliveries set group_id = null where org_id = ${hooks.org} and id in (
          select id from webhook_deliveries where endpoint_id = ${toUuid(id)} order by id limit 3)`),
    );
    const done = await replay(id, {}, north);
    expect(done).toMatchObject({
      group: 'north',
      progress: { done: 1, total: 1 },
      counts: { replayed: 1, skipped: 0 },
    });
    expect((await start((await hooks.endpoint()).id, {}, north)).status).toBe(404);
    expect(await replay(id), 'whoever sees all of it is told').toMatchObject({ counts: { replayed: 0, skipped: 3 } });
  });

  test('a test key, but only for endpoints of test keys', async () => {
    const { secret } = await hooks.t.key('acme', { mode: 'test' });
    const mine = (await hooks.post('/webhooks', { url: hooks.receiver.url, events: ['*'] }, secret)).body;
    const live = await hooks.endpoint();
    const refused = await start(live.id, {}, secret);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'test_key_live_object']);
    hooks.receiver.answer(500);
    await hooks.occur(2, { livemode: false });
    await hooks.deliver();
    expect(await replay(mine.id, {}, secret)).toMatchObject({ test: true, counts: { replayed: 2, skipped: 0 } });
  });

  test('a member with tenant.integrations; a plan with webhooks', async () => {
    const { id } = await hooks.endpoint();
    const as = async (role: string) =>
      hooks.t.call('POST', `/app/api/webhooks/${id}/replay`, {
        headers: { cookie: `turnout_session=${await hooks.t.session('acme', role)}` },
        body: {},
      });
    expect([(await as('developer')).status, (await as('manager')).status]).toEqual([202, 403]);
    await hooks.t.plan('acme', 'starter');
    const refused = await start(id);
    expect([refused.status, refused.body.error.key]).toEqual([403, 'webhooks']);
    await hooks.t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
    await hooks.t.step.jobs();
  });
});

describe('a job that cannot go on', () => {
  test('it fails with a message if the endpoint was deleted or the plan no longer includes webhooks', async () => {
    const { id } = await hooks.endpoint();
    await fail(2);
    const gone = (await start(id)).body.id;
    await hooks.t.call('DELETE', `/v1/webhooks/${id}`, { key: hooks.key });
    await hooks.t.step.jobs();
    expect(await job(gone)).toMatchObject({
      status: 'failed',
      error: 'The webhook endpoint has been deleted, or it is no longer in your group.',
    });

    const other = await hooks.endpoint();
    const unpaid = (await start(other.id)).body.id;
    await hooks.t.plan('acme', 'starter');
    await hooks.t.step.jobs();
    await hooks.t.plan('acme', 'scale');
    expect(await job(unpaid)).toMatchObject({
      status: 'failed',
      error: 'The organization’s plan no longer includes webhooks.',
    });
  });

  test('a cancelled job replays nothing more', async () => {
    const { id } = await hooks.endpoint();
    await fail(2);
    const { body } = await start(id);
    expect((await hooks.post(`/jobs/${body.id}/cancel`)).status).toBe(200);
    await hooks.t.step.jobs();
    expect(copies(await hooks.deliveries(id))).toEqual([]);
  });

  test('409 too_many_jobs', async () => {
    const { id } = await hooks.endpoint();
    for (let i = 0; i < JOB_LIMITS.live.jobs; i += 1) expect((await start(id)).status).toBe(202);
    const refused = await start(id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'too_many_jobs']);
    await hooks.t.step.jobs();
  });
});

test.each([
  [{ status: 'pending' }, 'status'],
  [{ status: [] }, 'status'],
  [{ status: ['dead', 'dead'] }, 'status'],
  [{ since: 'yesterday' }, 'since'],
  [{ since: '2027-01-02T00:00:00Z', until: '2027-01-02T00:00:00Z' }, 'until'],
  [{ before: '2027-01-02T00:00:00Z' }, 'before'],
])('400 validation_failed: %j', async (body, path) => {
  const { id } = await hooks.endpoint();
  const reply = await start(id, body);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
  expect(reply.body.error.details[0].path).toMatch(new RegExp(`^${path}`));
});

test('the audit log has its parameters, and a retry of the call does not start a second job', async () => {
  const { id } = await hooks.endpoint();
  const options = { key: hooks.key, body: { status: 'dead', since: '2027-01-01T00:00:00Z' }, idempotencyKey: 'again' };
  const first = await hooks.t.call('POST', `/v1/webhooks/${id}/replay`, options);
  const again = await hooks.t.call('POST', `/v1/webhooks/${id}/replay`, options);
  expect(again.body.id).toBe(first.body.id);
  const { data } = (await hooks.get(`/audit-log?object=${id}&action=webhook_endpoint.replayed`)).body;
  expect(data).toMatchObject([
    { changes: { details: { job: first.body.id, status: ['dead'], since: '2027-01-01T00:00:00Z', until: null } } },
  ]);
  await hooks.t.step.jobs();
});

describe('two jobs of one endpoint at the same time', () => {
  const twice = async () => {
    const rows = await hooks.t.system((tx) =>
      tx.all(sql`select envelope_id from webhook_queue group by envelope_id having count(*) > 1`),
    );
    return rows.length;
  };

  test('replay each occurrence once', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur(60);
    await die();
    const ids = [(await start(id)).body.id, (await start(id)).body.id];
    await hooks.t.step.jobs();
    const counts = await Promise.all(ids.map(async (one) => (await job(one)).counts.replayed));
    expect(counts[0] + counts[1]).toBe(60);
    expect(await twice()).toBe(0);
  });

  test('the control: without the lock, both replay what both have found', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur(60);
    await die();
    const state = {
      last: newId(new Date(hooks.clock.now().getTime() + 1000)),
      after: '00000000-0000-0000-0000-000000000000',
    };
    const input = { endpoint: toUuid(id), statuses: ['dead'] as const, since: null, until: null };
    const run = {
      org: hooks.org,
      group: null,
      input,
      state: { ...state, over: false },
      done: 0,
      total: null,
      counts: {},
    };
    let arrived = 0;
    let open = () => {};
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    const batch = () =>
      transaction(hooks.t.pool, hooks.clock, { role: 'app', org: hooks.org }, async (tx) => {
        const step = await replayBatch(tx, run, async () => 0);
        arrived += 1;
        if (arrived === 2) open();
        await both;
        return step;
      });
    expect((await Promise.all([batch(), batch()])).map((step) => step.counts)).toEqual([
      { replayed: 60, skipped: 0 },
      { replayed: 60, skipped: 0 },
    ]);
    expect(await twice()).toBe(60);
  });
});

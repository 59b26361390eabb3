import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { countAttempts, healthOf, pauseLongFailing, pauseOf } from './health.ts';
import { type Hooks, startHooks } from './hooks.support.ts';
import type { EndpointRow } from './queries.ts';

/** Walks through the contract's tables of states row by row, and moves the clock. */
let hooks: Hooks;
beforeAll(async () => {
  hooks = await startHooks();
});
afterAll(() => hooks.stop());
beforeEach(async () => {
  hooks.receiver.answer(200);
  hooks.receiver.got.length = 0;
  // The endpoints of earlier tests get nothing any more.
  await hooks.t.system(async (tx) => {
    await tx.run(sql`delete from webhook_queue`);
    await tx.run(sql`update webhook_endpoints set deleted_at = ${hooks.clock.now()} where deleted_at is null`);
    await tx.run(sql`delete from mails`);
  });
});

const at = (ms = 0) => new Date(hooks.clock.now().getTime() + ms).toISOString().replace('.000Z', 'Z');
const mails = (kind: string) =>
  hooks.t.system((tx) =>
    tx.all<{ recipient: string; subject: string }>(sql`select recipient, subject from mails where kind = ${kind}`),
  );
const RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, DAY, DAY];

describe('a delivery', () => {
  // claim: delivery-attributes, delivery-statuses, retry-schedule
  test('is tried nine times, 1 m, 5 m, 30 m, 2 h, 12 h, 24 h, 24 h and 24 h after each failure; then it is dead', async () => {
    const { id } = await hooks.endpoint();
    hooks.receiver.answer(500);
    await hooks.occur();
    expect(await hooks.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 0, next_attempt_at: at() }]);
    for (const [i, wait] of RETRIES.entries()) {
      expect(await hooks.deliver()).toBe(1);
      expect(await hooks.deliveries(id)).toMatchObject([
        { status: 'failed', attempts: i + 1, last_status_code: 500, last_attempt_at: at(), next_attempt_at: at(wait) },
      ]);
      hooks.clock.advance(wait - 1);
      expect(await hooks.deliver()).toBe(0);
      hooks.clock.advance(1);
    }
    expect(await hooks.deliver()).toBe(1);
    const [dead] = await hooks.deliveries(id);
    expect(dead).toMatchObject({ status: 'dead', attempts: 9, next_attempt_at: null });
    hooks.clock.advance(60 * DAY);
    expect(await hooks.deliver()).toBe(0);
    expect(hooks.receiver.got).toHaveLength(9);
    expect(new Set(hooks.receiver.got.map(({ body }) => body.toString())).size).toBe(1);
    const { attempt_log } = (await hooks.get(`/webhooks/deliveries/${dead!.id}`)).body;
    expect(attempt_log.map((one: { number: number; cause: string }) => [one.number, one.cause])).toEqual(
      Array.from({ length: 9 }, (_, i) => [i + 1, expect.stringContaining('500')]),
    );
  });

  // claim: delivery-statuses
  test.each([200, 201, 204, 299])('%i delivers it', async (status) => {
    const { id } = await hooks.endpoint();
    hooks.receiver.answer(500);
    await hooks.occur();
    await hooks.deliver();
    hooks.clock.advance(MINUTE);
    hooks.receiver.answer(status);
    expect(await hooks.deliver()).toBe(1);
    expect(await hooks.deliveries(id)).toMatchObject([
      { status: 'delivered', attempts: 2, last_status_code: status, next_attempt_at: null },
    ]);
  });

  test.each([301, 302, 307, 400, 401, 404, 410, 429, 500, 503])(
    '%i fails it, and it is tried again',
    async (status) => {
      const { id } = await hooks.endpoint();
      hooks.receiver.answer(status);
      await hooks.occur();
      await hooks.deliver();
      expect(await hooks.deliveries(id)).toMatchObject([
        { status: 'failed', last_status_code: status, next_attempt_at: at(MINUTE) },
      ]);
      expect(await hooks.health(id)).toMatchObject({ status: 'healthy', failures_in_a_row: 1 });
    },
  );
});

describe('the health of an endpoint', () => {
  const fail = async (count: number) => {
    hooks.receiver.answer(500);
    await hooks.occur(count);
    expect(await hooks.deliver()).toBe(count);
  };

  // claim: failing-after-50
  test('50 failed attempts in a row: it is failing since the 50th, and the owners get one mail', async () => {
    await hooks.t.session('acme', 'owner');
    const { id } = await hooks.endpoint();
    await fail(49);
    expect(await hooks.health(id)).toEqual({ status: 'healthy', failures_in_a_row: 49, failing_since: null });
    hooks.clock.advance(1000);
    await fail(1);
    const since = at();
    expect(await hooks.health(id)).toEqual({ status: 'failing', failures_in_a_row: 50, failing_since: since });
    hooks.clock.advance(1000);
    await fail(3);
    expect(await hooks.health(id)).toEqual({ status: 'failing', failures_in_a_row: 53, failing_since: since });
    const told = await mails('webhook_failing');
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told.map((one) => one.recipient)).size).toBe(told.length);
    expect(told[0]!.subject).toContain('is failing');
  });

  // claim: test-event
  test('any success sets the count to 0; retries and replays count, test events change nothing', async () => {
    const { id } = await hooks.endpoint();
    await fail(30);
    hooks.clock.advance(MINUTE);
    expect(await hooks.deliver()).toBe(30); // the retries
    expect(await hooks.health(id)).toMatchObject({ status: 'failing', failures_in_a_row: 60 });
    await hooks.post(`/webhooks/${id}/test`, {});
    await hooks.deliver();
    expect(await hooks.health(id)).toMatchObject({ failures_in_a_row: 60 });
    hooks.receiver.answer(200);
    await hooks.post(`/webhooks/${id}/test`, {});
    expect(await hooks.deliver()).toBe(1);
    expect(await hooks.health(id)).toMatchObject({ status: 'failing', failures_in_a_row: 60 });
    const [delivery] = await hooks.deliveries(id, '&status=failed');
    hooks.receiver.answer(500);
    await hooks.post(`/webhooks/deliveries/${delivery!.id}/replay`);
    await hooks.deliver();
    expect(await hooks.health(id)).toMatchObject({ failures_in_a_row: 61 });
    hooks.receiver.answer(200);
    await hooks.occur();
    await hooks.deliver();
    expect(await hooks.health(id)).toEqual({ status: 'healthy', failures_in_a_row: 0, failing_since: null });
  });

  // claim: endpoint-enabled, paused-after-7-days
  test('after 7 days of failing the system pauses it, and the owners get a mail', async () => {
    await hooks.t.session('acme', 'owner');
    const { id } = await hooks.endpoint();
    await fail(50);
    const sweep = () => transaction(hooks.t.pool, hooks.clock, { role: 'system' }, pauseLongFailing);
    hooks.clock.advance(7 * DAY - 1);
    expect(await sweep()).toBe(0);
    hooks.clock.advance(1);
    expect(await sweep()).toBe(1);
    expect(await hooks.health(id)).toMatchObject({ status: 'paused' });
    expect((await mails('webhook_paused')).length).toBeGreaterThan(0);
    expect(await sweep()).toBe(0);
    expect(await hooks.deliver()).toBe(0);
    hooks.receiver.answer(200);
    await hooks.post(`/webhooks/${id}/enable`);
    expect(await hooks.health(id)).toEqual({ status: 'healthy', failures_in_a_row: 0, failing_since: null });
    expect(await hooks.deliver()).toBe(50);
  });

  test('a success before the 7 days are over starts the time again', async () => {
    const { id } = await hooks.endpoint();
    await fail(50);
    hooks.clock.advance(6 * DAY);
    hooks.receiver.answer(200);
    await hooks.occur();
    await hooks.deliver();
    hooks.clock.advance(2 * DAY);
    expect(await transaction(hooks.t.pool, hooks.clock, { role: 'system' }, pauseLongFailing)).toBe(0);
    expect(await hooks.health(id)).toMatchObject({ status: 'healthy' });
  });
});

describe('paused by somebody', () => {
  // claim: endpoint-enabled, endpoint-paused
  test('new deliveries are pending without a due time and due retries wait; enabling sends both, oldest first', async () => {
    const { id } = await hooks.endpoint();
    hooks.receiver.answer(500);
    await hooks.occur(1, { data: { id: 'retry' } });
    await hooks.deliver();
    await hooks.post(`/webhooks/${id}/pause`);
    await hooks.occur(1, { data: { id: 'meanwhile 1' } });
    hooks.clock.advance(10 * MINUTE);
    await hooks.occur(1, { data: { id: 'meanwhile 2' } });
    expect(await hooks.deliver()).toBe(0);
    expect(await hooks.health(id)).toMatchObject({ status: 'paused' });
    expect((await hooks.deliveries(id)).map((one) => [one.status, one.attempts, one.next_attempt_at])).toEqual([
      ['pending', 0, null],
      ['pending', 0, null],
      ['failed', 1, null],
    ]);
    hooks.receiver.answer(200);
    hooks.receiver.got.length = 0;
    expect((await hooks.post(`/webhooks/${id}/enable`)).body).toMatchObject({
      status: 'healthy',
      failures_in_a_row: 0,
    });
    expect(await hooks.deliver()).toBe(3);
    expect((await hooks.deliveries(id)).map((one) => [one.status, one.attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 2],
    ]);
    const order = hooks.receiver.got.map(({ body }) => JSON.parse(body.toString()).data.id);
    expect(order.indexOf('meanwhile 1')).toBeLessThan(order.indexOf('meanwhile 2'));
  });

  test('a retry that is not due yet still waits for its time after enabling', async () => {
    const { id } = await hooks.endpoint();
    hooks.receiver.answer(500);
    await hooks.occur();
    await hooks.deliver();
    await hooks.post(`/webhooks/${id}/pause`);
    await hooks.post(`/webhooks/${id}/enable`);
    expect(await hooks.deliver()).toBe(0);
    hooks.clock.advance(MINUTE);
    expect(await hooks.deliver()).toBe(1);
  });

  test('a test event is sent anyway', async () => {
    const { id } = await hooks.endpoint();
    await hooks.post(`/webhooks/${id}/pause`);
    await hooks.occur();
    await hooks.post(`/webhooks/${id}/test`, {});
    expect(await hooks.deliver()).toBe(1);
    expect(JSON.parse(hooks.receiver.got[0]!.body.toString())).toMatchObject({ livemode: false });
  });
});

describe('a plan without webhooks', () => {
  // claim: plan-enables-endpoints, plan-pauses-endpoints
  test('pauses every endpoint and records nothing; when webhooks are back, only those it paused are enabled', async () => {
    const [mine, stopped] = [await hooks.endpoint(), await hooks.endpoint()];
    await hooks.post(`/webhooks/${stopped.id}/pause`);
    await hooks.occur();
    await hooks.t.plan('acme', 'starter');
    const status = () =>
      hooks.t.system(async (tx) =>
        (
          await tx.all<{ status: string }>(
            sql`select status from webhook_endpoints where deleted_at is null order by id`,
          )
        ).map((row) => row.status),
      );
    expect(await status()).toEqual(['paused_plan', 'paused_plan']);
    const refused = await hooks.post(`/webhooks/${mine.id}/enable`);
    expect([refused.status, refused.body.error.code, refused.body.error.key]).toEqual([
      403,
      'entitlement_required',
      'webhooks',
    ]);
    await hooks.occur(3);
    expect(await hooks.deliver()).toBe(0);
    await hooks.t.plan('acme', 'growth');
    expect(await status()).toEqual(['healthy', 'paused']);
    // What was recorded before the plan changed is sent; what happened while webhooks were missing is not.
    expect(await hooks.deliver()).toBe(1);
    expect(await hooks.deliveries(mine.id)).toHaveLength(1);
    await hooks.t.plan('acme', 'scale');
    expect(await status()).toEqual(['healthy', 'paused']);
  });
});

describe('after a downgrade, endpoints and deliveries', () => {
  test('are read by members on any plan, and changing them is refused with the name of a plan', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur();
    await hooks.deliver();
    await hooks.t.plan('acme', 'starter');
    const session = await hooks.t.session('acme', 'developer');
    const asMember = (method: string, path: string) =>
      hooks.t.call(method, `/app/api${path}`, { headers: { cookie: `turnout_session=${session}` }, org: 'acme' });
    const list = await asMember('GET', '/webhooks');
    expect([list.status, list.body.data.map((one: { paused_because: string }) => one.paused_because)]).toEqual([
      200,
      ['plan'],
    ]);
    expect((await asMember('GET', `/webhooks/${id}`)).body).toMatchObject({ status: 'paused_plan', paused: true });
    const deliveries = await asMember('GET', `/webhooks/${id}/deliveries`);
    expect(deliveries.body.data).toHaveLength(1);
    expect((await asMember('GET', `/webhooks/deliveries/${deliveries.body.data[0].id}`)).status).toBe(200);
    expect((await asMember('GET', '/overview')).body.paused_webhooks).toBe(1);
    for (const [method, path] of [
      ['POST', `/webhooks/${id}/enable`],
      ['POST', `/webhooks/deliveries/${deliveries.body.data[0].id}/replay`],
      ['DELETE', `/webhooks/${id}`],
    ] as const) {
      const { status, body } = await asMember(method, path);
      expect([path, status, body.error.code, body.error.upgrade_plan]).toEqual([
        ...[path, 403, 'entitlement_required', 'growth'],
      ]);
      expect(body.error.message).toContain('plan growth');
    }
    await hooks.t.plan('acme', 'scale');
  });

  test('are read by keys if the plan includes reading', async () => {
    const { id } = await hooks.endpoint();
    const read = async () => {
      const { status, body } = await hooks.get(`/webhooks/${id}/deliveries`);
      return [status, body.error?.key];
    };
    await hooks.t.plan('acme', 'starter');
    expect(await read()).toEqual([403, 'api_read']);
    // No plan that is sold has reading without webhooks, so one is made for a moment.
    const admin = new pg.Client({ connectionString: hooks.t.database.adminUrl });
    await admin.connect();
    const entitled = (change: string) => admin.query(`update plans set entitlements = ${change} where code = 'growth'`);
    await entitled(`array_remove(entitlements, 'webhooks')`);
    try {
      await hooks.t.plan('acme', 'growth');
      expect(await read()).toEqual([200, undefined]);
      expect((await hooks.get(`/webhooks/${id}`)).body.status).toBe('paused_plan');
    } finally {
      await entitled(`array_append(entitlements, 'webhooks')`);
      await admin.end();
      await hooks.t.plan('acme', 'scale');
    }
  });
});

describe('health and pause are independent', () => {
  const shown = async (id: string) => {
    const { status, health, paused, paused_because } = (await hooks.get(`/webhooks/${id}`)).body;
    return [status, health, paused, paused_because];
  };
  const fail = async (count: number) => {
    hooks.receiver.answer(500);
    await hooks.occur(count);
    await hooks.deliver();
  };
  const sweep = () => transaction(hooks.t.pool, hooks.clock, { role: 'system' }, pauseLongFailing);

  // claim: endpoint-health
  test('pausing a healthy and a failing endpoint leaves their health as it was; enabling makes both healthy', async () => {
    const { id, ...made } = (await hooks.post('/webhooks', { url: hooks.receiver.url, events: ['*'] })).body;
    expect(made).toMatchObject({ status: 'healthy', health: 'healthy', paused: false, paused_because: null });
    await hooks.post(`/webhooks/${id}/pause`);
    expect(await shown(id)).toEqual(['paused', 'healthy', true, 'person']);
    await hooks.post(`/webhooks/${id}/enable`);
    expect(await shown(id)).toEqual(['healthy', 'healthy', false, null]);
    await fail(50);
    expect(await shown(id)).toEqual(['failing', 'failing', false, null]);
    const { body } = await hooks.post(`/webhooks/${id}/pause`);
    expect(body).toMatchObject({ status: 'paused', health: 'failing', paused: true, paused_because: 'person' });
    hooks.clock.advance(8 * DAY);
    expect(await sweep(), 'it is paused already').toBe(0);
    expect(await shown(id)).toEqual(['paused', 'failing', true, 'person']);
    await hooks.post(`/webhooks/${id}/enable`);
    expect(await shown(id)).toEqual(['healthy', 'healthy', false, null]);
  });

  test('after seven days it is paused because it is failing; if somebody then pauses it, it is paused by a person', async () => {
    const { id } = await hooks.endpoint();
    await fail(50);
    hooks.clock.advance(7 * DAY);
    expect(await sweep()).toBe(1);
    expect(await shown(id)).toEqual(['paused', 'failing', true, 'failing']);
    const audited = (await hooks.get(`/audit-log?object=${id}&action=webhook_endpoint.paused`)).body.data;
    expect(audited).toMatchObject([
      {
        changes: {
          fields: { paused: { before: false, after: true }, paused_because: { before: null, after: 'failing' } },
        },
      },
    ]);
    await hooks.post(`/webhooks/${id}/pause`);
    expect(await shown(id)).toEqual(['paused', 'failing', true, 'person']);
    await hooks.post(`/webhooks/${id}/enable`);
    expect(await shown(id)).toEqual(['healthy', 'healthy', false, null]);
  });

  test('an attempt that was running when it was paused still counts for its health', async () => {
    const { id } = await hooks.endpoint();
    const record = (succeeded: boolean, times: number) =>
      transaction(hooks.t.pool, hooks.clock, { role: 'system' }, (tx) =>
        countAttempts(
          tx,
          Array.from({ length: times }, () => ({
            ...{ org_id: hooks.org, endpoint_id: toUuid(id), succeeded, at: hooks.clock.now() },
          })),
        ),
      );
    await record(false, 49);
    await hooks.post(`/webhooks/${id}/pause`);
    await record(false, 1);
    expect(await shown(id)).toEqual(['paused', 'failing', true, 'person']);
    expect(await hooks.health(id)).toMatchObject({ failing_since: at(), failures_in_a_row: 50 });
    await record(true, 1);
    expect(await shown(id)).toEqual(['paused', 'healthy', true, 'person']);
  });

  // claim: plan-enables-endpoints
  test('when the plan has webhooks again, an endpoint comes back paused as before, or else enabled and healthy', async () => {
    const [person, failing, troubled, fine] = [
      await hooks.endpoint(),
      await hooks.endpoint(),
      await hooks.endpoint(),
      await hooks.endpoint({ events: ['payment.failed'] }),
    ];
    await hooks.post(`/webhooks/${person.id}/pause`);
    await hooks.post(`/webhooks/${troubled.id}/pause`);
    await fail(50);
    hooks.clock.advance(7 * DAY);
    expect(await sweep()).toBe(1);
    await hooks.post(`/webhooks/${troubled.id}/enable`);
    await hooks.deliver();
    const all = async () => [
      await shown(person.id),
      await shown(failing.id),
      await shown(troubled.id),
      await shown(fine.id),
    ];
    const before = [
      ['paused', 'healthy', true, 'person'],
      ['paused', 'failing', true, 'failing'],
      ['failing', 'failing', false, null],
      ['healthy', 'healthy', false, null],
    ];
    expect(await all()).toEqual(before);
    await hooks.t.plan('acme', 'starter');
    const rows = await hooks.t.system((tx) =>
      tx.all<EndpointRow>(sql`select * from webhook_endpoints where deleted_at is null order by id`),
    );
    expect(rows.map((row) => [healthOf(row.failing_since), pauseOf(row).paused_because])).toEqual([
      ['healthy', 'plan'],
      ['failing', 'plan'],
      ['failing', 'plan'],
      ['healthy', 'plan'],
    ]);
    await hooks.t.plan('acme', 'scale');
    expect(await all()).toEqual([before[0], before[1], ['healthy', 'healthy', false, null], before[3]]);
  });
});

describe('rotating the secret', () => {
  const signatures = () => hooks.receiver.got.at(-1)!.headers['service-signature'] as string;
  // claim: rotation, signature-header
  test('gives two v1 for 24 hours, the new one first, and then one', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur();
    await hooks.deliver();
    expect(signatures()).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    await hooks.post(`/webhooks/${id}/rotate-secret`);
    await hooks.occur();
    await hooks.deliver();
    expect(signatures()).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    hooks.clock.advance(DAY - 1);
    await hooks.occur();
    await hooks.deliver();
    expect(signatures()).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    hooks.clock.advance(1);
    await hooks.occur();
    await hooks.deliver();
    expect(signatures()).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  });
});

describe('a replay', () => {
  // claim: replay
  test('is a new delivery of the same bytes with the same id and a new signature', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur();
    await hooks.deliver();
    const [first] = await hooks.deliveries(id);
    hooks.clock.advance(HOUR);
    const { status, body } = await hooks.post(`/webhooks/deliveries/${first!.id}/replay`);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      replay_of: first!.id,
      envelope_id: first!.envelope_id,
      status: 'pending',
      attempts: 0,
    });
    expect(await hooks.deliver()).toBe(1);
    const [one, two] = hooks.receiver.got;
    expect(two!.body.equals(one!.body)).toBe(true);
    expect(two!.headers['service-signature']).not.toBe(one!.headers['service-signature']);
    expect(two!.headers['webhook-id']).toBe(one!.headers['webhook-id']);
  });

  test('has retries of its own, and waits while the endpoint is paused', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur();
    await hooks.deliver();
    const [first] = await hooks.deliveries(id);
    await hooks.post(`/webhooks/${id}/pause`);
    hooks.receiver.answer(500);
    const { body } = await hooks.post(`/webhooks/deliveries/${first!.id}/replay`);
    expect(body.next_attempt_at).toBeNull();
    expect(await hooks.deliver()).toBe(0);
    await hooks.post(`/webhooks/${id}/enable`);
    for (const wait of [0, ...RETRIES]) {
      hooks.clock.advance(wait);
      expect(await hooks.deliver()).toBe(1);
    }
    expect((await hooks.get(`/webhooks/deliveries/${body.id}`)).body).toMatchObject({ status: 'dead', attempts: 9 });
    expect((await hooks.get(`/webhooks/deliveries/${first!.id}`)).body).toMatchObject({
      status: 'delivered',
      attempts: 1,
    });
  });

  // claim: replay-30-days
  test('is refused with 409 replay_expired 30 days after the original delivery; a copy does not start the time again', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur();
    await hooks.deliver();
    const [first] = await hooks.deliveries(id);
    const replay = (delivery: string) => hooks.post(`/webhooks/deliveries/${delivery}/replay`);
    hooks.clock.advance(20 * DAY);
    const copy = (await replay(first!.id)).body.id;
    hooks.clock.advance(10 * DAY);
    expect((await replay(copy)).status).toBe(201);
    expect((await replay(first!.id)).status).toBe(201);
    hooks.clock.advance(1);
    for (const one of [first!.id, copy]) {
      const refused = await replay(one);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'replay_expired']);
    }
  });
});

describe('a test event', () => {
  // claim: livemode-false, test-event
  test('is sent once, whatever the endpoint subscribes to; if it fails, it is dead at once', async () => {
    const { id } = await hooks.endpoint({ events: ['payment.failed'] });
    hooks.receiver.answer(500);
    const { body } = await hooks.post(`/webhooks/${id}/test`, { type: 'ticket.issued' });
    expect(body).toMatchObject({ type: 'ticket.issued', livemode: false, test_event: true });
    await hooks.deliver();
    hooks.clock.advance(30 * DAY);
    expect(await hooks.deliver()).toBe(0);
    expect((await hooks.get(`/webhooks/deliveries/${body.id}`)).body).toMatchObject({ status: 'dead', attempts: 1 });
    expect(await hooks.health(id)).toMatchObject({ failures_in_a_row: 0 });
    const sent = JSON.parse(hooks.receiver.got[0]!.body.toString());
    expect(sent).toMatchObject({ type: 'ticket.issued', livemode: false, id: body.envelope_id });
  });

  test('has the first type that the endpoint subscribes to', async () => {
    const { id } = await hooks.endpoint({ events: ['payment.failed', 'ticket.issued'] });
    expect((await hooks.post(`/webhooks/${id}/test`, {})).body.type).toBe('payment.failed');
  });
});

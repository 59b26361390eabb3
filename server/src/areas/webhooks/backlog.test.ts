import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../clock.ts';
import { newId, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { backlog } from './backlog.ts';
import { type Hooks, startHooks } from './hooks.support.ts';

let hooks: Hooks;
beforeEach(async () => {
  hooks = await startHooks();
});
afterEach(() => hooks.stop());
const now = (most?: number) =>
  transaction(hooks.t.pool, hooks.clock, { role: 'system' }, (tx) => backlog(tx, most), { readOnly: true });

test('the backlog counts what is due and not sent; retries that are not due and paused endpoints do not count', async () => {
  expect(await now()).toEqual({ oldest: 0, longer: { 0: 0, 60: 0, 600: 0, 3600: 0, 86400: 0 } });
  const paused = await hooks.endpoint();
  await hooks.post(`/webhooks/${paused.id}/pause`);
  await hooks.endpoint({ events: ['registration.created'] });
  await hooks.endpoint({ events: ['ticket.issued'] });
  await hooks.occur(3);
  hooks.clock.advance(2 * HOUR);
  await hooks.occur(2, { type: 'ticket.issued' });
  hooks.clock.advance(MINUTE);
  await hooks.occur(1);
  expect(await now()).toEqual({
    oldest: 2 * 3600 + 60,
    longer: { 0: 6, 60: 5, 600: 3, 3600: 3, 86400: 0 },
  });
  hooks.receiver.answer(500);
  await hooks.deliver();
  expect(await now(), 'retries are not due yet').toMatchObject({ oldest: 0, longer: { 0: 0 } });
  hooks.clock.advance(MINUTE + 1000);
  expect(await now()).toEqual({ oldest: 1, longer: { 0: 6, 60: 0, 600: 0, 3600: 0, 86400: 0 } });
  // /metrics shows the same.
  const { text } = await hooks.t.call('GET', '/metrics');
  expect(text).toMatch(/^turnout_webhook_oldest_due_seconds 1$/m);
  expect(text).toMatch(/^turnout_webhook_deliveries_due\{waited_seconds="0"\} 6$/m);
  expect(text).toMatch(/^turnout_webhook_deliveries_due\{waited_seconds="86400"\} 0$/m);
});

test('a long queue is counted up to a limit, and the oldest delivery is still found', async () => {
  const { id } = await hooks.endpoint();
  const due = hooks.clock.now();
  const first = newId(due).slice(0, 23);
  await hooks.t.system(async (tx) => {
    await tx.run(sql`
      insert into webhook_queue (org_id, endpoint_id, delivery_id, envelope_id, test_event, attempts, due_at)
      select ${hooks.org}, ${toUuid(id)}, d, d, false, 0, ${due}::timestamptz - n * interval '1 second'
      from generate_series(1, 5000) n cross join lateral (select (${first}::text || '-' || lpad(to_hex(n), 12, '0'))::uuid as d) i`);
  });
  expect(await now()).toEqual({ oldest: 5000, longer: { 0: 5000, 60: 4941, 600: 4401, 3600: 1401, 86400: 0 } });
  expect(await now(1000)).toEqual({ oldest: 5000, longer: { 0: 1000, 60: 1000, 600: 1000, 3600: 1000, 86400: 0 } });
});

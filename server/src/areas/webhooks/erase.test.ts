import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import type { Attempt } from '../../outside/https.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import type { QueuedDelivery } from './claim.ts';
import { type Hooks, startHooks } from './hooks.support.ts';
import { type Outcome, record } from './record.ts';

let hooks: Hooks;
beforeAll(async () => {
  hooks = await startHooks();
  const { post } = hooks;
  await post('/events', { code: 'party', name: 'Party' });
  await post('/events/party/days', { code: 'd1', date: '2027-08-01' });
  await post('/events/party/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/party/publish');
  await hooks.endpoint({ events: ['registration.created'] });
});
afterAll(() => hooks.stop());
afterEach(() => vi.restoreAllMocks());

let serial = 0;
/** Makes a registration whose envelope waits to be sent. */
async function waiting(): Promise<{ name: string; contact: string }> {
  const name = `Echo${++serial}`;
  const person = { attendee_type: 'adult', first_name: 'Grace', last_name: name, days: ['d1'] };
  const { body } = await hooks.post('/events/party/registrations', { attendees: [person] });
  while ((await hooks.t.step.relay()) > 0);
  return { name, contact: body.contact.id };
}
const erase = (contact: string) => hooks.post(`/contacts/${contact}/erase`);
/** The receiver answers with what it got, after `first`. */
const echoing = (first: () => Promise<unknown> = async () => {}) =>
  vi.spyOn(hooks.t.outside.webhooks, 'post').mockImplementation(async (_url, _headers, body): Promise<Attempt> => {
    await first();
    return { status: 200, answer: Buffer.from(body as Buffer), cause: null, durationMs: 1 };
  });
const answers = async (): Promise<string> =>
  (
    await runSql(
      hooks.t.database.adminUrl,
      `select convert_from(answer, 'UTF8') as text from webhook_attempts where answer is not null`,
    )
  )
    .map((row) => row.text)
    .join('\n');

test('the answer of a receiver that repeats what it got cannot be read any more', async () => {
  const { name, contact } = await waiting();
  echoing();
  await hooks.deliver();
  const [endpoint] = (await hooks.get('/webhooks')).body.data;
  const [delivery] = await hooks.deliveries(endpoint.id);
  const details = async () => (await hooks.get(`/webhooks/deliveries/${delivery!.id}`)).body;
  expect((await details()).last_answer).toContain(name); // the control: it was kept
  expect((await erase(contact)).status).toBe(200);
  expect(await details()).toMatchObject({ envelope: null, last_answer: null, status: 'delivered' });
  expect(await answers()).not.toContain(name);
});

test('an attempt that ends after the erasure records no answer', async () => {
  const { name, contact } = await waiting();
  echoing(() => erase(contact));
  await hooks.t.step.deliveries();
  expect(await answers()).not.toContain(name);
});

test('an erasure waits for an attempt that is being recorded, and then empties its answer', async () => {
  const { name, contact } = await waiting();
  let erasing: Promise<unknown> = Promise.resolve();
  await transaction(hooks.t.pool, hooks.clock, { role: 'system' }, async (tx) => {
    await record(tx, [echoOf(await due(tx))]);
    erasing = erase(contact);
    await untilWaitingForLock(hooks.t.database); // not committed yet, so the erasure cannot see it
  });
  await erasing;
  expect(await answers()).not.toContain(name);
});

test('the control: if recording does not delete the row of the queue, the erasure does not wait and the answer stays', async () => {
  const { name, contact } = await waiting();
  await transaction(hooks.t.pool, hooks.clock, { role: 'system' }, async (tx) => {
    const { org_id, endpoint_id, delivery_id, body } = await due(tx);
    await tx.run(sql`
      insert into webhook_attempts (org_id, endpoint_id, delivery_id, number, at, duration_ms, answer)
      values (${org_id}, ${endpoint_id}, ${delivery_id}, 1, now(), 1, ${body})`);
    await erase(contact);
  });
  expect(await answers()).toContain(name);
});

/** The one delivery that waits, as the deliverer would read it. */
const due = (tx: Tx): Promise<QueuedDelivery> =>
  tx.one<QueuedDelivery>(sql`
    select q.ctid::text as ctid, q.org_id, q.endpoint_id, q.delivery_id, q.envelope_id, q.test_event, q.attempts, q.due_at, v.body
    from webhook_queue q join webhook_envelopes v on v.org_id = q.org_id and v.id = q.envelope_id`);
const echoOf = (row: QueuedDelivery): Outcome => ({
  row,
  at: hooks.clock.now(),
  endedAt: hooks.clock.now(),
  signature: null,
  result: { status: 200, answer: row.body, cause: null, durationMs: 1 },
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { yearEvent } from '../../../../test/support/year-event.ts';
import { sql } from '../../store/sql.ts';
import { type Importing, openImporting } from './import.support.ts';

// Large registrations take seconds, and many more on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

let x: Importing;
beforeAll(async () => {
  x = await openImporting();
});
afterAll(() => x.t.stop());

const HEAD = 'First name,Last name,Type,Day,ID\n';
const rows = (count: number, days: readonly string[]) =>
  Array.from({ length: count }, (_, n) => `First ${n},Last,adult,${days.join(';')},${n}\n`).join('');

/** How many tickets each transaction of the event has made, in order. */
const ticketsByStep = async (event: string): Promise<number[]> =>
  (
    await x.t.system((tx) =>
      tx.all<{ count: number }>(sql`
        select count(*)::int as count from tickets t join events e on e.id = t.event_id
        where e.code = ${event} group by t.created_at order by t.created_at`),
    )
  ).map((row) => row.count);

test('few rows for very many days are imported in the background, in steps of at most 5,000 tickets', async () => {
  const days = await yearEvent(x.t, x.key, 'year', { days: 300 });
  const reply = await x.send('year', HEAD + rows(40, days));
  expect(reply.status, reply.text).toBe(202);
  await x.t.step.jobs();
  const job = await x.job(reply.body.id);
  expect(job).toMatchObject({ status: 'succeeded', counts: { created: 40, tickets_issued: 12_000 } });
  const steps = await ticketsByStep('year');
  expect(steps.reduce((sum, count) => sum + count, 0)).toBe(12_000);
  // The first step has five rows; without the bound, the third would have had twenty with 6,000 tickets.
  expect(Math.max(...steps)).toBeLessThanOrEqual(5000);
});

test('as many rows for few days are imported while the caller waits', async () => {
  const days = await yearEvent(x.t, x.key, 'days', { days: 100 });
  const reply = await x.send('days', HEAD + rows(50, days));
  expect([reply.status, reply.body.status]).toEqual([201, 'succeeded']);
  expect(reply.body.counts).toMatchObject({ created: 50, tickets_issued: 5000 });
});

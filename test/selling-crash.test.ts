import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../server/src/store/sql.ts';
import { endProcesses, type ServerProcess, startProcess } from './support/scan-process.ts';
import { call, startTest, type TestTurnout } from './support/turnout.ts';

/*
 * `kill -9` in the middle of a rush on a code, a product and a shared limit: nothing is sold twice, nothing that was answered is lost, and
 * what was not answered is answered by another process when it is sent again.
 */

const LIMITS = { code: 100, workshop: 40, hall: 60 };
const ASKING = 300;
/** After so many answers the process is killed. */
const ANSWERS_BEFORE = 150;

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { rpm: 1_000_000 })).secret;
  const make = async (path: string, body: object = {}) =>
    expect((await t.call('POST', `/v1/events${path}`, { key, body })).status, path).toBeLessThan(300);
  await make('', { code: 'sale', name: 'Sale' });
  await make('/sale/days', { code: 'd1', date: '2040-06-01' });
  for (const code of ['adult', 'guest']) await make('/sale/attendee-types', { code, name: code });
  await make('/sale/attendee-types', { code: 'paying', name: 'Paying', price_minor: 1000 });
  await make('/sale/products', { code: 'workshop', name: 'Workshop', capacity: LIMITS.workshop });
  await make('/sale/quotas', { code: 'hall', name: 'Hall', capacity: LIMITS.hall, attendee_types: ['guest'] });
  const off = { kind: 'percent', value: 100, attendee_types: ['paying'] };
  await make('/sale/discounts', { code: 'FIRST-100', name: 'First', max_people: LIMITS.code, ...off });
  await make('/sale/publish');
});
afterAll(async () => {
  endProcesses();
  await t.stop();
});

const ASKS = {
  code: [{ attendee_type: 'paying' }, { discount_code: 'first100' }],
  workshop: [{ attendee_type: 'adult', products: [{ product: 'workshop' }] }, {}],
  hall: [{ attendee_type: 'guest' }, {}],
} as const;
const ASKED = (Object.keys(ASKS) as (keyof typeof ASKS)[]).flatMap((what) =>
  Array.from({ length: ASKING }, (_, i) => {
    const [person, more] = ASKS[what];
    const body = { attendees: [{ first_name: 'Ada', last_name: `${what} ${i}`, ...person }], ...more };
    return { what, idempotencyKey: `${what}-${i}`, body };
  }),
);

test('of a rush whose process is killed, exactly as much is sold as there is', async () => {
  const doomed = await startProcess(t);
  const answers = new Map<string, number>();
  const send = async ({ url }: ServerProcess, { idempotencyKey, body }: (typeof ASKED)[number]) => {
    const { status } = await call(url, 'POST', '/v1/events/sale/registrations', { key, idempotencyKey, body });
    answers.set(idempotencyKey, status);
    if (answers.size === ANSWERS_BEFORE) doomed.child.kill('SIGKILL');
  };
  // In turns of the three, so that the kill hits all of them.
  const mixed = ASKED.map((_, i) => ASKED[(i % 3) * ASKING + Math.floor(i / 3)]!);
  await Promise.allSettled(mixed.map((one) => send(doomed, one)));
  expect(await doomed.gone).toBe('SIGKILL');
  const before = new Map(answers);
  expect(before.size).toBeGreaterThanOrEqual(ANSWERS_BEFORE);
  // The control: the kill left calls without an answer.
  expect(before.size).toBeLessThan(ASKED.length);

  const next = await startProcess(t);
  await Promise.all(mixed.map((one) => send(next, one)));
  next.child.kill('SIGTERM');
  // Whoever was answered before the kill gets the same answer again.
  for (const [idempotencyKey, status] of before)
    expect([idempotencyKey, answers.get(idempotencyKey)]).toEqual([idempotencyKey, status]);
  const sold = (what: keyof typeof ASKS) =>
    ASKED.filter((one) => one.what === what && answers.get(one.idempotencyKey) === 201).length;
  expect({ code: sold('code'), workshop: sold('workshop'), hall: sold('hall') }).toEqual(LIMITS);
  const stored = await t.system((tx) =>
    tx.one(sql`
      select (select count(*) from attendees where discount_id is not null)::int as code,
        (select count(*) from attendees where products <> '[]')::int as workshop,
        (select count(*) from attendees a join attendee_types y on y.id = a.attendee_type_id where y.code = 'guest')::int as hall,
        (select used from discounts) as used,
        (select p.taken from places p join products x on x.id = p.scope_id) as taken,
        (select p.taken from places p join quotas x on x.id = p.scope_id) as held`),
  );
  expect(stored).toEqual({ ...LIMITS, used: LIMITS.code, taken: LIMITS.workshop, held: LIMITS.hall });
});

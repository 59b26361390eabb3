import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import type * as Clocks from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * "Nothing is sold twice, and no code is used more often than allowed." The guard is that of places (places.race.test.ts): whoever books
 * holds the event's clock until the commit. The control switches it off.
 */
const guard = vi.hoisted(() => ({ on: true }));
vi.mock('../../store/clocks.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Clocks>();
  const unguarded = async (tx: Tx): Promise<string> =>
    (await tx.one<{ at: string }>(sql`select clock_timestamp() as at`)).at;
  return {
    ...real,
    stampEvent: (tx: Tx, org: Id, event: Id) => (guard.on ? real.stampEvent(tx, org, event) : unguarded(tx)),
    stampCounted: async (tx: Tx, org: Id, event: Id) =>
      guard.on ? real.stampCounted(tx, org, event) : { at: await unguarded(tx), counted: true },
  };
});

const LIMITS = { code: 100, workshop: 40, hall: 60 };
/** How many ask for each of them. */
const ASKING = 300;

let processes: TestTurnout[];
let key: string;
let events = 0;
let event: string;
beforeAll(async () => {
  const first = await startTest();
  processes = [first, await startTest({ database: first.database, clock: first.clock })];
  await first.org('acme');
  await first.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await first.key('acme')).secret;
});
afterAll(async () => {
  for (const one of [...processes].reverse()) await one.stop();
});

async function make(path: string, body: object = {}) {
  const reply = await processes[0]!.call('POST', `/v1/events${path}`, { key, body });
  if (reply.status >= 300) throw new Error(reply.text);
}
async function newEvent(): Promise<void> {
  event = `sale${++events}`;
  await make('', { code: event, name: event });
  await make(`/${event}/days`, { code: 'd1', date: '2040-06-01' });
  for (const code of ['adult', 'guest']) await make(`/${event}/attendee-types`, { code, name: code });
  await make(`/${event}/attendee-types`, { code: 'paying', name: 'Paying', price_minor: 1000 });
  await make(`/${event}/products`, { code: 'workshop', name: 'Workshop', capacity: LIMITS.workshop });
  await make(`/${event}/quotas`, { code: 'hall', name: 'Hall', capacity: LIMITS.hall, attendee_types: ['guest'] });
  const off = { kind: 'percent', value: 100, attendee_types: ['paying'] };
  await make(`/${event}/discounts`, { code: 'FIRST-100', name: 'First', max_people: LIMITS.code, ...off });
  await make(`/${event}/publish`);
}

const ASKS = {
  code: [{ attendee_type: 'paying' }, { discount_code: 'first100' }],
  workshop: [{ attendee_type: 'adult', products: [{ product: 'workshop' }] }, {}],
  hall: [{ attendee_type: 'guest' }, {}],
} as const;
type Asked = keyof typeof ASKS;

/** All at once, on both processes. Returns how many got it, and what the others were told. */
async function rush(asked: readonly Asked[], count: number) {
  const replies = await Promise.all(
    asked.flatMap((what) =>
      Array.from({ length: count }, async (_, i) => {
        const [person, more] = ASKS[what];
        const body = { attendees: [{ first_name: 'Ada', last_name: `${what} ${i}`, ...person }], ...more };
        const reply = await processes[i % 2]!.call('POST', `/v1/events/${event}/registrations`, { key, body });
        return { what, answer: reply.status === 201 ? 'sold' : (reply.body.error.code as string) };
      }),
    ),
  );
  const counts: Record<string, number> = {};
  for (const { what, answer } of replies) counts[`${what} ${answer}`] = (counts[`${what} ${answer}`] ?? 0) + 1;
  return counts;
}

/** How much was sold by the rows of attendees, and by the counts that decide. */
const sold = () =>
  processes[0]!.system((tx) =>
    tx.one<Record<Asked, number> & { counted: Record<Asked, number> }>(sql`
      with e as (select org_id, id from events where code = ${event}),
        a as (select a.* from attendees a join e on a.org_id = e.org_id and a.event_id = e.id where a.status = 'confirmed'),
        p as (select p.* from places p join e on p.org_id = e.org_id and p.event_id = e.id where not p.test)
      select (select count(*) from a where discount_id is not null)::int as code,
        (select count(*) from a where products <> '[]')::int as workshop,
        (select count(*) from a join attendee_types t on t.id = a.attendee_type_id where t.code = 'guest')::int as hall,
        json_build_object(
          'code', (select d.used from discounts d join e on d.event_id = e.id),
          'workshop', (select p.taken from p join products x on x.id = p.scope_id),
          'hall', (select p.taken from p join quotas x on x.id = p.scope_id)) as counted`),
  );

describe('two processes, one event', () => {
  test('of 300 at once for each, exactly 100 use the code, 40 get the workshop and 60 fit the shared limit', async () => {
    await newEvent();
    expect(await rush(['code', 'workshop', 'hall'], ASKING)).toEqual({
      'code sold': LIMITS.code,
      'code discount_used_up': ASKING - LIMITS.code,
      'workshop sold': LIMITS.workshop,
      'workshop product_full': ASKING - LIMITS.workshop,
      'hall sold': LIMITS.hall,
      'hall quota_full': ASKING - LIMITS.hall,
    });
    expect(await sold()).toEqual({ ...LIMITS, counted: LIMITS });
  });
});

describe('the control: with the guard off', () => {
  beforeAll(() => {
    guard.on = false;
  });
  afterAll(() => {
    guard.on = true;
  });

  test('the same rush sells more than there is', async () => {
    await newEvent();
    await rush(['code', 'workshop', 'hall'], ASKING);
    const { counted: _, ...rows } = await sold();
    const over = (Object.keys(LIMITS) as Asked[]).filter((what) => rows[what] > LIMITS[what]);
    expect(over).not.toEqual([]);
  });
});

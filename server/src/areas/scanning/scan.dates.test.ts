import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';

/** A row with an odd date, as an older build may have stored it, must not stop the scans of anybody else in the event. */
const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
let fair: Fair;
beforeAll(async () => {
  fair = await openFair(clock);
  expect((await fair.post('/events/fair/days', { code: 'odd', date: '2030-05-20' })).status).toBe(201);
  // These are instants, so that the good day is at the same time in every time zone.
  const times = { opens_at: '2030-05-04T01:00:00Z', closes_at: '2030-05-04T23:00:00Z' };
  await fair.t.call('PATCH', '/v1/events/fair/days/d1', { key: fair.key, body: times });
});
afterAll(() => fair.t.stop());

interface Odd {
  date?: string;
  opens_at?: string | null;
  closes_at?: string | null;
  locked_at?: string | null;
  timezone?: string;
}
/** Stores the row as an older build may have done; the API would refuse it today. */
const store = ({ date = '2030-05-20', opens_at = null, closes_at = null, locked_at = null, timezone = 'UTC' }: Odd) =>
  fair.t.system(async (tx) => {
    await tx.run(sql`
      update days set date = ${date}::text::date, opens_at = ${opens_at}::text::timestamptz, closes_at = ${closes_at}::text::timestamptz,
        locked_at = ${locked_at}::text::timestamptz where code = 'odd'`);
    await tx.run(sql`update events set timezone = ${timezone}, world_version = world_version + 1 where code = 'fair'`);
  });

/** The calls of a person at the door, of a scanner that starts, and of an organizer who looks at the event. */
async function everybody(): Promise<void> {
  const { code, people } = await fair.register();
  const scanned = await fair.scan(code, { scanned_at: '2030-05-04T10:00:00Z' });
  expect([scanned.status, scanned.body.result]).toEqual([200, 'accepted']);
  const again = await fair.scan(code, { scanned_at: '2030-05-04T10:01:00Z' });
  expect([again.status, again.body.result]).toEqual([200, 'duplicate']);
  const manifest = await fair.get('/events/fair/scan/manifest');
  expect([manifest.status, manifest.body.days.length]).toEqual([200, 3]);
  const roster = await fair.t.call('GET', new URL(manifest.body.roster.url).pathname);
  const mine = roster.body.data.find((entry: { people: { id: string }[] }) => entry.people[0]!.id === people[0]);
  expect(mine.people[0].admissions).toHaveLength(1);
  for (const path of ['checkins', 'checkins/counts']) {
    expect((await fair.get(`/events/fair/${path}`)).status).toBe(200);
  }
  const days = await fair.t.call('GET', '/v1/events/fair/days', { key: fair.key });
  expect(days.status).toBe(200);
  for (const day of days.body.data) {
    for (const at of [day.opens_at, day.closes_at]) expect(at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(day.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
}

describe('one badly dated day', () => {
  test.each<[string, Odd]>([
    ['a date of the first year', { date: '0001-01-01' }],
    ['the same where clocks are ahead', { date: '0001-01-01', timezone: 'Pacific/Kiritimati' }],
    ['a date that two digits could mean', { date: '0030-05-04', timezone: 'America/Havana' }],
    ['the last date of four digits', { date: '9999-12-31' }],
    ['the same where clocks are behind', { date: '9999-12-31', timezone: 'Pacific/Pago_Pago' }],
    ['a date of five digits', { date: '10000-01-01' }],
    ['the last date that can be stored', { date: '5874897-12-31' }],
    ['a date before the first year', { date: '0044-03-15 BC' }],
    ['a closing rounded into the year 10000', { closes_at: '9999-12-31T23:59:59.9999999Z' }],
    ['a lock rounded into the year 10000', { locked_at: '9999-12-31T23:59:59.9999999Z' }],
    ['an opening before the first year', { opens_at: '0044-03-15 12:00:00+00 BC' }],
    [
      'an opening at the beginning of everything',
      { opens_at: '-infinity', closes_at: 'infinity', locked_at: 'infinity' },
    ],
    ['a closing before the opening', { opens_at: '2030-05-20T12:00Z', closes_at: '2030-05-20T11:00Z' }],
    ['the last instant that can be stored', { closes_at: '294276-12-31 23:59:59.999999+00' }],
  ])('%s does not stop scans on the other days', async (_name, odd) => {
    await store(odd);
    await everybody();
  });

  test('an admission at an odd time stops neither the person nor the zone', async () => {
    await store({});
    await fair.post('/events/fair/check-in-points', {
      code: 'lounge',
      name: 'Lounge',
      kind: 'zone',
      policy: { capacity: 2, cooldown_seconds: 60 },
    });
    const { code, people } = await fair.register();
    await fair.scan(code, { check_in_point: 'lounge', scanned_at: '2030-05-04T09:00:00Z' });
    for (const at of ['infinity', '-infinity', '10000-01-01 00:00:00+00', '0044-03-15 12:00:00+00 BC']) {
      await fair.t.system((tx) =>
        tx.run(
          sql`update checkins set scanned_at = ${at}::text::timestamptz where attendee_id = ${toUuid(people[0]!)}`,
        ),
      );
      const next = await fair.scan(code, { check_in_point: 'lounge', scanned_at: '2030-05-04T09:30:00Z' });
      expect([at, next.status, next.body.result]).toEqual([at, 200, 'zone_entered']);
      expect((await fair.get(`/events/fair/checkins?attendee=${people[0]}`)).status).toBe(200);
      await everybody();
    }
  });
});

/** Years at the limits of two digits, of four digits, of PostgreSQL and of `Date`, and ordinary years. */
const year = fc.oneof(
  fc.constantFrom(1, 2, 99, 100, 1582, 1899, 1970, 2030, 2200, 9998, 9999, 10_000, 99_999, 271_821, 275_760, 294_276),
  fc.integer({ min: 1, max: 294_276 }),
);
const dayOfYear = fc.record({
  year,
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
  bc: fc.boolean(),
});
const two = (n: number) => String(n).padStart(2, '0');
const dateText = dayOfYear.map((d) =>
  d.bc
    ? `${String((d.year % 4000) + 1).padStart(4, '0')}-${two(d.month)}-${two(d.day)} BC`
    : `${String(d.year).padStart(4, '0')}-${two(d.month)}-${two(d.day)}`,
);
const instantText = fc
  .record({ date: dateText, minute: fc.integer({ min: 0, max: 1439 }), micros: fc.integer({ min: 0, max: 999_999 }) })
  .map(({ date, minute, micros }) => {
    const [day, era] = date.split(' ') as [string, string?];
    const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}:59.${String(micros).padStart(6, '0')}+00`;
    return era === undefined ? `${day} ${time}` : `${day} ${time} BC`;
  });
const maybe = fc.option(fc.oneof(instantText, fc.constantFrom('infinity', '-infinity')), { nil: null });
const odd: fc.Arbitrary<Odd> = fc.record({
  date: dateText,
  opens_at: maybe,
  closes_at: maybe,
  locked_at: maybe,
  // Zones ahead of UTC, behind it, off by quarters of an hour, and with clocks that skip midnight.
  timezone: fc.constantFrom(
    'UTC',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Asia/Beirut',
    'America/Havana',
    'Asia/Kathmandu',
    'Africa/Cairo',
  ),
});
/** Every instant that a scan may carry. */
const scannedAt = fc
  .oneof(
    fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
    fc
      .constantFrom(
        '0001-01-01T00:00:00Z',
        '0099-12-31T23:59:59.999Z',
        '9999-12-31T23:59:59.999Z',
        '2030-03-31T00:30:00Z',
      )
      .map((at) => new Date(at)),
  )
  .map((at) => at.toISOString());

test('no stored day and no time of a scan makes a scan fail or changes the result on other days', async () => {
  const { code } = await fair.register({ days: ['d1', 'd2'] });
  const gate = (more: object) => ({ code, check_in_point: 'gate', client_uuid: randomUUID(), ...more });
  await fc.assert(
    fc.asyncProperty(odd, fc.array(scannedAt, { minLength: 1, maxLength: 5 }), async (day, times) => {
      await store(day);
      const batch = await fair.t.call('POST', '/api/v1/events/fair/scan/batch', {
        key: fair.key,
        body: { scans: times.map((scanned_at) => gate({ scanned_at })) },
      });
      expect(batch.status).toBe(200);
      for (const one of batch.body.results) expect(one).toHaveProperty('result');
      const single = await fair.scan(code, { scanned_at: times[0], check_in_point: 'exit' });
      expect(single.status).toBe(200);
      const manifest = await fair.get('/events/fair/scan/manifest');
      expect(manifest.status).toBe(200);
      expect((await fair.t.call('GET', new URL(manifest.body.roster.url).pathname)).body.data.length).toBeGreaterThan(
        0,
      );
    }),
    { numRuns: 60 },
  );
  await store({});
  await everybody();
});

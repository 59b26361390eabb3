import type { CasePerson, CaseScan, CaseTicket, CheckInPoint, Day, Policy, World } from '@turnout/checkin';
import fc from 'fast-check';

/** A world, its people and the scans in it, in the format of the golden cases, but without the expected results. */
export interface Happening {
  world: World;
  tickets: CaseTicket[];
  scans: AskedScan[];
}
/** A scan with the device that made it, which may have been offline. */
export type AskedScan = Omit<CaseScan, 'result' | 'reason' | 'people'> & { device: number };
export const DEVICES = 3;

const FROM = Date.parse('2027-06-01T00:00:00Z');
const HOUR = 3_600_000;
const iso = (hours: number): string => new Date(FROM + hours * HOUR).toISOString();

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
/** A field that is left out and one that is null both mean the default, so both occur. */
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 1 });

/** Days on three dates. Some have times of their own that overlap with another day, some are locked in between. */
const days: fc.Arbitrary<Day[]> = fc
  .array(
    fc.record({
      date: fc.constantFrom('2027-06-01', '2027-06-02', '2027-06-03'),
      times: maybe(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 5 }))),
      locked: sometimes(fc.integer({ min: 0, max: 12 })),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .map((made) =>
    made.map(({ date, times, locked }, i) => ({
      code: `day-${i + 1}`,
      date,
      ...(times !== null && { opens_at: iso(times[0] * 6), closes_at: iso((times[0] + times[1]) * 6) }),
      ...(locked !== null && { locked_at: iso(locked * 6) }),
    })),
  );

const TYPES = ['plain', 'vip', 'pass'];
/** The bus is booked once for everybody of a registration. */
const PRODUCTS = [{ code: 'class' }, { code: 'meal' }, { code: 'bus', per: 'registration' }];
export const GROUPS = [{ code: 'staff' }, { code: 'bar', parent: 'staff' }, { code: 'press' }];

const policy = (dayCodes: string[]): fc.Arbitrary<Policy> =>
  fc.record(
    {
      attendee_types: sometimes(fc.subarray(TYPES, { minLength: 1 })),
      groups: sometimes(fc.subarray(['staff', 'bar', 'press'], { minLength: 1, maxLength: 2 })),
      days: sometimes(fc.subarray(dayCodes, { minLength: 1 })),
      products: sometimes(fc.subarray(['class', 'meal', 'bus'], { minLength: 1, maxLength: 2 })),
      opens_minutes_before: fc.constantFrom(0, 120),
      closes_minutes_after: fc.constantFrom(0, 120),
      limit: maybe(fc.constantFrom('once_per_day', 'once', 'once_until_exit', 'unlimited')),
      cooldown_seconds: fc.constantFrom(0, 0, 3600, 5 * 3600),
      requires: sometimes(fc.constantFrom('pre_check', 'entry')),
    },
    { requiredKeys: [] },
  );

/** Two gates of one venue count each other's admissions. */
function points(dayCodes: string[]): fc.Arbitrary<CheckInPoint[]> {
  const any = policy(dayCodes);
  const plain = fc.constant<Policy>({});
  const mostly = fc.oneof({ weight: 2, arbitrary: plain }, { weight: 3, arbitrary: any });
  return fc
    .record({
      gate: mostly,
      side: any,
      desk: mostly,
      hall: any,
      room: mostly,
      capacity: fc.integer({ min: 1, max: 3 }),
    })
    .chain((some) =>
      mostly.map((out): CheckInPoint[] => {
        const { limit: _limit, ...leaving } = out;
        return [
          { code: 'gate', kind: 'entry', policy: some.gate as never },
          { code: 'side', kind: 'entry', policy: some.side as never },
          { code: 'desk', kind: 'pre_check', policy: some.desk as never },
          { code: 'hall', kind: 'zone', policy: some.hall as never },
          { code: 'room', kind: 'zone', policy: { ...some.room, capacity: some.capacity } as never },
          { code: 'out', kind: 'exit', policy: leaving as never },
          { code: 'room-out', kind: 'exit', policy: { leaves: 'room' } },
        ];
      }),
    );
}

const worlds: fc.Arbitrary<World> = days.chain((made) =>
  fc.record({
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'),
    days: fc.constant(made),
    attendee_types: fc
      .integer({ min: 1, max: 2 })
      .map((n) => [{ code: 'plain' }, { code: 'vip' }, { code: 'pass', pass_days: n }, { code: 'payer' }]),
    groups: fc.constant(GROUPS),
    products: fc.constant(PRODUCTS),
    check_in_points: points(made.map((day) => day.code)),
  }),
);

/** Who registers together and with which tickets: everything that the API can make. */
function parties(dayCodes: string[]): fc.Arbitrary<CaseTicket[][]> {
  const person = fc.record({
    attendee_type: fc.constantFrom(...TYPES, 'plain'),
    group: maybe(fc.constantFrom('staff', 'bar', 'press')),
    own: fc.subarray(dayCodes, { minLength: 1 }),
    booked: fc.subarray(['class', 'meal']),
  });
  const shapes = fc.constantFrom('shared', 'shared', 'per-day', 'second', 'reissued', 'voided', 'test', 'unpaid');
  const party = fc.record({
    shape: shapes,
    people: fc.array(person, { minLength: 1, maxLength: 3 }),
    bus: fc.boolean(),
  });
  return fc.array(party, { minLength: 3, maxLength: 5 }).map((made) =>
    made.map(({ shape, people, bus }, i) => {
      const named = people.map(
        ({ attendee_type, group, own, booked }, n): CasePerson => ({
          ref: `p${i}${'abc'[n]}`,
          attendee_type: shape === 'unpaid' ? 'payer' : attendee_type,
          group,
          days: attendee_type === 'pass' && shape !== 'unpaid' ? dayCodes : own,
          products: bus ? [...booked, 'bus'] : booked,
          ...(shape === 'unpaid' && { status: 'pending_payment' as const }),
        }),
      );
      return ticketsOf(shape, `t${i}`, named);
    }),
  );
}

function ticketsOf(shape: string, ref: string, people: CasePerson[]): CaseTicket[] {
  const [first] = people as [CasePerson];
  switch (shape) {
    case 'per-day':
      return first.days.map((day) => ({ ref: `${ref}-${day}`, people: [{ ...first, days: [day] }] }));
    case 'second':
      return [
        { ref, people },
        { ref: `${ref}-own`, people: [first] },
      ];
    case 'reissued':
      return [
        { ref: `${ref}-old`, status: 'voided', people },
        { ref, people },
      ];
    case 'voided':
      return [{ ref, status: 'voided', people }];
    case 'test':
      return [{ ref, test: true, people }];
    default:
      return [{ ref, people }];
  }
}

/** Times are on a coarse grid, so that equal times and scans shortly after one another occur often. */
function scansOf(tickets: CaseTicket[]): fc.Arbitrary<AskedScan[]> {
  const scan = fc
    .record({
      ticket: fc.option(fc.nat({ max: tickets.length - 1 }), { freq: 25 }),
      check_in_point: fc.constantFrom('gate', 'gate', 'side', 'side', 'desk', 'hall', 'room', 'out', 'room-out'),
      hour: fc.oneof(fc.integer({ min: 6, max: 18 }), fc.integer({ min: -6, max: 84 })),
      test: fc.constantFrom(false, false, false, true),
      some: fc.option(fc.nat({ max: 2 }), { freq: 1, nil: null }),
      device: fc.nat({ max: DEVICES - 1 }),
    })
    .map(({ ticket: index, check_in_point, hour, test, some, device }): AskedScan => {
      const asked = { check_in_point, at: iso(hour), test, device };
      if (index === null) return { ...asked, code: 'NO-SUCH-TICKET' };
      const ticket = tickets[index]!;
      const present = some === null ? undefined : ticket.people[some % ticket.people.length]!.ref;
      return { ...asked, ticket: ticket.ref, ...(present !== undefined && { people_present: [present] }) };
    });
  return fc.array(scan, { minLength: 25, maxLength: 45 });
}

export const happenings: fc.Arbitrary<Happening> = worlds.chain((world) =>
  parties(world.days.map((day) => day.code)).chain((made) => {
    const tickets = made.flat();
    return scansOf(tickets).map((scans) => ({ world, tickets, scans }));
  }),
);

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { insideZone, type Pass } from './inside.ts';
import { pointOf, prepareWorld } from './prepare.ts';
import { at, PREPARED, person, ticket, WORLD } from './testing.ts';
import { localDate } from './time.ts';
import type { Mode } from './vocabulary.ts';

/**
 * What must be true whatever is scanned, in any order. Times lie on a coarse grid (five minutes, over three days) so
 * that equal instants, and scans close to one another, happen often.
 */
interface Event {
  readonly who: string;
  readonly point: string;
  readonly at: number;
  readonly mode: Mode;
}

const PEOPLE = ['anna', 'ben', 'carl', 'dora'];
const DAYS = ['d1', 'd2', 'd3', 'long'];
const START = at('01 00:00');

function events(points: readonly string[], people = PEOPLE.slice(0, 2), modes: readonly Mode[] = ['live']) {
  const minute = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 3 * 24 * 12 }));
  const event = fc.record({
    who: fc.constantFrom(...people),
    point: fc.constantFrom(...points),
    at: minute.map((five) => START + five * 300_000),
    mode: fc.constantFrom(...modes),
  });
  return fc.array(event, { maxLength: 40 });
}

/** Decides the scans in the order of arrival and keeps the admissions, as a server does. */
function record(arrived: readonly Event[], type = 'visitor'): { admitted: Pass[]; results: string[] } {
  const records: Record<Mode, Pass[]> = { live: [], test: [] };
  const results = arrived.map((event) => {
    const kept = records[event.mode];
    const admissions = kept.filter((pass) => pass.person === event.who);
    const decision = decide(PREPARED, {
      check_in_point: event.point,
      at: event.at,
      mode: event.mode,
      ticket: ticket(person(event.who, { attendee_type: type, days: DAYS, admissions })),
      others_inside: insideZone(PREPARED, event.point, kept, event.at, [event.who]),
    });
    for (const { person: who, day, admitted } of decision.people) {
      const { kind, key } = pointOf(PREPARED, event.point);
      if (admitted) kept.push({ person: who, check_in_point: key, kind, day, at: event.at, seq: kept.length });
    }
    return `${event.mode} ${decision.result}`;
  });
  return { admitted: records.live, results };
}

function entriesOf(admitted: readonly Pass[], who: string): Pass[] {
  return admitted.filter((pass) => pass.person === who && pass.kind === 'entry');
}

describe('whatever arrives in whatever order', () => {
  it('once per day never admits twice on a day', () => {
    fc.assert(
      fc.property(events(['gate', 'gate2', 'exit']), (arrived) => {
        const { admitted } = record(arrived);
        const entries = admitted.filter((pass) => pass.kind === 'entry').map((pass) => `${pass.person} ${pass.day}`);
        expect(new Set(entries).size).toBe(entries.length);
      }),
    );
  });

  it('once per day admits the same people on the same days', () => {
    const shuffled = events(['gate', 'gate2']).chain((arrived) =>
      fc.tuple(fc.constant(arrived), fc.shuffledSubarray(arrived, { minLength: arrived.length })),
    );
    const days = (arrived: readonly Event[]) =>
      record(arrived)
        .admitted.map((pass) => `${pass.person} ${pass.day}`)
        .sort();
    fc.assert(
      fc.property(shuffled, ([arrived, otherwise]) => {
        expect(days(otherwise)).toEqual(days(arrived));
      }),
    );
  });

  it('once admits once', () => {
    fc.assert(
      fc.property(events(['once']), (arrived) => {
        for (const who of PEOPLE) expect(entriesOf(record(arrived).admitted, who).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('once until exit never admits two entries of a day without an exit between them', () => {
    fc.assert(
      fc.property(events(['turnstile', 'exit', 'room_exit']), (arrived) => {
        const { admitted } = record(arrived);
        for (const who of PEOPLE) {
          const exits = admitted.filter((pass) => pass.person === who && pass.check_in_point === 'exit');
          for (const day of DAYS) {
            const times = entriesOf(admitted, who)
              .filter((pass) => pass.day === day)
              .map((pass) => pass.at)
              .sort((a, b) => a - b);
            for (const [i, second] of times.entries()) {
              const first = times[i - 1];
              if (first === undefined) continue;
              expect(exits.some((exit) => first <= exit.at && exit.at <= second)).toBe(true);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('no two entries of a person are closer together than the cooldown', () => {
    fc.assert(
      fc.property(events(['slow']), (arrived) => {
        const { admitted } = record(arrived);
        for (const who of PEOPLE) {
          const times = entriesOf(admitted, who).map((pass) => pass.at);
          times.sort((a, b) => a - b);
          for (const [i, time] of times.entries())
            if (i > 0) expect(time - times[i - 1]!).toBeGreaterThanOrEqual(600_000);
        }
      }),
    );
  });

  it('a pass for two days is never used on three', () => {
    fc.assert(
      fc.property(events(['gate', 'turnstile', 'slow', 'exit']), (arrived) => {
        const { admitted } = record(arrived, 'pass');
        for (const who of PEOPLE)
          expect(new Set(entriesOf(admitted, who).map((pass) => pass.day)).size).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('test scans do not affect live scans', () => {
    const points = ['gate', 'turnstile', 'slow', 'exit', 'room', 'room_exit'];
    fc.assert(
      fc.property(events(points, PEOPLE, ['live', 'test']), (arrived) => {
        const live = record(arrived).results.filter((result) => result.startsWith('live'));
        expect(live).toEqual(record(arrived.filter((event) => event.mode === 'live')).results);
      }),
    );
  });
});

describe('what arrives in the order of its times', () => {
  it('never puts more people into a zone than it holds', () => {
    fc.assert(
      fc.property(events(['room', 'room_exit', 'exit'], PEOPLE), (arrived) => {
        const inOrder = [...arrived].sort((a, b) => a.at - b.at);
        const { admitted } = record(inOrder);
        for (const { at: time } of admitted) {
          for (const count of Object.values(insideZone(PREPARED, 'room', admitted, time))) {
            expect(count).toBeLessThanOrEqual(2);
          }
        }
      }),
    );
  });
});

describe('what somebody has booked', () => {
  const booked = fc.subarray(['workshop', 'Dinner', 'ghost goods']);
  const points = WORLD.check_in_points.filter(({ policy }) => policy?.products == null).map(({ code }) => code);
  const more = fc.record({
    attendee_type: fc.constantFrom('visitor', 'pass'),
    group: fc.constantFrom(null, 'bar'),
    confirmed: fc.boolean(),
    days: fc.subarray(DAYS),
  });
  const hour = fc.integer({ min: -24, max: 96 });
  const passes = events(['gate', 'room', 'room_exit', 'exit'], ['anna', 'ben', 'carl']);

  it('changes nothing at a point without products', () => {
    fc.assert(
      fc.property(booked, booked, more, passes, fc.constantFrom(...points), hour, (a, b, of, arrived, point, at) => {
        const { admitted } = record(arrived);
        const somebody = (id: string, products?: string[]) => {
          const admissions = admitted.filter((pass) => pass.person === id);
          return person(id, { ...of, admissions, ...(products && { products }) });
        };
        const time = START + at * 3_600_000;
        const others_inside = insideZone(PREPARED, point, admitted, time, ['anna', 'ben']);
        const scan = { check_in_point: point, at: time, mode: 'live', others_inside } as const;
        expect(decide(PREPARED, { ...scan, ticket: ticket(somebody('anna', a), somebody('ben', b)) })).toEqual(
          decide(PREPARED, { ...scan, ticket: ticket(somebody('anna'), somebody('ben')) }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('decides at a point with products as at one without, or refuses because of them', () => {
    fc.assert(
      fc.property(booked, more, passes, hour, (products, of, arrived, at) => {
        const { admitted } = record(arrived);
        const admissions = admitted.filter((pass) => pass.person === 'anna');
        const asked = { at: START + at * 3_600_000, mode: 'live' } as const;
        const anna = ticket(person('anna', { ...of, admissions, products }));
        const [here] = decide(PREPARED, { ...asked, ticket: anna, check_in_point: 'workshop_gate' }).people;
        const [there] = decide(PREPARED, { ...asked, ticket: anna, check_in_point: 'gate' }).people;
        if (products.includes('workshop')) expect(here).toEqual(there);
        else expect([there?.reason, 'product_missing']).toContain(here?.reason);
        expect(here?.admitted && !products.includes('workshop')).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a shared ticket', () => {
  const family = PEOPLE.map((id, i) => person(id, { days: [DAYS[i]!], confirmed: i !== 3 }));

  it('decides for those present as if the others were not on it', () => {
    const present = fc.subarray(PEOPLE, { minLength: 1 });
    fc.assert(
      fc.property(
        present,
        fc.constantFrom('gate', 'once', 'staff_gate', 'exit'),
        fc.integer({ min: 0, max: 96 }),
        (who, point, hour) => {
          const scan = { check_in_point: point, at: START + hour * 3_600_000, mode: 'live' } as const;
          const some = decide(PREPARED, { ...scan, ticket: ticket(...family), people_present: who });
          const alone = decide(PREPARED, { ...scan, ticket: ticket(...family.filter(({ id }) => who.includes(id))) });
          expect(some).toEqual(alone);
          expect(some.admitted).toBe(some.people.some((one) => one.admitted));
        },
      ),
    );
  });
});

describe('one odd day', () => {
  const anyDate = fc.oneof(
    fc.constantFrom('0001-01-01', '0099-12-31', '0100-01-01', '9999-12-31'),
    fc
      .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  );
  const anyTime = fc.oneof(
    fc.constantFrom(-8.64e15, 8.64e15, Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: START, max: START + 3 * 86_400_000 }),
  );
  const zone = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Beirut', 'America/Havana');
  const minutes = fc.constantFrom(0, 60, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER);

  it('any date and any time can be decided, and does not affect the other days', () => {
    fc.assert(
      fc.property(anyDate, anyTime, zone, minutes, (date, time, timezone, around) => {
        const policy = { days: ['odd'], opens_minutes_before: around, closes_minutes_after: around };
        const odd = prepareWorld({
          ...WORLD,
          timezone,
          days: [...WORLD.days, { code: 'odd', date }],
          check_in_points: [...WORLD.check_in_points, { code: 'odd_gate', kind: 'entry', policy }],
        });
        const plain = prepareWorld({ ...WORLD, timezone });
        const asked = { at: time, mode: 'live', ticket: ticket(person('anna', { days: DAYS })) } as const;
        expect(decide(odd, { ...asked, check_in_point: 'odd_gate' }).people).toHaveLength(1);
        expect(decide(odd, { ...asked, check_in_point: 'd3_gate' })).toEqual(
          decide(plain, { ...asked, check_in_point: 'd3_gate' }),
        );
        expect(localDate(timezone, time)).toMatch(/^(\d{4}|[+-]\d{6})-\d\d-\d\d$/);
      }),
      { numRuns: 300 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { prepareWorld } from './prepare.ts';
import { admission, at, PREPARED, person, scan, ticket, WORLD } from './testing.ts';

// What the golden cases cannot express: the day of a check-in, overrides, ids, mistakes of the caller.

describe('the day of a check-in', () => {
  it('is the day that was chosen, on success and on refusal', () => {
    const anna = person('anna');
    expect(decide(PREPARED, scan('gate', '01 10:00', ticket(anna))).people).toEqual([
      { person: 'anna', result: 'accepted', reason: null, admitted: true, day: 'd1', first_admission: null },
    ]);
    const wrong = decide(PREPARED, scan('gate', '01 10:00', ticket(person('anna', { days: ['d3'] }))));
    expect(wrong.people[0]).toMatchObject({ result: 'wrong_day', admitted: false, day: 'd1' });
  });

  it('is null where no day was chosen', () => {
    const anna = person('anna');
    expect(decide(PREPARED, scan('gate', '20 10:00', ticket(anna))).people[0]?.day).toBeNull();
    expect(decide(PREPARED, scan('gate', '01 10:00', { ...ticket(anna), status: 'voided' }))).toMatchObject({
      admitted: false,
      people: [{ result: 'voided', admitted: false, day: null }],
    });
    expect(decide(PREPARED, scan('gate', '01 10:00', null))).toEqual({
      result: 'unknown',
      reason: 'code_unknown',
      admitted: false,
      people: [],
    });
  });

  it('at an exit outside every window is that of the last admission', () => {
    const admissions = [
      admission('gate', 'entry', 'd2', '02 09:00'),
      admission('exit', 'exit', 'd1', '01 20:00'),
      admission('gate', 'entry', 'd1', '01 09:00'),
    ];
    const anna = person('anna', { admissions });
    const day = (time: string) => decide(PREPARED, scan('d3_exit', time, ticket(anna))).people[0]?.day;
    expect(day('02 20:00')).toBe('d2');
    expect(day('01 21:00')).toBe('d1');
    expect(day('01 08:00')).toBeNull();
  });

  it('follows the admission recorded last, of two at the same instant in any order', () => {
    const first = admission('gate', 'entry', 'd1', '01 09:00');
    const second = admission('gate', 'entry', 'long', '01 09:00');
    for (const admissions of [
      [first, second],
      [second, first],
    ]) {
      const decision = decide(PREPARED, scan('d3_exit', '01 21:00', ticket(person('anna', { admissions }))));
      expect(decision.people[0]?.day).toBe('long');
    }
  });
});

describe('an override counts like any admission', () => {
  it('with its day it makes the next scan a duplicate', () => {
    const anna = person('anna', { admissions: [admission('gate2', 'entry', 'd1', '01 00:00')] });
    expect(decide(PREPARED, scan('gate', '01 10:00', ticket(anna)))).toMatchObject({
      result: 'duplicate',
      reason: 'limit',
    });
  });

  it('without a day it counts where days do not matter', () => {
    const anna = person('anna', { admissions: [admission('gate', 'entry', null, '01 09:55')] });
    expect(decide(PREPARED, scan('once', '01 10:00', ticket(anna))).result).toBe('duplicate');
    expect(decide(PREPARED, scan('slow', '01 10:00', ticket(anna))).reason).toBe('cooldown');
    expect(decide(PREPARED, scan('gate', '01 10:00', ticket(anna))).result).toBe('accepted');
    expect(decide(PREPARED, scan('d3_exit', '01 10:00', ticket(anna)))).toMatchObject({
      result: 'exited',
      people: [{ day: null }],
    });
  });
});

describe('once until exit', () => {
  it('counts an exit of another day as an exit in between', () => {
    const admissions = [
      admission('turnstile', 'entry', 'long', '02 10:00'),
      admission('exit', 'exit', 'd2', '02 11:00'),
    ];
    const anna = person('anna', { days: ['long'], admissions });
    expect(decide(PREPARED, scan('turnstile', '02 12:00', ticket(anna))).result).toBe('accepted');
  });

  it('counts an exit that the world no longer has as one of the venue', () => {
    const admissions = [admission('gate', 'entry', 'd1', '01 09:00'), admission('gone', 'exit', 'd1', '01 10:00')];
    expect(decide(PREPARED, scan('turnstile', '01 11:00', ticket(person('anna', { admissions })))).result).toBe(
      'accepted',
    );
  });
});

describe('references', () => {
  it('match ignoring case', () => {
    const admissions = [admission('GATE', 'entry', 'D1', '01 09:00')];
    const anna = person('anna', { days: ['D1'], group: 'BAR', admissions });
    expect(decide(PREPARED, scan('Gate', '01 10:00', ticket(anna))).result).toBe('duplicate');
    expect(decide(PREPARED, scan('STAFF_gate', '01 10:00', ticket({ ...anna, admissions: [] }))).result).toBe(
      'accepted',
    );
  });

  it('may be ids, and then the day is named by its id', () => {
    const world = prepareWorld({
      ...WORLD,
      days: WORLD.days.map((day) => ({ ...day, id: `id-of-${day.code}` })),
      check_in_points: WORLD.check_in_points.map((point) => ({ ...point, id: `id-of-${point.code}` })),
    });
    const byId = decide(world, scan('id-of-gate', '01 10:00', ticket(person('anna', { days: ['id-of-d1'] }))));
    const byCode = decide(world, scan('gate', '01 10:00', ticket(person('anna', { days: ['d1'] }))));
    expect(byId.people[0]).toMatchObject({ result: 'accepted', day: 'id-of-d1' });
    expect(byCode).toEqual(byId);
    const again = person('anna', { days: ['d1'], admissions: [admission('id-of-gate', 'entry', 'd1', '01 09:00')] });
    expect(decide(world, scan('gate', '01 10:00', ticket(again))).result).toBe('duplicate');
  });

  it('to products may be ids in the policy and with the person', () => {
    const id = 'id-of-workshop';
    for (const [inPolicy, booked] of [
      [id, id],
      [id, 'WORKSHOP'],
      ['workshop', id],
    ] as const) {
      const world = prepareWorld({
        ...WORLD,
        products: [{ id, code: 'workshop' }],
        check_in_points: [{ code: 'gate', kind: 'entry', policy: { products: [inPolicy] } }],
      });
      const result = (products: string[]) =>
        decide(world, scan('gate', '01 10:00', ticket(person('anna', { products })))).result;
      expect([result(['id-of-dinner', booked]), result(['id-of-dinner'])]).toEqual(['accepted', 'rejected']);
    }
  });

  it('that are unknown match nothing and cause no error', () => {
    const anna = person('anna', { attendee_type: 'ghost', group: 'ghosts', days: ['never'] });
    expect(decide(PREPARED, scan('gate', '01 10:00', ticket(anna))).result).toBe('wrong_day');
    expect(decide(PREPARED, scan('staff_gate', '01 10:00', ticket(anna))).reason).toBe('group_not_admitted');
    const ben = person('ben', { products: ['ghost goods'] });
    expect(decide(PREPARED, scan('workshop_gate', '01 10:00', ticket(ben))).reason).toBe('product_missing');
  });

  it('in an empty list admit nobody: only null admits all', () => {
    expect(decide(PREPARED, scan('nowhere', '01 10:00', ticket(person('anna')))).result).toBe('closed');
    const anna = person('anna', { products: ['workshop', 'dinner'] });
    expect(decide(PREPARED, scan('nothing_sold', '01 10:00', ticket(anna))).reason).toBe('product_missing');
  });
});

describe('people', () => {
  it('who are all absent cannot be admitted', () => {
    const of = ticket(person('anna'));
    for (const people_present of [[], ['nobody']]) {
      const decision = decide(PREPARED, scan('gate', '01 10:00', of, { people_present }));
      expect(decision).toEqual({ result: 'rejected', reason: 'nobody_present', admitted: false, people: [] });
    }
  });

  it('are decided in ticket order', () => {
    const of = ticket(person('carl'), person('anna'), person('ben'));
    const decision = decide(PREPARED, scan('gate', '01 10:00', of, { people_present: ['ben', 'anna', 'carl'] }));
    expect(decision.people.map((one) => one.person)).toEqual(['carl', 'anna', 'ben']);
  });
});

describe('others inside', () => {
  it('count by the day that was chosen', () => {
    const of = ticket(person('anna', { days: ['d1'] }));
    expect(decide(PREPARED, scan('room', '01 10:00', of, { others_inside: { d1: 1, d2: 9 } })).result).toBe(
      'zone_entered',
    );
    expect(decide(PREPARED, scan('room', '01 10:00', of, { others_inside: { d1: 2 } })).result).toBe('zone_full');
  });

  it('are not confused with properties that every object has', () => {
    const world = prepareWorld({ ...WORLD, days: [{ code: 'constructor', date: '2027-06-01' }] });
    const of = ticket(person('anna', { days: ['constructor'] }));
    expect(decide(world, scan('room', '01 10:00', of)).result).toBe('zone_entered');
  });
});

describe('a mistake of the caller is an exception', () => {
  it('an unknown point', () => {
    expect(() => decide(PREPARED, scan('no_such_gate', '01 10:00', null))).toThrow('no check-in point no_such_gate');
  });

  it('a zone with a capacity without the number of others inside', () => {
    const { others_inside: _, ...without } = scan('room', '01 10:00', ticket(person('anna')));
    expect(() => decide(PREPARED, without)).toThrow('room has a capacity');
    expect(decide(PREPARED, { ...without, check_in_point: 'other_room' }).result).toBe('zone_entered');
  });

  it('a world with a time that cannot be read', () => {
    const broken = (day: object) => () => prepareWorld({ ...WORLD, days: [{ code: 'd', date: '2027-06-01', ...day }] });
    expect(broken({ opens_at: 'soon' })).toThrow('opens_at soon');
    expect(broken({ locked_at: '2027-06-01T10:00:00' })).toThrow('locked_at');
    expect(broken({ date: '2027-02-30' })).toThrow('not a date');
  });
});

it('the decision changes none of its arguments and gives the same result again', () => {
  const admissions = [admission('gate', 'entry', 'd1', '01 09:00')];
  const given = scan('room', '01 10:00', ticket(person('anna', { admissions }), person('ben')), {
    others_inside: { d1: 1 },
  });
  const before = structuredClone(given);
  const frozen = freeze(given);
  expect(decide(PREPARED, frozen)).toEqual(decide(PREPARED, frozen));
  expect(frozen).toEqual(before);
  expect(at('01 10:00')).toBe(given.at);
});

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) freeze(part);
  return value;
}

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCases } from './parse-cases.ts';
import { parseWorld } from './parse-world.ts';
import { WORLD } from './testing.ts';

function problems(parsed: ReturnType<typeof parseWorld> | ReturnType<typeof parseCases>): string[] {
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

const point = (kind: string, policy: object) => ({
  ...WORLD,
  check_in_points: [...WORLD.check_in_points, { code: 'new', kind, policy }],
});

describe('a world from outside', () => {
  it('is accepted unchanged when it is valid', () => {
    expect(parseWorld(WORLD)).toEqual({ ok: true, value: WORLD });
  });

  it('may leave out empty lists and have unknown fields', () => {
    const parsed = parseWorld({ timezone: 'UTC', days: [{ code: 'd', date: '2027-06-01', capacity: 9 }] });
    expect(parsed).toMatchObject({ ok: true, value: { groups: [], check_in_points: [], days: [{ capacity: 9 }] } });
  });

  it('has all its faults reported at once, each with its path', () => {
    const found = problems(
      parseWorld({
        timezone: 'Europe/Nowhere',
        days: [
          { code: 'sat', date: '2027-02-30', opens_at: 'noon' },
          { code: 'SAT', date: '2027-06-12', opens_at: '2027-06-12T10:00:00Z', closes_at: '2027-06-12T10:00:00Z' },
          { code: '01ARZ3NDEKTSV4RRFFQ69G5FAV', date: '2027-06-12' },
          'sunday',
        ],
        attendee_types: [{ code: 'pass', days: ['mon'], pass_days: 0 }],
        groups: [
          { code: 'a', parent: 'b' },
          { code: 'b', parent: 'A' },
          { code: 'c', parent: 'x' },
        ],
        check_in_points: [{ code: 'not a code', kind: 'door' }],
      }),
    );
    expect(found).toEqual([
      'days[3]: must be an object',
      'days[1].code: SAT is already taken',
      'days[2].code: must be a code of up to 63 letters, digits, - and _, and must not look like a ULID',
      'check_in_points[0].code: must be a code of up to 63 letters, digits, - and _, and must not look like a ULID',
      'timezone: must be a timezone, such as Europe/Berlin',
      'days[0].date: must be a date, such as 2027-06-12',
      'days[0].opens_at: must be an instant, such as 2027-06-12T09:00:00Z',
      'days[1].closes_at: must be after opens_at',
      'attendee_types[0].days[0]: there is no day mon',
      'attendee_types[0].pass_days: must be a whole number of at least 1',
      'groups[2].parent: there is no group x',
      'groups[0].parent: must not lead back to the group itself',
      'groups[1].parent: must not lead back to the group itself',
      'check_in_points[0].kind: must be one of entry, pre_check, zone, exit',
    ]);
  });

  it.each([
    ['entry', { capacity: 5 }, 'capacity: is only for zones'],
    ['zone', { capacity: 1.5 }, 'capacity: must be a whole number of at least 0'],
    ['zone', { leaves: 'room' }, 'leaves: is only for exits'],
    ['exit', { leaves: 'gate' }, 'leaves: there is no zone gate'],
    ['entry', { limit: 'twice' }, 'limit: must be one of once_per_day, once, once_until_exit, unlimited'],
    ['entry', { requires: 'exit' }, 'requires: must be one of pre_check, entry'],
    ['entry', { cooldown_seconds: '60' }, 'cooldown_seconds: must be a whole number of at least 0'],
    ['entry', { opens_minutes_before: -1 }, 'opens_minutes_before: must be a whole number of at least 0'],
    ['entry', { groups: 'staff' }, 'groups: must be a list'],
    ['entry', { products: 'dinner' }, 'products: must be a list'],
    ['entry', { products: ['lunch'] }, 'products[0]: there is no product lunch'],
    ['entry', { attendee_types: [7] }, 'attendee_types[0]: must be the code or id of an attendee type'],
    ['entry', { opens_minute_before: 5 }, 'opens_minute_before: is not a field of a policy'],
  ])('refuses at a point of kind %s the policy %o', (kind, policy, problem) => {
    expect(problems(parseWorld(point(kind, policy)))).toEqual([
      `check_in_points[${WORLD.check_in_points.length}].policy.${problem}`,
    ]);
  });

  it.each([null, 7, 'world', [], undefined])('refuses %o', (input) => {
    expect(parseWorld(input).ok).toBe(false);
    expect(parseCases(input).ok).toBe(false);
  });
});

describe('cases from outside', () => {
  const anna = { ref: 'anna', attendee_type: 'visitor', days: ['d1'] };
  const right = { ticket: 't', check_in_point: 'gate', at: '2027-06-01T10:00:00Z', result: 'accepted' };
  const file = (one: object, scan: object = {}) => ({
    version: 1,
    world: WORLD,
    cases: [{ name: 'one', tickets: [{ ref: 't', people: [anna] }], scans: [{ ...right, ...scan }], ...one }],
  });

  it('may list the people of a shared ticket', () => {
    const parsed = parseCases(file({}, { people: [{ ref: 'anna', result: 'accepted' }] }));
    expect(parsed.ok && parsed.value.cases[0]?.scans[0]?.people).toEqual({ anna: 'accepted' });
  });

  it.each([
    [{}, { ticket: 'x' }, 'scans[0].ticket: must be the ref of a ticket of this case'],
    [{}, { code: 'X' }, 'scans[0]: must have either a ticket or a code'],
    [{}, { check_in_point: 'x' }, 'scans[0].check_in_point: there is no check-in point x'],
    [{}, { at: '2027-06-01 10:00' }, 'scans[0].at: must be an instant, such as 2027-06-12T09:00:00Z'],
    [{}, { result: 'fine' }, /^scans\[0\]\.result: must be one of accepted,/],
    [{}, { reason: 'fine' }, /^scans\[0\]\.reason: must be one of limit,/],
    [{}, { test: 'yes' }, 'scans[0].test: must be true or false'],
    [{}, { people_present: ['ben'] }, 'scans[0].people_present[0]: must be a person on the ticket'],
    [{}, { people_present: [] }, 'scans[0].people_present: must have at least 1 entry'],
    [{}, { people: { ben: 'accepted' } }, 'scans[0].people.ben: must be a person on the ticket'],
    [{ name: '' }, {}, 'name: must be a string that is not empty'],
    [{ local_only: 1 }, {}, 'local_only: must be true or false'],
    [{ scans: [] }, {}, 'scans: must have at least 1 entry'],
    [{ tickets: [{ ref: 't', people: [anna, anna] }] }, {}, 'tickets[0].people[1].ref: is already on this ticket'],
    [
      { tickets: [{ ref: 't', status: 'gone', people: [anna] }] },
      {},
      'tickets[0].status: must be one of valid, voided',
    ],
    [
      { tickets: [{ ref: 't', people: [{ ...anna, days: ['d9'] }] }] },
      {},
      'tickets[0].people[0].days[0]: there is no day d9',
    ],
    [
      { tickets: [{ ref: 't', people: [{ ...anna, products: ['lunch'] }] }] },
      {},
      'tickets[0].people[0].products[0]: there is no product lunch',
    ],
    [
      {
        tickets: [
          { ref: 't', people: [anna] },
          { ref: 'u', people: [{ ...anna, products: ['dinner'] }] },
        ],
      },
      {},
      'tickets[1].people[0]: must have the same type, group, status and products as anna on another ticket',
    ],
    [
      {
        tickets: [
          { ref: 't', people: [anna] },
          { ref: 'u', people: [{ ...anna, group: 'bar' }] },
        ],
      },
      {},
      'tickets[1].people[0]: must have the same type, group, status and products as anna on another ticket',
    ],
  ])('are refused for %o %o', (one, scan, problem) => {
    const found = problems(parseCases(file(one, scan)));
    expect(found).toHaveLength(1);
    const without = found[0]!.replace('cases[0].', '');
    if (typeof problem === 'string') expect(without).toBe(problem);
    else expect(without).toMatch(problem);
  });

  it('have the faults of their world reported, too', () => {
    expect(problems(parseCases({ ...file({}), world: { ...WORLD, timezone: 'x' } }))).toEqual([
      'world.timezone: must be a timezone, such as Europe/Berlin',
    ]);
  });

  it('keep unknown fields, such as the price that the replay over the API needs', () => {
    const golden = JSON.parse(readFileSync(new URL('../golden/scan-cases.json', import.meta.url), 'utf8'));
    const parsed = parseCases(golden);
    expect(parsed.ok && parsed.value.world).toEqual(golden.world);
  });
});

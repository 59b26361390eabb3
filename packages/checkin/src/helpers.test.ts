import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { insideZone, type Pass } from './inside.ts';
import { messageFor } from './messages.ts';
import { dayForOverride } from './override.ts';
import { prepareWorld } from './prepare.ts';
import { differences, replayCase } from './replay.ts';
import type { Admission, Decision } from './scan.ts';
import { admission, at, PREPARED, person, scan, ticket, WORLD } from './testing.ts';
import { REASONS_OF, type Refusal, SUCCESSES } from './vocabulary.ts';
import { openDays, opensNext } from './windows.ts';
import { fullPolicy } from './world.ts';

describe('who is inside a zone', () => {
  const pass = (who: string, ...rest: Parameters<typeof admission>): Pass => ({ person: who, ...admission(...rest) });
  const passes = [
    pass('anna', 'room', 'zone', 'd1', '01 10:00'),
    pass('ben', 'Room', 'zone', 'D1', '01 10:00'),
    pass('ben', 'room_exit', 'exit', 'd1', '01 11:00'),
    pass('carl', 'other_room', 'zone', 'd1', '01 10:00'),
    pass('dora', 'room', 'zone', 'd2', '02 10:00'),
    pass('anna', 'gate', 'entry', 'd1', '01 12:00'),
    pass('anna', 'exit', 'exit', 'd1', '01 13:00'),
  ];
  const inside = (time: string, except?: string[]) => insideZone(PREPARED, 'ROOM', passes, at(time), except);

  it('counts by day, up to the instant', () => {
    expect(inside('01 09:59')).toEqual({});
    expect(inside('01 10:00')).toEqual({ d1: 2 });
    expect(inside('01 12:30')).toEqual({ d1: 1 });
    expect(inside('02 10:00')).toEqual({ d1: 0, d2: 1 });
  });

  it('leaves out the people of the ticket', () => {
    expect(inside('01 10:00', ['anna'])).toEqual({ d1: 1 });
  });

  it('counts the same in any order of the admissions', () => {
    for (const time of ['01 10:00', '01 11:00', '01 13:00', '02 10:00']) {
      expect(insideZone(PREPARED, 'room', [...passes].reverse(), at(time))).toEqual(inside(time));
    }
  });
});

describe('the day of an override', () => {
  const day = (point: string, time: string, ...days: string[]) => dayForOverride(PREPARED, point, at(time), days);

  it('is the open day that the decision would choose', () => {
    expect(day('gate', '02 10:00', 'd2')).toBe('d2');
    expect(day('gate', '01 10:00', 'd3')).toBe('d1');
  });
  it('before opening is the next day to open', () => {
    expect(day('d3_gate', '03 07:55', 'd3')).toBe('d3');
    expect(day('gate', '03 00:00', 'd3')).toBe('long');
  });
  it('after closing is the last day that was open, preferably one on the ticket', () => {
    expect(day('gate', '03 19:00', 'd1', 'd2')).toBe('d2');
    expect(day('gate', '03 19:00')).toBe('d3');
  });
  it('is null at a point without days', () => expect(day('nowhere', '01 10:00', 'd1')).toBeNull());
});

it('open days are ranked by window start, then date, then code', () => {
  expect(openDays(PREPARED, 'gate', at('02 10:00'))).toEqual(['long', 'd2']);
  expect(openDays(PREPARED, 'gate', at('20 10:00'))).toEqual([]);
});

describe('when a point opens next', () => {
  it('is the beginning of the first window that is still to come', () => {
    const [first, second] = PREPARED.points
      .get('gate')!
      .windows.map(({ from }) => from)
      .sort((a, b) => a - b) as [number, number];
    expect(opensNext(PREPARED, 'GATE', first - 1)).toBe(first);
    expect(opensNext(PREPARED, 'gate', first)).toBe(second);
    expect([openDays(PREPARED, 'gate', first - 1).length, openDays(PREPARED, 'gate', first).length]).toEqual([0, 1]);
  });
  it('is none after the last one, and at a point without days', () => {
    expect(opensNext(PREPARED, 'gate', at('20 10:00'))).toBeNull();
    expect(opensNext(PREPARED, 'nowhere', at('01 10:00'))).toBeNull();
  });
});

it('an empty policy gets the defaults of its kind', () => {
  expect(fullPolicy('entry').limit).toBe('once_per_day');
  expect(fullPolicy('exit', { limit: null })).toEqual({
    attendee_types: null,
    groups: null,
    days: null,
    products: null,
    opens_minutes_before: 0,
    closes_minutes_after: 0,
    limit: 'unlimited',
    cooldown_seconds: 0,
    requires: null,
    capacity: null,
    leaves: null,
  });
});

describe('the words at the door', () => {
  const message = (...admitted: boolean[]) => {
    const admissions = [admission('gate', 'entry', 'd1', '01 09:00')];
    const people = admitted.map((fresh, i) => person(`p${i}`, fresh ? {} : { admissions }));
    return messageFor(decide(PREPARED, scan('gate', '01 10:00', ticket(...people))));
  };

  it('a shared ticket of which some people are admitted is mixed', () => {
    expect(message(true, false, true)).toEqual({ title: '2 of 3 admitted', text: '1 already admitted', tone: 'mixed' });
  });
  it('the tone is success if everyone is admitted, and not if nobody is', () => {
    expect(message(true, true)).toEqual({ title: 'Admitted (2)', text: 'Welcome.', tone: 'success' });
    expect(message(true).title).toBe('Admitted');
    expect(message(false, false)).toMatchObject({ title: 'Already admitted', tone: 'warning' });
  });
  it('a duplicate says when and where, in local time of the event', () => {
    const berlin = prepareWorld({
      ...WORLD,
      timezone: 'Europe/Berlin',
      check_in_points: WORLD.check_in_points.map((one) => (one.code === 'gate' ? { ...one, name: 'Main gate' } : one)),
    });
    const says = (point: string, time: string, admissions: Admission[]) => {
      const asked = scan(point, time, ticket(person('anna', { admissions })));
      return messageFor(decide(berlin, asked), { world: berlin, at: asked.at }).text;
    };
    const first = admission('gate', 'entry', 'd1', '01 09:00');
    expect(says('gate2', '01 10:00', [first])).toBe('Admitted at 11:00, Main gate.');
    expect(says('once', '02 10:00', [first])).toBe('Admitted on 2027-06-01 at 11:00, Main gate.');
    const slow = admission('slow', 'entry', 'd1', '01 09:58');
    expect(says('slow', '01 10:00', [slow])).toBe('Admitted at 11:58, slow. Try again later.');
    expect(says('gate', '01 10:00', [admission('torn-down', 'entry', 'd1', '01 09:00')])).toBe('Admitted at 11:00.');
  });
  it('every result and reason has words', () => {
    const words = (decision: Omit<Decision, 'people'>) => messageFor({ ...decision, people: [] });
    for (const result of SUCCESSES) expect(words({ result, reason: null, admitted: true }).tone).toBe('success');
    for (const result of Object.keys(REASONS_OF) as Refusal[]) {
      for (const reason of REASONS_OF[result]) {
        const { title, text, tone } = words({ result, reason, admitted: false });
        expect(title.length * text.length).toBeGreaterThan(0);
        expect(['warning', 'danger']).toContain(tone);
      }
    }
  });
});

describe('a replay', () => {
  const one = {
    name: 'twice',
    tickets: [{ ref: 't', people: [{ ref: 'anna', attendee_type: 'visitor', days: ['d1'] }] }],
    scans: [
      { ticket: 't', check_in_point: 'gate', at: '2027-06-01T10:00:00Z', result: 'accepted' },
      {
        ticket: 't',
        check_in_point: 'gate',
        at: '2027-06-01T11:00:00Z',
        result: 'duplicate',
        reason: 'limit',
        people: { anna: 'duplicate' },
      },
    ],
  } as const;

  it('keeps the admissions on record', () => {
    expect(replayCase(PREPARED, one).map(({ result }) => result)).toEqual(['accepted', 'duplicate']);
  });
  // claim: golden-cases-locally
  it('names every difference: result, reason and person', () => {
    expect(differences(one, 1, { result: 'duplicate', reason: 'limit', people: { anna: 'duplicate' } })).toEqual([]);
    expect(differences(one, 1, { result: 'accepted', reason: null })).toEqual([
      { case: 'twice', scan: 1, what: 'result', expected: 'duplicate', got: 'accepted' },
      { case: 'twice', scan: 1, what: 'reason', expected: 'limit', got: 'nothing' },
      { case: 'twice', scan: 1, what: 'anna', expected: 'duplicate', got: 'nothing' },
    ]);
  });
});

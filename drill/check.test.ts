import { describe, expect, test } from 'vitest';
import { type Call, check, type Truth } from './check.ts';

const registered = (mark: string, answer: string | null, refused: string | null = null): Call => ({
  kind: 'registration',
  mark,
  answer,
  refused,
});
const scanned = (mark: string, answer: string | null): Call => ({ kind: 'scan', mark, answer, refused: null });

/** Two registered, one refused because the type is full; one ticket was scanned by two devices. */
const calls = [
  registered('ada', 'R1'),
  registered('bea', 'R2'),
  registered('cid', null, 'type_full'),
  scanned('s1', 'accepted'),
  scanned('s2', 'duplicate'),
];
const sound: Truth = {
  registrations: [
    { id: 'R1', mark: 'ada', type: 'limited', holdsPlace: true },
    { id: 'R2', mark: 'bea', type: 'limited', holdsPlace: true },
  ],
  scans: [
    { mark: 's1', ticket: 'T1', result: 'accepted', admitted: true },
    { mark: 's2', ticket: 'T1', result: 'duplicate', admitted: false },
  ],
};
const faults = (truth: Partial<Truth>, asked = calls) => check(asked, { ...sound, ...truth }, { limited: 2 });
const none = { lost: [], doubled: [], oversold: 0, twice: [] };

describe('the check after a drill', () => {
  test('finds nothing where everything is as it was answered', () => {
    expect(faults({})).toEqual(none);
  });

  test('takes what was never answered as it is: stored once, or not at all', () => {
    expect(faults({}, [registered('ada', null), registered('dan', null), scanned('s1', null)])).toEqual(none);
  });

  test('finds a registration that was answered and is lost, and one that is stored under another id', () => {
    expect(faults({ registrations: sound.registrations.slice(1) })).toEqual({ ...none, lost: ['ada'] });
    const other = sound.registrations.map((one) => ({ ...one, id: `${one.id}x` }));
    expect(faults({ registrations: other })).toEqual({ ...none, lost: ['ada', 'bea'] });
  });

  test('finds a scan that was answered and is lost, and one that is stored with another result', () => {
    expect(faults({ scans: sound.scans.slice(1) })).toEqual({ ...none, lost: ['s1'] });
    const other = sound.scans.map((one) => ({ ...one, result: 'duplicate' }));
    expect(faults({ scans: other })).toEqual({ ...none, lost: ['s1'] });
  });

  test('finds what was done twice, answered or not', () => {
    const again = { id: 'R3', mark: 'ada', type: 'open', holdsPlace: true };
    expect(faults({ registrations: [...sound.registrations, again] })).toEqual({ ...none, doubled: ['ada'] });
    expect(faults({ scans: [...sound.scans, sound.scans[1]!] }, [])).toEqual({ ...none, doubled: ['s2'] });
  });

  test('finds places sold beyond the capacity, and counts no cancelled ones', () => {
    const third = { id: 'R3', mark: 'dan', type: 'limited', holdsPlace: true };
    expect(faults({ registrations: [...sound.registrations, third] })).toEqual({ ...none, oversold: 1 });
    expect(faults({ registrations: [...sound.registrations, { ...third, holdsPlace: false }] })).toEqual(none);
  });

  test('finds a ticket that was admitted twice', () => {
    const scans = sound.scans.map((one) => ({ ...one, admitted: true }));
    expect(faults({ scans })).toEqual({ ...none, twice: ['T1'] });
  });
});

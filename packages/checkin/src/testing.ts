/** A small world for the tests, in UTC so that local times and instants look the same. Not exported from the package. */
import { prepareWorld } from './prepare.ts';
import type { Admission, Person, Scan, Ticket } from './scan.ts';
import { instant } from './time.ts';
import type { PointKind } from './vocabulary.ts';
import type { World } from './world.ts';

export const WORLD: World = {
  timezone: 'UTC',
  days: [
    { code: 'd1', date: '2027-06-01' },
    { code: 'd2', date: '2027-06-02' },
    { code: 'd3', date: '2027-06-03', opens_at: '2027-06-03T08:00:00Z', closes_at: '2027-06-03T18:00:00Z' },
    { code: 'long', date: '2027-06-02', opens_at: '2027-06-01T12:00:00Z', closes_at: '2027-06-03T12:00:00Z' },
  ],
  attendee_types: [{ code: 'visitor' }, { code: 'pass', pass_days: 2 }],
  groups: [{ code: 'staff' }, { code: 'bar', parent: 'STAFF' }],
  products: [{ code: 'workshop' }, { code: 'dinner' }],
  check_in_points: [
    { code: 'gate', kind: 'entry' },
    { code: 'gate2', kind: 'entry' },
    { code: 'once', kind: 'entry', policy: { limit: 'once' } },
    { code: 'turnstile', kind: 'entry', policy: { limit: 'once_until_exit' } },
    { code: 'slow', kind: 'entry', policy: { limit: 'unlimited', cooldown_seconds: 600 } },
    { code: 'd3_gate', kind: 'entry', policy: { days: ['d3'] } },
    { code: 'staff_gate', kind: 'entry', policy: { groups: ['Staff'] } },
    { code: 'workshop_gate', kind: 'entry', policy: { products: ['Workshop'] } },
    { code: 'nothing_sold', kind: 'entry', policy: { products: [] } },
    { code: 'nowhere', kind: 'entry', policy: { days: [] } },
    { code: 'room', kind: 'zone', policy: { capacity: 2 } },
    { code: 'other_room', kind: 'zone' },
    { code: 'exit', kind: 'exit' },
    { code: 'd3_exit', kind: 'exit', policy: { days: ['d3'] } },
    { code: 'room_exit', kind: 'exit', policy: { leaves: 'ROOM' } },
  ],
};

export const PREPARED = prepareWorld(WORLD);

export function at(text: string): number {
  return instant(`2027-06-${text.replace(' ', 'T')}:00Z`);
}

let seq = 0;
export function admission(point: string, kind: PointKind, day: string | null, time: string): Admission {
  seq += 1;
  return { check_in_point: point, kind, day, at: at(time), seq };
}

export function person(id: string, more: Partial<Person> = {}): Person {
  return { id, attendee_type: 'visitor', group: null, confirmed: true, days: ['d1', 'd2'], admissions: [], ...more };
}

export function ticket(...people: Person[]): Ticket {
  return { status: 'valid', test: false, people };
}

export function scan(point: string, time: string, of: Ticket | null, more: Partial<Scan> = {}): Scan {
  return { check_in_point: point, at: at(time), mode: 'live', ticket: of, others_inside: {}, ...more };
}

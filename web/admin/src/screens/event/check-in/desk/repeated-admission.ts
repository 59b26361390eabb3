import { decide, instant } from '@turnout/checkin';
import type { Attendee, CheckIn } from '@turnout/client';
import { asAdmissions } from '../admissions.ts';
import { type Parts, worldOf } from '../points/simulate.ts';

export interface Repeated {
  /** When and where the person was admitted before. */
  at: string;
  point: string;
}

/**
 * The admission that checking somebody in again would only repeat; null if the door might admit them. The door's own decision says so.
 * Places, groups and what is booked are left to the server, which alone knows them.
 */
export function repeatedAdmission(
  event: Omit<Parts, 'groups' | 'products'>,
  attendee: Pick<Attendee, 'id' | 'attendee_type' | 'days' | 'status' | 'test'>,
  { point, checkIns, now }: { point: string; checkIns: readonly CheckIn[]; now: string },
): Repeated | null {
  const points = event.points.map((one) => ({
    ...one,
    policy: { ...one.policy, groups: null, products: null, capacity: null },
  }));
  const { id, attendee_type, days, status, test } = attendee;
  const admissions = asAdmissions(checkIns, points);
  const person = { id, attendee_type, group: null, days, confirmed: status === 'confirmed', admissions };
  const { people } = decide(worldOf({ ...event, points, groups: [], products: [] }), {
    ...{ check_in_point: point, at: instant(now), mode: test ? 'test' : 'live' },
    ticket: { status: 'valid', test, people: [person] },
  });
  const [decision] = people;
  const first = decision?.first_admission ?? null;
  return first && { at: new Date(first.at).toISOString(), point: first.check_in_point };
}

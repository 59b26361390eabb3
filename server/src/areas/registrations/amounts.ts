import type { Id } from '../../common/ids.ts';
import type { Fault } from '../../common/refusal.ts';
import type { AttendeeState } from './state.ts';
import type { EventWorld } from './world.ts';

/** How many attendees, in words. */
export const attendeeCount = (count: number): string => (count === 1 ? '1 attendee' : `${count} attendees`);

/** The types of which these attendees are fewer or more than one registration may have; each fault is said of the first of them. */
export function amountFaults(
  world: EventWorld,
  attendees: readonly Pick<AttendeeState, 'attendee_type_id'>[],
): Fault[] {
  const counts = new Map<Id, { first: number; count: number }>();
  for (const [i, { attendee_type_id: type }] of attendees.entries()) {
    const known = counts.get(type);
    if (known === undefined) counts.set(type, { first: i, count: 1 });
    else known.count += 1;
  }
  return [...counts].flatMap(([id, { first, count }]) => {
    const { code, min_per_registration: min, max_per_registration: max } = world.types.get(id)!;
    const fault = (rule: 'too_few' | 'too_many', words: string, limit: number): Fault[] => [
      {
        path: `attendees/${first}/attendee_type`,
        message: `a registration with the type ${code} must have ${words} ${limit} of it, and this one has ${count}`,
        rule,
        limit,
      },
    ];
    if (min !== null && count < min) return fault('too_few', 'at least', min);
    return max !== null && count > max ? fault('too_many', 'at most', max) : [];
  });
}

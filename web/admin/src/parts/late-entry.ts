import type { AttendeeType, Day } from '@turnout/client';
import type { PersonValues } from './person-values.ts';

/** Whether a day is over, as the server sees it. */
export const isOver = ({ closes_at }: Pick<Day, 'closes_at'>, now: Date): boolean =>
  Date.parse(closes_at) <= now.getTime();

interface Structure {
  days: readonly Pick<Day, 'code' | 'closes_at'>[];
  types: readonly Pick<AttendeeType, 'code' | 'days' | 'pass_days'>[];
}

/**
 * What to send with people whom somebody enters after a day of theirs is over. The server refuses such days unless it is told that they
 * are meant; whoever enters people here sees which days are over, and has chosen them.
 */
export function lateEntry(
  people: readonly Pick<PersonValues, 'attendee_type' | 'days'>[],
  { days, types }: Structure,
  now = new Date(),
): { past_days?: true } {
  const isLate = people.some(({ attendee_type, days: chosen }) => {
    if (chosen.length > 0) return days.some((day) => chosen.includes(day.code) && isOver(day, now));
    const type = types.find(({ code }) => code === attendee_type);
    const offered = days.filter(({ code }) => type?.days?.includes(code) ?? true);
    const open = offered.filter((day) => !isOver(day, now));
    return offered.length > 0 && open.length < (type?.pass_days ?? 1);
  });
  return isLate ? { past_days: true } : {};
}

import type { AttendeeType, Day } from '@turnout/client';

/** The days that somebody who comes now most likely wants: the present one, if the type has it. */
export function likelyDays(
  type: Pick<AttendeeType, 'days' | 'pass_days'> | undefined,
  days: readonly Pick<Day, 'code'>[],
  present: Pick<Day, 'code'> | undefined,
): string[] {
  if (type === undefined || type.pass_days !== null) return [];
  const offered = days.filter(({ code }) => type.days?.includes(code) ?? true);
  const day = offered.find(({ code }) => code === present?.code) ?? offered[0];
  return day === undefined ? [] : [day.code];
}

/** `Anna Berg` → both names; a single word is the last name, because that is what one searches for. */
export function namesIn(text: string): { first_name: string; last_name: string } {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => !/[@\d]/.test(word));
  const last = words.pop() ?? '';
  return { first_name: words.join(' '), last_name: last };
}

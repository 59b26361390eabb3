import type { Attendee } from '@turnout/client';
import { ENDED_STATUSES } from '@turnout/contract/registration-states';

export const hasEnded = ({ status }: Pick<Attendee, 'status'>): boolean => ENDED_STATUSES.includes(status);

/** Whoever can no longer come stands below the others. */
export const endedLast = <Row extends Pick<Attendee, 'status'>>(rows: readonly Row[]): Row[] => [
  ...rows.filter((one) => !hasEnded(one)),
  ...rows.filter(hasEnded),
];

/** How many of the people who share a code are in, once all who can still come are; else null. */
export function allInCount(rows: readonly Pick<Attendee, 'status' | 'checked_in'>[]): number | null {
  const coming = rows.filter((one) => !hasEnded(one));
  return coming.length > 0 && coming.every(({ checked_in }) => checked_in) ? coming.length : null;
}

/** Letters were added or taken away; it is not another name. */
export const isNear = (a: string | undefined, b: string): boolean =>
  a !== undefined && a !== '' && (a.startsWith(b) || b.startsWith(a));

/** The row that is chosen by hand, for as long as the text is the same; -1 if none is. */
export const pickedAt = (
  rows: readonly { id: string }[],
  choice: { text: string; id: string } | null,
  text: string,
): number => (choice?.text === text ? rows.findIndex(({ id }) => id === choice.id) : -1);

/** The row that so many steps of an arrow key lead to. They end at the first and the last. */
export const steppedTo = <Row>(rows: readonly Row[], from: number, by: number): Row | undefined =>
  rows[Math.min(rows.length - 1, Math.max(0, from + by))];

import type { Day, LiveSnapshot } from '@turnout/client';

const MINUTE = 60_000;
const MINUTES = 60;
/** Doors are busy before a day opens and after it closes. */
const AROUND = 120 * MINUTE;

/**
 * The days whose numbers are shown large: the one that was chosen, else those that are open or nearly so, else the last on which anybody
 * came, else the first.
 */
export function shownDays(
  { days }: Pick<LiveSnapshot, 'days'>,
  known: readonly Pick<Day, 'code' | 'opens_at' | 'closes_at'>[],
  chosen: string | undefined,
  now: number,
): LiveSnapshot['days'] {
  const chosenDays = days.filter(({ day }) => day === chosen);
  if (chosenDays.length > 0) return chosenDays;
  const isOpen = ({ opens_at, closes_at }: Pick<Day, 'opens_at' | 'closes_at'>) =>
    Date.parse(opens_at) - AROUND <= now && now < Date.parse(closes_at) + AROUND;
  const open = new Set(known.filter(isOpen).map(({ code }) => code));
  const today = days.filter(({ day }) => open.has(day));
  if (today.length > 0) return today;
  const order = new Map(known.map(({ code }, i) => [code, i]));
  const inOrder = days.toSorted((a, b) => (order.get(a.day) ?? 0) - (order.get(b.day) ?? 0));
  const last = inOrder.findLast(({ came }) => came > 0) ?? inOrder[0];
  return last === undefined ? [] : [last];
}

/** The last sixty minutes, also those in which nobody was admitted. They end now, or at the last news if the clocks differ. */
export function minutesOf(minutes: LiveSnapshot['minutes'], asOf: string, now: number): LiveSnapshot['minutes'] {
  const last = Math.max(Math.floor(Date.parse(asOf) / MINUTE), Math.floor(now / MINUTE));
  const counts = new Map(
    minutes.map(({ minute, admissions }) => [Math.floor(Date.parse(minute) / MINUTE), admissions]),
  );
  return Array.from({ length: MINUTES }, (_, i) => {
    const minute = last - MINUTES + 1 + i;
    return { minute: new Date(minute * MINUTE).toISOString(), admissions: counts.get(minute) ?? 0 };
  });
}

/** The numbers of several days together. */
export const sumsOf = (days: LiveSnapshot['days']) => {
  const sum = (field: 'inside' | 'came' | 'expected') => days.reduce((total, one) => total + one[field], 0);
  return { inside: sum('inside'), came: sum('came'), expected: sum('expected') };
};

/**
 * How many scans were refused: of the chosen day, else all that are listed by reason. Those before the opening and after the end of a
 * point belong to no day.
 */
export const refusalsOf = ({ days, reasons }: Pick<LiveSnapshot, 'days' | 'reasons'>, chosen: string | undefined) =>
  days.find(({ day }) => day === chosen)?.refusals ?? reasons.reduce((total, { refusals }) => total + refusals, 0);

const PACE_MINUTES = 5;

/** How many were admitted a minute, in the last five of them. */
export const paceOf = ({ minutes, as_of }: Pick<LiveSnapshot, 'minutes' | 'as_of'>, now: number): number =>
  minutesOf(minutes, as_of, now)
    .slice(-PACE_MINUTES)
    .reduce((total, { admissions }) => total + admissions, 0) / PACE_MINUTES;

/** Days as `2027-09-18`, which are the same everywhere: all of this reckons in UTC. */
const at = (day: string): Date => new Date(`${day}T00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

export const addDays = (day: string, count: number): string => {
  const date = at(day);
  date.setUTCDate(date.getUTCDate() + count);
  return dayOf(date);
};

/** The same day of another month; its last one where that month is shorter. */
export const addMonths = (day: string, count: number): string => {
  const date = at(`${day.slice(0, 7)}-01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(Number(day.slice(8)), last));
  return dayOf(date);
};

/** The first day of the week that a day is in. `first`: with which day weeks begin, 1 for Monday to 7 for Sunday. */
export const weekBegin = (day: string, first: number): string => addDays(day, -((at(day).getUTCDay() - first + 7) % 7));

/** The weeks that a month has days in, from their first day to their last one. */
export function weeksOf(month: string, first: number): string[][] {
  const weeks: string[][] = [];
  const end = addMonths(`${month.slice(0, 7)}-01`, 1);
  for (let begin = weekBegin(`${month.slice(0, 7)}-01`, first); begin < end; begin = addDays(begin, 7))
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(begin, i)));
  return weeks;
}

interface WeekInfo {
  firstDay: number;
}
/** With which day weeks begin where a locale is spoken. Not every browser knows; most of our readers begin with Monday. */
export function firstDayOf(locale: string): number {
  const { weekInfo, getWeekInfo } = new Intl.Locale(locale).maximize() as Intl.Locale & {
    weekInfo?: WeekInfo;
    getWeekInfo?: () => WeekInfo;
  };
  return getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? weekInfo?.firstDay ?? 1;
}

/** Where a key moves to in a calendar, or null: the days and weeks around it, the ends of its week, months, and with Shift years. */
export function movedBy(key: string, shift: boolean, day: string, first: number): string | null {
  if (key === 'ArrowLeft') return addDays(day, -1);
  if (key === 'ArrowRight') return addDays(day, 1);
  if (key === 'ArrowUp') return addDays(day, -7);
  if (key === 'ArrowDown') return addDays(day, 7);
  if (key === 'Home') return weekBegin(day, first);
  if (key === 'End') return addDays(weekBegin(day, first), 6);
  if (key === 'PageUp') return addMonths(day, shift ? -12 : -1);
  if (key === 'PageDown') return addMonths(day, shift ? 12 : 1);
  return null;
}

export const PERIODS = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const;
export type Period = (typeof PERIODS)[number];

/** The first and the last day of a period that ends today or before. */
export function daysOfPeriod(period: Period, today: string): { from: string; to: string } {
  const begin = `${today.slice(0, 7)}-01`;
  if (period === 'today') return { from: today, to: today };
  if (period === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) };
  if (period === 'last7') return { from: addDays(today, -6), to: today };
  if (period === 'last30') return { from: addDays(today, -29), to: today };
  if (period === 'thisMonth') return { from: begin, to: today };
  return { from: addMonths(begin, -1), to: addDays(begin, -1) };
}

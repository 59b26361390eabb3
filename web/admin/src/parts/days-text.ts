import type { Formats } from '@turnout/words';

interface Day {
  code: string;
  date: string;
}

/** From so many days in a row on, the first and the last one say enough. */
const LONG_RUN = 3;
const DAY_MS = 86_400_000;

/**
 * The days of a person in few words: *Wed 18, Thu 19*, *Wed 18 – Sat 21*, or, if they are all that the event has, what `all` says. The
 * month is written where the event has days in more than one. `days`: those of the event, in their order.
 */
export function daysText(
  codes: readonly string[],
  days: readonly Day[],
  formats: Formats,
  all: (count: number) => string,
): string {
  const chosen = days.filter(({ code }) => codes.includes(code));
  if (chosen.length > 1 && chosen.length === days.length) return all(days.length);
  const manyMonths = new Set(days.map(({ date }) => date.slice(0, 7))).size > 1;
  const write = ({ date }: Day) => dayText(date, formats, manyMonths);
  const known = runsOf(chosen).flatMap((run) =>
    run.length >= LONG_RUN ? [`${write(run[0]!)} – ${write(run.at(-1)!)}`] : run.map(write),
  );
  // A day that the event does not have any more.
  return [...known, ...codes.filter((code) => !days.some((day) => day.code === code))].join(', ');
}

/** *Wed 18*, with the weekday first in every language. */
function dayText(date: string, formats: Formats, withMonth: boolean): string {
  const weekday = formats.when(date, { weekday: 'short' });
  return `${weekday} ${formats.when(date, { day: 'numeric', ...(withMonth && { month: 'short' }) })}`;
}

/** Days of which each is the one after the last. */
function runsOf(days: readonly Day[]): Day[][] {
  const runs: Day[][] = [];
  for (const day of days) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && Date.parse(day.date) - Date.parse(last.date) === DAY_MS) runs.at(-1)!.push(day);
    else runs.push([day]);
  }
  return runs;
}

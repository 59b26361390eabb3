import { instantOfWallClock, wallClockAt } from '@turnout/checkin';
import type { EventTemplate } from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { isKeptDate, isKeptTimestamp } from '../../road/request/formats.ts';
import { iso } from '../../store/stamps.ts';
import { shiftDate } from './zone.ts';

/**
 * Moves the template's first day to the given date, and everything else by as many days. Times on the wall clock stay the same:
 * doors that open at 9:00 still open at 9:00, even though daylight saving or another time zone makes that another instant. Null if a
 * date would be outside the years that are accepted.
 */
export function moveTemplate(
  template: EventTemplate,
  to: { first_day?: string; timezone?: string },
): EventTemplate | null {
  const { event } = template;
  const timezone = to.timezone ?? event.timezone;
  const first = firstDate(template);
  const by = first === null || to.first_day === undefined ? 0 : (utc(to.first_day) - utc(first)) / DAY;
  if (by === 0 && timezone === event.timezone) return template;
  const date = (local: string) => shiftDate(local, by);
  const time = <T extends string | null>(instant: T): T =>
    (instant &&
      iso(new Date(instantOfWallClock(timezone, wallClockAt(event.timezone, Date.parse(instant)) + by * DAY)))) as T;
  const span = ({ from, until }: Span) => ({ from: time(from ?? null), until: time(until ?? null) });
  // A day whose code is its date gets the new date as its code.
  const renamed = new Map(
    template.days.filter((day) => day.code === day.date).map((day) => [day.code, date(day.date)] as const),
  );
  const codes = (refs: string[] | null) => refs?.map((code) => renamed.get(code) ?? code) ?? null;
  const result: EventTemplate = {
    ...template,
    event: {
      ...event,
      timezone,
      starts_at: time(event.starts_at),
      ends_at: time(event.ends_at),
      registration: {
        ...event.registration,
        opens_at: time(event.registration.opens_at),
        closes_at: time(event.registration.closes_at),
      },
    },
    days: template.days.map((day) => ({
      ...day,
      code: renamed.get(day.code) ?? day.code,
      date: date(day.date),
      opens_at: time(day.opens_at),
      closes_at: time(day.closes_at),
    })),
    attendee_types: template.attendee_types.map(({ prices, on_sale, ...type }) => ({
      ...type,
      ...(prices && { prices: prices.map((one) => ({ ...one, ...span(one) })) }),
      ...(on_sale !== undefined && { on_sale: on_sale && span(on_sale) }),
      days: codes(type.days),
    })),
    ...(template.products && {
      products: template.products.map((product) => ({
        ...product,
        on_sale: product.on_sale && span(product.on_sale),
        days: codes(product.days),
      })),
    }),
    ...(template.quotas && { quotas: template.quotas.map((quota) => ({ ...quota, days: codes(quota.days) })) }),
    check_in_points: template.check_in_points.map((point) => ({
      ...point,
      policy: { ...point.policy, days: codes(point.policy.days) },
    })),
  };
  return timesOf(result).every((at) => isKept(at)) ? result : null;
}

const isKept = (at: string): boolean => isKeptTimestamp(at) || isKeptDate(at);

interface Span {
  from?: string | null;
  until?: string | null;
}

function timesOf({ event, days, attendee_types, products = [] }: EventTemplate): string[] {
  const { starts_at, ends_at, registration } = event;
  const all = [starts_at, ends_at, registration.opens_at, registration.closes_at];
  for (const day of days) all.push(day.date, day.opens_at, day.closes_at);
  const sold: Span[] = attendee_types.flatMap(({ prices = [], on_sale }) => [...prices, on_sale ?? {}]);
  for (const { on_sale } of products) sold.push(on_sale ?? {});
  for (const { from, until } of sold) all.push(from ?? null, until ?? null);
  return all.filter((at) => at !== null);
}

const utc = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** The date of the first day; in a template without days, the local date on which the event starts. */
function firstDate({ event, days }: EventTemplate): string | null {
  const dates = days.map((day) => day.date).sort();
  if (dates[0] !== undefined) return dates[0];
  if (event.starts_at === null) return null;
  return new Date(wallClockAt(event.timezone, Date.parse(event.starts_at))).toISOString().slice(0, 10);
}

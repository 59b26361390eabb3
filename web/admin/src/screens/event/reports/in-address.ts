import type { FilterValues } from '../../../parts/use-filters.ts';
import { instantOf } from '../../../parts/zoned.ts';
import type { DrawnProps } from './drawn.ts';

export type Report = 'registrations' | 'attendance' | 'refusals' | 'money' | 'sales';
export const INTERVALS = ['day', 'week', 'hour'] as const;

/** Money is told by registration, so it is for those who may read people. Sales are for events that sell anything. */
export const offeredReports = (may: (permission: 'people.read') => boolean, sells: boolean): Report[] => [
  ...(['registrations', 'attendance', 'refusals'] as const),
  ...(may('people.read') ? (['money'] as const) : []),
  ...(may('people.read') && sells ? (['sales'] as const) : []),
];

interface Search {
  by?: string;
  from?: string;
  to?: string;
  job?: string;
}
/** The address of a report: of the same time; a file that was made of another report is not shown on. */
export const searchOf = ({ by, from, to, job }: Search, next: Report, shown: Report): Search & { report?: string } => ({
  ...(by !== undefined && { by }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(job !== undefined && next === shown && { job }),
  ...(next !== 'registrations' && { report: next }),
});

export const intervalOf = ({ by }: FilterValues): DrawnProps['by'] => INTERVALS.find((one) => one === by) ?? 'day';

/** The dates in the address, as instants of the event's zone. `to` is a date that still counts. */
export function rangeOf(
  values: FilterValues,
  timezone: string,
): { dates: { from?: string; to?: string }; by: DrawnProps['by'] } {
  const from = values.from === undefined ? null : instantOf(`${values.from}T00:00`, timezone);
  const to = values.to === undefined ? null : instantOf(`${dayAfter(values.to)}T00:00`, timezone);
  return { dates: { ...(from !== null && { from }), ...(to !== null && { to }) }, by: intervalOf(values) };
}
function dayAfter(date: string): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? date : new Date(at + 86_400_000).toISOString().slice(0, 10);
}

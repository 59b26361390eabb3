import type {
  AttendanceReport,
  MoneyReport,
  RefusalsReport,
  RegistrationsReport,
  ReportExport,
  ReportInterval,
  SalesReport,
} from '@turnout/contract';
import { attendanceReport } from './attendance.ts';
import type { Window } from './intervals.ts';
import { moneyReport } from './money.ts';
import { refusalsReport } from './refusals.ts';
import { registrationsReport } from './registrations.ts';
import { salesReport } from './sales.ts';
import type { ReportScope } from './scope.ts';

/** One row of a report's file: `breakdown` says what the numbers are broken down by, other fields which part it is. */
export type ReportLine = { breakdown: string } & Record<string, string | number | null | undefined>;

/** A report as a table. Every number of the report is in one row, under the name of its column. */
export async function reportLines(
  scope: ReportScope,
  what: ReportExport,
  { by = 'day', from, to }: Window & { by?: ReportInterval },
): Promise<ReportLine[]> {
  const range: Window = { inside: 'filter/', ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  if (what === 'report_registrations') return registrationLines(await registrationsReport(scope, by, range));
  if (what === 'report_attendance') return attendanceLines(await attendanceReport(scope, range));
  if (what === 'report_sales') return salesLines(await salesReport(scope, range));
  if (what === 'report_refusals') return refusalLines(await refusalsReport(scope, range));
  return moneyLines(await moneyReport(scope, range));
}

type Numbers = RegistrationsReport['total']['people'];
const numbers = (of: string, { registered, confirmed, cancelled }: Numbers) => ({
  [`${of}_registered`]: registered,
  [`${of}_confirmed`]: confirmed,
  [`${of}_cancelled`]: cancelled,
});
const both = ({ people, registrations }: RegistrationsReport['total']) => ({
  ...numbers('people', people),
  ...numbers('registrations', registrations),
});

const registrationLines = ({ total, intervals }: RegistrationsReport): ReportLine[] => [
  { breakdown: 'total', ...both(total) },
  ...intervals.flatMap(({ starts_at, ends_at, sources, attendee_types, ...of }) => [
    { breakdown: 'interval', starts_at, ends_at, ...both(of) },
    ...sources.map(({ source, ...one }) => ({ breakdown: 'source', starts_at, ends_at, source, ...both(one) })),
    ...attendee_types.map(({ attendee_type, people }) => ({
      breakdown: 'attendee_type',
      starts_at,
      ends_at,
      attendee_type,
      ...numbers('people', people),
    })),
  ]),
];

const attendanceLines = (report: AttendanceReport): ReportLine[] => [
  { breakdown: 'total', ...report.total },
  ...report.days.flatMap(({ attendee_types, ...day }) => [
    { breakdown: 'day', ...day },
    ...attendee_types.map((type) => ({ breakdown: 'day_and_attendee_type', day: day.day, ...type })),
  ]),
  ...report.attendee_types.map((type) => ({ breakdown: 'attendee_type', ...type })),
  ...report.check_in_points.map(({ kind: _, ...point }) => ({ breakdown: 'check_in_point', ...point })),
  ...report.hours.flatMap(({ check_in_points, ...hour }) => [
    { breakdown: 'hour', ...hour },
    ...check_in_points.map((point) => ({
      breakdown: 'hour_and_check_in_point',
      starts_at: hour.starts_at,
      ends_at: hour.ends_at,
      ...point,
    })),
  ]),
];

const refusalLines = (report: RefusalsReport): ReportLine[] => [
  { breakdown: 'total', ...report.total },
  ...report.results.map((result) => ({ breakdown: 'result', ...result })),
  ...report.reasons.map((reason) => ({ breakdown: 'reason', ...reason })),
  ...report.check_in_points.flatMap(({ reasons, check_in_point, ...of }) => [
    { breakdown: 'check_in_point', check_in_point, ...of },
    ...reasons.map((reason) => ({ breakdown: 'check_in_point_and_reason', check_in_point, ...reason })),
  ]),
  ...report.hours.flatMap(({ reasons, starts_at, ends_at, refusals }) => [
    { breakdown: 'hour', starts_at, ends_at, refusals },
    ...reasons.map((reason) => ({ breakdown: 'hour_and_reason', starts_at, ends_at, ...reason })),
  ]),
];

/** The columns of amounts have no `_minor`, because a file shows them as decimal numbers. */
const money = (of: Record<string, string | number>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name.replace(/_minor$/, ''), value]));

const moneyLines = ({ currencies }: MoneyReport): ReportLine[] =>
  currencies.flatMap(({ currency, methods, attendee_types, days, ...total }) => [
    { breakdown: 'total', currency, ...money(total) },
    ...methods.map((method) => ({ breakdown: 'method', currency, ...money(method) })),
    ...attendee_types.map((type) => ({ breakdown: 'attendee_type', currency, ...money(type) })),
    ...days.map((day) => ({ breakdown: 'date', currency, ...money(day) })),
  ]);

const salesLines = ({ currencies }: SalesReport): ReportLine[] =>
  currencies.flatMap(({ currency, attendee_types, products, codes, other_codes, ...total }) => [
    { breakdown: 'total', currency, ...money(total) },
    ...attendee_types.flatMap(({ attendee_type, prices, ...of }) => [
      { breakdown: 'attendee_type', currency, attendee_type, ...money(of) },
      ...prices.map(({ name, ...one }) => ({
        breakdown: 'attendee_type_and_price',
        currency,
        attendee_type,
        price_name: name,
        ...money(one),
      })),
    ]),
    ...products.flatMap(({ product, options, left, ...of }) => [
      { breakdown: 'product', currency, product, left, ...money(of) },
      ...options.map(({ option, left: ofOption, ...one }) => ({
        breakdown: 'product_and_option',
        currency,
        product,
        option,
        left: ofOption,
        ...money(one),
      })),
    ]),
    ...codes.map((code) => ({ breakdown: 'code', currency, ...money(code) })),
    ...(other_codes === null ? [] : [{ breakdown: 'other_codes', currency, ...money(other_codes) }]),
  ]);

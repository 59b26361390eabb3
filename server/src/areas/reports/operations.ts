import {
  AttendanceReport,
  AttendanceReportQuery,
  MoneyReport,
  MoneyReportQuery,
  RefusalsReport,
  RefusalsReportQuery,
  RegistrationsReport,
  RegistrationsReportQuery,
  SalesReport,
  SalesReportQuery,
} from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { attendanceReport } from './attendance.ts';
import { moneyReport } from './money.ts';
import { refusalsReport } from './refusals.ts';
import { registrationsReport } from './registrations.ts';
import { salesReport } from './sales.ts';
import { scopeOf } from './scope.ts';

/** Reports count and name nobody, so whoever may see the event may see them. */
const counting = { scope: 'read', entitlement: 'api_read', member: 'events.read', tag: 'Reports' } as const;
const LIMITED =
  'A key limited to a group counts its own attendees. Test activity is left out unless `test` asks for it.';

export const operations = [
  operation({
    ...counting,
    id: 'reportRegistrations',
    method: 'GET',
    path: '/events/{event}/reports/registrations',
    at: { event: anEvent },
    query: RegistrationsReportQuery,
    reply: RegistrationsReport,
    refusals: ['not_found'],
    summary: 'Report registrations over time',
    description: `How many people and registrations were registered, confirmed and cancelled in each hour, day or week of the event’s time zone, by source and attendee type. At most 1,000 intervals; without \`from\`, the latest ones. ${LIMITED}`,
    handle: ({ query, ...call }) =>
      registrationsReport(scopeOf(call, call.at.event, query.test), query.by ?? 'day', query),
  }),
  operation({
    ...counting,
    id: 'reportAttendance',
    method: 'GET',
    path: '/events/{event}/reports/attendance',
    at: { event: anEvent },
    query: AttendanceReportQuery,
    reply: AttendanceReport,
    refusals: ['not_found'],
    summary: 'Report attendance',
    description: `Who was expected, who came and who did not, by day and attendee type; admissions and exits by check-in point and hour, and how many were inside. At most 1,000 hours; without \`from\`, the latest ones. ${LIMITED}`,
    handle: ({ query, ...call }) => attendanceReport(scopeOf(call, call.at.event, query.test), query),
  }),
  operation({
    ...counting,
    id: 'reportRefusals',
    method: 'GET',
    path: '/events/{event}/reports/refusals',
    at: { event: anEvent },
    query: RefusalsReportQuery,
    reply: RefusalsReport,
    refusals: ['not_found'],
    summary: 'Report refusals',
    description: `How often people with a ticket of the event were refused, by result, reason, check-in point and hour. Scans of codes that the event does not know are not counted. At most 1,000 hours; without \`from\`, the latest ones. ${LIMITED}`,
    handle: ({ query, ...call }) => refusalsReport(scopeOf(call, call.at.event, query.test), query),
  }),
  operation({
    ...counting,
    member: 'people.read',
    id: 'reportMoney',
    method: 'GET',
    path: '/events/{event}/reports/money',
    at: { event: anEvent },
    query: MoneyReportQuery,
    reply: MoneyReport,
    refusals: ['not_found'],
    summary: 'Report money',
    description:
      'What is due, and what was received, refunded and charged back, by currency, method, attendee type and date. At most 1,000 dates; without `from`, the latest ones. A key limited to a group counts registrations whose attendees are all in its reach. Test activity is left out unless `test` asks for it.',
    handle: ({ query, ...call }) => moneyReport(scopeOf(call, call.at.event, query.test), query),
  }),
  operation({
    ...counting,
    member: 'people.read',
    id: 'reportSales',
    method: 'GET',
    path: '/events/{event}/reports/sales',
    at: { event: anEvent },
    query: SalesReportQuery,
    reply: SalesReport,
    refusals: ['not_found'],
    summary: 'Report sales',
    description: `How many tickets and products are taken by registrations that hold places, and what they cost before and after the discount: by attendee type and price, by product and option, by code. What was paid of it is in the report of money. What was booked for a registration as a whole, and codes, are counted only if all its attendees are in reach. ${LIMITED}`,
    handle: ({ query, ...call }) => salesReport(scopeOf(call, call.at.event, query.test), query),
  }),
];

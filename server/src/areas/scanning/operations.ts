import {
  Body,
  CheckIn,
  Disagreement,
  Nullable,
  Page,
  PageQuery,
  Ref,
  ScanBatch,
  ScanBatchResponse,
  ScanRequest,
  ScanResponse,
  Text,
  Timestamp,
} from '@turnout/contract';
import Type from 'typebox';
import { SCANS_PER_SECOND } from '../../road/gate/scanners.ts';
import { operation } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { anEvent, checkInPoints, days } from '../events/index.ts';
import { anAttendee } from '../registrations/index.ts';
import { scanBatch } from './batch.ts';
import { aCheckIn, countCheckIns, listCheckIns } from './checkins.ts';
import { clearTests, override, undo } from './corrections.ts';
import { listDisagreements } from './disagreements.ts';
import { isTestScan, scanFaults } from './judge.ts';
import { inModeOfCheckIns, TestQuery } from './mode.ts';
import { doorEvent } from './references.ts';
import { placeOf, readAnswersByPlace } from './scan-answers.ts';
import { readForMany, scanMany } from './single-scans.ts';

const tag = 'Scanning';
const scanning = { scope: 'scanner', entitlement: 'api_scanner', member: 'door.scan', device: true, tag } as const;
const byEvent = (params: Record<string, string>) => params.event!.toLowerCase();
const MB = 1_048_576;

/** For lists and counts. */
const test = TestQuery(
  'True: only test check-ins. Default: only live ones.',
  'For members and paired devices, and for live keys in a test event.',
);
const CheckInsQuery = {
  ...PageQuery,
  check_in_point: Type.Optional(Ref('check_in_point')),
  day: Type.Optional(Ref('day')),
  attendee: Type.Optional(Ref('attendee', 'Id of the attendee.')),
  result: Type.Optional(Type.String({ maxLength: 40 })),
  admitted: Type.Optional(Type.Boolean()),
  from: Type.Optional(Timestamp('Only check-ins recorded at this time or later.')),
  to: Type.Optional(Timestamp('Only check-ins recorded before this time.')),
  test,
};

export const operations = [
  operation({
    ...scanning,
    id: 'scanTicket',
    method: 'POST',
    path: '/events/{event}/scan',
    hosts: ['api', 'scanner'],
    devicePace: { callsPerSecond: SCANS_PER_SECOND },
    audit: 'checkin.recorded',
    at: { event: doorEvent },
    body: ScanRequest,
    rules: [{ of: ['code', 'ticket_id', 'test'], faults: (call) => scanFaults(call, call.body) }],
    reply: ScanResponse,
    refusals: ['not_found', 'invalid_state', 'client_uuid_reused'],
    summary: 'Decide whether a ticket is admitted',
    description:
      'Makes the same decision as the service’s own scanner, in the same format. Let your client decide by `result`. A scan that repeats a `client_uuid` counts once and gets the first answer again. In a test event every scan is a test, also one with a live key: its answer says `test: true`.',
    together: {
      by: byEvent,
      read: readForMany,
      handle: scanMany,
      answerStore: {
        place: (item) => placeOf(item.at.event.id, item.body.client_uuid, isTestScan(item, item.body)),
        read: readAnswersByPlace,
      },
    },
  }),
  operation({
    ...scanning,
    id: 'scanBatch',
    method: 'POST',
    path: '/events/{event}/scan/batch',
    hosts: ['api', 'scanner'],
    devicePace: { oneAtATime: true },
    audit: 'checkin.recorded',
    at: { event: doorEvent },
    inTurn: byEvent,
    body: ScanBatch,
    bodyLimit: 2 * MB,
    textByItem: true,
    reply: ScanBatchResponse,
    refusals: ['not_found', 'invalid_state', 'batch_in_progress', 'payload_too_large'],
    summary: 'Upload scans made offline',
    description:
      'Up to 500 scans. They are applied in the order of `scanned_at` and answered in the order of the request; each has a result or an error of its own. An archived event refuses the batch as a whole. So does 413 `payload_too_large`: a batch records at most 5,000 results, one for each person of each scan, its tickets have at most 20,000 people, and it repeats at most 8 MB of stored answers. Nothing of it is recorded then: halve the batch until it is accepted. A single scan is never too large. A paired device sends one batch at a time, and the next one at least a second after the answer.',
    handle: (call) => scanBatch(call),
  }),
  operation({
    ...scanning,
    id: 'listCheckIns',
    method: 'GET',
    path: '/events/{event}/checkins',
    hosts: ['api', 'scanner'],
    at: { event: doorEvent },
    query: Body(CheckInsQuery),
    reply: Page(CheckIn),
    refusals: ['not_found'],
    summary: 'List check-ins',
    description:
      'Newest first. A test key lists test check-ins only, a live key live ones only. In a test event everything is a test, also what a live key scans, so the list of a live key is empty there unless it asks for `test=true`.',
    handle: async (call) => {
      const { at, query } = call;
      const parents = { event: at.event };
      const point =
        query.check_in_point === undefined
          ? null
          : await inBody(call, checkInPoints.reference, query.check_in_point, 'check_in_point', parents);
      const day = query.day === undefined ? null : await inBody(call, days.reference, query.day, 'day', parents);
      const attendee =
        query.attendee === undefined ? null : await inBody(call, anAttendee, query.attendee, 'attendee', parents);
      return listCheckIns(inModeOfCheckIns(call, query.test), at.event, query, {
        ...(point && { point: point.id }),
        ...(day && { day: day.id }),
        ...(attendee && { attendee: attendee.id }),
      });
    },
  }),
  operation({
    ...scanning,
    id: 'listDisagreements',
    method: 'GET',
    path: '/events/{event}/checkins/reconciliation',
    hosts: ['api', 'scanner'],
    at: { event: doorEvent },
    query: Body(PageQuery),
    reply: Page(Disagreement),
    refusals: ['not_found'],
    summary: 'List offline scans whose result differs',
    description:
      'Check-ins where `offline_result`, which the door told the person, differs from `result`, newest first. Scans of a code that the server does not know are listed, too; they name no attendee and no ticket.',
    handle: (call) => listDisagreements(call, call.at.event, call.query),
  }),
  operation({
    ...scanning,
    id: 'countCheckIns',
    method: 'GET',
    path: '/events/{event}/checkins/counts',
    hosts: ['api', 'scanner'],
    at: { event: doorEvent },
    query: Body({ test }),
    reply: Type.Object({
      data: Type.Array(
        Type.Object({
          check_in_point: Type.String(),
          day: Nullable(Type.String()),
          attendee_type: Type.String(),
          admissions: Type.Integer(),
          people: Type.Integer(),
          refusals: Type.Integer(),
        }),
      ),
    }),
    refusals: ['not_found'],
    summary: 'Count check-ins by point, day and type',
    handle: (call) => countCheckIns(inModeOfCheckIns(call, call.query.test), call.at.event),
  }),
  operation({
    id: 'clearTestCheckIns',
    method: 'DELETE',
    path: '/events/{event}/checkins/test',
    scope: 'admin',
    entitlement: 'api_write',
    member: 'door.clear_tests',
    organizationWide: true,
    audit: 'checkin.tests_cleared',
    at: { event: anEvent },
    reply: null,
    status: 204,
    refusals: ['not_found'],
    tag,
    summary: 'Clear test check-ins',
    handle: (call) => clearTests(call, call.at.event),
  }),
  operation({
    ...scanning,
    member: 'door.override',
    id: 'overrideCheckIn',
    method: 'POST',
    path: '/checkins/{check_in}/override',
    hosts: ['scanner'],
    keysRefused: 'api_key_cannot_override',
    audit: 'checkin.overridden',
    at: { check_in: aCheckIn },
    body: Body({ reason: Text(500, { description: 'Why the person is admitted, in your own words.' }) }),
    reply: CheckIn,
    refusals: ['not_found', 'invalid_state', 'api_key_cannot_override', 'permission_required'],
    summary: 'Admit somebody who was refused',
    description:
      'For a member at the check-in point, who must give a reason, and for a paired scanner that a member has unlocked with a PIN: the member is then the one who decided. API keys are refused.',
    handle: (call) => override(call, call.at.check_in, call.body.reason),
  }),
  operation({
    ...scanning,
    member: 'door.override',
    id: 'undoCheckIn',
    method: 'POST',
    path: '/checkins/{check_in}/undo',
    hosts: ['scanner'],
    keysRefused: 'api_key_cannot_override',
    audit: 'checkin.undone',
    at: { check_in: aCheckIn },
    body: Body({
      reason: Type.Optional(
        Text(500, { description: 'Why the admission is taken back, in your own words. It is kept in the audit log.' }),
      ),
    }),
    reply: CheckIn,
    refusals: ['not_found', 'invalid_state', 'api_key_cannot_override', 'permission_required'],
    summary: 'Take an admission back',
    description: 'For members, and for a paired scanner that a member has unlocked with a PIN. API keys are refused.',
    handle: (call) => undo(call, call.at.check_in, call.body.reason),
  }),
];

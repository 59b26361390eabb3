import { Body, ChangedQuery, HandOut, HandOutCreate, HandOutUndo, Page, Ref } from '@turnout/contract';
import Type from 'typebox';
import { SCANS_PER_SECOND } from '../../road/gate/scanners.ts';
import { operation } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { anEvent, products } from '../events/index.ts';
import { anAttendee, aRegistration, byEvent } from '../registrations/index.ts';
import { aHandOut } from './hand-out-record.ts';
import { undoHandOut } from './hand-out-undo.ts';
import { bookerFaults, handOut, listHandOuts } from './hand-outs.ts';
import { doorEvent } from './references.ts';

const tag = 'Hand-outs';
const handing = { scope: 'scanner', entitlement: 'api_scanner', device: true, tag } as const;

const HandOutsQuery = {
  ...ChangedQuery,
  attendee: Type.Optional(
    Ref('attendee', 'Id of the attendee. What was booked for the registration as a whole is not theirs.'),
  ),
  registration: Type.Optional(
    Ref(
      'registration',
      'Id or code of the registration: what its attendees were given, and what it was given as a whole.',
    ),
  ),
  product: Type.Optional(Ref('product')),
  undone: Type.Optional(Type.Boolean({ description: 'True: only what was taken back. False: only what was not.' })),
};

export const handOutOperations = [
  operation({
    id: 'listHandOuts',
    method: 'GET',
    path: '/events/{event}/hand-outs',
    scope: 'read',
    entitlement: 'api_read',
    member: 'people.read',
    at: { event: anEvent },
    query: Body(HandOutsQuery),
    reply: Page(HandOut),
    refusals: ['not_found'],
    tag,
    summary: 'List what was handed out',
    description:
      'By last change, oldest first, one item for each unit, those that were taken back included. A test key lists test hand-outs only, a live key live ones only; in a test event everything is a test. What was booked for a registration as a whole is shown to callers limited to a group only if they see all of its attendees.',
    handle: async (call) => {
      const { at, query } = call;
      const parents = { event: at.event };
      const attendee =
        query.attendee === undefined ? null : await inBody(call, anAttendee, query.attendee, 'attendee', parents);
      const registration =
        query.registration === undefined
          ? null
          : await inBody(call, aRegistration, query.registration, 'registration', parents);
      const product =
        query.product === undefined ? null : await inBody(call, products.reference, query.product, 'product', parents);
      return listHandOuts(call, at.event, query, {
        ...(attendee && { attendee }),
        ...(registration && { registration: registration.id }),
        ...(product && { product: product.id }),
      });
    },
  }),
  operation({
    ...handing,
    id: 'handOut',
    method: 'POST',
    path: '/events/{event}/hand-outs',
    hosts: ['api', 'scanner'],
    member: 'door.scan',
    devicePace: { callsPerSecond: SCANS_PER_SECOND },
    audit: 'hand_out.recorded',
    at: { event: doorEvent },
    inTurn: byEvent,
    body: HandOutCreate,
    rules: [{ of: ['attendee', 'registration'], faults: ({ body }) => bookerFaults(body) }],
    reply: HandOut,
    status: 201,
    refusals: [
      'not_found',
      'invalid_state',
      'mixed_groups',
      'nothing_to_hand_out',
      'client_uuid_reused',
      'test_key_live_object',
    ],
    summary: 'Hand out one unit',
    description:
      'One unit of a product that a confirmed attendee, or a confirmed registration as a whole, has booked. It is not a check-in. A call that repeats a `client_uuid` counts once and gets the first answer again. With `offline: true` it is recorded in any case, because the unit is gone: with `surplus: true` if nothing was left, or if the attendee is not confirmed any more. Test keys hand out to test attendees only.',
    handle: (call) => handOut(call, call.at.event, call.body),
  }),
  operation({
    ...handing,
    id: 'undoHandOut',
    method: 'POST',
    path: '/events/{event}/hand-outs/{hand_out}/undo',
    hosts: ['scanner'],
    member: 'door.override',
    keysRefused: 'api_key_cannot_override',
    audit: 'hand_out.undone',
    at: { event: doorEvent, hand_out: aHandOut },
    inTurn: byEvent,
    body: HandOutUndo,
    reply: HandOut,
    refusals: ['not_found', 'invalid_state', 'api_key_cannot_override', 'permission_required'],
    summary: 'Take a hand-out back',
    description:
      'The unit can then be handed out again. For members, and for a paired scanner that a member has unlocked with a PIN; a scanner may take back what it handed out itself for five minutes without one. API keys are refused.',
    handle: (call) => undoHandOut(call, call.at.event, call.at.hand_out, call.body.reason),
  }),
];

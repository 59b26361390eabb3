import {
  Attendee,
  AttendeeCreate,
  BALANCES,
  Body,
  OneOf,
  Page,
  PeopleQuery,
  REGISTRATION_SOURCES,
  Reason,
  Ref,
  Registration,
  RegistrationChange,
  RegistrationCreate,
} from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { anEvent } from '../events/index.ts';
import { aGroup } from '../groups/index.ts';
import { addAttendee } from './attendee-actions.ts';
import { formFaults } from './form-faults.ts';
import { byEvent, FORM, FULL, PRODUCTS, reading, status, UNPAID, writing } from './operation-parts.ts';
import { aRegistration } from './references.ts';
import {
  approve,
  cancel,
  changeRegistration,
  decline,
  promoteByHand,
  registerMany,
  weightOf,
} from './registration-actions.ts';
import { getRegistration, listRegistrations } from './registration-lists.ts';

const tag = 'Registrations';

/** The one way to register, for programs, members and visitors of the pages. */
export const createRegistration = operation({
  ...writing,
  id: 'createRegistration',
  method: 'POST',
  path: '/events/{event}/registrations',
  audit: 'registration.created',
  visitor: true,
  at: { event: anEvent },
  body: RegistrationCreate,
  rules: [
    {
      of: [],
      faults: (call) => {
        const attendees = (call.body.attendees ?? []).map((one, i) => [`attendees/${i}`, one] as const);
        return formFaults(call, call.at.event, attendees, call.body);
      },
    },
  ],
  reply: Registration,
  status: 201,
  refusals: [
    'not_found',
    'invalid_state',
    'permission_required',
    'price_changed',
    ...FORM,
    'discount_unknown',
    'discount_not_applicable',
    ...FULL,
    ...UNPAID,
  ],
  tag,
  summary: 'Create a registration',
  description:
    'Follows the rules of the event’s form: registration window, capacity, approval, waitlist and the plan’s limit of attendees. Tickets are issued when the registration is confirmed. One registration has at most 5,000 tickets and 20,000 places (people times days); a larger one is refused before anything is made.',
  together: { by: byEvent, weight: weightOf, handle: registerMany },
});

export const registrationOperations = [
  operation({
    ...reading,
    id: 'listRegistrations',
    method: 'GET',
    path: '/events/{event}/registrations',
    at: { event: anEvent },
    query: Body({
      ...PeopleQuery,
      status,
      source: Type.Optional(OneOf(REGISTRATION_SOURCES)),
      group: Type.Optional(Ref('group', 'Registrations of this group and those below it.')),
      email: Type.Optional(
        Type.String({
          maxLength: 254,
          description: 'The e-mail address of the registrant or of one of the attendees.',
        }),
      ),
      code: Type.Optional(
        Type.String({ maxLength: 40, description: 'The code. Spaces, dashes and case are ignored.' }),
      ),
      balance: Type.Optional(
        OneOf(BALANCES, {
          description:
            '`due`: registrations on which something is still to be paid. `credit`: those on which too much was paid.',
        }),
      ),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Words of the name of the registrant or of one attendee, the beginning of an e-mail address, or the code of a registration or ticket. Each word matches the beginning of a word of the name, in any order; case and accents are ignored, and letters such as ø or ł are taken for o or l. Without `order` the list is ordered by what matched.',
        }),
      ),
    }),
    reply: Page(Registration),
    refusals: ['not_found'],
    tag,
    summary: 'List registrations',
    description: 'Ordered by last change, oldest first, unless `search` or `order` says otherwise.',
    handle: async (call) => {
      const { query, at } = call;
      const group = query.group === undefined ? undefined : await inBody(call, aGroup, query.group, 'group', {});
      return listRegistrations(call, at.event, query, { ...(group && { group: group.id }) });
    },
  }),
  operation({
    ...reading,
    id: 'getRegistration',
    method: 'GET',
    path: '/events/{event}/registrations/{registration}',
    at: { event: anEvent, registration: aRegistration },
    reply: Registration,
    refusals: ['not_found'],
    tag,
    summary: 'Get a registration',
    handle: (call) => getRegistration(call, call.at.event, call.at.registration.id),
  }),
  createRegistration,
  operation({
    ...writing,
    id: 'changeRegistration',
    method: 'PATCH',
    path: '/events/{event}/registrations/{registration}',
    audit: 'registration.changed',
    at: { event: anEvent, registration: aRegistration },
    inTurn: byEvent,
    body: RegistrationChange,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object', ...PRODUCTS],
    tag,
    summary: 'Change a registration',
    description:
      'Changes the registrant, what is booked for the registration as a whole, and whether mails are sent about it. Attendees are changed one by one (`PATCH …/attendees/{attendee}`). Mails that are already queued go to the address they were queued for.',
    handle: (call) => changeRegistration(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'addAttendee',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/attendees',
    audit: 'registration.attendee_added',
    at: { event: anEvent, registration: aRegistration },
    inTurn: byEvent,
    body: AttendeeCreate,
    rules: [{ of: [], faults: (call) => formFaults(call, call.at.event, [['', call.body]], call.body) }],
    reply: Attendee,
    status: 201,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object', ...FORM, ...FULL],
    tag,
    summary: 'Add an attendee to a registration',
    description:
      'Follows the rules of the event’s form. If the registration is confirmed, tickets are issued at once. An attendee for whom there is no place is refused and not put on the waitlist, and so is one with whom the registration would have more than 5,000 tickets or 20,000 places (people times days).',
    handle: (call) => addAttendee(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'approveRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/approve',
    audit: 'registration.approved',
    at: { event: anEvent, registration: aRegistration },
    inTurn: byEvent,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Approve a registration',
    handle: (call) => approve(call, call.at.registration),
  }),
  operation({
    ...writing,
    id: 'declineRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/decline',
    audit: 'registration.declined',
    at: { event: anEvent, registration: aRegistration },
    inTurn: byEvent,
    body: Reason,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Decline a registration',
    handle: (call) => decline(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'cancelRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/cancel',
    audit: 'registration.cancelled',
    at: { event: anEvent, registration: aRegistration },
    inTurn: byEvent,
    body: Reason,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Cancel a registration',
    description: 'Its tickets are voided. Its places become free and go to the waitlist, oldest registration first.',
    handle: (call) => cancel(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'promoteRegistration',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/promote',
    audit: 'registration.promoted',
    at: { event: anEvent, registration: aRegistration },
    inTurn: byEvent,
    reply: Registration,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Promote a registration from the waitlist',
    description: 'Promotes it before others that have waited longer, if there is room for all its attendees.',
    handle: (call) => promoteByHand(call, call.at.registration),
  }),
];

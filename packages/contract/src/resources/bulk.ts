import Type from 'typebox';
import { Body, OneOf, Ref } from '../formats.ts';
import { AttendeeChange, Reason } from './people.ts';

/** Actions on registrations. */
export const REGISTRATION_ACTIONS = ['approve', 'decline', 'cancel', 'promote'] as const;
/** Actions on attendees or their tickets. */
export const ATTENDEE_ACTIONS = ['send_tickets', 'reissue', 'change'] as const;
export const BULK_ACTIONS = [...REGISTRATION_ACTIONS, ...ATTENDEE_ACTIONS] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const MAX_BULK_IDS = 10_000;

const { attendee_type, days, group, answers, past_days } = AttendeeChange.properties;
/** What can be changed for many attendees at once. */
export const BulkChange = Body(
  { attendee_type, days, group, answers, past_days },
  {
    minProperties: 1,
    description: 'For `change`: the fields to change in each attendee, as in `PATCH …/attendees/{attendee}`.',
  },
);
export type BulkChange = Type.Static<typeof BulkChange>;

/** All fields but `filter`, which has the fields of the lists. */
export const BulkFields = {
  action: OneOf(BULK_ACTIONS, {
    description: `What to do. For registrations: ${list(REGISTRATION_ACTIONS)}. For attendees: ${list(ATTENDEE_ACTIONS)}.`,
  }),
  ids: Type.Optional(
    Type.Array(Ref('registration', 'Id or code of a registration; for actions on attendees, the id of an attendee.'), {
      minItems: 1,
      maxItems: MAX_BULK_IDS,
      uniqueItems: true,
      description:
        'The registrations or attendees, in the order in which they are handled. Send either this or `filter`.',
    }),
  ),
  reason: Reason.properties.reason,
  send: Type.Optional(
    Type.Boolean({
      description: 'For `reissue`: whether the new tickets are mailed. Default: `send_emails` of each registration.',
    }),
  ),
  change: Type.Optional(BulkChange),
};

function list(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

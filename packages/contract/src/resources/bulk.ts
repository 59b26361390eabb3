import Type from 'typebox';
import { Body, OneOf, Ref } from '../formats.ts';
import { AttendeeChange, Reason } from './people.ts';

/** What is done to registrations. */
export const REGISTRATION_ACTIONS = ['approve', 'decline', 'cancel', 'promote'] as const;
/** What is done to people, or to their tickets. */
export const ATTENDEE_ACTIONS = ['send_tickets', 'reissue', 'change'] as const;
export const BULK_ACTIONS = [...REGISTRATION_ACTIONS, ...ATTENDEE_ACTIONS] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const MAX_BULK_IDS = 10_000;

const { attendee_type, days, group, answers } = AttendeeChange.properties;
/** What it makes sense to change of many people at once. */
export const BulkChange = Body(
  { attendee_type, days, group, answers },
  {
    minProperties: 1,
    description: 'For `change`: what to change of each of them, as in `PATCH …/attendees/{attendee}`.',
  },
);
export type BulkChange = Type.Static<typeof BulkChange>;

/** All but the filter, whose fields are those of the lists. */
export const BulkFields = {
  action: OneOf(BULK_ACTIONS, {
    description: `What to do: ${list(REGISTRATION_ACTIONS)} to registrations; ${list(ATTENDEE_ACTIONS)} to attendees.`,
  }),
  ids: Type.Optional(
    Type.Array(
      Ref('registration', 'Id or code of a registration; id of an attendee where the action is about attendees.'),
      {
        minItems: 1,
        maxItems: MAX_BULK_IDS,
        uniqueItems: true,
        description: 'To whom, in the order in which it is done. Either this or `filter`.',
      },
    ),
  ),
  reason: Reason.properties.reason,
  send: Type.Optional(
    Type.Boolean({
      description:
        'For `reissue`: whether the new tickets are mailed. Left out: where mails are sent about the registration.',
    }),
  ),
  change: Type.Optional(BulkChange),
};

function list(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

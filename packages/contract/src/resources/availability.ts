import Type from 'typebox';
import { Nullable, OneOf, Timestamp } from '../formats.ts';
import { REGISTRATION_SOURCES, REGISTRATION_STATUSES } from './people.ts';

const people = (description: string) => Type.Integer({ minimum: 0, description });

const places = {
  capacity: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'The most attendees. Null: no limit. For the event, the plan’s limit if that is lower.',
    }),
  ),
  taken: people('Attendees who are confirmed.'),
  held: people('Attendees who hold a place but are not approved or paid yet.'),
  waiting: people('Attendees on the waitlist.'),
  left: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        'How many places are left: the capacity less those taken and held. Null if there is no limit, and if the caller is limited to a group and the event does not belong to it.',
    }),
  ),
};

/** Units are not told apart by status, and not by group. */
const units = {
  capacity: Nullable(Type.Integer({ minimum: 0, description: 'The most units. Null: no limit.' })),
  taken: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        'How many units, or people and units, are taken or held. Null if the caller is limited to a group and the event does not belong to it.',
    }),
  ),
  left: places.left,
};

export const Availability = Type.Object({
  test: Type.Boolean({ description: 'True: test registrations are counted. False: live ones.' }),
  as_of: Timestamp('The time of the last change that is counted. If it is the same as before, nothing has changed.'),
  event: Type.Object(places),
  days: Type.Array(Type.Object({ day: Type.String({ description: 'Code of the day.' }), ...places })),
  attendee_types: Type.Array(
    Type.Object({ attendee_type: Type.String({ description: 'Code of the attendee type.' }), ...places }),
  ),
  products: Type.Array(
    Type.Object({
      product: Type.String({ description: 'Code of the product.' }),
      ...units,
      options: Type.Array(Type.Object({ option: Type.String({ description: 'Code of the option.' }), ...units })),
    }),
  ),
  quotas: Type.Array(Type.Object({ quota: Type.String({ description: 'Code of the shared limit.' }), ...units })),
});
export type Availability = Type.Static<typeof Availability>;

const byStatus = (description: string) =>
  Type.Object(
    Object.fromEntries(REGISTRATION_STATUSES.map((status) => [status, Type.Integer({ minimum: 0 })])) as Record<
      (typeof REGISTRATION_STATUSES)[number],
      Type.TInteger
    >,
    { description },
  );
const tally = {
  people: byStatus('Attendees by status.'),
  registrations: byStatus(
    'Registrations by status. For a type, day, group or source: those that have an attendee in it.',
  ),
};

export const EventSummary = Type.Object({
  test: Type.Boolean({ description: 'True: test registrations are counted. False: live ones.' }),
  as_of: Timestamp('The time of the last change that is counted. If it is the same as before, nothing has changed.'),
  ...tally,
  attendee_types: Type.Array(
    Type.Object({ attendee_type: Type.String({ description: 'Code of the attendee type.' }), ...tally }),
  ),
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Code of the day.' }),
      ...tally,
      checked_in: people('Attendees who were admitted at an entry on this day.'),
    }),
  ),
  groups: Type.Array(
    Type.Object({
      group: Nullable(Type.String({ description: 'Code of the attendees’ group. Null: attendees without a group.' })),
      ...tally,
    }),
  ),
  sources: Type.Array(Type.Object({ source: OneOf(REGISTRATION_SOURCES), ...tally })),
  money: Type.Array(
    Type.Object({
      currency: Type.String({ examples: ['EUR'] }),
      due_minor: Type.Integer({ description: 'What registrations that hold places still have to pay.' }),
      paid_minor: Type.Integer({ description: 'What was paid, less what was refunded.' }),
    }),
    { description: 'By currency. Counts only registrations of which the caller may see every attendee.' },
  ),
});
export type EventSummary = Type.Static<typeof EventSummary>;

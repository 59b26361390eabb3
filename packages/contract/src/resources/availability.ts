import Type from 'typebox';
import { Nullable, OneOf, Timestamp } from '../formats.ts';
import { REGISTRATION_SOURCES, REGISTRATION_STATUSES } from './people.ts';

const people = (description: string) => Type.Integer({ minimum: 0, description });

const places = {
  capacity: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'Most people; null: no limit. Of the event: the plan’s limit where that is lower.',
    }),
  ),
  taken: people('People who are confirmed.'),
  held: people('People who hold a place until they are approved or have paid.'),
  waiting: people('People on the waitlist.'),
  left: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        'Places that are left: the capacity less those taken and held. Null where there is no limit, and where you are limited to a group and the event is not of it.',
    }),
  ),
};

export const Availability = Type.Object({
  test: Type.Boolean({ description: 'Whether test registrations are counted, or live ones.' }),
  as_of: Timestamp('Of the last change that is counted. The same as before: nothing has changed.'),
  event: Type.Object(places),
  days: Type.Array(Type.Object({ day: Type.String({ description: 'Code of the day.' }), ...places })),
  attendee_types: Type.Array(
    Type.Object({ attendee_type: Type.String({ description: 'Code of the attendee type.' }), ...places }),
  ),
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
  people: byStatus('People by status.'),
  registrations: byStatus('Registrations by status; of a part, those that have somebody in it.'),
};

export const EventSummary = Type.Object({
  test: Type.Boolean({ description: 'Whether test registrations are counted, or live ones.' }),
  as_of: Timestamp('Of the last change that is counted. The same as before: nothing has changed.'),
  ...tally,
  attendee_types: Type.Array(
    Type.Object({ attendee_type: Type.String({ description: 'Code of the attendee type.' }), ...tally }),
  ),
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Code of the day.' }),
      ...tally,
      checked_in: people('People who came in by an entry on this day.'),
    }),
  ),
  groups: Type.Array(
    Type.Object({
      group: Nullable(Type.String({ description: 'Code of the people’s group; null: of none.' })),
      ...tally,
    }),
  ),
  sources: Type.Array(Type.Object({ source: OneOf(REGISTRATION_SOURCES), ...tally })),
  money: Type.Array(
    Type.Object({
      currency: Type.String({ examples: ['EUR'] }),
      due_minor: Type.Integer({ description: 'Still to be paid by registrations that hold places.' }),
      paid_minor: Type.Integer({ description: 'Paid, less what was refunded.' }),
    }),
    { description: 'By currency. Of registrations whose people you all see.' },
  ),
});
export type EventSummary = Type.Static<typeof EventSummary>;

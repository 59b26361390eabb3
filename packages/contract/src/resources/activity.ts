import Type from 'typebox';
import { Body, Known, Nullable, Timestamp, Ulid } from '../formats.ts';

/** The most entries that one answer has. */
const MAX_ENTRIES = 50;
export const ACTIVITY_KINDS = ['registered', 'paid', 'checked_in', 'cancelled'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

export const ActivityQuery = Body({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ENTRIES, default: 10, description: 'How many entries at most.' }),
  ),
  test: Type.Optional(
    Type.Boolean({
      description:
        'Whether test activity is listed, or live activity. Default: test activity with a test key and in a test event.',
    }),
  ),
});

export const Activity = Type.Object({
  kind: Known(ACTIVITY_KINDS, { description: 'What happened.', examples: ['registered'] }),
  at: Timestamp('When it happened.'),
  registration_id: Ulid('The registration that it is about.'),
  attendee_id: Nullable(Ulid('The attendee who was checked in. Null: it is about the registration.')),
  name: Nullable(
    Type.String({
      description:
        'Who registered, paid or cancelled: the registrant, or the first attendee if the registrant has no name or is out of the caller’s reach. For a check-in, the attendee.',
      examples: ['Grace Hopper'],
    }),
  ),
  people: Type.Integer({
    minimum: 1,
    description: 'How many attendees of the caller’s reach it is about.',
    examples: [1],
  }),
  attendee_types: Type.Array(Type.String({ examples: ['student'] }), {
    description: 'Codes of the types of these attendees.',
  }),
  amount_minor: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'What was paid, in the currency’s minor unit. Null: nothing was paid.',
      examples: [34_950],
    }),
  ),
  currency: Nullable(Type.String({ description: 'Null: nothing was paid.', examples: ['EUR'] })),
  day: Nullable(
    Type.String({ description: 'Code of the day on which somebody was checked in.', examples: ['saturday'] }),
  ),
  check_in_point: Nullable(
    Type.String({
      description: 'Code of the check-in point at which somebody was checked in.',
      examples: ['main-gate'],
    }),
  ),
});
export type Activity = Type.Static<typeof Activity>;
export const ActivityList = Type.Object({ data: Type.Array(Activity, { description: 'Newest first.' }) });
export type ActivityList = Type.Static<typeof ActivityList>;

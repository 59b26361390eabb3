import Type from 'typebox';
import { Body, Nullable, OneOf, Ref, Stamps, Text, Timestamp, Ulid } from '../formats.ts';

/** The ticketing platforms that attendees can be imported from. */
export const PLATFORMS = ['eventbrite'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

// ---- connection
export const PlatformConnection = Type.Object({
  id: Ulid('The connection.'),
  platform: OneOf(PLATFORMS),
  account: Type.Object(
    { name: Type.String(), email: Nullable(Type.String()) },
    { description: 'The account on the platform.' },
  ),
  ...Stamps,
});
export type PlatformConnection = Type.Static<typeof PlatformConnection>;
export const PlatformConnect = Body({
  platform: OneOf(PLATFORMS),
  token: Type.String({
    pattern: '^[\\x21-\\x7e]{1,500}$',
    maxLength: 500,
    description: 'A private token of the account. It is stored encrypted, and no answer shows it.',
  }),
});
export type PlatformConnect = Type.Static<typeof PlatformConnect>;

// ---- what is there
const SourceId = Text(100, { description: 'The id on the platform.', example: '1234567890' });
export const PlatformEvent = Type.Object({
  id: SourceId,
  name: Type.String(),
  starts_at: Nullable(Timestamp()),
  currency: Nullable(Type.String()),
  status: Type.String({ description: 'As the platform calls it.' }),
});
export type PlatformEvent = Type.Static<typeof PlatformEvent>;
export const PlatformTicketClass = Type.Object({
  id: SourceId,
  name: Type.String(),
  sold: Type.Integer({ minimum: 0 }),
});
export type PlatformTicketClass = Type.Static<typeof PlatformTicketClass>;

export const PlatformTicketClassesQuery = Body({ source_event: SourceId });

// ---- import
export const PlatformImportCreate = Body({
  connection: Type.String({
    minLength: 1,
    maxLength: 63,
    'x-reference': 'platform_connection',
    description: 'Id of the connection.',
  }),
  source_event: SourceId,
  mapping: Type.Array(
    Body({
      ticket_class: SourceId,
      attendee_type: Nullable(
        Ref('attendee_type', 'The attendee type of those who have this ticket class. Null: they are not imported.'),
      ),
      days: Type.Optional(
        Type.Array(Ref('day'), {
          minItems: 1,
          maxItems: 366,
          uniqueItems: true,
          description: 'Codes or ids of days. Can be left out if the type has only one choice, and for a pass.',
        }),
      ),
    }),
    { minItems: 1, maxItems: 1000, description: 'One entry for every ticket class of the source event.' },
  ),
  send_emails: Type.Optional(
    Type.Boolean({
      description: 'Whether confirmation and ticket mails are sent to those who are added. Default false.',
    }),
  ),
});
export type PlatformImportCreate = Type.Static<typeof PlatformImportCreate>;

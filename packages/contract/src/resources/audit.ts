import Type from 'typebox';
import { Nullable, OneOf, Timestamp, Ulid } from '../formats.ts';
import { fieldsOf, OWNERS } from '../person-fields.ts';

export const AUDIT_SOURCES = ['api', 'app', 'scanner', 'pages', 'cli', 'system'] as const;
export type AuditSource = (typeof AUDIT_SOURCES)[number];
export const ACTOR_KINDS = ['key', 'member', 'device', 'visitor', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** For these objects, which tell of people, the log says that a personal field changed but not its values. */
const PEOPLE = ['attendee', 'contact', 'registration', 'payment', 'ticket'];
const PERSONAL_FIELDS: readonly string[] = [
  ...OWNERS.flatMap((owner) => fieldsOf(owner, { personal: true })),
  ...['code', 'contact', 'name', 'reference'],
];
export const isPersonalField = (kind: string, field: string): boolean =>
  PEOPLE.includes(kind) && PERSONAL_FIELDS.includes(field);

export const AuditField = Type.Object(
  {
    before: Type.Optional(Type.Unknown({ description: 'Null if there was no value.' })),
    after: Type.Optional(Type.Unknown({ description: 'Null if there is no value any more.' })),
    changed: Type.Optional(
      Type.Boolean({
        description:
          'Instead of `before` and `after` if the values are personal data, which the audit log does not keep.',
      }),
    ),
  },
  { description: 'A field that changed.' },
);
export type AuditField = Type.Static<typeof AuditField>;
const Fields = (description: string) => Type.Record(Type.String(), AuditField, { description });

export const AuditObject = Type.Object({
  kind: Type.String({ examples: ['attendee'] }),
  id: Type.String(),
});
export type AuditObject = Type.Static<typeof AuditObject>;

export const AuditChanges = Type.Object(
  {
    fields: Fields('The changed fields of `object`, by name.'),
    objects: Type.Array(
      Type.Object({ kind: Type.String(), id: Type.String(), fields: Fields('The changed fields, by name.') }),
      {
        description: 'The other objects that were changed with it.',
      },
    ),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Further details, which depend on the kind of change: the `reason` for voiding a ticket, the `amount_minor` of a refund, `what` and `format` of an export, the `counts` of an import. New ones may be added.',
    }),
    erased: Type.Optional(
      Type.Boolean({ description: 'True if the changes were removed because the person in them was erased.' }),
    ),
  },
  { description: 'What changed. Null if there is nothing to show.' },
);
export type AuditChanges = Type.Static<typeof AuditChanges>;

export const AuditEntry = Type.Object({
  id: Ulid('The entry.'),
  at: Timestamp(),
  action: Type.String({ examples: ['event.created'] }),
  actor: Type.Object({
    kind: OneOf(ACTOR_KINDS),
    id: Nullable(Type.String()),
    name: Type.String(),
  }),
  source: OneOf(AUDIT_SOURCES),
  client: Nullable(Type.String({ description: 'The value of the header `X-Service-Client`.' })),
  request_id: Nullable(Type.String()),
  object: Type.Object({ kind: Type.String(), id: Nullable(Type.String()) }),
  objects: Type.Array(AuditObject, {
    description:
      'All objects that were affected, `object` first: for example a registration with its attendees, tickets and payments.',
  }),
  event_id: Nullable(Type.String()),
  test: Type.Boolean(),
  changes: Nullable(AuditChanges),
});
export type AuditEntry = Type.Static<typeof AuditEntry>;

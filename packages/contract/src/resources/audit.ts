import Type from 'typebox';
import { Nullable, OneOf, Timestamp, Ulid } from '../formats.ts';

export const AUDIT_SOURCES = ['api', 'app', 'scanner', 'cli', 'system'] as const;
export type AuditSource = (typeof AUDIT_SOURCES)[number];
export const ACTOR_KINDS = ['key', 'member', 'device', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Of these objects, who are people, the log says that such a field changed, and not from what to what. */
const PEOPLE = ['attendee', 'contact', 'registration', 'payment', 'ticket'];
const PERSONAL_FIELDS = [
  'answers',
  'code',
  'contact',
  'date_of_birth',
  'email',
  'external_id',
  'first_name',
  'last_name',
  'name',
  'phone',
  'reference',
];
export const isPersonalField = (kind: string, field: string): boolean =>
  PEOPLE.includes(kind) && PERSONAL_FIELDS.includes(field);

export const AuditField = Type.Object(
  {
    before: Type.Optional(Type.Unknown({ description: 'null where there was nothing.' })),
    after: Type.Optional(Type.Unknown({ description: 'null where there is nothing any more.' })),
    changed: Type.Optional(
      Type.Boolean({
        description: 'In place of `before` and `after` where those are personal data, which is not kept here.',
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
    fields: Fields('Of `object`, by name.'),
    objects: Type.Array(Type.Object({ kind: Type.String(), id: Type.String(), fields: Fields('By name.') }), {
      description: 'The same of other objects that it changed.',
    }),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'What else is to be known, by the kind of change: the `reason` of a voiding, the `amount_minor` of a refund, `what` and `format` of an export, `counts` of an import. New ones may appear.',
    }),
    erased: Type.Optional(Type.Boolean({ description: 'What changed was removed with the person whom it told of.' })),
  },
  { description: 'What changed; null where there is nothing to tell.' },
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
  client: Nullable(Type.String({ description: 'From `X-Service-Client`.' })),
  request_id: Nullable(Type.String()),
  object: Type.Object({ kind: Type.String(), id: Nullable(Type.String()) }),
  objects: Type.Array(AuditObject, {
    description:
      'Everything that it touched, `object` first: a registration with its attendees, tickets and payments, a job, a check-in.',
  }),
  event_id: Nullable(Type.String()),
  test: Type.Boolean(),
  changes: Nullable(AuditChanges),
});
export type AuditEntry = Type.Static<typeof AuditEntry>;

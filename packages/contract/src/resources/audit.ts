import Type from 'typebox';
import { Nullable, OneOf, Timestamp, Ulid } from '../formats.ts';

export const AUDIT_SOURCES = ['api', 'app', 'scanner', 'cli', 'system'] as const;
export type AuditSource = (typeof AUDIT_SOURCES)[number];
export const ACTOR_KINDS = ['key', 'member', 'device', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

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
  event_id: Nullable(Type.String()),
  test: Type.Boolean(),
  changes: Type.Unknown({ description: 'What changed: `{ field: [before, after] }`.' }),
});
export type AuditEntry = Type.Static<typeof AuditEntry>;

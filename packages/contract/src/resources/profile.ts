import Type from 'typebox';
import { MODES, SCOPES } from '../access.ts';
import { Code, Nullable, OneOf, Timestamp, Timezone, Ulid } from '../formats.ts';
import { ENTITLEMENTS, PLAN_CODES } from '../plans.ts';

/** Our words for the things of an organization, each of which it can replace by its own. */
export const DEFAULT_TERMINOLOGY = {
  attendee: 'attendee',
  attendees: 'attendees',
  registration: 'registration',
  registrations: 'registrations',
  ticket: 'ticket',
  tickets: 'tickets',
  event: 'event',
  events: 'events',
  day: 'day',
  days: 'days',
  group: 'group',
  groups: 'groups',
  check_in: 'check-in',
  check_in_point: 'check-in point',
} as const;

/** The plan of an organization with the limits that apply to it, including those that the operator has set for it alone. */
export const PlanInUse = Type.Object({
  code: OneOf(PLAN_CODES),
  entitlements: Type.Array(OneOf(ENTITLEMENTS)),
  limits: Type.Object({
    api_rate_per_min: Nullable(Type.Integer()),
    api_calls_monthly: Nullable(Type.Integer()),
    attendees_per_event: Nullable(Type.Integer()),
    webhook_endpoints: Nullable(Type.Integer()),
  }),
});

export const Profile = Type.Object({
  organization: Type.Object({
    id: Ulid('The organization.'),
    code: Code('The organization’s code.', 'sandbox'),
    name: Type.String(),
    timezone: Timezone(),
  }),
  key: Nullable(
    Type.Object(
      {
        id: Ulid('The key.'),
        name: Type.String(),
        mode: OneOf(MODES),
        scopes: Type.Array(OneOf(SCOPES)),
        group: Nullable(
          Type.String({
            description: 'Code of the group that the key is limited to, with the groups below it. Null: no limit.',
          }),
        ),
        expires_at: Nullable(Timestamp()),
        requests_per_minute: Type.Integer(),
      },
      { description: 'The key that made the call. Null for a member in the admin app.' },
    ),
  ),
  plan: PlanInUse,
  usage: Type.Object({
    month: Type.String({ description: 'Year and month in UTC.', examples: ['2026-11'] }),
    calls: Type.Integer(),
    allowance: Nullable(Type.Integer()),
  }),
  terminology: Type.Record(Type.String(), Type.String()),
});
export type Profile = Type.Static<typeof Profile>;

import Type from 'typebox';
import { MAX_RATE, MODES, PERMISSIONS, ROLES, SCOPES, USUAL_RATE } from '../access.ts';
import {
  Body,
  Count,
  Email,
  Name,
  Nullable,
  OneOf,
  Ref,
  Stamps,
  Text,
  Timestamp,
  TimestampInput,
  Timezone,
  Ulid,
} from '../formats.ts';
import { PlanInUse } from './profile.ts';

/** What members manage in the admin app: who has access, and keys. */
const Group = () =>
  Nullable(
    Type.String({ description: 'Code of the group that it is limited to, with the groups below it. Null: no limit.' }),
  );

export const Member = Type.Object({
  id: Ulid('The member.'),
  email: Type.String(),
  name: Type.String(),
  role: OneOf(ROLES),
  group: Group(),
  second_factor: Type.Boolean({
    description: 'Whether the member has a passkey or an authenticator app.',
  }),
  door_pin: Type.Boolean({ description: 'Whether the member has set a PIN for the door.' }),
  you: Type.Boolean({ description: 'Whether this is the caller.' }),
  last_seen_at: Nullable(Timestamp('When the member last used this organization, exact to five minutes.')),
  ...Stamps,
});
export type Member = Type.Static<typeof Member>;
export const MemberList = Type.Object({ data: Type.Array(Member) });
export const MemberChange = Body(
  { role: Type.Optional(OneOf(ROLES)), group: Type.Optional(Nullable(Ref('group'))) },
  { minProperties: 1 },
);

export const Invitation = Type.Object({
  id: Ulid('The invitation.'),
  email: Type.String(),
  role: OneOf(ROLES),
  group: Group(),
  invited_by: Nullable(Type.String({ description: 'Name of the member. Null: the operator.' })),
  state: OneOf(['open', 'expired'], { description: 'An expired one can be sent again.' }),
  expires_at: Timestamp(),
  ...Stamps,
});
export type Invitation = Type.Static<typeof Invitation>;
export const InvitationList = Type.Object({ data: Type.Array(Invitation) });
export const InvitationCreate = Body({
  email: Email(),
  role: OneOf(ROLES),
  group: Type.Optional(Nullable(Ref('group'))),
  send: Type.Optional(Type.Boolean({ description: 'Whether to mail the link. Default: true.' })),
});
export const InvitationMade = Type.Object({
  ...Invitation.properties,
  link: Type.String({ description: 'To be copied and given to the person. Shown only now.' }),
  mailed: Type.Boolean(),
});
export type InvitationMade = Type.Static<typeof InvitationMade>;

export const ApiKey = Type.Object({
  id: Ulid('The key.'),
  name: Type.String(),
  mode: OneOf(MODES),
  scopes: Type.Array(OneOf(SCOPES)),
  group: Group(),
  last4: Type.String({ description: 'The last four characters of the secret.', examples: ['x7Qe'] }),
  state: OneOf(['usable', 'expired', 'revoked']),
  expires_at: Nullable(Timestamp()),
  revoked_at: Nullable(Timestamp()),
  last_used_at: Nullable(Timestamp('Exact to a minute.')),
  allowed_addresses: Nullable(Type.Array(Type.String(), { examples: [['192.0.2.0/24']] })),
  requests_per_minute: Nullable(
    Type.Integer({
      description: `What was chosen for it. Null: ${USUAL_RATE}. More than the plan allows has no effect.`,
    }),
  ),
  created_by: Nullable(
    Type.String({ description: 'Name of the member who made it. Null: the operator, or a member who has left.' }),
  ),
  created_at: Timestamp(),
});
export type ApiKey = Type.Static<typeof ApiKey>;
export const ApiKeyList = Type.Object({ data: Type.Array(ApiKey) });
const Addresses = () =>
  Type.Array(Text(50, { example: '192.0.2.0/24' }), {
    minItems: 1,
    maxItems: 50,
    description: 'Addresses and ranges that the key may be used from. Null: from anywhere.',
  });
const Rate = () => Count(`Default: ${USUAL_RATE}. More than the plan allows has no effect.`, 1, MAX_RATE);
export const ApiKeyCreate = Body({
  name: Name(200, { example: 'CRM' }),
  mode: OneOf(MODES),
  scopes: Type.Array(OneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
  group: Type.Optional(Nullable(Ref('group'))),
  expires_at: Type.Optional(Nullable(TimestampInput())),
  allowed_addresses: Type.Optional(Nullable(Addresses())),
  requests_per_minute: Type.Optional(Nullable(Rate())),
});
export type ApiKeyCreate = Type.Static<typeof ApiKeyCreate>;
export const ApiKeyMade = Type.Object({
  ...ApiKey.properties,
  secret: Type.String({ description: 'Shown only now.', examples: ['svc_live_…'] }),
});
export const ApiKeyChange = Body(
  {
    name: Type.Optional(Name(200, { example: 'CRM' })),
    allowed_addresses: Type.Optional(Nullable(Addresses())),
    requests_per_minute: Type.Optional(Nullable(Rate())),
  },
  { minProperties: 1 },
);
export type ApiKeyChange = Type.Static<typeof ApiKeyChange>;

export const Membership = Type.Object({
  member: Type.Object({
    id: Ulid('The member.'),
    name: Type.String(),
    email: Type.String(),
    role: OneOf(ROLES),
    permissions: Type.Array(OneOf(PERMISSIONS)),
    group: Group(),
    door_pin: Type.Boolean(),
  }),
  organization: Type.Object({
    id: Ulid('The organization.'),
    code: Type.String(),
    name: Type.String(),
    timezone: Timezone(),
    currency: Type.String({ description: 'The currency of an event that names no other.', examples: ['EUR'] }),
    accent: Nullable(Type.String({ examples: ['#0b6e66'] })),
    sandbox: Type.Boolean(),
  }),
  plan: PlanInUse,
  usage: Type.Object({
    month: Type.String({ description: 'Year and month in UTC.', examples: ['2026-11'] }),
    calls: Type.Integer(),
    allowance: Nullable(Type.Integer()),
  }),
  terminology: Type.Record(Type.String(), Type.String()),
  online_payments: Type.Boolean({ description: 'Whether people can pay online.' }),
  license: Nullable(
    Type.Object(
      {
        validity: OneOf(['valid', 'expired', 'missing', 'does_not_verify'], {
          description: 'Events can be published only while it is `valid`.',
        }),
        expires_at: Nullable(Timestamp()),
        read_only_at: Nullable(
          Timestamp('When the installation becomes or became read-only. Null: the license was not revoked.'),
        ),
        read_only: Type.Boolean({ description: 'Whether everything can be read and nothing can be changed.' }),
      },
      { description: 'The license of a self-hosted installation. Null: it needs none.' },
    ),
  ),
});
export type Membership = Type.Static<typeof Membership>;
export const PinChange = Body({ pin: Type.String({ pattern: '^\\d{6}$', maxLength: 6, description: 'Six digits.' }) });

const Waiting = (description: string) => Type.Integer({ description });
/** The days of the small curve beside an event. */
export const OVERVIEW_DAYS = 30;
export const OverviewEvent = Type.Object({
  id: Ulid('The event.'),
  code: Type.String(),
  name: Type.String(),
  status: OneOf(['draft', 'published', 'closed', 'archived']),
  test: Type.Boolean(),
  timezone: Timezone(),
  starts_at: Nullable(Timestamp()),
  ends_at: Nullable(Timestamp()),
  venue: Nullable(Type.String({ description: 'Where it is.' })),
  image: Nullable(Type.String({ description: 'Address of its picture, at most 480 pixels wide. Null: it has none.' })),
  when: OneOf(['now', 'next', 'past'], {
    description: '`next`: not begun yet, or without a date. An event without an end is `now` for a day.',
  }),
  capacity: Nullable(
    Type.Integer({
      description:
        'The most attendees, or the plan’s limit if that is lower. An event without a limit of its own has the plan’s once half of that is taken, and null before.',
    }),
  ),
  taken: Type.Integer({ description: 'Attendees who are confirmed.' }),
  held: Type.Integer({ description: 'Attendees who hold a place but are not approved or paid yet.' }),
  waiting: Waiting('Attendees on the waitlist.'),
  to_approve: Waiting('Registrations that wait for a decision.'),
  unpaid: Waiting('Registrations that wait for a payment.'),
  checked_in: Type.Integer({ description: 'Attendees who were admitted at an entry at least once.' }),
  registered_by_day: Type.Array(Type.Integer({ minimum: 0 }), {
    minItems: OVERVIEW_DAYS,
    maxItems: OVERVIEW_DAYS,
    description: `Attendees who were added on each of the last ${OVERVIEW_DAYS} days (in UTC), whatever became of them. The last number is today’s.`,
  }),
});
export type OverviewEvent = Type.Static<typeof OverviewEvent>;
export const Overview = Type.Object({
  events: Type.Array(OverviewEvent, {
    description:
      'Running ones first, then the next ones by their beginning, then the last ones; at most 100, no archived ones.',
  }),
  more: Type.Boolean({ description: 'Whether there are events that are not in the list.' }),
  failing_webhooks: Waiting(
    'Webhook endpoints that fail or were paused because they failed. Always 0 for members who may not manage webhooks.',
  ),
  paused_webhooks: Waiting(
    'Webhook endpoints that were paused because the plan no longer includes webhooks. Always 0 for members who may not manage webhooks.',
  ),
});
export type Overview = Type.Static<typeof Overview>;

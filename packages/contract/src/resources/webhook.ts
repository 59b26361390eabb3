import Type from 'typebox';
import { EVENT_TYPES } from '../event-types.ts';
import { Body, Nullable, OneOf, PageQuery, Ref, Stamps, Text, Timestamp, Ulid } from '../formats.ts';

export const ENDPOINT_STATUSES = ['healthy', 'failing', 'paused', 'paused_plan'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
export const ENDPOINT_HEALTHS = ['healthy', 'failing'] as const;
export type EndpointHealth = (typeof ENDPOINT_HEALTHS)[number];
export const PAUSE_CAUSES = ['person', 'failing', 'plan'] as const;
export type PauseCause = (typeof PAUSE_CAUSES)[number];

const Subscription = Type.Array(OneOf(['*', ...EVENT_TYPES]), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description: 'Event types, or `["*"]` for all of them, types added later included.',
  examples: [['registration.confirmed', 'checkin.recorded']],
});
const Url = Text(2000, {
  description:
    'https only. Every address its host resolves to must be public, now and before every delivery; redirects are not followed.',
  example: 'https://hooks.example.org/turnout',
});
const Description = Text(200, { min: 0, description: 'For people.', example: 'Badge printer' });

export const WebhookEndpoint = Type.Object({
  id: Ulid('The endpoint.'),
  url: Type.String(),
  events: Type.Array(Type.String({ description: 'An event type, or `*`.' })),
  event: Nullable(Type.String({ description: 'Code of the only event it hears of; null: of all.' })),
  group: Nullable(Type.String({ description: 'Code of the group whose subtree it hears of; null: of all.' })),
  description: Nullable(Type.String()),
  test: Type.Boolean({
    description:
      'Made with a test key: hears of test activity only. The others hear of both, told apart by `livemode`.',
  }),
  status: OneOf(ENDPOINT_STATUSES, {
    description:
      'Health and pause in one word: `paused` or `paused_plan` while it is paused, else its `health`. The three fields below tell them apart.',
  }),
  health: OneOf(ENDPOINT_HEALTHS, {
    description:
      '`failing` after 50 failed attempts in a row, until one succeeds or it is enabled. Pausing leaves it as it was.',
  }),
  paused: Type.Boolean({
    description:
      'Whether it is sent nothing for now. What happens meanwhile is recorded, but not while its plan has no webhooks.',
  }),
  paused_because: Nullable(
    OneOf(PAUSE_CAUSES, {
      description:
        '`person`: somebody paused it. `failing`: it was failing for 7 days. `plan`: the plan has no webhooks. null: it is not paused.',
    }),
  ),
  failing_since: Nullable(Timestamp('When the 50th attempt in a row had failed.')),
  failures_in_a_row: Type.Integer({ minimum: 0 }),
  secret_last4: Type.String({ description: 'The last four characters of the signing secret.' }),
  old_secret_until: Nullable(Timestamp('After a rotation: until when the old secret signs alongside.')),
  ...Stamps,
});
export type WebhookEndpoint = Type.Static<typeof WebhookEndpoint>;

export const WebhookEndpointWithSecret = Type.Object({
  ...WebhookEndpoint.properties,
  secret: Type.String({ description: 'The signing secret. Shown this once.', examples: ['whsec_…'] }),
});
export type WebhookEndpointWithSecret = Type.Static<typeof WebhookEndpointWithSecret>;

const filters = {
  event: Type.Optional(Nullable(Ref('event', 'Only what happens in this event.'))),
  group: Type.Optional(
    Nullable(
      Ref('group', 'Only what happens in this group and below it. A caller limited to a group has it as default.'),
    ),
  ),
  description: Type.Optional(Nullable(Description)),
};
export const WebhookEndpointCreate = Body({ url: Url, events: Subscription, ...filters });
export type WebhookEndpointCreate = Type.Static<typeof WebhookEndpointCreate>;

export const WebhookEndpointChange = Body(
  { url: Type.Optional(Url), events: Type.Optional(Subscription), ...filters },
  { minProperties: 1 },
);
export type WebhookEndpointChange = Type.Static<typeof WebhookEndpointChange>;

export const WebhookTest = Body({
  type: Type.Optional(
    OneOf(EVENT_TYPES, { description: 'Of which type; by default the first that the endpoint subscribes to.' }),
  ),
});
export type WebhookTest = Type.Static<typeof WebhookTest>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What can be replayed in one go: what is pending is still to be sent. */
export const REPLAY_STATUSES = ['failed', 'dead', 'delivered'] as const satisfies readonly DeliveryStatus[];
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

export const WebhookReplay = Body({
  status: Type.Optional(
    Type.Union(
      [
        OneOf(REPLAY_STATUSES),
        Type.Array(OneOf(REPLAY_STATUSES), { minItems: 1, maxItems: REPLAY_STATUSES.length, uniqueItems: true }),
      ],
      { description: 'What became of the newest delivery: one status or several. By default `failed` and `dead`.' },
    ),
  ),
  since: Type.Optional(Timestamp('Only what was first recorded for the endpoint at or after this instant.')),
  until: Type.Optional(Timestamp('Only what was first recorded for the endpoint before this instant.')),
});
export type WebhookReplay = Type.Static<typeof WebhookReplay>;

const delivery = {
  id: Ulid('The delivery.'),
  endpoint_id: Ulid('The endpoint it goes to.'),
  envelope_id: Type.String({ description: 'One per occurrence: a replay keeps it.', examples: ['evt_01JCAX…'] }),
  type: OneOf(EVENT_TYPES),
  status: OneOf(DELIVERY_STATUSES, {
    description: '`failed` waits for its next attempt; `dead` has none left.',
  }),
  livemode: Type.Boolean({ description: 'false for test events and for what test keys did.' }),
  test_event: Type.Boolean({ description: 'Sent by the endpoint’s test action: once, and not counted.' }),
  attempts: Type.Integer({ minimum: 0 }),
  last_status_code: Nullable(Type.Integer({ description: 'Of the last answer; null where none came.' })),
  last_attempt_at: Nullable(Timestamp()),
  next_attempt_at: Nullable(Timestamp('null when nothing is due, and while the endpoint is paused.')),
  replay_of: Nullable(Ulid('The delivery that was replayed.')),
  ...Stamps,
};
export const WebhookDelivery = Type.Object(delivery);
export type WebhookDelivery = Type.Static<typeof WebhookDelivery>;

export const WebhookAttempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  at: Timestamp(),
  duration_ms: Type.Integer({ minimum: 0 }),
  status_code: Nullable(Type.Integer()),
  cause: Nullable(Type.String({ description: 'Why it failed, in words; null: it succeeded.' })),
});
export type WebhookAttempt = Type.Static<typeof WebhookAttempt>;

export const WebhookDeliveryDetails = Type.Object({
  ...delivery,
  envelope: Nullable(
    Type.String({
      description: 'The body exactly as sent. null: a person in it was erased.',
      examples: ['{"id":"evt_01JCAX…'],
    }),
  ),
  last_signature: Nullable(Type.String({ description: '`Service-Signature` of the last attempt.' })),
  last_answer: Nullable(Type.String({ description: 'The first 1 KB of the last answer.' })),
  attempt_log: Type.Array(WebhookAttempt),
});
export type WebhookDeliveryDetails = Type.Static<typeof WebhookDeliveryDetails>;

export const DeliveryQuery = Body({
  ...PageQuery,
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  event: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 63,
      description: 'A type such as `checkin.recorded`, or an event’s id or code.',
    }),
  ),
});
export type DeliveryQuery = Type.Static<typeof DeliveryQuery>;

export const WebhookEnvelope = Type.Object({
  id: Type.String({ description: '`evt_` and a ULID. One per occurrence; a replay keeps it.' }),
  type: OneOf(EVENT_TYPES),
  api_version: Type.String(),
  created_at: Timestamp(),
  livemode: Type.Boolean(),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'In API v1’s own shapes.' }),
});
export type WebhookEnvelope = Type.Static<typeof WebhookEnvelope>;

export const WebhookEventType = Type.Object({
  type: OneOf(EVENT_TYPES),
  description: Type.String({ description: 'When it is raised.' }),
  sample: WebhookEnvelope,
});
export type WebhookEventType = Type.Static<typeof WebhookEventType>;

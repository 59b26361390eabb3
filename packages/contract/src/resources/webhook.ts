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
  description: 'Event types, or `["*"]` for all of them, including types that are added later.',
  examples: [['registration.confirmed', 'checkin.recorded']],
});
const Url = Text(2000, {
  description:
    'Must be https. Every address that the host resolves to must be public, now and before every delivery. Redirects are not followed.',
  example: 'https://hooks.example.org/turnout',
});
const Description = Text(200, {
  min: 0,
  description: 'What the endpoint is for, for people.',
  example: 'Badge printer',
});

export const WebhookEndpoint = Type.Object({
  id: Ulid('The endpoint.'),
  url: Type.String(),
  events: Type.Array(Type.String({ description: 'An event type, or `*`.' })),
  event: Nullable(
    Type.String({ description: 'Code of the only event that the endpoint is told about. Null: all events.' }),
  ),
  group: Nullable(
    Type.String({
      description: 'Code of the group that the endpoint is told about, with the groups below it. Null: all groups.',
    }),
  ),
  description: Nullable(Type.String()),
  test: Type.Boolean({
    description:
      'Whether it was made with a test key. It is then told about test activity only. Other endpoints are told about both; `livemode` tells which.',
  }),
  status: OneOf(ENDPOINT_STATUSES, {
    description:
      'Health and pause in one word: `paused` or `paused_plan` while the endpoint is paused, otherwise its `health`. `health`, `paused` and `paused_because` show them separately.',
  }),
  health: OneOf(ENDPOINT_HEALTHS, {
    description:
      '`failing` after 50 failed attempts in a row, until an attempt succeeds or the endpoint is enabled. Pausing does not change it.',
  }),
  paused: Type.Boolean({
    description:
      'While paused, nothing is sent to the endpoint. What happens in the meantime is recorded for it, unless the plan does not include webhooks.',
  }),
  paused_because: Nullable(
    OneOf(PAUSE_CAUSES, {
      description:
        '`person`: somebody paused it. `failing`: it had been failing for 7 days. `plan`: the plan does not include webhooks. Null: it is not paused.',
    }),
  ),
  failing_since: Nullable(Timestamp('When the 50th attempt in a row failed.')),
  failures_in_a_row: Type.Integer({ minimum: 0 }),
  secret_last4: Type.String({ description: 'The last four characters of the signing secret.' }),
  old_secret_until: Nullable(Timestamp('After a rotation: until when the old secret also signs.')),
  ...Stamps,
});
export type WebhookEndpoint = Type.Static<typeof WebhookEndpoint>;

export const WebhookEndpointWithSecret = Type.Object({
  ...WebhookEndpoint.properties,
  secret: Type.String({ description: 'The signing secret. It is shown only once.', examples: ['whsec_…'] }),
});
export type WebhookEndpointWithSecret = Type.Static<typeof WebhookEndpointWithSecret>;

const filters = {
  event: Type.Optional(Nullable(Ref('event', 'Only what happens in this event.'))),
  group: Type.Optional(
    Nullable(
      Ref(
        'group',
        'Only what happens in this group and in the groups below it. Default, if the caller is limited to a group: that group.',
      ),
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
    OneOf(EVENT_TYPES, { description: 'The type to send. Default: the first that the endpoint subscribes to.' }),
  ),
});
export type WebhookTest = Type.Static<typeof WebhookTest>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Deliveries with these statuses can be replayed together. Pending ones are still to be sent. */
export const REPLAY_STATUSES = ['failed', 'dead', 'delivered'] as const satisfies readonly DeliveryStatus[];
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

export const WebhookReplay = Body({
  status: Type.Optional(
    Type.Union(
      [
        OneOf(REPLAY_STATUSES),
        Type.Array(OneOf(REPLAY_STATUSES), { minItems: 1, maxItems: REPLAY_STATUSES.length, uniqueItems: true }),
      ],
      { description: 'The status of the newest delivery: one or several. Default: `failed` and `dead`.' },
    ),
  ),
  since: Type.Optional(Timestamp('Only what was first recorded for the endpoint at or after this instant.')),
  until: Type.Optional(Timestamp('Only what was first recorded for the endpoint before this instant.')),
});
export type WebhookReplay = Type.Static<typeof WebhookReplay>;

const delivery = {
  id: Ulid('The delivery.'),
  endpoint_id: Ulid('The endpoint it goes to.'),
  envelope_id: Type.String({
    description: 'The same for all deliveries of one occurrence, also for a replay.',
    examples: ['evt_01JCAX…'],
  }),
  type: OneOf(EVENT_TYPES),
  status: OneOf(DELIVERY_STATUSES, {
    description: 'A `failed` delivery waits for its next attempt; a `dead` one has none left.',
  }),
  livemode: Type.Boolean({ description: 'False for test events and for what was done with test keys.' }),
  test_event: Type.Boolean({ description: 'Sent by `POST …/test`. It is tried once, and a failure is not counted.' }),
  attempts: Type.Integer({ minimum: 0 }),
  last_status_code: Nullable(Type.Integer({ description: 'The status of the last answer. Null if there was none.' })),
  last_attempt_at: Nullable(Timestamp()),
  next_attempt_at: Nullable(Timestamp('Null if no attempt is due, and while the endpoint is paused.')),
  replay_of: Nullable(Ulid('The delivery that this one replays.')),
  ...Stamps,
};
export const WebhookDelivery = Type.Object(delivery);
export type WebhookDelivery = Type.Static<typeof WebhookDelivery>;

export const WebhookAttempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  at: Timestamp(),
  duration_ms: Type.Integer({ minimum: 0 }),
  status_code: Nullable(Type.Integer()),
  cause: Nullable(Type.String({ description: 'Why the attempt failed, for people. Null if it succeeded.' })),
});
export type WebhookAttempt = Type.Static<typeof WebhookAttempt>;

export const WebhookDeliveryDetails = Type.Object({
  ...delivery,
  envelope: Nullable(
    Type.String({
      description: 'The body exactly as it was sent. Null if a person in it was erased.',
      examples: ['{"id":"evt_01JCAX…'],
    }),
  ),
  last_signature: Nullable(Type.String({ description: '`Service-Signature` of the last attempt.' })),
  last_webhook_signature: Nullable(
    Type.String({
      description:
        '`Webhook-Signature` of the last attempt. Null if the secret that it was made with has been rotated more than once since, or if a person in the envelope was erased.',
    }),
  ),
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
      description: 'A type such as `checkin.recorded`, or the id or code of an event.',
    }),
  ),
  from: Type.Optional(Timestamp('Only what was recorded for the endpoint at or after this instant.')),
  to: Type.Optional(Timestamp('Only what was recorded for the endpoint before this instant.')),
});
export type DeliveryQuery = Type.Static<typeof DeliveryQuery>;

export const WebhookEnvelope = Type.Object({
  id: Type.String({
    description: '`evt_` and a ULID. The same for all deliveries of one occurrence, also for a replay.',
  }),
  type: OneOf(EVENT_TYPES),
  api_version: Type.String(),
  created_at: Timestamp(),
  livemode: Type.Boolean(),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'The resource, in the same form as in API v1.' }),
});
export type WebhookEnvelope = Type.Static<typeof WebhookEnvelope>;

export const WebhookEventType = Type.Object({
  type: OneOf(EVENT_TYPES),
  description: Type.String({ description: 'When this type is sent.' }),
  sample: WebhookEnvelope,
});
export type WebhookEventType = Type.Static<typeof WebhookEventType>;

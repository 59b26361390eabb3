import {
  Body,
  ChangedQuery,
  DeliveryQuery,
  EVENT_TYPES,
  Job,
  Page,
  sampleEnvelope,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointCreate,
  WebhookEndpointWithSecret,
  WebhookEventType,
  WebhookReplay,
  WebhookTest,
} from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { byChange } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { deliveriesOf, deliveryDetails, replay, sendTest } from './deliveries.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  pauseEndpoint,
  rotateSecret,
  subscriptionFaults,
  vetted,
} from './endpoints.ts';
import {
  aDelivery,
  anEndpoint,
  endpointShape,
  listEndpoints,
  ownDelivery,
  ownEndpoint,
  removedIsListed,
} from './queries.ts';
import { startReplay } from './replay-all.ts';
import { RAISED } from './types.ts';

/** By the contract, managing webhooks needs the entitlement `webhooks` and not also `api_write`. Members need `tenant.integrations`. */
const managing = { entitlement: 'webhooks', member: 'tenant.integrations', tag: 'Webhooks' } as const;
/**
 * Reading needs no more than any other reading: after a downgrade, members and keys still see which endpoints were paused and what had
 * been sent. Members need no entitlement of the API.
 */
const reading = { ...managing, entitlement: 'api_read', method: 'GET', scope: 'read' } as const;
const writing = { ...managing, method: 'POST', scope: 'write' } as const;

export const operations = [
  operation({
    ...reading,
    id: 'listWebhooks',
    path: '/webhooks',
    at: {},
    query: Body(ChangedQuery),
    reply: Page(WebhookEndpoint),
    refusals: [],
    summary: 'List webhook endpoints',
    description:
      'Ordered by last change, oldest first. A key that is limited to a group sees the endpoints of that group and of the groups below it.',
    handle: async (call) => {
      const { tx, org, caller, query } = call;
      const list = byChange(['webhooks'], query, 'w');
      const now = tx.clock.now();
      const rows = await listEndpoints(tx, org, caller, list.where, list.order);
      const of = { list: 'webhooks', shown: removedIsListed(caller) } as const;
      return list.page(await withRemoved(call, list, of, rows), (row) => endpointShape(row, now));
    },
  }),
  operation({
    ...reading,
    id: 'listWebhookEventTypes',
    path: '/webhooks/event-types',
    at: {},
    reply: Type.Object({ data: Type.Array(WebhookEventType) }),
    refusals: [],
    summary: 'List the event types',
    description: 'Lists the 19 types, each with a sample of its envelope.',
    handle: async () => ({
      data: EVENT_TYPES.map((type) => ({ type, description: RAISED[type], sample: sampleEnvelope(type) })),
    }),
  }),
  operation({
    ...reading,
    id: 'getWebhook',
    path: '/webhooks/{webhook}',
    at: { webhook: anEndpoint },
    reply: WebhookEndpoint,
    refusals: ['not_found'],
    summary: 'Get a webhook endpoint',
    handle: async ({ tx, at }) => endpointShape(at.webhook, tx.clock.now()),
  }),
  operation({
    ...writing,
    id: 'createWebhook',
    path: '/webhooks',
    audit: 'webhook_endpoint.created',
    at: {},
    body: WebhookEndpointCreate,
    rules: [{ of: ['events'], faults: ({ body }) => subscriptionFaults(body.events ?? []) }],
    reply: WebhookEndpointWithSecret,
    status: 201,
    secretAnswer: true,
    refusals: ['webhook_url_refused', 'invalid_state', 'endpoint_limit_reached'],
    summary: 'Subscribe to events',
    description:
      'The answer contains the signing secret, which is never shown again. The endpoint gets live and test activity, which `livemode` tells apart. An endpoint made with a test key has `test: true` and gets test activity only. The plan limits how many endpoints an organization may have (`plan.limits.webhook_endpoints` of `GET /me`).',
    before: async ({ outside, body }) => vetted(outside, body.url),
    handle: (call) => createEndpoint(call, call.body, call.beforeResult),
  }),
  operation({
    ...managing,
    id: 'changeWebhook',
    method: 'PATCH',
    path: '/webhooks/{webhook}',
    scope: 'write',
    audit: 'webhook_endpoint.changed',
    at: { webhook: ownEndpoint },
    body: WebhookEndpointChange,
    rules: [{ of: ['events'], faults: ({ body }) => subscriptionFaults(body.events ?? []) }],
    reply: WebhookEndpoint,
    refusals: ['not_found', 'test_key_live_object', 'webhook_url_refused'],
    summary: 'Change a webhook endpoint',
    description: 'Deliveries that have not been sent yet go to the new URL.',
    before: async ({ outside, body }) => vetted(outside, body.url),
    handle: (call) => changeEndpoint(call, call.at.webhook, call.body, call.beforeResult),
  }),
  operation({
    ...managing,
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    scope: 'write',
    audit: 'webhook_endpoint.deleted',
    at: { webhook: ownEndpoint },
    reply: null,
    status: 204,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Unsubscribe',
    description: 'Removes the endpoint and the history of its deliveries.',
    handle: (call) => deleteEndpoint(call, call.at.webhook),
  }),
  operation({
    ...writing,
    id: 'testWebhook',
    path: '/webhooks/{webhook}/test',
    audit: 'webhook_endpoint.tested',
    at: { webhook: ownEndpoint },
    body: WebhookTest,
    reply: WebhookDelivery,
    status: 201,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Send a test event',
    description:
      'Sends one delivery with `livemode: false`. The endpoint gets it whatever types it subscribes to, and also while it is paused. It is never retried and does not count for the endpoint’s health.',
    handle: (call) => sendTest(call, call.at.webhook, call.body),
  }),
  operation({
    ...writing,
    id: 'rotateWebhookSecret',
    path: '/webhooks/{webhook}/rotate-secret',
    audit: 'webhook_endpoint.secret_rotated',
    at: { webhook: ownEndpoint },
    reply: WebhookEndpointWithSecret,
    secretAnswer: true,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Rotate the signing secret',
    description:
      'The answer contains the new secret, which is never shown again. For 24 hours the old secret signs as well: the signature then has two `v1`, the new one first.',
    handle: (call) => rotateSecret(call, call.at.webhook),
  }),
  operation({
    ...writing,
    id: 'pauseWebhook',
    path: '/webhooks/{webhook}/pause',
    audit: 'webhook_endpoint.paused',
    at: { webhook: ownEndpoint },
    reply: WebhookEndpoint,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Pause a webhook endpoint',
    description: 'Deliveries are still recorded while the endpoint is paused. They are sent once it is enabled again.',
    handle: (call) => pauseEndpoint(call, call.at.webhook),
  }),
  operation({
    ...writing,
    id: 'enableWebhook',
    path: '/webhooks/{webhook}/enable',
    audit: 'webhook_endpoint.enabled',
    at: { webhook: ownEndpoint },
    reply: WebhookEndpoint,
    refusals: ['not_found', 'test_key_live_object'],
    summary: 'Enable a webhook endpoint',
    description: 'Sets the count of failures to 0 and sends the recorded deliveries, oldest first.',
    handle: (call) => enableEndpoint(call, call.at.webhook),
  }),
  operation({
    ...reading,
    id: 'listWebhookDeliveries',
    path: '/webhooks/{webhook}/deliveries',
    at: { webhook: anEndpoint },
    query: DeliveryQuery,
    reply: Page(WebhookDelivery),
    refusals: ['not_found'],
    summary: 'List deliveries of an endpoint',
    description: 'Newest first. Deliveries are kept for 35 days.',
    handle: (call) => deliveriesOf(call, call.at.webhook, call.query),
  }),
  operation({
    ...reading,
    id: 'getWebhookDelivery',
    path: '/webhooks/deliveries/{id}',
    at: { id: aDelivery },
    reply: WebhookDeliveryDetails,
    refusals: ['not_found'],
    summary: 'Get a delivery',
    description:
      'Includes the envelope exactly as it was sent, the signatures of the last attempt, the first 1 KB of the last answer, and every attempt.',
    handle: (call) => deliveryDetails(call, call.at.id),
  }),
  operation({
    ...writing,
    id: 'replayWebhookDelivery',
    path: '/webhooks/deliveries/{id}/replay',
    audit: 'webhook_delivery.replayed',
    at: { id: ownDelivery },
    reply: WebhookDelivery,
    status: 201,
    refusals: ['not_found', 'test_key_live_object', 'replay_expired', 'invalid_state'],
    summary: 'Replay a delivery',
    description:
      'Sends the same envelope (with the same id) as a new delivery, which is signed anew, goes to the URL that the endpoint has now, and is retried like any other. Possible for 30 days after the original delivery.',
    handle: (call) => replay(call, call.at.id),
  }),
  operation({
    ...writing,
    id: 'replayWebhook',
    path: '/webhooks/{webhook}/replay',
    audit: 'webhook_endpoint.replayed',
    at: { webhook: ownEndpoint },
    body: WebhookReplay,
    reply: Job,
    status: 202,
    refusals: ['not_found', 'test_key_live_object', 'too_many_jobs'],
    summary: 'Replay what an endpoint missed',
    description:
      'Starts a job (`kind: webhook_replay`) that replays each missed occurrence once, oldest first, by the rules of a single replay. Only the newest delivery of an occurrence to this endpoint counts: an occurrence that was replayed before and has arrived, or is still to be sent, is not replayed again. Test events are not replayed. The job’s `counts` are `replayed` and `skipped`; the latter cannot be sent again, because they are older than 30 days, their personal data was erased, or they lie outside of the endpoint’s group.',
    handle: (call) => startReplay(call, call.at.webhook, call.body),
  }),
];

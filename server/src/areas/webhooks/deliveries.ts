import {
  type DeliveryQuery,
  EVENT_TYPES,
  type EventType,
  sampleEnvelope,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookTest,
} from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { inBody, type Reach } from '../../road/request/reference.ts';
import { envelopeName, headOf } from '../../road/write/record.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { anEvent } from '../events/index.ts';
import { isInItsGroup } from './listens.ts';
import { lockEndpointGroup } from './locks.ts';
import { aDelivery, type DeliveryRow, deliveryShape, type EndpointRow, listDeliveries } from './queries.ts';
import { signingKey, standardSignature } from './signature.ts';

/** How long a delivery can be replayed. The time counts from the first delivery, however often that was replayed since. */
export const REPLAYABLE = 30 * DAY;
export const isReplayable = (tx: Tx, originAt: string): boolean =>
  tx.clock.now().getTime() <= new Date(originAt).getTime() + REPLAYABLE;

const isType = (text: string): text is EventType => (EVENT_TYPES as readonly string[]).includes(text);

export async function deliveriesOf(reach: Reach, endpoint: EndpointRow, query: DeliveryQuery) {
  const { event } = query;
  if (event === undefined) return listDeliveries(reach, endpoint.id, query, sql`true`);
  const about = isType(event)
    ? sql`d.type = ${event}`
    : sql`d.event_id = ${(await inBody(reach, anEvent, event, 'event', {})).id}`;
  return listDeliveries(reach, endpoint.id, query, about);
}

export async function deliveryDetails(work: Work, row: DeliveryRow): Promise<WebhookDeliveryDetails> {
  const { tx, org } = work;
  const envelope = await tx.maybe<{ body: Buffer | null }>(sql`
    select body from webhook_envelopes where org_id = ${org} and id = ${row.envelope_id}`);
  const log = await tx.all<WebhookAttempt & { signature: string | null; answer: Buffer | null }>(sql`
    select number, at, duration_ms, status_code, cause, signature, answer from webhook_attempts
    where org_id = ${org} and endpoint_id = ${row.endpoint_id} and succeeded in (true, false) and delivery_id = ${row.id}
    order by number`);
  const last = log.at(-1);
  const body = envelope?.body ?? null;
  return {
    ...deliveryShape(row),
    envelope: body?.toString() ?? null,
    last_signature: last?.signature ?? null,
    last_webhook_signature: await webhookSignature(work, row, last?.signature ?? null, body),
    last_answer: last?.answer?.toString() ?? null,
    attempt_log: log.map(({ signature, answer, ...attempt }) => attempt),
  };
}

/** It is not stored with each attempt, because it follows from what is: the secrets, the body and the other signature. */
async function webhookSignature(
  { tx, org, secrets }: Work,
  { endpoint_id, envelope_id, occurrence_id }: DeliveryRow,
  signature: string | null,
  body: Buffer | null,
): Promise<string | null> {
  if (signature === null || body === null) return null;
  const stored = await tx.maybe<{ secret: Buffer; old_secret: Buffer | null }>(sql`
    select secret, old_secret from webhook_endpoints where org_id = ${org} and id = ${endpoint_id}`);
  const known = [stored?.secret, stored?.old_secret].flatMap((encrypted) => {
    try {
      return encrypted == null ? [] : [signingKey(secrets.decrypt(encrypted).toString())];
    } catch {
      return []; // it was encrypted with another key of the installation
    }
  });
  return standardSignature(signature, known, envelopeName(occurrence_id ?? envelope_id), body);
}

/**
 * Sends one delivery with a made-up occurrence. The endpoint gets it whatever it subscribes to, and also while it is paused.
 */
export async function sendTest(work: Work, endpoint: EndpointRow, body: WebhookTest): Promise<WebhookDelivery> {
  const { tx, org } = work;
  const subscribed = endpoint.events[0]!;
  const type = body.type ?? (isType(subscribed) ? subscribed : EVENT_TYPES[0]);
  const now = tx.clock.now();
  const id = newId(now);
  const head = headOf(id, type, now, false);
  await insertRow(tx, 'webhook_envelopes', {
    org_id: org,
    id,
    body: Buffer.from(`${head}${JSON.stringify(sampleEnvelope(type).data)}}`),
  });
  const delivery = {
    endpoint_id: endpoint.id,
    envelope_id: id,
    occurrence_id: null,
    type,
    event_id: endpoint.event_id,
  };
  return send(
    work,
    {
      ...delivery,
      group_id: endpoint.group_id,
      livemode: false,
      test_event: true,
      replay_of: null,
      origin_at: iso(now),
    },
    'webhook_endpoint',
    endpoint.id,
  );
}

/** Sends the same envelope as a new delivery, to the URL that the endpoint has now. */
export async function replay(work: Work, found: DeliveryRow): Promise<WebhookDelivery> {
  const { tx, org } = work;
  if (!isReplayable(tx, found.origin_at)) refuse('replay_expired');
  await lockEndpointGroup(tx, org, found.endpoint_id);
  const envelope = await tx.maybe<{ there: boolean }>(sql`
    select body is not null as there from webhook_envelopes where org_id = ${org} and id = ${found.envelope_id} for share`);
  if (envelope?.there !== true) {
    refuse('invalid_state', {
      message: 'This delivery cannot be replayed: the personal data in its envelope has been erased.',
    });
  }
  const { endpoint_id, envelope_id, occurrence_id, type, event_id, group_id, livemode, test_event, origin_at } = found;
  await requireItsGroup(work, found);
  return send(
    work,
    {
      ...{ endpoint_id, envelope_id, occurrence_id, type, event_id, group_id, livemode, test_event },
      replay_of: found.id,
      origin_at,
    },
    'webhook_delivery',
    found.id,
  );
}

/** Refuses a delivery that lies outside of the group that its endpoint has now. */
async function requireItsGroup({ tx, org }: Work, { endpoint_id, group_id, test_event }: DeliveryRow): Promise<void> {
  if (test_event) return;
  const still = await tx.maybe(sql`
    select from webhook_endpoints w where w.org_id = ${org} and w.id = ${endpoint_id} and ${isInItsGroup(sql`${group_id}::uuid`)}`);
  if (still === null) {
    refuse('invalid_state', {
      message:
        'This delivery cannot be replayed: the group of its endpoint has changed, and the delivery lies outside of the new group.',
    });
  }
}

type NewDelivery = Pick<
  DeliveryRow,
  | 'endpoint_id'
  | 'envelope_id'
  | 'occurrence_id'
  | 'type'
  | 'event_id'
  | 'group_id'
  | 'livemode'
  | 'test_event'
  | 'replay_of'
  | 'origin_at'
>;

/** Records a new delivery that is pending and due at once. */
async function send(work: Work, delivery: NewDelivery, kind: string, of: Id): Promise<WebhookDelivery> {
  const { tx, org } = work;
  const { endpoint_id, envelope_id, occurrence_id, test_event } = delivery;
  const now = tx.clock.now();
  const id = newId(now);
  await insertRow(tx, 'webhook_queue', {
    org_id: org,
    ...{ delivery_id: id, endpoint_id, envelope_id, occurrence_id, test_event, attempts: 0, due_at: now },
  });
  await insertRow(tx, 'webhook_deliveries', {
    ...delivery,
    org_id: org,
    id,
    created_at: now,
  });
  work.changed({
    kind,
    id: of,
    event: delivery.event_id,
    group: delivery.group_id,
    details: { delivery: toUlid(id), type: delivery.type },
    objects: [
      { kind: 'webhook_endpoint', id: endpoint_id },
      { kind: 'webhook_delivery', id },
    ],
  });
  return deliveryShape((await aDelivery.find(work, toUlid(id), {})) ?? refuse('not_found'));
}

import type { DeliveryStatus, EndpointStatus, EventType, WebhookDelivery, WebhookEndpoint } from '@turnout/contract';
import type { Caller } from '../../road/caller.ts';
import { envelopeName } from '../../road/record.ts';
import { reference } from '../../road/reference.ts';
import { type Id, isUlid, toUlid, toUuid, ulidOrNull } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { sixDecimals, stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { inReach } from '../groups/index.ts';

export interface EndpointRow {
  id: Id;
  url: string;
  events: string[];
  event_id: Id | null;
  event_code: string | null;
  group_id: Id | null;
  group_code: string | null;
  description: string | null;
  status: EndpointStatus;
  failures_in_a_row: number;
  failing_since: string | null;
  secret: Buffer;
  secret_last4: string;
  old_secret_until: string | null;
  created_at: string;
  updated_at: string;
}

const ENDPOINT = sql`w.id, w.url, w.events, w.event_id, e.code as event_code, w.group_id, g.code as group_code, w.description, w.status,
  w.failures_in_a_row, w.failing_since, w.secret, w.secret_last4, w.old_secret_until, w.created_at, w.updated_at`;
const ENDPOINTS = sql`webhook_endpoints w
  left join events e on e.org_id = w.org_id and e.id = w.event_id
  left join groups g on g.org_id = w.org_id and g.id = w.group_id`;

/** Whoever is limited to a group has the endpoints inside it, and none that hear of more. */
export const listEndpoints = (tx: Tx, org: Id, caller: Caller, where: Sql, order = sql``): Promise<EndpointRow[]> =>
  tx.all<EndpointRow>(sql`
    select ${ENDPOINT} from ${ENDPOINTS}
    where w.org_id = ${org} and w.deleted_at is null and ${inReach(caller, sql`w.group_id`)} and ${where} ${order}`);

export const anEndpoint = reference<EndpointRow>({
  kind: 'webhook_endpoint',
  byCode: false,
  find: async ({ tx, org, caller }, ref) =>
    isUlid(ref) ? ((await listEndpoints(tx, org, caller, sql`w.id = ${toUuid(ref)}`))[0] ?? null) : null,
});

export function endpointShape(row: EndpointRow, now: Date): WebhookEndpoint {
  const overlap = row.old_secret_until !== null && new Date(row.old_secret_until) > now;
  return {
    id: toUlid(row.id),
    url: row.url,
    events: row.events,
    event: row.event_code,
    group: row.group_code,
    description: row.description,
    status: row.status,
    failing_since: row.failing_since,
    failures_in_a_row: row.failures_in_a_row,
    secret_last4: row.secret_last4,
    old_secret_until: overlap ? row.old_secret_until : null,
    ...stamps(row),
  };
}

export interface DeliveryRow {
  id: Id;
  endpoint_id: Id;
  endpoint_status: EndpointStatus;
  envelope_id: Id;
  type: EventType;
  event_id: Id | null;
  group_id: Id | null;
  livemode: boolean;
  test_event: boolean;
  replay_of: Id | null;
  origin_at: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  last_status_code: number | null;
  last_signature: string | null;
  last_answer: Buffer | null;
  created_at: string;
}

const DELIVERY = sql`d.id, d.endpoint_id, w.status as endpoint_status, d.envelope_id, d.type, d.event_id, d.group_id, d.livemode,
  d.test_event, d.replay_of, d.origin_at, d.status, d.attempts, d.next_attempt_at, d.last_attempt_at, d.last_status_code,
  d.last_signature, d.last_answer, d.created_at`;

/** Of endpoints the caller has; and of those, what happened inside the caller's group: the filter may have been wider once. */
export const listDeliveries = (tx: Tx, org: Id, caller: Caller, where: Sql, order = sql``): Promise<DeliveryRow[]> =>
  tx.all<DeliveryRow>(sql`
    select ${DELIVERY} from webhook_deliveries d
    join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id and w.deleted_at is null
    where d.org_id = ${org} and ${inReach(caller, sql`w.group_id`)}
      and (d.test_event or ${inReach(caller, sql`d.group_id`)}) and ${where} ${order}`);

export const aDelivery = reference<DeliveryRow>({
  kind: 'webhook_delivery',
  byCode: false,
  find: async ({ tx, org, caller }, ref) =>
    isUlid(ref) ? ((await listDeliveries(tx, org, caller, sql`d.id = ${toUuid(ref)}`))[0] ?? null) : null,
});

export function deliveryShape(row: DeliveryRow): WebhookDelivery {
  const waits = row.endpoint_status.startsWith('paused') && !row.test_event;
  return {
    id: toUlid(row.id),
    endpoint_id: toUlid(row.endpoint_id),
    envelope_id: envelopeName(row.envelope_id),
    type: row.type,
    status: row.status,
    livemode: row.livemode,
    test_event: row.test_event,
    attempts: row.attempts,
    last_status_code: row.last_status_code,
    last_attempt_at: row.last_attempt_at,
    next_attempt_at: waits ? null : row.next_attempt_at,
    replay_of: ulidOrNull(row.replay_of),
    created_at: sixDecimals(row.created_at),
    updated_at: sixDecimals(row.last_attempt_at ?? row.created_at),
  };
}

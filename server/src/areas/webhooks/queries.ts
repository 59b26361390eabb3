import type {
  DeliveryQuery,
  DeliveryStatus,
  EndpointStatus,
  EventType,
  WebhookDelivery,
  WebhookEndpoint,
} from '@turnout/contract';
import { type Id, isUlid, toUlid, toUuid, ulidOrNull } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Caller } from '../../road/caller.ts';
import { newestFirst } from '../../road/read/page.ts';
import { type Reach, reference } from '../../road/request/reference.ts';
import { envelopeName } from '../../road/write/record.ts';
import { every, filters, type Sql, sql } from '../../store/sql.ts';
import { sixDecimals, stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { inReach } from '../groups/index.ts';
import { healthOf, type Paused, pauseOf } from './health.ts';

export interface EndpointRow {
  id: Id;
  url: string;
  events: string[];
  event_id: Id | null;
  event_code: string | null;
  group_id: Id | null;
  group_code: string | null;
  description: string | null;
  /** Made with a test key; gets test activity only. */
  test: boolean;
  status: EndpointStatus;
  paused_by: Paused['paused_by'];
  failures_in_a_row: number;
  failing_since: string | null;
  secret: Buffer;
  secret_last4: string;
  old_secret_until: string | null;
  created_at: string;
  updated_at: string;
}

const ENDPOINT = sql`w.id, w.url, w.events, w.event_id, e.code as event_code, w.group_id, g.code as group_code, w.description, w.test, w.status, w.paused_by,
  w.failures_in_a_row, w.failing_since, w.secret, w.secret_last4, w.old_secret_until, w.created_at, w.updated_at`;
const ENDPOINTS = sql`webhook_endpoints w
  left join events e on e.org_id = w.org_id and e.id = w.event_id
  left join groups g on g.org_id = w.org_id and g.id = w.group_id`;

/** A caller who is limited to a group sees the endpoints of that group and of the groups below it. */
export const listEndpoints = (tx: Tx, org: Id, caller: Caller, where: Sql, order = sql``): Promise<EndpointRow[]> =>
  tx.all<EndpointRow>(sql`
    select ${ENDPOINT} from ${ENDPOINTS}
    where w.org_id = ${org} and w.deleted_at is null and ${inReach(caller, sql`w.group_id`)} and ${where} ${order}`);

/** Whether the caller sees the endpoint that `x.object_id` names (road/read/removed.ts). */
export const removedIsListed = (caller: Caller): Sql => sql`exists (
  select from webhook_endpoints w where w.org_id = x.org_id and w.id = x.object_id and w.deleted_at is null
    and ${inReach(caller, sql`w.group_id`)} offset 0)`;

/** How many endpoints the organization has, of all groups and modes. */
export const countEndpoints = async (tx: Tx, org: Id): Promise<number> => {
  const { endpoints } = await tx.one<{ endpoints: number }>(sql`
    select count(*)::int as endpoints from webhook_endpoints where org_id = ${org} and deleted_at is null`);
  return endpoints;
};

export interface Troubled {
  /** Endpoints that fail, or were paused because they failed. */
  failing: number;
  /** Endpoints that were paused because the plan no longer includes webhooks. */
  pausedByPlan: number;
}

/** How many endpoints within the caller's reach somebody should look at. */
export const countTroubled = (tx: Tx, caller: Caller): Promise<Troubled> =>
  tx.one<Troubled>(sql`
    select count(*) filter (where w.status = 'failing' or (w.status = 'paused' and w.paused_by = 'failing'))::int as failing,
      count(*) filter (where w.status = 'paused_plan')::int as "pausedByPlan"
    from webhook_endpoints w
    where w.org_id = ${caller.org.id} and w.deleted_at is null and ${inReach(caller, sql`w.group_id`)}`);

export const anEndpoint = reference<EndpointRow>({
  kind: 'webhook_endpoint',
  byCode: false,
  find: async ({ tx, org, caller }, ref) =>
    isUlid(ref) ? ((await listEndpoints(tx, org, caller, sql`w.id = ${toUuid(ref)}`))[0] ?? null) : null,
});

/** A test key reads all endpoints, but changes only those that were made with a test key. */
function requireOwnMode<Row>({ mode }: Reach, row: Row | null, isTest: (row: Row) => boolean): Row | null {
  if (mode === 'test' && row !== null && !isTest(row)) refuse('test_key_live_object');
  return row;
}

export const ownEndpoint = reference<EndpointRow>({
  kind: 'webhook_endpoint',
  byCode: false,
  find: async (reach, ref) => requireOwnMode(reach, await anEndpoint.find(reach, ref, {}), (row) => row.test),
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
    test: row.test,
    status: row.status,
    health: healthOf(row.failing_since),
    ...pauseOf(row),
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
  endpoint_test: boolean;
  envelope_id: Id;
  /** The id that receivers know the envelope by, where it was reduced for endpoints of a group (fan-out-reduced.ts). */
  occurrence_id: Id | null;
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
  created_at: string;
}

/**
 * The state of a delivery is not stored in its row. A delivery that is still to be sent has a row in the queue; one that is over has
 * none. The result of the last attempt is read from the attempts.
 */
const DELIVERY = sql`d.id, d.endpoint_id, w.status as endpoint_status, w.test as endpoint_test, d.envelope_id, d.occurrence_id, d.type,
  d.event_id, d.group_id, d.livemode,
  d.test_event, d.replay_of, d.origin_at, d.created_at, coalesce(a.number, 0) as attempts, q.due_at as next_attempt_at,
  a.at as last_attempt_at, a.status_code as last_status_code,
  case when d.dead then 'dead' when q.due_at is null then 'delivered' when q.retry then 'failed' else 'pending' end as status`;
const STATE = sql`
  join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id and w.deleted_at is null
  left join lateral (
    select due_at, retry from webhook_queue
    where org_id = d.org_id and endpoint_id = d.endpoint_id and retry in (true, false) and delivery_id = d.id limit 1) q on true
  left join lateral (
    select number, at, status_code from webhook_attempts
    where org_id = d.org_id and endpoint_id = d.endpoint_id and succeeded in (true, false) and delivery_id = d.id
    order by number desc limit 1) a on true`;

/** The ids of one endpoint's deliveries in one state, read from the index of that state. */
export const idsInState = (org: Id, endpoint: Id, status: DeliveryStatus): Sql =>
  ({
    pending: sql`select delivery_id as id from webhook_queue where org_id = ${org} and endpoint_id = ${endpoint} and not retry`,
    failed: sql`select delivery_id as id from webhook_queue where org_id = ${org} and endpoint_id = ${endpoint} and retry`,
    delivered: sql`select delivery_id as id from webhook_attempts where org_id = ${org} and endpoint_id = ${endpoint} and succeeded`,
    dead: sql`select id from webhook_deliveries where org_id = ${org} and endpoint_id = ${endpoint} and dead`,
  })[status];

/** One endpoint's deliveries in one state, as `d`; `i` has their ids. */
const inState = (org: Id, endpoint: Id, status: DeliveryStatus): Sql => {
  // `offset 0` leaves the planner no other plan, whatever its statistics say of how many deliveries wait.
  return sql`(${idsInState(org, endpoint, status)}) i
    cross join lateral (select * from webhook_deliveries where org_id = ${org} and id = i.id offset 0) d`;
};

/** Of endpoints the caller has; and of those, what happened inside the caller's group: the filter may have been wider once. */
const list = (tx: Tx, org: Id, caller: Caller, from: Sql, where: Sql, order: Sql): Promise<DeliveryRow[]> =>
  tx.all<DeliveryRow>(sql`
    select ${DELIVERY} from ${from} ${STATE}
    where d.org_id = ${org} and ${inReach(caller, sql`w.group_id`)}
      and (d.test_event or ${inReach(caller, sql`d.group_id`)}) and ${where} ${order}`);

export async function listDeliveries({ tx, org, caller }: Reach, endpoint: Id, query: DeliveryQuery, about: Sql) {
  const { status, from, to } = query;
  const [id, source] =
    status === undefined ? [sql`d.id`, sql`webhook_deliveries d`] : [sql`i.id`, inState(org, endpoint, status)];
  const filtered = ['deliveries', endpoint, status, query.event];
  // Without the new filters it is the list that cursors of an earlier release belong to.
  const page = newestFirst(
    from === undefined && to === undefined ? filtered : [...filtered, from, to],
    query,
    status === undefined ? 'd' : 'i',
  );
  const where = every([
    sql`d.endpoint_id = ${endpoint}`,
    about,
    filters([
      from !== undefined && sql`${id} >= ulid_floor(${from}::timestamptz)`,
      to !== undefined && sql`${id} < ulid_floor(${to}::timestamptz)`,
    ]),
    page.where,
  ]);
  return page.page(await list(tx, org, caller, source, where, page.order), deliveryShape);
}

export const aDelivery = reference<DeliveryRow>({
  kind: 'webhook_delivery',
  byCode: false,
  find: async ({ tx, org, caller }, ref) =>
    isUlid(ref)
      ? ((await list(tx, org, caller, sql`webhook_deliveries d`, sql`d.id = ${toUuid(ref)}`, sql``))[0] ?? null)
      : null,
});

export const ownDelivery = reference<DeliveryRow>({
  kind: 'webhook_delivery',
  byCode: false,
  find: async (reach, ref) => requireOwnMode(reach, await aDelivery.find(reach, ref, {}), (row) => row.endpoint_test),
});

export function deliveryShape(row: DeliveryRow): WebhookDelivery {
  const waits = row.endpoint_status.startsWith('paused') && !row.test_event;
  return {
    id: toUlid(row.id),
    endpoint_id: toUlid(row.endpoint_id),
    envelope_id: envelopeName(row.occurrence_id ?? row.envelope_id),
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

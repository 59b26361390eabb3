import type {
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointCreate,
  WebhookEndpointWithSecret,
} from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { type Id, newId } from '../../common/ids.ts';
import { type Fault, invalid, refuse, requireValid } from '../../common/refusal.ts';
import type { Outside, Work } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { asStored, type Differences, diff } from '../../road/write/diff.ts';
import { refuseInSandbox } from '../../road/write/sandbox-room.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { insertRow, updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { anEvent } from '../events/index.ts';
import { aGroup, noteDeleted, noteEndpointLeft } from '../groups/index.ts';
import { isInItsGroup } from './listens.ts';
import { lockEndpointGroup } from './locks.ts';
import { countEndpoints, type EndpointRow, endpointShape, listEndpoints } from './queries.ts';
import { newSecret } from './signature.ts';

/** How long the old secret signs alongside the new one after a rotation. */
export const OVERLAP = DAY;

/** Why the URL is refused, or null. This runs before the transaction, because looking up a name may take a while. */
export const vetted =
  (outside: Outside, url: string | undefined): (() => Promise<string | null>) =>
  async () =>
    url === undefined ? null : outside.webhooks.refusal(url);

const requireVetted = (cause: string | null): void => {
  if (cause !== null) refuse('webhook_url_refused', { message: `Webhooks cannot be sent to this URL: ${cause}.` });
};

export async function createEndpoint(
  work: Work,
  body: WebhookEndpointCreate,
  cause: string | null,
): Promise<WebhookEndpointWithSecret> {
  const { tx, org, caller } = work;
  requireVetted(cause);
  const filters = await filtersOf(work, { group: caller.group?.code ?? null, event: null, ...body });
  const stamp = await stampOrganization(tx, org);
  // The share lock puts this in order with a change of plan that takes webhooks away at the same time. If that comes first, it is
  // seen here; if it comes after, it pauses this endpoint together with the others.
  const plan = await tx.one<{ allowed: boolean }>(sql`
    select 'webhooks' = any(p.entitlements) as allowed from organizations o join plans p on p.code = o.plan
    where o.id = ${org} for share of o`);
  await refuseInSandbox(
    tx,
    org,
    'The sandbox sends no webhooks, because everybody has its key. Use a key of your own organization.',
  );
  await requireRoom(work);
  const now = tx.clock.now();
  const id = newId(now);
  const secret = newSecret();
  await insertRow(tx, 'webhook_endpoints', {
    org_id: org,
    id,
    url: body.url,
    events: subscription(body.events),
    ...filters,
    description: body.description ?? null,
    test: work.mode === 'test',
    status: plan.allowed ? 'healthy' : 'paused_plan',
    ...encrypted(work, secret),
    since: now,
    created_at: stamp,
    updated_at: stamp,
  });
  return { ...(await report(work, id, null)), secret };
}

/**
 * Refuses an endpoint beyond the plan's limit, because every occurrence is written once for each endpoint that listens. The caller
 * holds the organization's clock, so nobody else makes an endpoint between the count and the commit. Endpoints that a smaller plan has
 * left over the limit keep working; only new ones are refused. Deleted endpoints that a job has not removed yet do not count.
 */
async function requireRoom({ tx, org, caller }: Work): Promise<void> {
  const limit = caller.plan.limits.webhook_endpoints;
  if (limit === null || (await countEndpoints(tx, org)) < limit) return;
  refuse('endpoint_limit_reached', {
    message: `This organization’s plan (${caller.plan.code}) allows no more than ${limit} webhook endpoints. Delete one you don’t need, or change to a larger plan.`,
  });
}

export async function changeEndpoint(
  work: Work,
  found: EndpointRow,
  body: WebhookEndpointChange,
  cause: string | null,
): Promise<WebhookEndpoint> {
  requireVetted(cause);
  const filters = await filtersOf(work, body);
  const events = body.events && subscription(body.events);
  if (filters.group_id !== undefined) await lockEndpointGroup(work.tx, work.org, found.id);
  const changed = await change(work, found, (before) => ({
    url: body.url,
    events: events && asStored(events, before.events),
    ...filters,
    description: body.description,
  }));
  if (filters.group_id !== undefined && filters.group_id !== found.group_id) await dropOutsideGroup(work, found.id);
  return changed;
}

/**
 * Takes deliveries out of the queue that lie outside of the group that the endpoint has now. Whoever manages the endpoint now may
 * not read them, and could have them sent to any URL.
 */
async function dropOutsideGroup({ tx, org }: Work, id: Id): Promise<void> {
  await tx.run(sql`
    with outside as (
      select q.ctid as place, d.id from webhook_endpoints w
      join webhook_queue q on q.org_id = w.org_id and q.endpoint_id = w.id and not q.test_event
      join webhook_deliveries d on d.org_id = q.org_id and d.id = q.delivery_id
      where w.org_id = ${org} and w.id = ${id} and not ${isInItsGroup(sql`d.group_id`)}
    ), dropped as (
      delete from webhook_queue q using outside o where q.ctid = o.place and q.delivery_id = o.id returning q.delivery_id)
    update webhook_deliveries d set dead = true from dropped where d.org_id = ${org} and d.id = dropped.delivery_id`);
}

export const pauseEndpoint = (work: Work, found: EndpointRow): Promise<WebhookEndpoint> =>
  change(work, found, ({ status }) => ({
    ...(status === 'paused_plan' ? { was_paused: true } : { status: 'paused' }),
    paused_by: 'person',
  }));

/** Deliveries that were recorded while the endpoint was paused are in the queue. From now on the deliverer sends them. */
export const enableEndpoint = (work: Work, found: EndpointRow): Promise<WebhookEndpoint> =>
  change(work, found, ({ status }) => ({
    ...(status === 'paused_plan' ? { was_paused: false } : { status: 'healthy' }),
    paused_by: null,
    failures_in_a_row: 0,
    failing_since: null,
  }));

export async function rotateSecret(work: Work, found: EndpointRow): Promise<WebhookEndpointWithSecret> {
  const secret = newSecret();
  const until = new Date(work.tx.clock.now().getTime() + OVERLAP);
  const endpoint = await change(work, found, () => ({
    old_secret: sql`secret`,
    old_secret_until: until,
    ...encrypted(work, secret),
  }));
  return { ...endpoint, secret };
}

export async function deleteEndpoint(work: Work, found: EndpointRow): Promise<undefined> {
  const { tx, org } = work;
  const stamp = await stampOrganization(tx, org);
  const { group_id } = await reread(work, found);
  // Callers see endpoints of both modes.
  await noteDeleted(tx, org, stamp, 'webhooks', [{ id: found.id, group_id }]);
  // The filters are cleared so that its event and its group can be deleted before the job has removed the endpoint.
  await updateRow(tx, 'webhook_endpoints', sql`org_id = ${org} and id = ${found.id}`, {
    deleted_at: tx.clock.now(),
    event_id: null,
    group_id: null,
  });
  work.changed(changeOf(found, diff(endpointShape(found, tx.clock.now()), null)));
  return undefined;
}

async function change(
  work: Work,
  found: EndpointRow,
  columns: (before: EndpointRow) => Record<string, unknown> & { group_id?: Id | null | undefined },
): Promise<WebhookEndpoint> {
  const { tx, org } = work;
  const stamp = await stampOrganization(tx, org);
  const before = await reread(work, found);
  const after = columns(before);
  await updateRow(tx, 'webhook_endpoints', sql`org_id = ${org} and id = ${found.id}`, { ...after, updated_at: stamp });
  if (after.group_id !== undefined)
    await noteEndpointLeft(tx, org, stamp, found.id, { was: before.group_id, is: after.group_id });
  return report(work, found.id, before);
}

/** The endpoint as it is now that the organization's clock is held: it may have changed while we waited for it. */
async function reread({ tx, org, caller }: Work, found: EndpointRow): Promise<EndpointRow> {
  return (await listEndpoints(tx, org, caller, sql`w.id = ${found.id}`))[0] ?? refuse('not_found');
}

/** Reads the endpoint as it is now, and reports the change for the audit log. */
async function report(work: Work, id: Id, before: EndpointRow | null): Promise<WebhookEndpoint> {
  const now = work.tx.clock.now();
  const [row] = await listEndpoints(work.tx, work.org, work.caller, sql`w.id = ${id}`);
  const shape = endpointShape(row!, now);
  const was = before && endpointShape(before, now);
  work.changed({ ...changeOf(row!, diff(was, shape)), ...(was && { was }) });
  return shape;
}

const changeOf = (row: EndpointRow, changes: Differences) => ({
  kind: 'webhook_endpoint',
  id: row.id,
  event: row.event_id,
  group: row.group_id,
  changes,
});

const encrypted = (work: Work, secret: string) => ({
  secret: work.secrets.encrypt(Buffer.from(secret)),
  secret_last4: secret.slice(-4),
});

function subscription(events: readonly string[]): readonly string[] {
  requireValid(subscriptionFaults(events));
  return events;
}

export const subscriptionFaults = (events: readonly unknown[]): Fault[] =>
  events.includes('*') && events.length > 1
    ? [{ path: 'events', message: 'must not list other types beside `*`, which means all types' }]
    : [];

/**
 * A filter that is left out stays as it is. Null removes it; a caller who is limited to a group may not remove the group.
 */
async function filtersOf(
  work: Work,
  body: Pick<WebhookEndpointChange, 'event' | 'group'>,
): Promise<{ event_id?: Id | null; group_id?: Id | null }> {
  const { event, group } = body;
  if (group === null && work.caller.group !== null) {
    invalid({
      path: 'group',
      message: 'must be your own group or a group below it, because you are limited to a group',
    });
  }
  return {
    ...(event !== undefined && { event_id: event && (await inBody(work, anEvent, event, 'event', {})).id }),
    ...(group !== undefined && { group_id: group && (await inBody(work, aGroup, group, 'group', {})).id }),
  };
}

import type {
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointCreate,
  WebhookEndpointWithSecret,
} from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { asStored, type Differences, diff } from '../../road/diff.ts';
import type { Outside, Work } from '../../road/operation.ts';
import { inBody } from '../../road/reference.ts';
import { type Fault, invalid, refuse, requireValid } from '../../road/refusal.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { type Id, newId } from '../../store/ids.ts';
import { insertRow, updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { anEvent } from '../events/index.ts';
import { aGroup } from '../groups/index.ts';
import { stillHears } from './listens.ts';
import { holdGroup } from './locks.ts';
import { type EndpointRow, endpointShape, listEndpoints } from './queries.ts';
import { newSecret } from './signature.ts';

/** For so long after a rotation the old secret signs alongside. */
export const OVERLAP = DAY;

/** Asked before the work: names are looked up, and that may take a while. */
export const vetted =
  (outside: Outside, url: string | undefined): (() => Promise<string | null>) =>
  async () =>
    url === undefined ? null : outside.webhooks.refusal(url);

const requireVetted = (cause: string | null): void => {
  if (cause !== null) refuse('webhook_url_refused', { message: `Webhooks are not sent to this address: ${cause}.` });
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
  // Share-locked: a plan that loses webhooks at this moment comes before or after, and then this endpoint is among the paused.
  const plan = await tx.one<{ sandbox: boolean; allowed: boolean }>(sql`
    select o.sandbox, 'webhooks' = any(p.entitlements) as allowed from organizations o join plans p on p.code = o.plan
    where o.id = ${org} for share of o`);
  if (plan.sandbox) {
    refuse('invalid_state', { message: 'Everybody has the sandbox’s key, so it sends no webhooks. Use your own key.' });
  }
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
    ...sealed(work, secret),
    since: now,
    created_at: stamp,
    updated_at: stamp,
  });
  return { ...(await told(work, id, null)), secret };
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
  if (filters.group_id !== undefined) await holdGroup(work.tx, work.org, found.id);
  const changed = await change(work, found, (before) => ({
    url: body.url,
    events: events && asStored(events, before.events),
    ...filters,
    description: body.description,
  }));
  if (filters.group_id !== undefined && filters.group_id !== found.group_id) await dropOutside(work, found.id);
  return changed;
}

/**
 * What waits for an endpoint and lies outside the group that it has now is not sent any more: whoever manages it now may not read
 * that, and could send it anywhere.
 */
async function dropOutside({ tx, org }: Work, id: Id): Promise<void> {
  await tx.run(sql`
    with outside as (
      select q.ctid as place, d.id from webhook_endpoints w
      join webhook_queue q on q.org_id = w.org_id and q.endpoint_id = w.id and not q.test_event
      join webhook_deliveries d on d.org_id = q.org_id and d.id = q.delivery_id
      where w.org_id = ${org} and w.id = ${id} and not ${stillHears(sql`d.group_id`)}
    ), dropped as (
      delete from webhook_queue q using outside o where q.ctid = o.place and q.delivery_id = o.id returning q.delivery_id)
    update webhook_deliveries d set dead = true from dropped where d.org_id = ${org} and d.id = dropped.delivery_id`);
}

export const pauseEndpoint = (work: Work, found: EndpointRow): Promise<WebhookEndpoint> =>
  change(work, found, ({ status }) => ({
    ...(status === 'paused_plan' ? { was_paused: true } : { status: 'paused' }),
    paused_by: 'person',
  }));

/** What was recorded meanwhile goes out: the queue has it, and only its endpoint held it back. */
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
    ...sealed(work, secret),
  }));
  return { ...endpoint, secret };
}

export async function deleteEndpoint(work: Work, found: EndpointRow): Promise<undefined> {
  const { tx, org } = work;
  await stampOrganization(tx, org);
  // Without its filters: nothing has to wait for the job that removes it.
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
  columns: (before: EndpointRow) => Record<string, unknown>,
): Promise<WebhookEndpoint> {
  const { tx, org, caller } = work;
  const stamp = await stampOrganization(tx, org);
  // Read again behind the clock: what was found may have changed while we waited for it.
  const [before] = await listEndpoints(tx, org, caller, sql`w.id = ${found.id}`);
  if (before === undefined) refuse('not_found');
  await updateRow(tx, 'webhook_endpoints', sql`org_id = ${org} and id = ${found.id}`, {
    ...columns(before!),
    updated_at: stamp,
  });
  return told(work, found.id, before!);
}

async function told(work: Work, id: Id, before: EndpointRow | null): Promise<WebhookEndpoint> {
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

const sealed = (work: Work, secret: string) => ({
  secret: work.secrets.encrypt(Buffer.from(secret)),
  secret_last4: secret.slice(-4),
});

function subscription(events: readonly string[]): readonly string[] {
  requireValid(subscriptionFaults(events));
  return events;
}

export const subscriptionFaults = (events: readonly unknown[]): Fault[] =>
  events.includes('*') && events.length > 1
    ? [{ path: 'events', message: '`*` means all types and stands alone' }]
    : [];

/** Left out: as it is. null: no filter, which is more than a caller limited to a group may have. */
async function filtersOf(
  work: Work,
  body: Pick<WebhookEndpointChange, 'event' | 'group'>,
): Promise<{ event_id?: Id | null; group_id?: Id | null }> {
  const { event, group } = body;
  if (group === null && work.caller.group !== null) {
    invalid({ path: 'group', message: 'you are limited to a group; an endpoint hears of that group or a part of it' });
  }
  return {
    ...(event !== undefined && { event_id: event && (await inBody(work, anEvent, event, 'event', {})).id }),
    ...(group !== undefined && { group_id: group && (await inBody(work, aGroup, group, 'group', {})).id }),
  };
}

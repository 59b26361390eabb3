import type { EndpointHealth, EndpointStatus, PauseCause } from '@turnout/contract';
import { ownerTexts } from '@turnout/words/mails';
import { DAY } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { queueMail } from '../../road/for-areas/mail.ts';
import { writeAudit } from '../../road/write/record.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { membersToTell } from '../groups/index.ts';

/**
 * An endpoint has a health, and apart from that it may be paused.
 *
 * | health | moved by | next |
 * |---|---|---|
 * | healthy | 50 failed attempts in a row, in the order in which they ended; retries and replays count, test events do not | failing; the owners get a mail |
 * | failing | an attempt succeeds that is not for a test event (which also sets the count to 0) | healthy |
 * | failing | somebody enables the endpoint | healthy |
 *
 * | paused because | moved by | next |
 * |---|---|---|
 * | not paused | the endpoint has been failing for 7 days | `failing`; the owners get a mail |
 * | not paused, `failing` | somebody pauses it; its health stays as it was | `person` |
 * | `person`, `failing` | somebody enables it; the count is set to 0 | not paused |
 * | any | the plan no longer includes webhooks | `plan` |
 * | `plan` | the plan includes webhooks again | as it was before (plan.ts) |
 *
 * The column `status` holds both in one word, and endpoints are found by it. An endpoint is failing while `failing_since` is set.
 */
export const FAILURES_TO_FAILING = 50;
export const FAILING_TO_PAUSED = 7 * DAY;

export interface Health {
  status: EndpointStatus;
  failures_in_a_row: number;
  failing_since: string | null;
}
export interface Paused {
  status: EndpointStatus;
  /** Why the endpoint is paused. If the plan is the reason, `status` says so. */
  paused_by: Exclude<PauseCause, 'plan'> | null;
}
export const healthOf = (failingSince: string | null): EndpointHealth =>
  failingSince === null ? 'healthy' : 'failing';
export function pauseOf({ status, paused_by }: Paused): { paused: boolean; paused_because: PauseCause | null } {
  if (status === 'paused_plan') return { paused: true, paused_because: 'plan' };
  return status === 'paused'
    ? { paused: true, paused_because: paused_by ?? 'person' }
    : { paused: false, paused_because: null };
}

export interface EndedAttempt {
  org_id: Id;
  endpoint_id: Id;
  succeeded: boolean;
  at: Date;
}

/** The health of an endpoint after one more attempt. */
function healthAfter(health: Health, attempt: Pick<EndedAttempt, 'succeeded' | 'at'>): Health {
  const paused = health.status === 'paused' || health.status === 'paused_plan';
  if (attempt.succeeded)
    return { status: paused ? health.status : 'healthy', failures_in_a_row: 0, failing_since: null };
  const failures = health.failures_in_a_row + 1;
  if (failures < FAILURES_TO_FAILING || health.failing_since !== null)
    return { ...health, failures_in_a_row: failures };
  const status = paused ? health.status : 'failing';
  return { status, failures_in_a_row: failures, failing_since: iso(attempt.at) };
}

interface Row extends Health {
  org_id: Id;
  id: Id;
  group_id: Id | null;
  url: string;
}
const HEALTH = sql`org_id, id, group_id, url, status, failures_in_a_row, failing_since from webhook_endpoints`;

/** Counts attempts in the order in which they ended. Where a success changes nothing, the endpoint is read but not locked. */
export async function countAttempts(tx: Tx, ended: readonly EndedAttempt[]): Promise<void> {
  if (ended.length === 0) return;
  const byEndpoint = Map.groupBy(ended, (one) => one.endpoint_id);
  const rows = await tx.all<Row>(sql`select ${HEALTH} where id = any(${[...byEndpoint.keys()]})`);
  const changing = rows.filter(
    (row) => row.failures_in_a_row > 0 || byEndpoint.get(row.id)!.some((one) => !one.succeeded),
  );
  if (changing.length === 0) return;
  const stamps = new Map<Id, string>();
  for (const org of [...new Set(changing.map((row) => row.org_id))].sort()) {
    stamps.set(org, await stampOrganization(tx, org));
  }
  const locked = await tx.all<Row>(
    sql`select ${HEALTH} where id = any(${changing.map((row) => row.id)}) order by id for update`,
  );
  for (const row of locked) {
    let health: Health = row;
    for (const attempt of byEndpoint.get(row.id)!) {
      const next = healthAfter(health, attempt);
      if (next.failing_since !== null && health.failing_since === null) await mailOwners(tx, row, 'failing');
      health = next;
    }
    await tx.run(sql`
      update webhook_endpoints set status = ${health.status}, failures_in_a_row = ${health.failures_in_a_row},
        failing_since = ${health.failing_since}, updated_at = ${stamps.get(row.org_id)}
      where org_id = ${row.org_id} and id = ${row.id}`);
  }
}

/** Pauses the endpoints that have been failing for seven days. Answers how many. */
export async function pauseLongFailing(tx: Tx): Promise<number> {
  const now = tx.clock.now();
  const before = new Date(now.getTime() - FAILING_TO_PAUSED);
  const due = await tx.all<Row>(
    sql`select ${HEALTH} where status = 'failing' and failing_since <= ${before} and deleted_at is null order by org_id, id limit 100`,
  );
  let paused = 0;
  for (const row of due) {
    const stamp = await stampOrganization(tx, row.org_id);
    const done = await tx.run(sql`
      update webhook_endpoints set status = 'paused', paused_by = 'failing', updated_at = ${stamp}
      where org_id = ${row.org_id} and id = ${row.id} and status = 'failing' and failing_since <= ${before}`);
    if (done === 0) continue;
    paused += 1;
    await mailOwners(tx, row, 'paused');
    writeAudit(tx, row.org_id, [
      {
        action: 'webhook_endpoint.paused',
        kind: 'webhook_endpoint',
        id: row.id,
        changes: { status: ['failing', 'paused'], paused: [false, true], paused_because: [null, 'failing'] },
        caller: { actor: { kind: 'system', id: null, name: 'failing for 7 days' }, mode: 'live' },
        source: 'system',
        client: null,
        requestId: null,
      },
    ]);
  }
  return paused;
}

async function mailOwners(tx: Tx, endpoint: Row, what: 'failing' | 'paused'): Promise<void> {
  const owners = await membersToTell(tx, endpoint.org_id, { kind: 'webhook_endpoint', group: endpoint.group_id });
  const { name: org } = await tx.one<{ name: string }>(
    sql`select name from organizations where id = ${endpoint.org_id}`,
  );
  const { host } = new URL(endpoint.url);
  for (const owner of owners) {
    const { t } = ownerTexts(owner.language);
    const lines =
      what === 'failing'
        ? [t('webhook_failing.line1', { attempts: FAILURES_TO_FAILING, url: endpoint.url }), t('webhook_failing.line2')]
        : [t('webhook_paused.line1', { url: endpoint.url }), t('webhook_paused.line2')];
    await queueMail(tx, endpoint.org_id, {
      kind: `webhook_${what}`,
      to: owner.email,
      toName: owner.name,
      object: endpoint.id,
      subject: t(`webhook_${what}.subject`, { org, host }),
      text: [t('hello', { owner: owner.name }), ...lines, 'Turnout'].join('\n\n'),
    });
  }
}

import { type Caller, type OrganizationColumns, organizationOf } from '../../road/caller.ts';
import type { Run } from '../../road/for-areas/job.ts';
import { hostedLicense } from '../../road/gate/license.ts';
import type { Change, Occurrence, Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** What acting on an item wants to write to the audit log and the webhooks. It is only written if the item was not refused. */
export interface Recorded {
  changes: Change[];
  raised: Occurrence[];
}
export const nothingRecorded = (): Recorded => ({ changes: [], raised: [] });

type BulkRun = Pick<Run<unknown, unknown>, 'org' | 'group' | 'mode' | 'actor' | 'outside'>;

/** The caller who started the job, with the group and mode it had then. The plan is the current one. */
export async function callerOf(tx: Tx, run: BulkRun): Promise<Caller> {
  const [row, group] = await Promise.all([
    tx.one<OrganizationColumns>(sql`
      select o.id as org_id, o.code as org_code, o.name as org_name, o.timezone as org_timezone, o.terminology as org_terminology,
        o.plan, p.entitlements, p.limits as plan_limits, o.limits
      from organizations o join plans p on p.code = o.plan where o.id = ${run.org}`),
    tx.maybe<{ id: string; code: string }>(sql`
      select id, code from groups where org_id = ${run.org} and id = ${run.group}`),
  ]);
  return {
    ...organizationOf(row),
    // `run.audit` names the caller in the audit rows.
    actor: { kind: 'system', id: null, name: run.actor.name },
    mode: run.mode,
    // A group that was deleted reaches nobody.
    group: run.group === null ? null : (group ?? { id: run.group, code: '' }),
    usage: { month: '', calls: 0 },
  };
}

/** The work of one operation, done by the job. What is only needed to answer a request (links, secrets) is missing. */
export const workOf = (tx: Tx, run: BulkRun, caller: Caller, recorded: Recorded): Work => ({
  tx,
  org: run.org,
  caller,
  mode: run.mode,
  request: { id: run.actor.requestId ?? 'bulk', client: run.actor.client },
  license: hostedLicense,
  links: null as never,
  secrets: null as never,
  outside: run.outside,
  changed: (change) => recorded.changes.push(change),
  raise: (occurrence) => recorded.raised.push(occurrence),
  bulk: true,
});

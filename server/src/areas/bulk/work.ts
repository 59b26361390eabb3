import { type Caller, type OrganizationColumns, organizationOf } from '../../road/caller.ts';
import type { Run } from '../../road/job.ts';
import { hostedLicense } from '../../road/license.ts';
import type { Change, Occurrence, Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** What acting on one of them has told: written only if it was done. */
export interface Recorded {
  changes: Change[];
  raised: Occurrence[];
}
export const nothingRecorded = (): Recorded => ({ changes: [], raised: [] });

type BulkRun = Pick<Run<unknown, unknown>, 'org' | 'group' | 'mode' | 'actor' | 'outside'>;

/** Whoever started it, as far as it reached then: its group and mode. The plan is that of now. */
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
    // Audit rows name who started it (`run.audit`).
    actor: { kind: 'system', id: null, name: run.actor.name },
    mode: run.mode,
    // A group that is gone reaches nobody.
    group: run.group === null ? null : (group ?? { id: run.group, code: '' }),
    usage: { month: '', calls: 0 },
  };
}

/** A call of one operation, made by the job: what only an answer needs is not there. */
export const workOf = (tx: Tx, run: BulkRun, caller: Caller, told: Recorded): Work => ({
  tx,
  org: run.org,
  caller,
  mode: run.mode,
  request: { id: run.actor.requestId ?? 'bulk', client: run.actor.client },
  license: hostedLicense,
  links: null as never,
  secrets: null as never,
  outside: run.outside,
  changed: (change) => told.changes.push(change),
  raise: (occurrence) => told.raised.push(occurrence),
  bulk: true,
});

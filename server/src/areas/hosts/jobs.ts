import type { HostCheck } from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { cron, type JobParts } from '../../road/for-areas/job.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { writeAudit } from '../../road/write/record.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction } from '../../store/tx.ts';
import { look, recordCheck } from './check.ts';
import type { HostRow } from './queries.ts';

/** How many hosts one run checks. The scheduled tasks wait for each other, and with slow servers this takes at most 16 seconds. */
const A_RUN = 100;
const AT_ONCE = 25;

type Due = Pick<HostRow, 'org_id' | 'id' | 'host' | 'token'>;

/** Looks for the records of the hosts that were last checked a day ago or earlier, the longest ago first. Answers how many. */
export async function checkDueHosts({
  pool,
  clock,
  outside,
}: Pick<JobParts, 'pool' | 'clock' | 'outside'>): Promise<number> {
  const before = new Date(clock.now().getTime() - DAY);
  const due = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.all<Due>(sql`
      select org_id, id, host, token from tenant_hosts
      where state <> 'waiting' and proved_by is distinct from 'operator' and checked_at <= ${before}
      order by checked_at limit ${A_RUN}`),
  );
  const failures: unknown[] = [];
  for (let from = 0; from < due.length; from += AT_ONCE) {
    const some = due.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((one) => look(outside, one)));
    for (const [i, one] of some.entries()) {
      await record({ pool, clock }, one, found[i]!).catch((error) => failures.push(error));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${due.length} hosts failed`);
  return due.length;
}

const record = (
  { pool, clock }: Pick<JobParts, 'pool' | 'clock'>,
  { org_id, id }: Due,
  found: HostCheck,
): Promise<void> =>
  jobTransaction(pool, clock, { role: 'app', org: org_id }, async (tx) => {
    const checked = await recordCheck(tx, org_id, id, found);
    if (checked === null || checked.change === NOTHING) return;
    writeAudit(tx, org_id, [
      {
        action: 'tenant_host.checked',
        ...checked.change,
        caller: { actor: { kind: 'system', id: null, name: 'daily check' }, mode: 'live' },
        source: 'system',
        client: null,
        requestId: null,
      },
    ]);
  });

export const crons = [
  cron({
    name: 'check-tenant-hosts',
    pattern: '*/5 * * * *',
    run: async (parts) => {
      const checked = await checkDueHosts(parts);
      if (checked > 0) parts.log.info({ job: 'check-tenant-hosts', checked });
    },
  }),
];

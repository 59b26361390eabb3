import { type Reach, reference } from '../../road/reference.ts';
import { JOB_COLUMNS, type JobRow } from '../../road/start-job.ts';
import { parseRef } from '../../store/ids.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import { ofTestEvent } from '../events/index.ts';
import { inReach } from '../groups/index.ts';

/**
 * A live key does not see the jobs of test keys, except those of a test event. A key limited to a group sees the jobs of that
 * group and the groups below it.
 */
export const visibleJobs = (reach: Reach, where: Sql): Sql => sql`
  select ${JOB_COLUMNS} from jobs j
  where j.org_id = ${reach.org} and ${every([
    where,
    reach.mode === 'live' && sql`(not j.test or ${ofTestEvent('j')})`,
    reach.caller.group !== null && inReach(reach.caller, sql`j.group_id`),
  ])}`;

export const aJob = reference<JobRow>({
  kind: 'job',
  byCode: false,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    return id === null ? null : reach.tx.maybe<JobRow>(visibleJobs(reach, sql`j.id = ${id}`));
  },
});

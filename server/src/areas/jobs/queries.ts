import type { Permission } from '@turnout/contract';
import { parseRef } from '../../common/ids.ts';
import type { Caller } from '../../road/caller.ts';
import { JOB_COLUMNS, type JobRow } from '../../road/for-areas/start-job.ts';
import { type Reach, reference } from '../../road/request/reference.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import { ofTestEvent } from '../events/index.ts';
import { inReach } from '../groups/index.ts';

/**
 * What a member needs to start a job of each kind, and therefore to see it: a job shows links to its files, so whoever may not
 * export must not see exports. A kind that is missing here is shown to no member.
 */
export const MEMBER_NEEDS: Readonly<Record<string, Permission>> = {
  import: 'people.bulk',
  platform_import: 'people.bulk',
  bulk: 'people.bulk',
  communication: 'people.bulk',
  export: 'people.export',
  event_template: 'events.write',
  discount_batch: 'events.write',
  webhook_replay: 'tenant.integrations',
};

const kindsFor = ({ actor }: Caller): string[] | null =>
  actor.kind !== 'member'
    ? null
    : Object.keys(MEMBER_NEEDS).filter((kind) => actor.permissions.includes(MEMBER_NEEDS[kind]!));

/**
 * A live key does not see the jobs of test keys, except those of a test event. A key limited to a group sees the jobs of that
 * group and the groups below it. A member sees the jobs that they could have started themselves.
 */
export const visibleJobs = (reach: Reach, where: Sql): Sql => {
  const kinds = kindsFor(reach.caller);
  return sql`
  select ${JOB_COLUMNS} from jobs j
  where j.org_id = ${reach.org} and ${every([
    where,
    reach.mode === 'live' && sql`(not j.test or ${ofTestEvent('j')})`,
    reach.caller.group !== null && inReach(reach.caller, sql`j.group_id`),
    kinds !== null && sql`j.kind = any(${kinds})`,
  ])}`;
};

export const aJob = reference<JobRow>({
  kind: 'job',
  byCode: false,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    return id === null ? null : reach.tx.maybe<JobRow>(visibleJobs(reach, sql`j.id = ${id}`));
  },
});

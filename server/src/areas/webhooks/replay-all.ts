import type { Job, ReplayStatus, WebhookReplay } from '@turnout/contract';
import { type Id, idsFrom, timeOf } from '../../common/ids.ts';
import { invalid } from '../../common/refusal.ts';
import { JobFailure, job, type Run, type Step } from '../../road/for-areas/job.ts';
import { startJob } from '../../road/for-areas/start-job.ts';
import type { Work } from '../../road/operation.ts';
import { filters, join, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { inSubtree } from '../groups/index.ts';
import { isReplayable } from './deliveries.ts';
import { isInItsGroup } from './listens.ts';
import { lockEndpointGroup } from './locks.ts';
import { type EndpointRow, idsInState } from './queries.ts';

/** How many deliveries one transaction looks at. */
const BATCH = 500;

interface ReplayInput {
  endpoint: Id;
  statuses: readonly ReplayStatus[];
  since: string | null;
  until: string | null;
}
interface ReplayState {
  /** The newest delivery when the job began. The deliveries that the job makes itself come after it. */
  last: Id;
  /** The last delivery that the job has looked at. */
  after: Id;
  over: boolean;
}
type Replaying = Pick<Run<ReplayInput, ReplayState>, 'org' | 'group' | 'input' | 'state' | 'done' | 'total' | 'counts'>;

export async function startReplay(work: Work, endpoint: EndpointRow, body: WebhookReplay): Promise<Job> {
  const { status = ['failed', 'dead'], since = null, until = null } = body;
  if (since !== null && until !== null && Date.parse(until) <= Date.parse(since)) {
    invalid({ path: 'until', message: 'must be after since' });
  }
  const statuses = [status].flat();
  const started = await startJob(work, replayAll, { input: { endpoint: endpoint.id, statuses, since, until } });
  const details = { job: started.id, status: statuses, since, until };
  work.changed({
    kind: 'webhook_endpoint',
    id: endpoint.id,
    event: endpoint.event_id,
    group: endpoint.group_id,
    details,
  });
  return started;
}

/**
 * Sends an endpoint again what it has missed.
 *
 * For each occurrence, only the newest of its deliveries to this endpoint counts. An occurrence that was replayed before and has
 * arrived, or is still to be sent, is not sent again. The job goes through the deliveries in the order of their ids, a limited number
 * in each transaction, and stores its position in the same transaction.
 */
export const replayAll = job<ReplayInput, ReplayState>({
  kind: 'webhook_replay',
  run: async (run) => {
    if (run.state === null) await run.step((tx) => begin(tx, run));
    while (run.state?.over !== true) await run.step((tx) => replayBatch(tx, run));
  },
});

async function begin(tx: Tx, run: Replaying): Promise<Step<ReplayState>> {
  await requireEndpoint(tx, run);
  const { org, input } = run;
  const { last } = await tx.one<{ last: Id | null }>(sql`
    select (select id from webhook_deliveries where org_id = ${org} and endpoint_id = ${input.endpoint} order by id desc limit 1) as last`);
  if (last === null) return { ...ended({ last: NOTHING, after: NOTHING }, 0), counts: { replayed: 0, skipped: 0 } };
  const { total } = await tx.one<{ total: number }>(sql`
    select count(*)::int as total from (${walk(run, NOTHING, last, sql``)}) i
    cross join lateral (select * from webhook_deliveries where org_id = ${org} and id = i.id offset 0) d where ${wanted(run)}`);
  return { state: { last, after: NOTHING, over: false }, total, counts: { replayed: 0, skipped: 0 } };
}

/** Replays the next batch by the rules of a single replay (deliveries.ts). Deliveries that those rules refuse are skipped. */
export async function replayBatch(tx: Tx, run: Replaying, lock = lockEndpointGroup): Promise<Step<ReplayState>> {
  const { org, input } = run;
  const { last, after } = run.state!;
  await lock(tx, org, input.endpoint);
  await requireEndpoint(tx, run);
  const walked = await tx.all<{ id: Id }>(sql`
    select i.id from (${walk(run, after, last, sql`order by s.id limit ${BATCH}`)}) i order by i.id limit ${BATCH}`);
  const found = await tx.all<{ id: Id; envelope_id: Id; origin_at: string; hears: boolean }>(sql`
    select d.id, d.envelope_id, d.origin_at, ${isInItsGroup(sql`d.group_id`)} as hears
    from webhook_deliveries d join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id
    where d.org_id = ${org} and d.id = any(${walked.map((row) => row.id)}) and ${wanted(run)}`);
  const may = found.filter(({ origin_at, hears }) => hears && isReplayable(tx, origin_at));
  const there = await notErased(
    tx,
    org,
    may.map((row) => row.envelope_id),
  );
  const sent = may.filter((row) => there.has(row.envelope_id)).map((row) => row.id);
  await sendAgain(tx, org, sent, last);
  const done = run.done + found.length;
  const { replayed = 0, skipped = 0 } = run.counts;
  const position = { last, after: walked.at(-1)?.id ?? after };
  return {
    ...(walked.length < BATCH
      ? ended(position, done)
      : { state: { ...position, over: false }, done, total: Math.max(run.total ?? 0, done) }),
    counts: { replayed: replayed + sent.length, skipped: skipped + found.length - sent.length },
  };
}

const NOTHING = '00000000-0000-0000-0000-000000000000' as Id;

/** The final total. It may differ from what was counted at the beginning, because deliveries fail and arrive while the job runs. */
const ended = (position: Omit<ReplayState, 'over'>, done: number): Step<ReplayState> => ({
  state: { ...position, over: true },
  done,
  total: done,
});

/** Checked in every transaction, because the endpoint and the plan may change while the job waits for its turn. */
async function requireEndpoint(tx: Tx, { org, group, input }: Replaying): Promise<void> {
  const endpoint = await tx.maybe<{ status: string }>(sql`
    select w.status from webhook_endpoints w where w.org_id = ${org} and w.id = ${input.endpoint} and w.deleted_at is null
      and ${inSubtree({ org, group }, sql`w.group_id`)}`);
  if (endpoint === null)
    throw new JobFailure('The webhook endpoint has been deleted, or it is no longer in your group.');
  if (endpoint.status === 'paused_plan') throw new JobFailure('The organization’s plan no longer includes webhooks.');
}

/**
 * The ids of deliveries in the wanted states that come after `after`, read from the index of each state. An id begins with a time,
 * which cannot be before 1970.
 */
function walk({ org, input }: Replaying, after: Id, last: Id, bounds: Sql): Sql {
  const since = new Date(Math.max(0, Date.parse(input.since ?? '1970-01-01T00:00:00Z')));
  const inOrder = (status: ReplayStatus) => sql`
    (select s.id from (${idsInState(org, input.endpoint, status)}) s
     where s.id > ${after} and s.id <= ${last} and s.id >= ulid_floor(${since}) ${bounds})`;
  return unprepared(join(input.statuses.map(inOrder), ' union all '));
}

/**
 * Whether a delivery `d` is to be replayed: it is the newest of its occurrence, it lies in the requested time and, if the job is
 * limited to a group, in that group. Test events are left out; their data is made up.
 */
const wanted = ({ org, group, input: { since, until } }: Replaying): Sql =>
  filters([
    sql`not d.test_event`,
    inSubtree({ org, group }, sql`d.group_id`),
    since !== null && sql`d.origin_at >= ${since}::timestamptz`,
    until !== null && sql`d.origin_at < ${until}::timestamptz`,
    sql`not exists (
      select from webhook_deliveries c where c.org_id = d.org_id and c.endpoint_id = d.endpoint_id and c.envelope_id = d.envelope_id
        and c.replay_of is not null and (d.replay_of is null or c.id > d.id))`,
  ]);

/** The envelopes that were not erased. They are share-locked, so that an erasure waits for us and then finds what we have queued. */
async function notErased(tx: Tx, org: Id, envelopes: readonly Id[]): Promise<Set<Id>> {
  const rows = await tx.all<{ id: Id }>(sql`
    select id from webhook_envelopes where org_id = ${org} and id = any(${[...envelopes].sort()}) and body is not null
    order by id for share`);
  return new Set(rows.map((row) => row.id));
}

/** Makes new deliveries of the same envelopes, in the same order. They are pending and due at once. */
async function sendAgain(tx: Tx, org: Id, deliveries: readonly Id[], last: Id): Promise<void> {
  if (deliveries.length === 0) return;
  const now = tx.clock.now();
  // The new ids come after all that the job goes through, even if the clock of the process that made those is ahead of ours.
  const ids = idsFrom(new Date(Math.max(now.getTime(), timeOf(last).getTime() + 1)));
  await tx.run(sql`
    with copied as materialized (
      select d.*, (${ids}::text || lpad(to_hex(row_number() over (order by d.id)), 6, '0') || right(gen_random_uuid()::text, 10))::uuid as copy
      from webhook_deliveries d where d.org_id = ${org} and d.id = any(${deliveries})
    ), queued as (
      insert into webhook_queue (org_id, delivery_id, endpoint_id, envelope_id, occurrence_id, test_event, attempts, due_at)
      select org_id, copy, endpoint_id, envelope_id, occurrence_id, false, 0, ${now}::timestamptz from copied
    )
    insert into webhook_deliveries (org_id, id, endpoint_id, envelope_id, occurrence_id, type, event_id, group_id, livemode, test_event,
      replay_of, origin_at, created_at)
    select org_id, copy, endpoint_id, envelope_id, occurrence_id, type, event_id, group_id, livemode, false, id, origin_at,
      ${now}::timestamptz from copied`);
}

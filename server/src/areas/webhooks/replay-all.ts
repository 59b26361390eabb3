import type { Job, ReplayStatus, WebhookReplay } from '@turnout/contract';
import { JobFailure, job, type Run, type Step } from '../../road/job.ts';
import type { Work } from '../../road/operation.ts';
import { invalid } from '../../road/refusal.ts';
import { startJob } from '../../road/start-job.ts';
import { type Id, idsFrom, timeOf } from '../../store/ids.ts';
import { filters, join, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { inSubtree } from '../groups/index.ts';
import { isReplayable } from './deliveries.ts';
import { stillHears } from './listens.ts';
import { holdGroup } from './locks.ts';
import { type EndpointRow, idsInState } from './queries.ts';

/** So many deliveries are looked at in one transaction. */
const BATCH = 500;

interface ReplayInput {
  endpoint: Id;
  statuses: readonly ReplayStatus[];
  since: string | null;
  until: string | null;
}
interface ReplayState {
  /** The newest delivery there was when the job began: what it sends itself comes behind it. */
  last: Id;
  /** The newest delivery it has looked at. */
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
 * Sends again what an endpoint missed. An occurrence counts once, by the newest of its deliveries to the endpoint: one that was
 * replayed meanwhile, and has arrived or is under way, is not sent once more. The job walks the deliveries by their ids, a bounded
 * number in each transaction, and keeps with them where it stands.
 */
export const replayAll = job<ReplayInput, ReplayState>({
  kind: 'webhook_replay',
  run: async (run) => {
    if (run.state === null) await run.step((tx) => begin(tx, run));
    while (run.state?.over !== true) await run.step((tx) => next(tx, run));
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

/** The rules of a single replay (deliveries.ts) for each; what they refuse is skipped. */
export async function next(tx: Tx, run: Replaying, hold = holdGroup): Promise<Step<ReplayState>> {
  const { org, input } = run;
  const { last, after } = run.state!;
  await hold(tx, org, input.endpoint);
  await requireEndpoint(tx, run);
  const walked = await tx.all<{ id: Id }>(sql`
    select i.id from (${walk(run, after, last, sql`order by s.id limit ${BATCH}`)}) i order by i.id limit ${BATCH}`);
  const found = await tx.all<{ id: Id; envelope_id: Id; origin_at: string; hears: boolean }>(sql`
    select d.id, d.envelope_id, d.origin_at, ${stillHears(sql`d.group_id`)} as hears
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
  const stands = { last, after: walked.at(-1)?.id ?? after };
  return {
    ...(walked.length < BATCH
      ? ended(stands, done)
      : { state: { ...stands, over: false }, done, total: Math.max(run.total ?? 0, done) }),
    counts: { replayed: replayed + sent.length, skipped: skipped + found.length - sent.length },
  };
}

const NOTHING = '00000000-0000-0000-0000-000000000000' as Id;

/** What failed or arrived while the job ran makes the total another one than was counted. */
const ended = (stands: Omit<ReplayState, 'over'>, done: number): Step<ReplayState> => ({
  state: { ...stands, over: true },
  done,
  total: done,
});

/** Asked in every transaction: a lot can happen while a job waits for its turn. */
async function requireEndpoint(tx: Tx, { org, group, input }: Replaying): Promise<void> {
  const endpoint = await tx.maybe<{ status: string }>(sql`
    select w.status from webhook_endpoints w where w.org_id = ${org} and w.id = ${input.endpoint} and w.deleted_at is null
      and ${inSubtree({ org, group }, sql`w.group_id`)}`);
  if (endpoint === null) throw new JobFailure('The webhook endpoint is not there any more.');
  if (endpoint.status === 'paused_plan') throw new JobFailure('The plan of the organization has no webhooks any more.');
}

/** The ids of deliveries in the wanted states behind `after`, each state by its own index. An id is a time, which begins with 1970. */
function walk({ org, input }: Replaying, after: Id, last: Id, bounds: Sql): Sql {
  const since = new Date(Math.max(0, Date.parse(input.since ?? '1970-01-01T00:00:00Z')));
  const inOrder = (status: ReplayStatus) => sql`
    (select s.id from (${idsInState(org, input.endpoint, status)}) s
     where s.id > ${after} and s.id <= ${last} and s.id >= ulid_floor(${since}) ${bounds})`;
  return unprepared(join(input.statuses.map(inOrder), ' union all '));
}

/**
 * Of the deliveries `d`: the newest of each occurrence, of those that happened in the given time and, where the job is limited to a
 * group, in it. Test events are made up, and nobody misses one.
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

/** Share-locked, so that an erasure that comes now finds what is queued here. */
async function notErased(tx: Tx, org: Id, envelopes: readonly Id[]): Promise<Set<Id>> {
  const rows = await tx.all<{ id: Id }>(sql`
    select id from webhook_envelopes where org_id = ${org} and id = any(${[...envelopes].sort()}) and body is not null
    order by id for share`);
  return new Set(rows.map((row) => row.id));
}

/** New deliveries of the same envelopes, in their order, pending and due at once. */
async function sendAgain(tx: Tx, org: Id, deliveries: readonly Id[], last: Id): Promise<void> {
  if (deliveries.length === 0) return;
  const now = tx.clock.now();
  // Behind all that the job walks, also where the clock of the process that made those is ahead of ours.
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

import { backlog } from '../../areas/webhooks/index.ts';
import { DAY, MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import type { Check } from './check.ts';
import { failed, lasting, ok, warning } from './verdict.ts';

const LIMIT_MS = 14_500;
const WORKER = 'Is a worker running? Its log says what it cannot do (docs/operating/monitoring.md).';

const outbox: Check = {
  name: 'outbox',
  group: 'work',
  limitMs: LIMIT_MS,
  run: async ({ database, clock }) => {
    const { read } = await database();
    const waiting = await read(
      async (tx) =>
        (
          await tx.one<{ n: number }>(
            sql`select count(*)::int as n from outbox where created_at < ${new Date(clock.now().getTime() - 5 * MINUTE)}`,
          )
        ).n,
    );
    return waiting === 0
      ? ok('nothing waits')
      : failed(`rows that have waited for more than 5 minutes: ${waiting}`, WORKER);
  },
};

const mails: Check = {
  name: 'mails',
  group: 'work',
  limitMs: LIMIT_MS,
  run: async ({ database, clock }) => {
    const { read } = await database();
    const now = clock.now().getTime();
    const [overdue, given, lately] = await read(async (tx) => {
      const row = await tx.one<{ overdue: number; failed: number; lately: number }>(sql`
        select (select count(*)::int from mails where status = 'queued' and next_attempt_at < ${new Date(now - 10 * MINUTE)}) as overdue,
          count(*)::int as failed, count(*) filter (where created_at > ${new Date(now - 2 * DAY)})::int as lately
        from mails where status = 'failed'`);
      return [row.overdue, row.failed, row.lately] as const;
    });
    if (overdue > 0) return failed(`mails that are overdue: ${overdue}`, WORKER);
    if (lately > 0)
      return warning(
        `nothing is overdue; given up: ${given}, of these ${lately} from the last two days`,
        'Look for `mail not sent` in the log: it says what the mail server answered.',
      );
    return ok(`nothing is overdue; given up: ${given}`);
  },
};

const jobs: Check = {
  name: 'jobs',
  group: 'work',
  limitMs: LIMIT_MS,
  run: async ({ database, clock }) => {
    const { read } = await database();
    const now = clock.now();
    const { open, oldest, stuck } = await read((tx) =>
      tx.one<{ open: number; oldest: number; stuck: number }>(sql`
        select count(*)::int as open,
          coalesce(extract(epoch from ${now}::timestamptz - min(due_at) filter (where status = 'queued' and due_at <= ${now})), 0)::float8 as oldest,
          count(*) filter (where status = 'running' and lease_until < ${new Date(now.getTime() - 10 * MINUTE)})::int as stuck
        from jobs where status in ('queued', 'running')`),
    );
    if (stuck > 0) return failed(`jobs whose process is gone, and which nobody has taken over: ${stuck}`, WORKER);
    if (oldest > 600)
      return warning(
        `${open} open; the oldest has waited for ${lasting(oldest)}`,
        `Long jobs of others may be before it. ${WORKER}`,
      );
    return ok(`${open} open`);
  },
};

const deliveries: Check = {
  name: 'webhook deliveries',
  group: 'work',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { read } = await database();
    const { oldest, longer } = await read((tx) => backlog(tx));
    const due = longer['0'] ?? 0;
    if (due === 0) return ok('none is due');
    const says = `${due} due; the oldest has waited for ${lasting(oldest)}`;
    if (oldest > 600) return failed(says, WORKER);
    return oldest > 60
      ? warning(says, 'If it grows, start another worker. A slow receiver holds up only its own.')
      : ok(says);
  },
};

/** As many, and this share of all: then it is hardly the receivers. */
const MANY = 3;
const SHARE = 0.5;

const receivers: Check = {
  name: 'webhook receivers',
  group: 'work',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { read } = await database();
    const { active, failing, paused } = await read((tx) =>
      tx.one<{ active: number; failing: number; paused: number }>(sql`
        select count(*) filter (where status in ('healthy', 'failing'))::int as active, count(*) filter (where status = 'failing')::int as failing,
          count(*) filter (where status = 'paused' and paused_by = 'failing')::int as paused
        from webhook_endpoints where deleted_at is null`),
    );
    const says = `${failing} of ${active} fail; paused because they failed for 7 days: ${paused}`;
    if (failing >= MANY && failing >= active * SHARE)
      return warning(
        says,
        'So many at once: can this network reach others by https, and resolve their names? GET /v1/webhooks/{id}/deliveries says why an attempt failed.',
      );
    return ok(says);
  },
};

/** The sessions of the schedule, which every worker has (work/schedule.ts), and those of any process. */
const workers: Check = {
  name: 'workers',
  group: 'work',
  limitMs: 12_000,
  run: async ({ database }) => {
    const { query } = await database();
    const [row] = await query<{ workers: number; processes: number }>(`
      select count(*) filter (where application_name = 'turnout-schedule')::int as workers,
        count(*) filter (where application_name = 'turnout')::int as processes
      from pg_stat_activity where datname = current_database() and usename = current_user`);
    const { workers: alive, processes } = row!;
    if (alive > 0) return ok('Somebody works in the background.');
    const start = 'Start a process whose ROLES contain worker, and look at its log if it runs.';
    if (processes === 0) return warning('No process of Turnout is connected to the database.', start);
    return failed('Processes answer calls, and nobody works in the background: e-mails and webhooks wait.', start);
  },
};

export const queueChecks: readonly Check[] = [outbox, mails, jobs, deliveries, receivers, workers];

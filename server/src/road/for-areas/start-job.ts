import { type ImportColumn, JOB_COLUMNS_SHOWN, type Job, type JobStatus } from '@turnout/contract';
import { type Id, newId, toUlid, ulidOrNull } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { StoredFile } from '../../common/stored-file.ts';
import { tracing } from '../../common/tracing.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Work } from '../operation.ts';
import { SOURCE_OF } from '../write/record.ts';
import { holderOf } from './holder.ts';
import { type Counts, DOWNLOADABLE, formatOf, type JobActor, type JobFiles, type Job as JobKind } from './job.ts';
import { requireJobRoom } from './job-room.ts';

interface About {
  /** Set if files were already written under this id. */
  id?: Id;
  event?: Id | null;
  /** The group that the job is limited to, and whose keys see it. The caller's own group if left out. */
  group?: Id | null;
  /**
   * What the job is about. It is shown as long as the job exists, while the input is deleted when the job ends. The audit log
   * gets it too, without the columns.
   */
  about?: JobAbout;
}

/** What a job is about, apart from its kind. Each kind of job has only some of these fields. */
export interface JobAbout {
  preview?: boolean;
  what?: string;
  format?: string;
  columns?: readonly (string | ImportColumn)[];
}

/** As it is stored: only the first columns, and their number. */
interface StoredAbout extends JobAbout {
  columns_total?: number;
}
function bounded({ columns, ...about }: JobAbout): StoredAbout {
  if (columns === undefined) return about;
  return { ...about, columns: columns.slice(0, JOB_COLUMNS_SHOWN), columns_total: columns.length };
}

/** Queues a job in the transaction of the call, so that it exists only if the call succeeds. The call answers 202 with it. */
export async function startJob<Input>(
  work: Work,
  kind: JobKind<Input>,
  wanted: About & { input: Input; source?: StoredFile; total?: number },
): Promise<Job> {
  await requireRoom(work, 1, wanted.source === undefined ? [] : [wanted.source]);
  return insertJob(work, kind, wanted, {
    status: 'queued',
    input: JSON.stringify(wanted.input),
    source: wanted.source === undefined ? null : JSON.stringify(wanted.source),
    total: wanted.total ?? null,
  });
}

/** Records a job whose work the call itself has done because it was small: it has `succeeded`. The call answers 201 with it. */
export async function finishedJob(
  work: Work,
  kind: Pick<JobKind, 'kind' | 'upgrades'>,
  job: About & { done: number; counts: Counts; files?: JobFiles },
): Promise<Job> {
  const now = work.tx.clock.now();
  const files = job.files ?? {};
  await requireRoom(work, 0, Object.values(files));
  return insertJob(work, kind, job, {
    status: 'succeeded',
    done: job.done,
    total: job.done,
    counts: JSON.stringify(job.counts),
    files: JSON.stringify(files),
    expires_at: Object.keys(files).length === 0 ? null : new Date(now.getTime() + DOWNLOADABLE),
    started_at: now,
    finished_at: now,
  });
}

/** Jobs that the system starts, such as a scheduled message, are never refused. If a job is refused, its files are deleted. */
async function requireRoom({ tx, org, mode, caller, outside }: Work, jobs: number, files: StoredFile[]): Promise<void> {
  if (caller.actor.kind === 'system' || (jobs === 0 && files.length === 0)) return;
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  try {
    await requireJobRoom(tx, org, mode, { jobs, bytes });
  } catch (error) {
    if (error instanceof Refusal) for (const file of files) await outside.files.delete(file.key).catch(() => {});
    throw error;
  }
}

async function insertJob(
  work: Work,
  job: Pick<JobKind, 'kind' | 'upgrades'>,
  about: About & { counts?: Counts },
  columns: Record<string, unknown>,
): Promise<Job> {
  const { tx, org, caller, request } = work;
  const now = tx.clock.now();
  const id = about.id ?? newId(now);
  const event = about.event ?? null;
  const group = about.group === undefined ? (caller.group?.id ?? null) : about.group;
  const { actor } = caller;
  const by: JobActor = {
    kind: actor.kind,
    id: actor.id,
    name: actor.name,
    source: SOURCE_OF[actor.kind],
    client: request.client,
    requestId: request.id,
    ...(tracing?.current?.isRecorded === true && { trace: tracing.current.traceparent }),
  };
  await insertRow(tx, 'jobs', {
    org_id: org,
    id,
    kind: job.kind,
    format: formatOf(job),
    event_id: event,
    group_id: group,
    test: work.mode === 'test',
    actor: JSON.stringify(by),
    about: about.about === undefined ? null : JSON.stringify(bounded(about.about)),
    due_at: now,
    created_at: now,
    updated_at: now,
    ...columns,
  });
  const { columns: _columns, ...said } = about.about ?? {};
  const details = { kind: job.kind, ...said, ...(about.counts !== undefined && { counts: about.counts }) };
  work.changed({ kind: 'job', id, event, group, details });
  const row = await tx.one<JobRow>(sql`select ${JOB_COLUMNS} from jobs j where j.org_id = ${org} and j.id = ${id}`);
  return jobShape(row, work, now);
}

export interface JobRow {
  id: Id;
  org_id: Id;
  kind: string;
  status: JobStatus;
  test: boolean;
  event_id: Id | null;
  group_id: Id | null;
  group_code: string | null;
  actor: JobActor;
  about: StoredAbout | null;
  done: number;
  total: number | null;
  counts: Counts;
  files: JobFiles;
  expires_at: string | null;
  error: string | null;
  started_at: string | null;
  finished_at: string | null;
  created_at: string;
  updated_at: string;
}

export const JOB_COLUMNS = sql`j.id, j.org_id, j.kind, j.status, j.test, j.event_id, j.group_id,
  (select g.code from groups g where g.org_id = j.org_id and g.id = j.group_id) as group_code, j.actor, j.about, j.done, j.total, j.counts,
  j.files, j.expires_at, j.error, j.started_at, j.finished_at, j.created_at, j.updated_at`;

/** The job as a caller sees it. The links to its files are for that caller (holder.ts). */
export function jobShape(row: JobRow, { caller, links }: Pick<Work, 'caller' | 'links'>, now: Date): Job {
  const link = (file: keyof JobFiles): string | null => {
    const expires = row.expires_at === null ? 0 : Date.parse(row.expires_at);
    if (row.files[file] === undefined || expires <= now.getTime()) return null;
    return links.make({ kind: 'jobs', org: row.org_id, expires, job: row.id, file, holder: holderOf(caller) });
  };
  return {
    id: toUlid(row.id),
    kind: row.kind,
    status: row.status,
    test: row.test,
    event_id: ulidOrNull(row.event_id),
    group: row.group_code,
    actor: { kind: row.actor.kind, id: ulidOrNull(row.actor.id), name: row.actor.name },
    ...shown(row.about),
    progress: { done: row.done, total: row.total },
    counts: row.counts,
    result_url: link('result'),
    rejects_url: link('rejects'),
    expires_at: row.expires_at,
    error: row.error,
    started_at: row.started_at,
    finished_at: row.finished_at,
    ...stamps(row),
  };
}

const shown = (about: JobRow['about']) => {
  const { preview, what, format, columns, columns_total }: StoredAbout = about ?? {};
  return {
    preview: preview ?? null,
    what: what ?? null,
    format: format ?? null,
    columns: columns === undefined ? null : [...columns],
    columns_total: columns_total ?? null,
  };
};

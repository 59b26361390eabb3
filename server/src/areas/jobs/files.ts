import type { FastifyInstance } from 'fastify';
import { type Clock, DAY } from '../../clock.ts';
import { type Id, newId, timeOf } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import { type Files, readKey } from '../../outside/files.ts';
import { type Holder, standingOf } from '../../road/for-areas/holder.ts';
import type { JobFiles, JobParts } from '../../road/for-areas/job.ts';
import type { Links } from '../../road/for-areas/links.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx, transaction } from '../../store/tx.ts';
import { inSubtree } from '../groups/index.ts';
import { MEMBER_NEEDS } from './queries.ts';

/** Sends a file that a job made, by its signed link, as a stream. */
export function jobLink(app: FastifyInstance, parts: { pool: Pool; clock: Clock; links: Links; files: Files }): void {
  app.get<{ Params: { token: string } }>('/links/jobs/:token', async (request, reply) => {
    const expired = new Refusal('not_found', {
      message:
        'This link is no longer valid: you can download a file for one day, while you may see its job. Get the job again, or run it again.',
    });
    const opens = parts.links.open('jobs', request.params.token);
    if (opens === null) throw expired;
    const { org } = opens;
    const job = opens.job as Id;
    const now = parts.clock.now();
    const row = await transaction(
      parts.pool,
      parts.clock,
      { role: 'app', org },
      async (tx) => {
        const found = await tx.maybe<Offered>(sql`
          select kind, group_id, files from jobs where org_id = ${org} and id = ${job} and expires_at > ${now}`);
        return found !== null && (await mayStillSee(tx, org, found, opens.holder as Holder | undefined)) ? found : null;
      },
      { readOnly: true },
    );
    const file = row?.files[opens.file as keyof JobFiles];
    const body = file && (await parts.files.read(file.key));
    if (file === undefined || body === undefined || body === null) throw expired;
    return reply
      .type(file.mediaType)
      .header('Content-Disposition', attachment(file.filename))
      .header('Content-Length', file.size)
      .send(body);
  });
}

interface Offered {
  kind: string;
  group_id: Id | null;
  files: JobFiles;
}

/** Whether the holder of a link may still see the job, by the rules of `visibleJobs`. */
async function mayStillSee(tx: Tx, org: Id, job: Offered, holder: Holder | undefined): Promise<boolean> {
  const now = await standingOf(tx, org, holder);
  if (now?.kind !== 'member') return now?.kind === 'key' || now?.kind === 'system';
  const needed = MEMBER_NEEDS[job.kind];
  if (needed === undefined || !now.permissions.includes(needed)) return false;
  const reached = await tx.maybe(
    sql`select 1 where ${inSubtree({ org, group: now.group }, sql`${job.group_id}::uuid`)}`,
  );
  return reached !== null;
}

/** An ASCII name for every client, and the real name for clients that know RFC 6266. */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Which attendees a job's files may contain. */
export interface About {
  events: readonly Id[];
  /** Whether they are test attendees. Files of live jobs contain no test attendees; files of a test key contain both. */
  test: boolean;
  groups: readonly Id[];
}

/**
 * Somebody who is erased may be in any file about these events that was made in such a mode for one of these groups, for a
 * group above them or for the whole organization. Such a file can no longer be downloaded and is removed; a job that is writing
 * one starts over.
 */
export async function expireFiles(tx: Tx, org: Id, { events, test, groups }: About): Promise<void> {
  const now = tx.clock.now();
  const about = sql`j.org_id = ${org} and j.event_id = any(${events})
    and (j.test or not ${test}::boolean or exists (select from events e where e.org_id = j.org_id and e.id = j.event_id and e.test))
    and (j.group_id is null or j.group_id in (select unnest(g.path) from groups g where g.org_id = ${org} and g.id = any(${groups})))`;
  // Running jobs come first: a job that finished between the two statements would otherwise keep its file.
  await tx.run(sql`update jobs j set runner = null, lease_until = ${now} where ${about} and j.status = 'running'`);
  const offering = await tx.all<{ id: Id; files: JobFiles }>(
    sql`select j.id, j.files from jobs j where ${about} and j.files <> '{}' for update`,
  );
  if (offering.length === 0) return;
  for (const { files } of offering) for (const { key } of Object.values(files)) removeLater(tx, org, 'files', key);
  await tx.run(sql`
    update jobs set files = '{}', expires_at = least(expires_at, ${now}), updated_at = ${now} where org_id = ${org} and id = any(${offering.map((row) => row.id)})`);
}

/** Notes a file that is not needed once the transaction has committed; `removeFiles` deletes it. */
export function removeLater(tx: Tx, org: Id, keptBy: 'files' | 'mails', key: string): void {
  tx.send(sql`
    insert into files_to_remove (org_id, id, kept_by, key) values (${org}, ${newId(tx.clock.now())}, ${keptBy}, ${key})`);
}

/** How long a file that is not found is looked for again: the store may have been another one, or not there. */
const LOOKED_FOR = 2 * DAY;

/** How many organizations, and how many files of each, are dealt with before the next ones come. */
const TURN = { orgs: 50, files: 10 };

/**
 * Deletes the noted files. The notes are deleted last, so that the next run repeats whatever a crash has interrupted. Organizations take
 * turns: a file of a person who was erased does not wait until everything of an organization with very many is deleted.
 */
export async function removeFiles({ pool, clock, outside }: JobParts): Promise<number> {
  const as = { role: 'system' } as const;
  const remove = ({ kept_by, key }: Note): Promise<boolean> | boolean | undefined =>
    kept_by === 'files' ? outside.files.delete(key) : outside.mail.forget?.(key).then(() => true);
  let removed = 0;
  const deal = async (notes: readonly Note[]) => {
    const over: Note[] = [];
    for (const note of notes) {
      const isGone = (await remove(note)) ?? true;
      if (isGone || timeOf(note.id).getTime() < clock.now().getTime() - LOOKED_FOR) over.push(note);
    }
    await jobTransaction(pool, clock, as, (tx) =>
      tx.run(sql`
        delete from files_to_remove where (org_id, id) in (
          select * from unnest(${over.map((row) => row.org_id)}::uuid[], ${over.map((row) => row.id)}::uuid[]))`),
    );
    removed += over.length;
  };
  // The first round goes through all organizations; the others through those that had more.
  let more = new Map<Id, Id>();
  for (let after = NOBODY; ; ) {
    const { orgs, notes } = await jobTransaction(pool, clock, as, (tx) => firstNotes(tx, after));
    await deal(notes);
    more = new Map([...more, ...unfinished(notes)]);
    if (orgs.length < TURN.orgs) break;
    after = orgs.at(-1)!;
  }
  while (more.size > 0) {
    const round = [...more];
    more = new Map();
    for (let from = 0; from < round.length; from += TURN.orgs) {
      const notes = await jobTransaction(pool, clock, as, (tx) => notesOf(tx, round.slice(from, from + TURN.orgs)));
      await deal(notes);
      more = new Map([...more, ...unfinished(notes)]);
    }
  }
  return removed;
}

const NOBODY = '00000000-0000-0000-0000-000000000000' as Id;

/** The next organizations with notes, by steps of the key, and the first notes of each. */
async function firstNotes(tx: Tx, after: Id): Promise<{ orgs: Id[]; notes: Note[] }> {
  const { orgs } = await tx.one<{ orgs: Id[] }>(sql`
    with recursive walk as (
      (select org_id from files_to_remove where org_id > ${after} order by org_id limit 1)
      union all
      select n.org_id from walk w cross join lateral (
        select f.org_id from files_to_remove f where f.org_id > w.org_id order by f.org_id limit 1) n)
    select array(select org_id from walk limit ${TURN.orgs}) as orgs`);
  return {
    orgs,
    notes:
      orgs.length === 0
        ? []
        : await notesOf(
            tx,
            orgs.map((org) => [org, NOBODY]),
          ),
  };
}

/** The next notes of each organization behind that one. */
const notesOf = (tx: Tx, line: readonly (readonly [Id, Id])[]): Promise<Note[]> =>
  tx.all<Note>(sql`
    select n.* from unnest(${line.map(([org]) => org)}::uuid[], ${line.map(([, id]) => id)}::uuid[]) as l(org_id, id)
    cross join lateral (
      select f.org_id, f.id, f.kept_by, f.key from files_to_remove f where f.org_id = l.org_id and f.id > l.id
      order by f.id limit ${TURN.files}) n`);

/** The organizations of which there may be more, each with its last note. */
const unfinished = (notes: readonly Note[]): [Id, Id][] =>
  [...Map.groupBy(notes, (note) => note.org_id)].flatMap(([org, own]) =>
    own.length < TURN.files ? [] : [[org, own.at(-1)!.id]],
  );

interface Note {
  org_id: Id;
  id: Id;
  kept_by: string;
  key: string;
}

/**
 * Deletes files whose day is over. The row is changed last, so that the next sweep repeats whatever a crash has interrupted.
 */
export async function sweepExpired({ pool, clock, outside }: JobParts): Promise<number> {
  const as = { role: 'system' } as const;
  let swept = 0;
  for (;;) {
    const expired = await jobTransaction(pool, clock, as, (tx) =>
      tx.all<{ org_id: Id; id: Id; files: JobFiles }>(sql`
        select org_id, id, files from jobs where files <> '{}' and expires_at <= ${clock.now()} limit 100`),
    );
    if (expired.length === 0) return swept;
    for (const { files } of expired) for (const file of Object.values(files)) await outside.files.delete(file.key);
    await jobTransaction(pool, clock, as, (tx) =>
      tx.run(sql`
        update jobs set files = '{}', updated_at = ${clock.now()} where (org_id, id) in (
          select * from unnest(${expired.map((row) => row.org_id)}::uuid[], ${expired.map((row) => row.id)}::uuid[]))`),
    );
    swept += expired.length;
  }
}

/** Deletes the uploads of jobs that ended without deleting them, such as cancelled ones. Again the row is changed last. */
export async function sweepUploads({ pool, clock, outside }: JobParts): Promise<number> {
  const as = { role: 'system' } as const;
  const ended = await jobTransaction(pool, clock, as, (tx) =>
    tx.all<{ org_id: Id; id: Id; key: string }>(sql`
      select org_id, id, source->>'key' as key from jobs
      where (source is not null or files <> '{}') and source is not null and status not in ('queued', 'running')`),
  );
  for (const { org_id, id, key } of ended) {
    await outside.files.delete(key);
    await jobTransaction(pool, clock, as, (tx) =>
      tx.run(sql`update jobs set source = null where org_id = ${org_id} and id = ${id}`),
    );
  }
  return ended.length;
}

/** Deletes files that no job refers to: a call stored them and was then refused, or the process was killed. */
export async function sweepOrphans({ pool, clock, outside }: JobParts): Promise<number> {
  const keptSince = clock.now().getTime() - 2 * DAY;
  let swept = 0;
  for await (const key of outside.files.list()) {
    const { org, job, at } = readKey(key);
    if (at.getTime() > keptSince) continue;
    const wanted = await jobTransaction(pool, clock, { role: 'app', org }, (tx) =>
      tx.maybe(sql`
        select from jobs where org_id = ${org} and id = ${job}
          and ${key} in (source->>'key', files->'result'->>'key', files->'rejects'->>'key')`),
    );
    if (wanted !== null) continue;
    await outside.files.delete(key);
    swept += 1;
  }
  return swept;
}

/** Finished jobs are kept for a year. Their files were deleted long before. */
export const deleteOldJobs = ({ pool, clock }: JobParts): Promise<number> =>
  jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.run(sql`delete from jobs where finished_at <= ${new Date(clock.now().getTime() - 365 * DAY)}`),
  );

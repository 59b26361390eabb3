import type { FastifyInstance } from 'fastify';
import { type Clock, DAY } from '../../clock.ts';
import { type Files, readKey } from '../../outside/files.ts';
import type { JobFiles, JobParts } from '../../road/job.ts';
import type { Links } from '../../road/links.ts';
import { Refusal } from '../../road/refusal.ts';
import { type Id, newId } from '../../store/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';

/** What a job made, by its signed link, streamed. */
export function jobLink(app: FastifyInstance, parts: { pool: Pool; clock: Clock; links: Links; files: Files }): void {
  app.get<{ Params: { token: string } }>('/links/jobs/:token', async (request, reply) => {
    const over = new Refusal('not_found', {
      message: 'This link is not valid any more: files can be downloaded for one day.',
    });
    const opens = parts.links.open('jobs', request.params.token);
    if (opens === null) throw over;
    const { org } = opens;
    const job = opens.job as Id;
    const now = parts.clock.now();
    const row = await transaction(
      parts.pool,
      parts.clock,
      { role: 'app', org },
      (tx) =>
        tx.maybe<{ files: JobFiles }>(sql`
          select files from jobs where org_id = ${org} and id = ${job} and expires_at > ${now}`),
      { readOnly: true },
    );
    const file = row?.files[opens.file as keyof JobFiles];
    const body = file && (await parts.files.read(file.key));
    if (file === undefined || body === undefined || body === null) throw over;
    return reply
      .type(file.mediaType)
      .header('Content-Disposition', attachment(file.filename))
      .header('Content-Length', file.size)
      .header('Cache-Control', 'private, no-store')
      .header('X-Content-Type-Options', 'nosniff')
      .send(body);
  });
}

/** A plain name for every client, and the whole one for those that read RFC 6266. */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\w .()-]/g, '_');
  const whole = encodeURIComponent(filename).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** Whose people a job's files may hold. */
export interface About {
  events: readonly Id[];
  /** Live files hold no test people; those of a test key hold both. */
  test: boolean;
  groups: readonly Id[];
}

/**
 * Whoever is erased may be in any file of these events that was made in such a mode for one of these groups, one above them or
 * the whole organization: it cannot be downloaded any more and is removed, and a job that is writing one starts over.
 */
export async function expireFiles(tx: Tx, org: Id, { events, test, groups }: About): Promise<void> {
  const now = tx.clock.now();
  const about = sql`j.org_id = ${org} and j.event_id = any(${events})
    and (j.test or not ${test}::boolean or exists (select from events e where e.org_id = j.org_id and e.id = j.event_id and e.test))
    and (j.group_id is null or j.group_id in (select unnest(g.path) from groups g where g.org_id = ${org} and g.id = any(${groups})))`;
  // Those at work first: one that ends in between would keep its file.
  await tx.run(sql`update jobs j set runner = null, lease_until = ${now} where ${about} and j.status = 'running'`);
  const offering = await tx.all<{ id: Id; files: JobFiles }>(
    sql`select j.id, j.files from jobs j where ${about} and j.files <> '{}' for update`,
  );
  if (offering.length === 0) return;
  for (const { files } of offering) for (const { key } of Object.values(files)) removeLater(tx, org, 'files', key);
  await tx.run(sql`
    update jobs set files = '{}', expires_at = least(expires_at, ${now}), updated_at = ${now} where org_id = ${org} and id = any(${offering.map((row) => row.id)})`);
}

/** Files that the transaction leaves without a use go once it has committed. */
export function removeLater(tx: Tx, org: Id, keptBy: 'files' | 'mails', key: string): void {
  tx.send(sql`
    insert into files_to_remove (org_id, id, kept_by, key) values (${org}, ${newId(tx.clock.now())}, ${keptBy}, ${key})`);
}

/** Does it, and forgets about it last, so that a crash in between is repaired by the next look. */
export async function removeFiles({ pool, clock, outside }: JobParts): Promise<number> {
  const as = { role: 'system' } as const;
  let removed = 0;
  for (;;) {
    const rows = await transaction(pool, clock, as, (tx) =>
      tx.all<{ org_id: Id; id: Id; kept_by: string; key: string }>(sql`
        select org_id, id, kept_by, key from files_to_remove limit 100`),
    );
    if (rows.length === 0) return removed;
    for (const { kept_by, key } of rows) {
      if (kept_by === 'files') await outside.files.delete(key);
      else await outside.mail.forget?.(key);
    }
    await transaction(pool, clock, as, (tx) =>
      tx.run(sql`
        delete from files_to_remove where (org_id, id) in (
          select * from unnest(${rows.map((row) => row.org_id)}::uuid[], ${rows.map((row) => row.id)}::uuid[]))`),
    );
    removed += rows.length;
  }
}

/** Files whose day is over. The row forgets them last, so that a crash in between is repaired by the next sweep. */
export async function sweepExpired({ pool, clock, outside }: JobParts): Promise<number> {
  const as = { role: 'system' } as const;
  let swept = 0;
  for (;;) {
    const over = await transaction(pool, clock, as, (tx) =>
      tx.all<{ org_id: Id; id: Id; files: JobFiles }>(sql`
        select org_id, id, files from jobs where files <> '{}' and expires_at <= ${clock.now()} limit 100`),
    );
    if (over.length === 0) return swept;
    for (const { files } of over) for (const file of Object.values(files)) await outside.files.delete(file.key);
    await transaction(pool, clock, as, (tx) =>
      tx.run(sql`
        update jobs set files = '{}', updated_at = ${clock.now()} where (org_id, id) in (
          select * from unnest(${over.map((row) => row.org_id)}::uuid[], ${over.map((row) => row.id)}::uuid[]))`),
    );
    swept += over.length;
  }
}

/** Uploads of jobs that were cancelled; again the row forgets last. */
export async function sweepUploads({ pool, clock, outside }: JobParts): Promise<number> {
  const as = { role: 'system' } as const;
  const over = await transaction(pool, clock, as, (tx) =>
    tx.all<{ org_id: Id; id: Id; key: string }>(sql`
      select org_id, id, source->>'key' as key from jobs
      where (source is not null or files <> '{}') and source is not null and status not in ('queued', 'running')`),
  );
  for (const { org_id, id, key } of over) {
    await outside.files.delete(key);
    await transaction(pool, clock, as, (tx) =>
      tx.run(sql`update jobs set source = null where org_id = ${org_id} and id = ${id}`),
    );
  }
  return over.length;
}

/** Files that no job knows: written by a call that was refused after, or by a process that was killed. */
export async function sweepOrphans({ pool, clock, outside }: JobParts): Promise<number> {
  const young = clock.now().getTime() - 2 * DAY;
  let swept = 0;
  for await (const key of outside.files.list()) {
    const { org, job, at } = readKey(key);
    if (at.getTime() > young) continue;
    const wanted = await transaction(pool, clock, { role: 'app', org }, (tx) =>
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

/** Finished jobs are kept for a year; their files were swept long before. */
export const forgetOld = ({ pool, clock }: JobParts): Promise<number> =>
  transaction(pool, clock, { role: 'system' }, (tx) =>
    tx.run(sql`delete from jobs where finished_at <= ${new Date(clock.now().getTime() - 365 * DAY)}`),
  );

import type { FastifyInstance } from 'fastify';
import { type Clock, DAY } from '../../clock.ts';
import { type Files, readKey } from '../../outside/files.ts';
import type { JobFiles, JobParts } from '../../road/job.ts';
import type { Links } from '../../road/links.ts';
import { Refusal } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
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

/**
 * Whoever is erased may be in any file of the organization: finished ones cannot be downloaded any more and are swept, and
 * a job that is writing one starts over.
 */
export async function expireFiles(tx: Tx, org: Id): Promise<void> {
  const now = tx.clock.now();
  // Those at work first: one that ends in between would keep its file.
  await tx.run(sql`update jobs set runner = null, lease_until = ${now} where org_id = ${org} and status = 'running'`);
  await tx.run(
    sql`update jobs set expires_at = ${now} where org_id = ${org} and files <> '{}' and expires_at > ${now}`,
  );
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
        update jobs set files = '{}' where (org_id, id) in (
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

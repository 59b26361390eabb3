import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { PICTURE_FILES } from '../../common/page-links.ts';
import { type MadeFile, type MadePicture, makePicture, type PictureKind } from '../../outside/pictures/index.ts';
import type { Upload, Work } from '../../road/operation.ts';
import { insertRow } from '../../store/rows.ts';
import { join, type Sql, sql } from '../../store/sql.ts';

/** Whose picture it is: an event's, or (null) the organization's. */
type Owner = Id | null;

const digestOf = (files: readonly MadeFile[]): Buffer => {
  const hash = createHash('sha256');
  for (const { use, bytes } of files) hash.update(`${use} ${bytes.length}\n`).update(bytes);
  return hash.digest();
};

/** Makes the files of a picture. It takes a second or two, so no transaction is open meanwhile. */
export const prepare = (file: Upload, kind: PictureKind, org: Id) => (): Promise<MadePicture> =>
  makePicture(() => buffer(file.read()), kind, toUlid(org));

const ownedBy = (owner: Owner): Sql => (owner === null ? sql`event_id is null` : sql`event_id = ${owner}`);

/**
 * Keeps the picture in place of the one before, if it is another one. Whoever calls this holds the lock of the owner, so that of two
 * pictures that come at the same time one is left.
 */
export async function keep({ tx, org }: Work, owner: Owner, { width, height, files }: MadePicture): Promise<Id> {
  const digest = digestOf(files);
  const same = await tx.maybe<{ id: Id }>(sql`
    select id from pictures where org_id = ${org} and ${ownedBy(owner)} and digest = ${digest}`);
  if (same !== null) return same.id;
  await remove({ tx, org }, owner);
  const now = tx.clock.now();
  const id = newId(now);
  await insertRow(tx, 'pictures', { org_id: org, id, event_id: owner, width, height, digest, created_at: now });
  const rows = files.map(
    ({ use, type, bytes }) => sql`(${org}, ${id}, ${PICTURE_FILES[use]}, ${type}, ${Buffer.from(bytes)})`,
  );
  await tx.run(sql`insert into picture_files (org_id, picture_id, name, type, bytes) values ${join(rows, ', ')}`);
  return id;
}

export async function remove({ tx, org }: Pick<Work, 'tx' | 'org'>, owner: Owner): Promise<null> {
  await tx.run(sql`delete from pictures where org_id = ${org} and ${ownedBy(owner)}`);
  return null;
}

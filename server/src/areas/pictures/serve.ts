import type { Clock } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';

export interface PictureFile {
  type: string;
  bytes: Buffer;
}

const NAME = /^([0-7][0-9A-HJKMNP-TV-Z]{25})(-[0-9a-z]{1,10}\.[a-z]{3,4})$/;
const KEPT_BYTES = 32 * 1024 * 1024;

/** The bytes of files that were asked for lately; the one that nobody has asked for the longest goes first. */
export class Lately {
  readonly #files = new Map<string, Buffer>();
  readonly #most: number;
  #bytes = 0;
  constructor(most = KEPT_BYTES) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string): Buffer | undefined {
    const found = this.#files.get(key);
    if (found === undefined) return undefined;
    this.#files.delete(key);
    this.#files.set(key, found);
    return found;
  }

  keep(key: string, bytes: Buffer): void {
    this.forget(key);
    if (bytes.length > this.#most) return;
    this.#files.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest] of this.#files) {
      if (this.#bytes <= this.#most) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#bytes -= this.#files.get(key)?.length ?? 0;
    this.#files.delete(key);
  }
}

const lately = new Lately();

/**
 * The file at `{pages}/assets/{name}`. The database is asked each time whether there is still such a file, so that a picture that was
 * removed is gone at once in every process; its bytes are read only if they are not in memory.
 */
export async function pictureFile(pool: Pool, clock: Clock, org: Id, name: string): Promise<PictureFile | null> {
  const [, ulid, end] = NAME.exec(name) ?? [];
  if (ulid === undefined) return null;
  const key = `${org} ${name}`;
  const known = lately.find(key);
  const row = await transaction(
    pool,
    clock,
    { role: 'app', org },
    (tx) =>
      tx.maybe<{ type: string; bytes: Buffer | null }>(sql`
        select type, case when ${known !== undefined} then null else bytes end as bytes from picture_files
        where org_id = ${org} and picture_id = ${toUuid(ulid)} and name = ${end}`),
    { readOnly: true },
  );
  if (row === null) {
    lately.forget(key);
    return null;
  }
  const bytes = row.bytes ?? known!;
  if (row.bytes !== null) lately.keep(key, bytes);
  return { type: row.type, bytes };
}

/** How large the uploaded picture was. All its files have the same proportions, apart from the one for sharing. */
export const pictureSize = (tx: Tx, org: Id, id: Id): Promise<{ width: number; height: number } | null> =>
  tx.maybe(sql`select width, height from pictures where org_id = ${org} and id = ${id}`);

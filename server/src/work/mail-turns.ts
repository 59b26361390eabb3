import { arrayOf } from '../store/bulk.ts';
import type { Id } from '../store/ids.ts';
import { type Sql, sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';

/**
 * Whose mails go next. Organizations take turns, so however many mails one of them has waiting, another's goes out with the
 * next few. Within an organization, mails to many (`bulk`) wait behind those that somebody waits for. Between organizations
 * they keep a quarter of the places, or the many confirmations of one would stop the messages of all others.
 */
export interface Turn {
  org: Id;
  bulk: boolean;
  /** So many of its mails. */
  mails: number;
}

const BEGINNING = '00000000-0000-0000-0000-000000000000' as Id;
const END = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Id;

/** One line for mails that somebody waits for and one for mails to many. Remembers whose turn it was last. */
export class Turns {
  #last: Record<'single' | 'bulk', Id> = { single: BEGINNING, bulk: BEGINNING };

  /** Places for `free` mails, of organizations that have a place left. */
  async next(tx: Tx, now: Date, free: number, placesOf: (org: Id) => number, full: readonly Id[]): Promise<Turn[]> {
    const single = await this.#inLine(tx, 'single', now, free, full);
    const bulk = await this.#inLine(tx, 'bulk', now, free, [...full, ...single]);
    const forBulk = bulk.length === 0 ? 0 : single.length === 0 ? free : Math.max(1, Math.floor(free / 4));
    const turns = [
      ...shares(single, free - forBulk, placesOf).map((turn) => ({ ...turn, bulk: false })),
      ...shares(bulk, forBulk, placesOf).map((turn) => ({ ...turn, bulk: true })),
    ];
    for (const { org, bulk } of turns) this.#last[bulk ? 'bulk' : 'single'] = org;
    return turns;
  }

  /** Organizations with a mail that is due, from the one after the last on, and around. */
  async #inLine(tx: Tx, line: 'single' | 'bulk', now: Date, most: number, but: readonly Id[]): Promise<Id[]> {
    const last = this.#last[line];
    const find = async (after: Id, upTo: Id, limit: number) =>
      (await tx.all<{ org_id: Id }>(inLine(line === 'bulk', now, after, upTo, limit, but))).map((row) => row.org_id);
    const behind = await find(last, END, most);
    if (behind.length === most || last === BEGINNING) return behind;
    return [...behind, ...(await find(BEGINNING, last, most - behind.length))];
  }
}

/**
 * Every organization one step of the index, to its first mail: that one is due, or none is. No more of them than are wanted. Sorted
 * by all that the index holds, because by the organization alone PostgreSQL takes the primary key and reads an organization's
 * mails through (11,000 rows for 22 organizations [m]).
 */
const inLine = (bulk: boolean, now: Date, after: Id, upTo: Id, most: number, but: readonly Id[]): Sql => {
  const firstAfter = (org: Sql) => sql`
    select m.org_id, m.next_attempt_at from mails m where m.status = 'queued' and m.bulk = ${bulk} and m.org_id > ${org}
    order by m.org_id, m.next_attempt_at, m.id limit 1`;
  return sql`
    with recursive line as (
      (${firstAfter(sql`${after}::uuid`)})
      union all
      select n.* from line l cross join lateral (${firstAfter(sql`l.org_id`)}) n where l.org_id < ${upTo}
    )
    select l.org_id from line l
    where l.org_id <= ${upTo} and l.next_attempt_at <= ${now} and l.org_id <> all(${arrayOf(but)}::uuid[])
    limit ${most}`;
};

function shares(line: readonly Id[], places: number, placesOf: (org: Id) => number): { org: Id; mails: number }[] {
  const each = Math.ceil(places / Math.max(1, line.length));
  let left = places;
  return line.flatMap((org) => {
    const mails = Math.min(each, left, placesOf(org));
    left -= mails;
    return mails > 0 ? [{ org, mails }] : [];
  });
}

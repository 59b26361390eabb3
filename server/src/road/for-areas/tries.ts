import type { Secrets } from '../../common/secrets.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** Something that may be done only so often. */
export interface Allowance {
  /** What is counted: `email:ada@example.org`. Only a keyed hash of it is stored. */
  of: string;
  most: number;
  /** In how many milliseconds, from the first time on. */
  per: number;
}

export const triesKey = (secrets: Secrets, of: string): Buffer => secrets.sign(`tries ${of}`);

/** Counts one time. Returns the milliseconds to wait, or 0 if it may be done. A time that is refused counts nowhere. */
export async function takeOf(tx: Tx, secrets: Secrets, { of, most, per }: Allowance): Promise<number> {
  const now = tx.clock.now();
  const key = triesKey(secrets, of);
  const over = new Date(now.getTime() - per);
  const taken = await tx.maybe(sql`
    insert into sign_in_tries as t (bucket, tries, first_at, last_at) values (${key}, 1, ${now}, ${now})
    on conflict (bucket) do update set
      tries = case when t.first_at <= ${over} then 1 else t.tries + 1 end,
      first_at = case when t.first_at <= ${over} then excluded.first_at else t.first_at end,
      last_at = excluded.last_at
    where t.tries < ${most}::int or t.first_at <= ${over}
    returning 1`);
  if (taken !== null) return 0;
  const row = await tx.one<{ first_at: string }>(sql`select first_at from sign_in_tries where bucket = ${key}`);
  return Math.max(1000, Date.parse(row.first_at) + per - now.getTime());
}

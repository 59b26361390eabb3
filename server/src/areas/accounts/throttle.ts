import { HOUR, MINUTE } from '../../clock.ts';
import { refuse } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import { takeOf, triesKey } from '../../road/for-areas/tries.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * What a try counts against. The first `free` tries are answered at once. After each further one there is a wait: 15 seconds, then
 * twice as long each time, up to 15 minutes. An hour without a try, or the right password, begins anew. So nobody is kept out for
 * good, and a guesser gets about five tries an hour for each account.
 */
export interface Bucket {
  /** What is throttled: `email:ada@example.org`. Only a keyed hash of it is stored. */
  of: string;
  free: number;
}
export const FREE_TRIES = { account: 5, network: 50 };
const FIRST_WAIT_S = 15;
const LONGEST_WAIT_S = (15 * MINUTE) / 1000;
const FORGOTTEN_MS = HOUR;

const waitAfter = (tries: number, free: number): number =>
  tries < free ? 0 : Math.min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** Math.min(20, tries - free));

/** Buckets are always locked in this order, so that two tries cannot wait for each other. */
const inOrder = (secrets: Secrets, buckets: readonly Bucket[]) =>
  buckets.map(({ of, free }) => ({ key: triesKey(secrets, of), free })).sort((a, b) => Buffer.compare(a.key, b.key));

/**
 * Counts a try before it is made, in the transaction that is committed before the password is looked at. Many tries at once
 * therefore count one after the other, and the sixth of them waits like any other. A refused try counts nowhere and writes nothing.
 */
export async function takeTry(tx: Tx, secrets: Secrets, buckets: readonly Bucket[]): Promise<void> {
  const now = tx.clock.now();
  const forgotten = new Date(now.getTime() - FORGOTTEN_MS);
  for (const { key, free } of inOrder(secrets, buckets)) {
    const taken = await tx.maybe(sql`
      insert into sign_in_tries as t (bucket, tries, first_at, last_at) values (${key}, 1, ${now}, ${now})
      on conflict (bucket) do update set
        tries = case when t.last_at < ${forgotten} then 1 else t.tries + 1 end,
        first_at = case when t.last_at < ${forgotten} then excluded.first_at else t.first_at end,
        last_at = excluded.last_at
      where t.tries < ${free}::int
        or t.last_at <= ${now}::timestamptz - make_interval(secs =>
          least(${LONGEST_WAIT_S}::float8, ${FIRST_WAIT_S}::float8 * power(2, least(20, t.tries - ${free}::int))))
      returning 1`);
    if (taken !== null) continue;
    const row = await tx.one<{ tries: number; last_at: string }>(
      sql`select tries, last_at from sign_in_tries where bucket = ${key}`,
    );
    throttled(Date.parse(row.last_at) + waitAfter(row.tries, free) * 1000 - now.getTime());
  }
}

/** Takes back the tries, because the right person has come. */
export async function clearTries(tx: Tx, secrets: Secrets, buckets: readonly Bucket[]): Promise<void> {
  for (const { key } of inOrder(secrets, buckets)) await tx.run(sql`delete from sign_in_tries where bucket = ${key}`);
}

/** The wait begins when the try has failed, not when it was begun. */
export async function touchTries(tx: Tx, secrets: Secrets, buckets: readonly Bucket[]): Promise<void> {
  const now = tx.clock.now();
  for (const { key } of inOrder(secrets, buckets)) {
    await tx.run(sql`update sign_in_tries set last_at = greatest(last_at, ${now}::timestamptz) where bucket = ${key}`);
  }
}

/** Takes back one try. A network is shared, so what others did wrong there still counts. */
export async function returnTry(tx: Tx, secrets: Secrets, { of }: Bucket): Promise<void> {
  await tx.run(sql`update sign_in_tries set tries = greatest(0, tries - 1) where bucket = ${triesKey(secrets, of)}`);
}

/** Counts something that may happen so many times in an hour. Returns the milliseconds to wait, or 0 if it may happen. */
export const takeOfHour = (tx: Tx, secrets: Secrets, of: string, most: number): Promise<number> =>
  takeOf(tx, secrets, { of, most, per: HOUR });

export function throttled(ms: number, why = 'Too many failed attempts'): never {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return refuse('sign_in_throttled', {
    message: `${why}. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, or sign in another way.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

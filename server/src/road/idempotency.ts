import { createHash } from 'node:crypto';
import { DAY } from '../clock.ts';
import type { Secrets } from '../secrets.ts';
import type { Id } from '../store/ids.ts';
import { sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';
import { type Answer, replayed } from './answer.ts';
import { Refusal } from './refusal.ts';

/**
 * A POST retried with the same key and body gets the first answer back for 24 hours; the work is done once.
 *
 * The claim is an advisory lock of the transaction, then a look at the stored answers in a new statement; the answer is
 * inserted with the work. One row written once, where "insert the claim, update it with the answer" writes it twice and
 * leaves a dead row for each POST. A twin in another process waits for the lock; the winner's commit frees it.
 */
export const RETENTION = DAY;
const LOCK_WAIT_MS = 5_000;

export interface Claim {
  actor: Id;
  key: string;
  fingerprint: Buffer;
}

export const fingerprint = (method: string, url: string, body: Buffer): Buffer =>
  createHash('sha256').update(method).update('\n').update(url).update('\n').update(body).digest();

const lockOf = (org: Id, claim: Claim): string =>
  createHash('sha256').update(org).update(claim.actor).update(claim.key).digest().readBigInt64BE().toString();

/** What names a call to others that have idempotency keys of their own: the same for its retries, and no other call's. */
export const retryKeyOf = (org: Id, claim: Claim): string =>
  createHash('sha256').update(org).update(claim.actor).update(claim.key).update(claim.fingerprint).digest('hex');

export const inProgress = (): Refusal => new Refusal('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
export const reused = (): Refusal => new Refusal('idempotency_key_reused');

/** Answers that are kept: what the work said. Refusals before the work, and faults, claim nothing (spec 3). */
export const isKept = (status: number): boolean => status < 400 || status === 404 || status === 409 || status === 422;

interface StoredRow {
  actor_id: Id;
  key: string;
  fingerprint: Buffer;
  request_id: string;
  status: number;
  body: Buffer;
  encrypted: boolean;
}

export type Standing = 'mine' | 'busy' | Answer | Refusal;

/** What each claim meets. One that `waits` (a single claim) waits for a twin; in a lane nobody does: a twin never stalls a gate. */
export async function standings(
  tx: Tx,
  org: Id,
  claims: readonly Claim[],
  secrets: Secrets,
  waits: boolean,
): Promise<Standing[]> {
  if (claims.length === 0) return [];
  const locks = claims.map((claim) => lockOf(org, claim));
  const got = new Set<string>();
  const since = new Date(tx.clock.now().getTime() - RETENTION);
  const stored = () =>
    tx.all<StoredRow>(sql`
      select actor_id, key, fingerprint, request_id, status, body, encrypted from idempotency
      where org_id = ${org} and created_at > ${since}
        and (actor_id, key) in (select * from unnest(${claims.map((c) => c.actor)}::uuid[], ${claims.map((c) => c.key)}::text[]))`);
  let rows: StoredRow[];
  if (waits && claims.length === 1) {
    const locked = tx.run(sql`
      select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true), pg_advisory_xact_lock(${locks[0]}::bigint)`);
    const read = stored();
    const released = tx.run(sql`select set_config('lock_timeout', '0', true)`);
    released.catch(() => {});
    read.catch(() => {});
    try {
      await locked;
    } catch (error) {
      if ((error as { code?: string }).code === '55P03') throw inProgress();
      throw error;
    }
    rows = await read;
    got.add(locks[0]!);
  } else {
    const tried = tx.all<{ lock: string }>(sql`
      select lock::text from unnest(${[...new Set(locks)].sort()}::bigint[]) as lock where pg_try_advisory_xact_lock(lock)`);
    const read = stored();
    read.catch(() => {});
    for (const row of await tried) got.add(row.lock);
    rows = await read;
  }
  const known = new Map(rows.map((row) => [`${row.actor_id} ${row.key}`, row]));
  return claims.map((claim, i) => {
    if (!got.has(locks[i]!)) return 'busy';
    const row = known.get(`${claim.actor} ${claim.key}`);
    if (row === undefined) return 'mine';
    if (!row.fingerprint.equals(claim.fingerprint)) return reused();
    return replayed({
      status: row.status,
      body: row.encrypted ? secrets.decrypt(row.body) : row.body,
      requestId: row.request_id,
      headers: {},
    });
  });
}

export function keepAnswers(
  tx: Tx,
  org: Id,
  kept: readonly { claim: Claim; answer: Answer; secret: boolean }[],
  secrets: Secrets,
): void {
  if (kept.length === 0) return;
  const column = <T>(pick: (one: (typeof kept)[number]) => T): T[] => kept.map(pick);
  // The conflict is with a record older than 24 hours that was not swept yet.
  tx.send(sql`
    insert into idempotency (org_id, actor_id, key, fingerprint, request_id, status, body, encrypted, created_at)
    select ${org}, k.*, ${tx.clock.now()}::timestamptz from unnest(
      ${column((k) => k.claim.actor)}::uuid[], ${column((k) => k.claim.key)}::text[], ${column((k) => k.claim.fingerprint)}::bytea[],
      ${column((k) => k.answer.requestId)}::text[], ${column((k) => k.answer.status)}::smallint[],
      ${column((k) => (k.secret ? secrets.encrypt(k.answer.body) : k.answer.body))}::bytea[], ${column((k) => k.secret)}::boolean[]) k
    on conflict (org_id, actor_id, key) do update set fingerprint = excluded.fingerprint, request_id = excluded.request_id,
      status = excluded.status, body = excluded.body, encrypted = excluded.encrypted, created_at = excluded.created_at`);
}

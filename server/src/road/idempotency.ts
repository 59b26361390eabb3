import { DAY } from '../clock.ts';
import type { Secrets } from '../secrets.ts';
import { sha256 } from '../sha256.ts';
import { texts } from '../store/bulk.ts';
import type { Id } from '../store/ids.ts';
import { type Sql, sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';
import { type Answer, replayed } from './answer.ts';
import type { ReadKept } from './operation.ts';
import { Refusal, refuse } from './refusal.ts';

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
  /** In hex. */
  fingerprint: string;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The header of every POST. */
export function requireKey(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || header === '') return refuse('idempotency_key_required');
  if (!KEY.test(header)) {
    return refuse('validation_failed', {
      details: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
    });
  }
  return header;
}

export const fingerprint = (method: string, url: string, body: Buffer): string =>
  sha256(Buffer.concat([Buffer.from(`${method}\n${url}\n`), body]));

const lockOf = (org: Id, { actor, key }: Claim): string =>
  BigInt.asIntN(64, BigInt(`0x${sha256(org + actor + key).slice(0, 16)}`)).toString();

/** What names a call to others that have idempotency keys of their own: the same for its retries, and no other call's. */
export const retryKeyOf = (org: Id, claim: Claim): string =>
  sha256(Buffer.concat([Buffer.from(org + claim.actor + claim.key), Buffer.from(claim.fingerprint, 'hex')]));

export const inProgress = (): Refusal => new Refusal('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
export const reused = (): Refusal => new Refusal('idempotency_key_reused');

/** Answers that are kept: what the work said. Refusals before the work, and faults, claim nothing. */
export const isKept = (status: number): boolean => status < 400 || status === 404 || status === 409 || status === 422;

interface StoredRow {
  actor_id: Id;
  key: string;
  fingerprint: string;
  request_id: string;
  status: number;
  /** Null where the work keeps it: `kept_in` says where. */
  body: Buffer | null;
  kept_in: string | null;
  encrypted: boolean;
  created_at: string;
}

export type Standing = 'mine' | 'busy' | Answer | Refusal;

/** What each claim meets. One that `waits` (a single claim) waits for a twin; in a lane nobody does: a twin never stalls a gate. */
export async function standings(
  tx: Tx,
  org: Id,
  claims: readonly Claim[],
  secrets: Secrets,
  waits: boolean,
  readKept?: ReadKept,
): Promise<Standing[]> {
  if (claims.length === 0) return [];
  const locks = claims.map((claim) => lockOf(org, claim));
  const since = tx.clock.now().getTime() - RETENTION;
  const tried = tx.all<{ lock: string }>(tryLocks([...new Set(locks)].sort()));
  let stored = tx.all<StoredRow>(storedOf(org, claims));
  stored.catch(() => {});
  const got = new Set((await tried).map((row) => row.lock));
  if (waits && claims.length === 1 && got.size === 0) {
    await stored;
    await waitFor(tx, locks[0]!);
    got.add(locks[0]!);
    // In a new statement: the snapshot of the first one is older than the wait.
    stored = tx.all<StoredRow>(storedOf(org, claims));
  }
  let rows = await stored;
  const places = rows.flatMap((row) => row.kept_in ?? []);
  const kept = places.length === 0 ? undefined : await readKept?.(tx, org, places);
  // What is not there any more was given back meanwhile: a new statement sees it.
  if (places.some((place) => kept?.has(place) !== true)) rows = await tx.all<StoredRow>(storedOf(org, claims));
  const known = new Map(rows.map((row) => [`${row.actor_id} ${row.key}`, row]));
  return claims.map((claim, i) => {
    if (!got.has(locks[i]!)) return 'busy';
    const row = known.get(`${claim.actor} ${claim.key}`);
    if (row === undefined) return 'mine';
    const body = row.kept_in === null ? row.body : kept?.get(row.kept_in);
    if (Date.parse(row.created_at) <= since || body === undefined || body === null) {
      // Not swept yet, or its answer is gone. The key is locked, so nobody else has put a new one there.
      tx.send(sql`delete from idempotency where org_id = ${org} and actor_id = ${claim.actor} and key = ${claim.key}`);
      return 'mine';
    }
    if (row.fingerprint !== claim.fingerprint) return reused();
    return replayed({
      status: row.status,
      body: row.encrypted ? secrets.decrypt(body as Buffer) : body,
      requestId: row.request_id,
      headers: {},
    });
  });
}

/**
 * Claims at once, or blinds the transaction: what was sent behind it then finds no organization, so it reads, locks and changes
 * nothing. For the many whose key is new and who have no twin; the others, also those whose record is too old, come again by
 * `standings`. Two statements: the second must not look from before the lock. Nothing fails on purpose, because PostgreSQL would
 * write every retry into its log as an error.
 */
export async function claimOrBlind(tx: Tx, org: Id, claim: Claim): Promise<boolean> {
  const locked = tx.one<{ mine: boolean }>(sql`
    select case when pg_try_advisory_xact_lock(${lockOf(org, claim)}::bigint) then true else ${BLIND} end as mine`);
  const fresh = tx.one<{ mine: boolean }>(sql`
    select case when exists (select from idempotency i where i.org_id = ${org} and i.actor_id = ${claim.actor}
      and i.key = ${claim.key}) then ${BLIND} else true end as mine`);
  const outcomes = await Promise.all([locked, fresh]);
  return outcomes.every((one) => one.mine);
}
/** False, and from here on row-level security shows the transaction nothing. */
const BLIND = sql`set_config('turnout.org', '', true) is null`;

const tryLocks = (locks: readonly string[]): Sql =>
  locks.length === 1
    ? sql`select ${locks[0]}::text as lock where pg_try_advisory_xact_lock(${locks[0]}::bigint)`
    : sql`select lock::text from unnest(${locks}::bigint[]) as lock where pg_try_advisory_xact_lock(lock)`;

const STORED = sql`i.actor_id, i.key, encode(i.fingerprint, 'hex') as fingerprint, i.request_id, i.status, i.body, i.kept_in, i.encrypted, i.created_at`;
/**
 * By equality where it can be: `in (…)` over arrays was planned anew on every call, 643 µs instead of 17 [m]. Not by their age:
 * a plan made while the table was small would look through all of them by it.
 */
const storedOf = (org: Id, claims: readonly Claim[]): Sql =>
  claims.length === 1
    ? sql`select ${STORED} from idempotency i
        where i.org_id = ${org} and i.actor_id = ${claims[0]!.actor} and i.key = ${claims[0]!.key}`
    : sql`select ${STORED} from unnest(${claims.map((c) => c.actor)}::uuid[], ${claims.map((c) => c.key)}::text[]) as c(actor, key)
        join idempotency i on i.org_id = ${org} and i.actor_id = c.actor and i.key = c.key`;

/** Until the twin elsewhere has committed, and not longer than a caller would wait. */
async function waitFor(tx: Tx, lock: string): Promise<void> {
  try {
    await tx.run(sql`
      select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true), pg_advisory_xact_lock(${lock}::bigint)`);
    await tx.run(sql`select set_config('lock_timeout', '0', true)`);
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') throw inProgress();
    throw error;
  }
}

/** An answer, or the place where the work keeps it. */
export interface Kept {
  claim: Claim;
  answer: Answer;
  secret: boolean;
  place: string | null;
}

export function keepAnswers(tx: Tx, org: Id, kept: readonly Kept[], secrets: Secrets): void {
  const into = sql`insert into idempotency (org_id, actor_id, key, fingerprint, request_id, status, body, kept_in, encrypted, created_at)`;
  const alike = kept.every(({ answer, secret }) => !secret && typeof answer.body === 'string');
  if (kept.length < 2 || !alike) {
    for (const { claim, answer, secret, place } of kept) {
      const text = place === null ? Buffer.from(answer.body) : null;
      const hides = secret && text !== null;
      tx.send(sql`${into} values (${org}, ${claim.actor}, ${claim.key}, decode(${claim.fingerprint}, 'hex'), ${answer.requestId}, ${answer.status},
        ${hides ? secrets.encrypt(text) : text}, ${place}, ${hides}, ${tx.clock.now()})`);
    }
    return;
  }
  const column = (pick: (one: (typeof kept)[number]) => string): Sql => texts(kept.map(pick));
  tx.send(sql`${into}
    select ${org}, k.actor::uuid, k.key, decode(k.fingerprint, 'hex'), k.request_id, k.status::smallint,
      case when k.place = '' then convert_to(k.body, 'UTF8') end, nullif(k.place, ''), false, ${tx.clock.now()}::timestamptz
    from unnest(${column((k) => k.claim.actor)}, ${column((k) => k.claim.key)}, ${column((k) => k.claim.fingerprint)},
      ${column((k) => k.answer.requestId)}, ${column((k) => String(k.answer.status))}, ${column((k) => (k.place === null ? (k.answer.body as string) : ''))},
      ${column((k) => k.place ?? '')}) as k(actor, key, fingerprint, request_id, status, body, place)`);
}

/** Before the work removes answers that it kept: they are repeated until their day is over, so they are kept here from now on. */
export const giveBack = (tx: Tx, org: Id, going: Sql): Promise<number> =>
  tx.run(sql`
    update idempotency i set body = convert_to(g.answer, 'UTF8'), kept_in = null from (${going}) as g(place, answer)
    where i.org_id = ${org} and i.kept_in = g.place and i.created_at > ${new Date(tx.clock.now().getTime() - RETENTION)}`);

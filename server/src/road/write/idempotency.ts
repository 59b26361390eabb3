import { DAY } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import { sha256 } from '../../common/sha256.ts';
import { texts } from '../../store/bulk.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type Answer, replayed } from '../answer.ts';
import type { ReadAnswers } from '../operation.ts';

/**
 * For 24 hours, a POST that is retried with the same key and body gets the first answer back, and its work is not done again.
 *
 * To claim a key, a transaction takes an advisory lock and then looks for a stored answer, in a new statement. The answer is
 * inserted together with the work, so each POST writes one row once. Inserting the claim and updating it with the answer would
 * write the row twice and leave a dead row behind. A twin (a call with the same key) in another process waits for the lock,
 * which the commit of the first one frees.
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

/** Every POST needs the header `Idempotency-Key`. */
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

/** The idempotency key with which we ask others about a call: its retries have the same one, and no other call has it. */
export const retryKeyOf = (org: Id, claim: Claim): string =>
  sha256(Buffer.concat([Buffer.from(org + claim.actor + claim.key), Buffer.from(claim.fingerprint, 'hex')]));

export const inProgress = (): Refusal => new Refusal('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
export const reused = (): Refusal => new Refusal('idempotency_key_reused');

/** Whether an answer is stored for retries: every answer of the work is. Refusals before the work and failures are not. */
export const isStoredStatus = (status: number): boolean =>
  status < 400 || status === 404 || status === 409 || status === 422;

interface StoredRow {
  actor_id: Id;
  key: string;
  fingerprint: string;
  request_id: string;
  status: number;
  /** Null if the work itself stores the answer; `kept_in` then says where. */
  body: Buffer | null;
  kept_in: string | null;
  encrypted: boolean;
  created_at: string;
}

/**
 * What a call finds for its claim: the key is free and now ours (`mine`), a twin holds it (`busy`), the stored answer, or the
 * refusal of a key that was used for another request.
 */
export type ClaimState = 'mine' | 'busy' | Answer | Refusal;

/**
 * Claims the keys and says what each call found, in order. With `waits`, a single claim waits for a twin. Calls of a lane do not
 * wait, so that one twin does not hold up everybody at a gate.
 */
export async function resolveClaims(
  tx: Tx,
  org: Id,
  claims: readonly Claim[],
  secrets: Secrets,
  waits: boolean,
  readAnswers?: ReadAnswers,
): Promise<ClaimState[]> {
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
    // The answer is looked for in a new statement: the snapshot of the first one is older than the wait.
    stored = tx.all<StoredRow>(storedOf(org, claims));
  }
  let rows = await stored;
  const places = rows.flatMap((row) => row.kept_in ?? []);
  const kept = places.length === 0 ? undefined : await readAnswers?.(tx, org, places);
  // An answer that the work no longer has was moved into this table meanwhile (`giveBack`). A new statement sees it here.
  if (places.some((place) => kept?.has(place) !== true)) rows = await tx.all<StoredRow>(storedOf(org, claims));
  const known = new Map(rows.map((row) => [`${row.actor_id} ${row.key}`, row]));
  return claims.map((claim, i) => {
    if (!got.has(locks[i]!)) return 'busy';
    const row = known.get(`${claim.actor} ${claim.key}`);
    if (row === undefined) return 'mine';
    const body = row.kept_in === null ? row.body : kept?.get(row.kept_in);
    if (Date.parse(row.created_at) <= since || body === undefined || body === null) {
      // The row is too old and not swept yet, or its answer is gone. We hold the lock of the key, so nobody else has replaced it.
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
 * Claims the key at once or blinds the transaction: the statements sent after it then run without an organization, so row-level
 * security lets them read, lock and change nothing. This serves the many calls whose key is new and that have no twin. Every other
 * call, also one whose stored answer is too old, is tried again with `resolveClaims`. There are two statements because the look
 * for a stored answer must not use a snapshot from before the lock. No statement fails on purpose, because PostgreSQL would write
 * every retry into its log as an error.
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
/** Evaluates to false, and from then on row-level security shows the transaction nothing. */
const BLIND = sql`set_config('turnout.org', '', true) is null`;

const tryLocks = (locks: readonly string[]): Sql =>
  locks.length === 1
    ? sql`select ${locks[0]}::text as lock where pg_try_advisory_xact_lock(${locks[0]}::bigint)`
    : sql`select lock::text from unnest(${locks}::bigint[]) as lock where pg_try_advisory_xact_lock(lock)`;

const STORED = sql`i.actor_id, i.key, encode(i.fingerprint, 'hex') as fingerprint, i.request_id, i.status, i.body, i.kept_in, i.encrypted, i.created_at`;
/**
 * A single claim is compared by equality: `in (…)` over arrays was planned anew on every call, which took 643 µs instead of 17 µs
 * (measured). There is no condition on the age of a row: a plan made while the table was small would use it to read all rows.
 */
const storedOf = (org: Id, claims: readonly Claim[]): Sql =>
  claims.length === 1
    ? sql`select ${STORED} from idempotency i
        where i.org_id = ${org} and i.actor_id = ${claims[0]!.actor} and i.key = ${claims[0]!.key}`
    : sql`select ${STORED} from unnest(${claims.map((c) => c.actor)}::uuid[], ${claims.map((c) => c.key)}::text[]) as c(actor, key)
        join idempotency i on i.org_id = ${org} and i.actor_id = c.actor and i.key = c.key`;

/** Waits until the twin in another process has committed, but not longer than a caller would wait. */
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

export interface StoredAnswer {
  claim: Claim;
  answer: Answer;
  /** The answer shows a secret, so it is stored encrypted. */
  secret: boolean;
  /** Where the work stores the answer; then only this place is stored here. */
  place: string | null;
}

export function keepAnswers(tx: Tx, org: Id, answers: readonly StoredAnswer[], secrets: Secrets): void {
  const into = sql`insert into idempotency (org_id, actor_id, key, fingerprint, request_id, status, body, kept_in, encrypted, created_at)`;
  const isPlainText = answers.every(({ answer, secret }) => !secret && typeof answer.body === 'string');
  if (answers.length < 2 || !isPlainText) {
    for (const { claim, answer, secret, place } of answers) {
      const text = place === null ? Buffer.from(answer.body) : null;
      const encrypts = secret && text !== null;
      tx.send(sql`${into} values (${org}, ${claim.actor}, ${claim.key}, decode(${claim.fingerprint}, 'hex'), ${answer.requestId}, ${answer.status},
        ${encrypts ? secrets.encrypt(text) : text}, ${place}, ${encrypts}, ${tx.clock.now()})`);
    }
    return;
  }
  const column = (textOf: (one: (typeof answers)[number]) => string): Sql => texts(answers.map(textOf));
  tx.send(sql`${into}
    select ${org}, k.actor::uuid, k.key, decode(k.fingerprint, 'hex'), k.request_id, k.status::smallint,
      case when k.place = '' then convert_to(k.body, 'UTF8') end, nullif(k.place, ''), false, ${tx.clock.now()}::timestamptz
    from unnest(${column((k) => k.claim.actor)}, ${column((k) => k.claim.key)}, ${column((k) => k.claim.fingerprint)},
      ${column((k) => k.answer.requestId)}, ${column((k) => String(k.answer.status))}, ${column((k) => (k.place === null ? (k.answer.body as string) : ''))},
      ${column((k) => k.place ?? '')}) as k(actor, key, fingerprint, request_id, status, body, place)`);
}

/**
 * Called before the work removes answers that it stores itself: copies them into this table, because retries get them until their
 * 24 hours are over. `going` selects the place and the answer of each.
 */
export const giveBack = (tx: Tx, org: Id, going: Sql): Promise<number> =>
  tx.run(sql`
    update idempotency i set body = convert_to(g.answer, 'UTF8'), kept_in = null from (${going}) as g(place, answer)
    where i.org_id = ${org} and i.kept_in = g.place and i.created_at > ${new Date(tx.clock.now().getTime() - RETENTION)}`);

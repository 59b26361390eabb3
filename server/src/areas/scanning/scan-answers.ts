import type { ScanResponse } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { textOf } from '../../road/answer.ts';
import { giveBack } from '../../road/write/idempotency.ts';
import { TooMuchTogether } from '../../road/write/too-much-together.ts';
import { texts } from '../../store/bulk.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * The answer of a scan is stored once, in the table `scans`. A retry finds it there by its `client_uuid`. A retry with the same
 * Idempotency-Key finds it, too: the record of that key holds no answer of its own, only the place of this one.
 */
export interface StoredAnswer {
  /** SHA-256 in hex of what was scanned and where: a repeated `client_uuid` must ask for the same. */
  fingerprint: string;
  answer: ScanResponse;
}

/** How many bytes of stored answers are read and sent again in one transaction. The answer about one person has about 800. */
export const MAX_STORED_BYTES = 8_000_000;

export interface StoredAnswers {
  /** How long each answer is, by `client_uuid`. */
  storedBytes: Map<string, number>;
  /** By `client_uuid`. Null if several answers together are longer than `MAX_STORED_BYTES`: then none of them was read. */
  repeats: Map<string, StoredAnswer> | null;
}

/** A stored answer; null if several answers together are too long. PostgreSQL knows the length of a long text without reading the text. */
const ANSWER = sql`
  case when count(*) over () = 1 or sum(octet_length(s.answer)) over () <= ${MAX_STORED_BYTES}::int then s.answer end`;

/**
 * The stored answers of these scans in the mode that is asked for: a live scan that repeats the `client_uuid` of a test scan is a
 * scan of its own.
 */
export async function readAnswersByUuid(
  tx: Tx,
  org: Id,
  event: Sql,
  test: Sql,
  uuids: readonly string[],
): Promise<StoredAnswers> {
  const rows = await tx.all<{ client_uuid: string; fingerprint: string; bytes: number; answer: string | null }>(sql`
    select client_uuid, encode(fingerprint, 'hex') as fingerprint, octet_length(answer) as bytes, ${ANSWER} as answer
    from scans s
    where org_id = ${org} and event_id = ${event} and client_uuid = any(${uuids}::uuid[]) and test = ${test}`);
  const storedBytes = new Map(rows.map(({ client_uuid, bytes }) => [client_uuid, bytes]));
  const repeats = new Map<string, StoredAnswer>();
  for (const { client_uuid, fingerprint, answer } of rows) {
    if (answer === null) return { storedBytes, repeats: null };
    repeats.set(client_uuid, { fingerprint, answer: JSON.parse(answer) });
  }
  return { storedBytes, repeats };
}

export function writeAnswers(
  tx: Tx,
  org: Id,
  event: Id,
  test: boolean,
  scans: readonly (StoredAnswer & { client_uuid: string })[],
): void {
  if (scans.length === 0) return;
  tx.send(sql`
    insert into scans (org_id, event_id, client_uuid, fingerprint, answer, test, created_at)
    select ${org}, ${event}, s.client_uuid::uuid, decode(s.fingerprint, 'hex'), s.answer, ${test}, ${tx.clock.now()}::timestamptz
    from unnest(${texts(scans.map((one) => one.client_uuid))}, ${texts(scans.map((one) => one.fingerprint))},
      ${texts(scans.map((one) => textOf(one.answer)))}) as s(client_uuid, fingerprint, answer)`);
}

/** The place of a stored answer, as the record of an Idempotency-Key holds it. `PLACE` is the same in SQL. */
export const placeOf = (event: Id, client_uuid: string, test: boolean): string =>
  `${event} ${client_uuid.toLowerCase()}${test ? ' test' : ''}`;
const PLACE = sql`s.event_id || ' ' || s.client_uuid || case when s.test then ' test' else '' end`;

/** The answers of calls that wait together and repeat their keys: as many as fit are read at once. One is always read. */
export async function readAnswersByPlace(tx: Tx, org: Id, places: readonly string[]): Promise<Map<string, string>> {
  const named = places.map((place) => place.split(' ') as [string, string, 'test'?]);
  const rows = await tx.all<{ place: string; answer: string | null }>(sql`
    select ${PLACE} as place, ${ANSWER} as answer
    from unnest(${named.map(([event]) => event)}::uuid[], ${named.map(([, uuid]) => uuid)}::uuid[],
      ${named.map(([, , mode]) => mode === 'test')}::boolean[]) as p(event_id, client_uuid, test)
    join scans s on s.org_id = ${org} and s.event_id = p.event_id and s.client_uuid = p.client_uuid and s.test = p.test`);
  return new Map(rows.map(({ place, answer }) => [place, answer ?? tooMuch()]));
}

const tooMuch = (): never => {
  throw new TooMuchTogether();
};

/**
 * `which` is a condition on `s`. Afterwards a retry with the same Idempotency-Key still gets the answer, because it is copied
 * into the record of that key; a retry that repeats only the `client_uuid` is a new scan.
 */
export async function deleteAnswers(tx: Tx, org: Id, which: Sql): Promise<void> {
  const mine = sql`s.org_id = ${org} and ${which}`;
  await giveBack(tx, org, sql`select ${PLACE}, s.answer from scans s where ${mine}`);
  await tx.run(sql`delete from scans s where ${mine}`);
}

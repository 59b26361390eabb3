import { giveBack } from '../../road/idempotency.ts';
import type { Id } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * The answer of a scan is kept once, in `scans`, where a retry finds it by its `client_uuid`. The record of its Idempotency-Key
 * says where it is; these are the ways from one to the other.
 */
export const placeOf = (event: Id, client_uuid: string, test: boolean): string =>
  `${event} ${client_uuid.toLowerCase()}${test ? ' test' : ''}`;
const PLACE = sql`s.event_id || ' ' || s.client_uuid || case when s.test then ' test' else '' end`;

export async function readAnswers(tx: Tx, org: Id, places: readonly string[]): Promise<Map<string, string>> {
  const named = places.map((place) => place.split(' ') as [string, string, 'test'?]);
  const rows = await tx.all<{ place: string; answer: string }>(sql`
    select ${PLACE} as place, s.answer
    from unnest(${named.map(([event]) => event)}::uuid[], ${named.map(([, uuid]) => uuid)}::uuid[],
      ${named.map(([, , mode]) => mode === 'test')}::boolean[]) as p(event_id, client_uuid, test)
    join scans s on s.org_id = ${org} and s.event_id = p.event_id and s.client_uuid = p.client_uuid and s.test = p.test`);
  return new Map(rows.map((row) => [row.place, row.answer]));
}

/** `which` is a condition on `s`. A retry by Idempotency-Key goes on being answered, one by `client_uuid` is a new scan. */
export async function deleteScans(tx: Tx, org: Id, which: Sql): Promise<void> {
  const mine = sql`s.org_id = ${org} and ${which}`;
  await giveBack(tx, org, sql`select ${PLACE}, s.answer from scans s where ${mine}`);
  await tx.run(sql`delete from scans s where ${mine}`);
}

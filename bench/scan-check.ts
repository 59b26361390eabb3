import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../server/src/store/sql.ts';
import type { Hall } from './scan-fill.ts';
import { whole } from './support.ts';
import type { BenchTurnout } from './turnout.ts';

/** Rows of one event that scans leave; an occurrence is in the outbox or, once the relay took it, an envelope. */
export interface Rows {
  scans: number;
  checkins: number;
  audit: number;
  idempotency: number;
  occurrences: number;
}

const SETTLES_WITHIN_MS = 60_000;

/** Once nothing is on its way any more: calls that were cut off, occurrences that the relay has to take. */
export async function countRows(turnout: BenchTurnout, { org, event }: Hall): Promise<Rows> {
  const read = () =>
    turnout.system((tx) =>
      tx.one<Rows & { waiting: number }>(sql`
        select (select count(*) from scans where org_id = ${org} and event_id = ${event}) as scans,
          (select count(*) from checkins where org_id = ${org} and event_id = ${event}) as checkins,
          (select count(*) from audit_log where org_id = ${org} and event_id = ${event} and action = 'checkin.recorded') as audit,
          (select count(*) from idempotency where org_id = ${org} and status = 200) as idempotency,
          (select count(*) from outbox where org_id = ${org}) as waiting,
          (select count(*) from outbox where org_id = ${org}) + (select count(*) from webhook_envelopes where org_id = ${org}) as occurrences`),
    );
  const until = performance.now() + SETTLES_WITHIN_MS;
  let before = await read();
  for (;;) {
    await sleep(200);
    const { waiting, ...rows } = await read();
    if (waiting === 0 && rows.scans === before.scans) return rows;
    if (performance.now() > until) throw new Error(`${waiting} occurrences still wait for the relay`);
    before = { ...rows, waiting };
  }
}

/**
 * No answer without its rows, no row without its siblings. Each scan has one person, unless its code is unknown: then it is
 * stored without a check-in. A load ends with up to one unanswered call a connection.
 */
export function checkRows(before: Rows, after: Rows, asked: Asked): void {
  const { answers, connections, batch, known } = asked;
  const added = (of: keyof Rows) => after[of] - before[of];
  const calls = added('idempotency');
  const should: Rows = {
    scans: calls * batch,
    checkins: known ? calls * batch : 0,
    audit: calls * batch,
    idempotency: calls,
    occurrences: known ? calls * batch : 0,
  };
  for (const of of Object.keys(should) as (keyof Rows)[]) {
    if (added(of) !== should[of]) throw new Error(`${calls} calls of ${batch}: ${added(of)} rows of ${of}`);
  }
  if (calls < answers || calls > answers + connections) {
    throw new Error(`${answers} answers, but ${calls} are stored (at most ${connections} calls were cut off)`);
  }
}
export interface Asked {
  answers: number;
  connections: number;
  batch: number;
  known: boolean;
}

/** Nobody was let in twice, and whoever was let in is marked so. */
export async function checkAdmissions(turnout: BenchTurnout, { org, event }: Hall): Promise<string> {
  const { admitted, twice, unmarked } = await turnout.system((tx) =>
    tx.one<{ admitted: number; twice: number; unmarked: number }>(sql`
      with people as (
        select attendee_id, count(*) as times from checkins
        where org_id = ${org} and event_id = ${event} and admitted and undone_at is null group by 1)
      select count(*) as admitted, count(*) filter (where p.times > 1) as twice, count(*) filter (where a.checked_in_at is null) as unmarked
      from people p join attendees a on a.org_id = ${org} and a.id = p.attendee_id`),
  );
  if (twice > 0 || unmarked > 0) throw new Error(`${twice} people were let in twice, ${unmarked} not marked`);
  return `${whole(admitted)} people let in, nobody twice`;
}

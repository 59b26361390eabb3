import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../server/src/store/sql.ts';
import type { Hall } from './scan-fill.ts';
import { whole } from './support.ts';
import type { BenchTurnout } from './turnout.ts';

/** The rows that scans of one event leave. An occurrence is in the outbox or, once the relay has taken it, an envelope. */
export interface Rows {
  scans: number;
  checkins: number;
  audit: number;
  idempotency: number;
  occurrences: number;
}

const SETTLES_WITHIN_MS = 60_000;

/** Counts once nothing is under way any more: neither calls whose connection was closed nor occurrences that the relay has to take. */
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
    if (performance.now() > until) throw new Error(`${waiting} occurrences still wait for the relay.`);
    before = { ...rows, waiting };
  }
}

/**
 * Every answer must have its rows, and all tables must agree. Each ticket is one person's; a scan of an unknown code is stored
 * without a check-in. When the load ends, each connection may have one call that was carried out and not answered.
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
    if (added(of) !== should[of])
      throw new Error(`${calls} calls with ${batch} scans each left ${added(of)} rows of ${of}.`);
  }
  if (calls < answers || calls > answers + connections) {
    throw new Error(
      `${answers} answers, but ${calls} are stored (at most ${connections} calls can be without an answer).`,
    );
  }
}
export interface Asked {
  answers: number;
  connections: number;
  batch: number;
  known: boolean;
}

/** Throws if somebody was admitted twice, or was admitted and is not marked as checked in. */
export async function checkAdmissions(turnout: BenchTurnout, { org, event }: Hall): Promise<string> {
  const { admitted, twice, unmarked } = await turnout.system((tx) =>
    tx.one<{ admitted: number; twice: number; unmarked: number }>(sql`
      with people as (
        select attendee_id, count(*) as times from checkins
        where org_id = ${org} and event_id = ${event} and admitted and undone_at is null group by 1)
      select count(*) as admitted, count(*) filter (where p.times > 1) as twice, count(*) filter (where a.checked_in_at is null) as unmarked
      from people p join attendees a on a.org_id = ${org} and a.id = p.attendee_id`),
  );
  if (twice > 0 || unmarked > 0)
    throw new Error(`${twice} people were admitted twice, ${unmarked} were admitted and are not marked as checked in.`);
  return `${whole(admitted)} people admitted, nobody twice`;
}

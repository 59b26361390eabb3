import { doctor } from '../server/src/cli/doctor/data.ts';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import type { Fate } from './rush-client.ts';
import type { BenchTurnout } from './turnout.ts';

/** What the database holds of one event after a rush. */
interface Truth {
  taken: number;
  most: number;
  registrations: number;
  confirmed: number;
  attendees: number;
  tickets: number;
  ticket_people: number;
  people: number;
  created: number;
  occurrences: number;
  mails: number;
}

export interface Rush {
  org: Id;
  event: Id;
  capacity: number;
  prefix: string;
  fates: readonly Fate[];
}

/**
 * Throws if a place was sold twice, an answer was lost or an attempt was carried out twice. `most` is the highest number of places
 * that were taken at one time. It can be computed afterwards: registrations carry the stamps of the event's clock at which they
 * were made and cancelled, and stamps are given in the order of commits.
 */
export async function checkRush(turnout: BenchTurnout, rush: Rush): Promise<string> {
  const { org, event, capacity, prefix } = rush;
  const key = `^${prefix}\\d+$`;
  const { truth, made, stored, units, sound } = await turnout.system(async (tx) => ({
    truth: await tx.one<Truth>(sql`
      with mine as materialized (select * from registrations where org_id = ${org} and event_id = ${event})
      select
        (select taken from places where org_id = ${org} and event_id = ${event} and scope_id = ${event} and not test)::int as taken,
        (select max(held) from (
          select sum(sum(step)) over (order by at) as held from (
            select created_at as at, 1 as step from mine union all select cancelled_at, -1 from mine where cancelled_at is not null
          ) steps group by at) history)::int as most,
        (select count(*) from mine)::int as registrations,
        (select count(*) from mine where status = 'confirmed')::int as confirmed,
        (select count(*) from attendees where org_id = ${org} and event_id = ${event})::int as attendees,
        (select count(*) from tickets where org_id = ${org} and event_id = ${event})::int as tickets,
        (select count(*) from ticket_people p join tickets t on t.org_id = p.org_id and t.id = p.ticket_id
          where t.org_id = ${org} and t.event_id = ${event})::int as ticket_people,
        (select count(distinct email_key) from attendees where org_id = ${org} and event_id = ${event})::int as people,
        (select count(*) from audit_log where org_id = ${org} and event_id = ${event} and action = 'registration.created')::int as created,
        (select count(*) from outbox where org_id = ${org} and event_id = ${event}
          and type in ('registration.created', 'registration.confirmed', 'ticket.issued'))::int as occurrences,
        (select count(*) from mails where org_id = ${org} and event_id = ${event} and kind = 'confirmation')::int as mails`),
    made: await tx.all<{ id: Id; status: string }>(
      sql`select id, status from registrations where org_id = ${org} and event_id = ${event}`,
    ),
    units: await tx.all<{ scope: string; taken: number }>(sql`
      select p.code as scope, coalesce(t.taken, 0) as taken from products p
      left join places t on t.org_id = p.org_id and t.event_id = p.event_id and t.scope_id = p.id and not t.test
      where p.org_id = ${org} and p.event_id = ${event}
      union all
      select code, used from discounts where org_id = ${org} and event_id = ${event}`),
    stored: await tx.all<{ key: string; id: string }>(sql`
      select key, convert_from(body, 'UTF8')::json ->> 'id' as id from idempotency
      where org_id = ${org} and status = 201 and key ~ ${key}`),
    sound: (await doctor(tx)).findings.find((finding) => finding.check === 'places')!,
  }));

  const faults: string[] = [];
  const equal = (what: string, is: unknown, should: unknown) => {
    if (is !== should) faults.push(`${what}: ${is}, not ${should}`);
  };
  equal('places taken', truth.taken, capacity);
  equal('confirmed', truth.confirmed, capacity);
  if (truth.most > capacity) faults.push(`${truth.most} places were taken at one time`);
  const { registrations } = truth;
  for (const what of ['attendees', 'tickets', 'ticket_people', 'people', 'created', 'mails'] as const) {
    equal(`${what} of ${registrations} registrations`, truth[what], registrations);
  }
  equal(`stored answers of ${registrations} registrations`, new Set(stored.map((row) => row.id)).size, registrations);
  equal('outbox', truth.occurrences, registrations * 3);
  // Whoever has a place has one unit of each product, if anything is sold.
  for (const { scope, taken } of units) equal(`units of ${scope}`, taken, capacity);
  if (!sound.ok) faults.push(`doctor: ${sound.says}`);

  const statusOf = new Map(made.map((row) => [row.id, row.status]));
  const madeBy = new Map(stored.map((row) => [row.key, row.id]));
  for (const { key: by, id } of stored)
    if (!statusOf.has(toUuid(id)))
      faults.push(`The stored answer of ${by} names the registration ${id}, which does not exist`);
  let heard = 0;
  for (const [attempt, status, registration, cancelled] of rush.fates) {
    if (status !== 201) continue;
    heard += 1;
    equal(`attempt ${attempt}, answered ${registration}, stored`, madeBy.get(prefix + attempt), registration);
    equal(
      `registration ${registration}`,
      statusOf.get(toUuid(registration!)),
      cancelled === 200 ? 'cancelled' : 'confirmed',
    );
  }
  const unheard = rush.fates.filter(([, status]) => status === 0).length;
  if (registrations < heard || registrations > heard + unheard) {
    faults.push(
      `${registrations} registrations, ${heard} answers (201), ${unheard} clients that hung up and never asked again`,
    );
  }
  if (faults.length > 0)
    throw new Error(`The database is not as it should be after the rush:\n  ${faults.slice(0, 20).join('\n  ')}`);
  const gone = registrations - truth.confirmed;
  return (
    `${capacity} places taken of ${capacity}, never more than ${truth.most}; ${heard} answers (201) of ${registrations} registrations` +
    `${gone > 0 ? `, ${gone} of them cancelled later` : ''}${registrations > heard ? `, ${registrations - heard} that their client never heard of` : ''}; all counts agree`
  );
}

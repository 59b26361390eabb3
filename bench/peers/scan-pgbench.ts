import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Id } from '../../server/src/common/ids.ts';
import { headOf } from '../../server/src/road/write/record.ts';
import { openPool, type Pool } from '../../server/src/store/pool.ts';
import { ARRIVAL, type Hall, OF_NUMBER } from '../scan-fill.ts';
import type { Bench } from '../support.ts';

/**
 * pgbench, a client in C, with prepared statements on the same tables with the same indexes: what somebody would write who needs no
 * HTTP, no rules and no row-level security. In two ways:
 *
 *   bare      one statement a scan, which marks a person who comes for the first time and writes a check-in. Nothing else: no
 *             stored answer, no audit log, no outbox, no idempotency, no clock.
 *   batches   all rows that our server writes for a scan, BATCH scans in a transaction, reading only the stamp of the event's
 *             clock. The rows carry that stamp, so the clock is moved first, and batches of one event wait for each other.
 *
 * The rows are copied from a scan that our server has just made; only ids, codes and stamps differ.
 */
export type Way = 'bare' | 'batches';
export const BATCH = 64;

export interface ScanPeer {
  /** Scans people in the order of arrival, beginning with number `from`. */
  run(way: Way, clients: number, seconds: number, from: number): Promise<PeerRan>;
}
export interface PeerRan {
  scans: number;
  perSecond: number;
  /** How many people may have been scanned. */
  used: number;
}

/** Ids that grow, as ours do, and client_uuids that are random. */
const ID = (kind: number) => `('01b00000-0000-7${kind}00-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const UUID = `md5('scan ' || n)::uuid`;

const COPIED: Copied[] = [
  {
    table: 'checkins',
    where: 'true',
    own: { id: ID(1), attendee_id: OF_NUMBER.attendee('m'), ticket_id: OF_NUMBER.ticket('m'), client_uuid: UUID },
  },
  { table: 'scans', where: 'true', own: { client_uuid: UUID } },
  { table: 'audit_log', where: `action = 'checkin.recorded'`, own: { id: ID(2), object_id: ID(1) } },
  {
    table: 'idempotency',
    where: `status = 200 and created_at > now() - interval '1 hour'`,
    own: { key: `md5('key ' || n)::uuid::text` },
  },
  {
    table: 'webhook_envelopes',
    where: `exists (select from webhook_deliveries d where d.org_id = t.org_id and d.envelope_id = t.id and d.type = 'checkin.recorded')`,
    own: { id: ID(3) },
  },
  { table: 'webhook_deliveries', where: `type = 'checkin.recorded'`, own: { id: ID(4), envelope_id: ID(3) } },
];
interface Copied {
  table: string;
  where: string;
  own: Record<string, string>;
}
/** These rows go to copies of the tables with the same indexes: otherwise our relay and our deliverer would take them. */
const ASIDE = ['outbox', 'webhook_envelopes', 'webhook_deliveries'];
const into = (table: string): string => (ASIDE.includes(table) ? `peer_${table}` : table);
const STAMP = 'stamp';
const STAMPS = new Set(['created_at', 'scanned_at', 'at', 'origin_at', 'next_attempt_at', 'due_at']);

interface Copy {
  table: string;
  columns: string[];
  /** SQL with `n`, the number of the arrival, and `m`, the number of the person. */
  values: string[];
}

async function copy(pool: Pool, { table, where, own }: Copied, event: Id): Promise<Copy> {
  const named = await pool.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
     order by attnum`,
    [table],
  );
  const columns = named.rows.map(({ name }) => name);
  const of = columns.includes('event_id') ? `event_id = '${event}'` : 'true';
  const { rows } = await pool.query<Record<string, string | null>>(
    `select ${columns.map((column) => `t.${column}::text`).join(', ')} from ${table} t where ${of} and ${where}`,
  );
  if (rows.length !== 1) throw new Error(`The peer found ${rows.length} rows of ${table} to copy.`);
  const values = columns.map((column) => {
    if (own[column] !== undefined) return own[column];
    const value = rows[0]![column];
    if (value === null || value === undefined) return 'null';
    if (column === 'recorded_at') return STAMP;
    return STAMPS.has(column) ? 'now()' : literal(value);
  });
  return { table, columns, values };
}

/** The occurrence is made anew from the check-in of the stored answer, because the relay may have taken it from the outbox already. */
async function outbox(pool: Pool, { org, event }: Hall): Promise<Copy> {
  const { rows } = await pool.query<{ data: string }>(
    `select (answer::json -> 'checkins' -> 0)::text as data from scans where event_id = '${event}'`,
  );
  const head = headOf(event, 'checkin.recorded', new Date(), true);
  return {
    table: 'outbox',
    columns: ['org_id', 'id', 'type', 'event_id', 'livemode', 'head', 'data', 'created_at'],
    values: [
      `'${org}'`,
      ID(3),
      `'checkin.recorded'`,
      `'${event}'`,
      'true',
      literal(head),
      literal(rows[0]!.data),
      'now()',
    ],
  };
}

/** A colon before a word gets a space, because pgbench would take it for a variable. */
const literal = (value: string): string => `'${value.replaceAll("'", "''").replaceAll(/:(?=[a-z_])/gi, ': ')}'`;

/** To be called when our server has made exactly one scan. */
export async function scanPeer(bench: Bench, program: string, hall: Hall, tickets: number): Promise<ScanPeer> {
  const { url, org, event } = hall;
  const pool = openPool({ url, max: 1, name: 'bench' });
  bench.later(() => pool.end());
  const copies: Copy[] = [];
  for (const one of COPIED) copies.push(await copy(pool, one, event));
  copies.push(await outbox(pool, hall));
  for (const table of ASIDE) await pool.query(`create table ${into(table)} (like ${table} including all)`);
  const [checkIn] = copies as [Copy];
  const folder = bench.folder();
  const files: Record<Way, string> = { bare: join(folder, 'bare.sql'), batches: join(folder, 'batches.sql') };
  const m = ARRIVAL('n', tickets);
  // Like a scan, the statement starts from the ticket's code.
  const bareValues = checkIn.columns.map((column, i) => {
    if (column === 'attendee_id' || column === 'ticket_id') return `admitted.${column}`;
    return checkIn.values[i] === STAMP ? 'now()' : checkIn.values[i]!;
  });
  writeFileSync(
    files.bare,
    `\\set i :i + 1
\\set n :from + :i * :clients + :client_id
with admitted as (
  update attendees a set checked_in_at = now(), updated_at = now()
  from tickets t join ticket_people p on p.org_id = t.org_id and p.ticket_id = t.id
  where t.org_id = '${org}' and t.event_id = '${event}' and t.code = ${OF_NUMBER.code(ARRIVAL(':n', tickets))} and t.status = 'valid'
    and a.org_id = t.org_id and a.id = p.attendee_id and a.status = 'confirmed' and a.checked_in_at is null
  returning a.id as attendee_id, t.id as ticket_id)
insert into checkins (${checkIn.columns.join(', ')})
select ${bareValues.join(', ')} from admitted, (select :n::bigint as n) s;
`,
  );
  const clock = `event_clocks where org_id = '${org}' and event_id = '${event}'`;
  const stamp = `(select at from ${clock})`;
  const writes = copies.map(
    ({ table, columns, values }) =>
      `insert into ${into(table)} (${columns.join(', ')}) select ${values.map((value) => (value === STAMP ? stamp : value)).join(', ')}
       from (select n, ${m} as m from generate_series(:n::bigint, :n::bigint + ${BATCH - 1}) as n) s;`,
  );
  writeFileSync(
    files.batches,
    `\\set i :i + 1
\\set n :from + (:i * :clients + :client_id) * ${BATCH}
\\startpipeline
begin;
update ${clock.replace(' where', ` set at = greatest(now(), at + interval '1 microsecond') where`)};
${writes.join('\n')}
update attendees a set updated_at = ${stamp}, checked_in_at = coalesce(a.checked_in_at, ${stamp})
from (select ${OF_NUMBER.attendee(m)} as id from generate_series(:n::bigint, :n::bigint + ${BATCH - 1}) as n) s
where a.org_id = '${org}' and a.id = s.id;
commit;
\\endpipeline
`,
  );
  return {
    run: async (way, clients, seconds, from) => {
      const args = ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', `${Math.min(2, clients)}`, '-T', `${seconds}`];
      args.push('-f', files[way], '-D', 'i=-1', '-D', `clients=${clients}`, '-D', `from=${from}`, url);
      await pool.query(`truncate ${ASIDE.map(into).join(', ')}`);
      const { stdout } = await promisify(execFile)(program, args, { timeout: (seconds + 30) * 1000 });
      const [, tps] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
      const [, done] = /transactions actually processed: (\d+)/.exec(stdout) ?? [];
      const [, failed] = /number of failed transactions: (\d+)/.exec(stdout) ?? [];
      if (tps === undefined || (failed !== undefined && failed !== '0')) throw new Error(`pgbench: ${stdout}`);
      const each = way === 'bare' ? 1 : BATCH;
      // Each client has numbers of its own, and some clients are faster than others.
      const used = (Number(done) + clients) * each * (clients === 1 ? 1 : 2);
      return { scans: Number(done) * each, perSecond: Number(tps) * each, used };
    },
  };
}

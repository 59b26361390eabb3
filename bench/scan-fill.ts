import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import type { Id } from '../server/src/common/ids.ts';

/** An event where everybody has one ticket for today; its people are numbered from 0. */
export interface Hall {
  /** The database, as a superuser. */
  url: string;
  org: Id;
  event: Id;
  day: Id;
  type: Id;
}

/** Codes look as the server makes them, 28 letters and digits, but follow from a number: then a load needs no list of them from the database. */
const CODE = (n: string): string => `upper(substr(md5('ticket ' || ${n}), 1, 28))`;
export const ticketCode = (n: number): string =>
  createHash('md5').update(`ticket ${n}`).digest('hex').slice(0, 28).toUpperCase();
const id =
  (kind: string) =>
  (n: string): string =>
    `('01a00000-0000-7${kind}-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** SQL that turns a person's number into the ids and the code of their rows. */
export const OF_NUMBER = { code: CODE, registration: id('001'), attendee: id('002'), ticket: id('003') };

/** People do not arrive in the order in which they registered: this says which person is the n-th to arrive. Everybody arrives once. */
const STEP = 611_953;
export const arrival = (n: number, tickets: number): number => (n * STEP) % tickets;
export const ARRIVAL = (n: string, tickets: number): string => `((${n})::bigint * ${STEP} % ${tickets})`;

/** Writes the codes of those who arrive as number `from` up to `to`, one a line. */
export function writeCodes(file: string, tickets: number, from: number, to: number): void {
  const lines: string[] = [];
  for (let n = from; n < to; n += 1) lines.push(ticketCode(arrival(n, tickets)));
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const PEOPLE = ['registrations', 'attendees', 'tickets', 'ticket_people'];
const TRACES = ['checkins', 'scans', 'audit_log', 'idempotency', 'outbox', 'webhook_envelopes', 'webhook_deliveries'];
TRACES.push('webhook_attempts', 'webhook_queue');

/** How many scans of another event, of the day before, are in the tables: in life, these are not empty either. */
const YESTERDAY = 20_000;

/**
 * Fills the event anew, so that nobody has been scanned. It begins with a checkpoint, and the settings keep PostgreSQL from making
 * another one during the measurement: after a checkpoint, the first change of each page writes the whole page to the log.
 */
export async function refill({ url, org, event, day, type }: Hall, tickets: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const insert = (table: string, values: Record<string, string>, count = tickets) =>
    client.query(
      `insert into ${table} (${Object.keys(values).join(', ')}) select ${Object.values(values).join(', ')}
       from generate_series(0, ${count - 1}) as n`,
    );
  const { registration, attendee, ticket } = OF_NUMBER;
  const own = { org_id: `'${org}'`, event_id: `'${event}'` };
  const at = 'now()';
  const stamps = { created_at: at, updated_at: at };
  const email = `'visitor' || n || '@example.org'`;
  const name = { first_name: `'Ada'`, last_name: `'Visitor ' || n`, email, email_key: email };
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
    );
    await client.query(`alter system set max_wal_size = '16GB'`);
    await client.query('select pg_reload_conf()');
    await client.query('checkpoint');
    await client.query(`truncate ${[...PEOPLE, ...TRACES].join(', ')} cascade`);
    const { rows: indexes } = await client.query<{ name: string; make: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as make from pg_index i
       where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      [PEOPLE],
    );
    for (const one of indexes) await client.query(`drop index ${one.name}`);
    await insert('registrations', {
      ...own,
      id: registration('n'),
      code: `lpad(upper(to_hex(n)), 10, '0')`,
      status: `'confirmed'`,
      source: `'api'`,
      test: 'false',
      ...name,
      currency: `'EUR'`,
      total_minor: '0',
      paid_minor: '0',
      send_emails: 'true',
      confirmed_at: at,
      ...stamps,
    });
    await insert('attendees', {
      ...own,
      id: attendee('n'),
      registration_id: registration('n'),
      position: '0',
      attendee_type_id: `'${type}'`,
      day_ids: `array['${day}'::uuid]`,
      ...name,
      name_key: `'visitor ' || n || ' ada'`,
      given_key: `'ada visitor ' || n`,
      answers: `'{}'`,
      price_minor: '0',
      status: `'confirmed'`,
      test: 'false',
      ...stamps,
    });
    await insert('tickets', {
      ...own,
      id: ticket('n'),
      registration_id: registration('n'),
      code: OF_NUMBER.code('n'),
      status: `'valid'`,
      test: 'false',
      extra: 'false',
      issued_at: at,
      ...stamps,
    });
    await insert('ticket_people', {
      org_id: own.org_id,
      ticket_id: ticket('n'),
      attendee_id: attendee('n'),
      position: '0',
    });
    for (const { make } of indexes) await client.query(make);
    const before = { org_id: own.org_id, event_id: `'${randomUUID()}'`, client_uuid: 'gen_random_uuid()' };
    const yesterday = `now() - interval '20 hours'`;
    const checkin = {
      id: 'gen_random_uuid()',
      attendee_id: 'gen_random_uuid()',
      ticket_id: 'gen_random_uuid()',
      check_in_point_id: `'${randomUUID()}'`,
      day_id: `'${randomUUID()}'`,
      kind: `'entry'`,
      result: `'accepted'`,
      admitted: 'true',
      test: 'false',
      skewed: 'false',
      actor_kind: `'key'`,
      actor_name: `'gate'`,
    };
    await insert('checkins', { ...before, ...checkin, scanned_at: yesterday, recorded_at: yesterday }, YESTERDAY);
    const stored = { fingerprint: `sha256(n::text::bytea)`, created_at: yesterday };
    await insert('scans', { ...before, ...stored, answer: `repeat('x', 1200)` }, YESTERDAY);
    const call = { actor_id: `'${randomUUID()}'`, key: 'gen_random_uuid()', request_id: `'req_' || n`, status: '200' };
    const { org_id } = own;
    const body = `repeat('x', 1200)::bytea`;
    await insert('idempotency', { org_id, ...call, ...stored, body, encrypted: 'false' }, YESTERDAY);
    await client.query(`vacuum (analyze) ${[...PEOPLE, 'checkins', 'scans', 'idempotency'].join(', ')}`);
  } finally {
    await client.end();
  }
}

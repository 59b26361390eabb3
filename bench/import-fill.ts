import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import pg from 'pg';
import { keysOf } from '../server/src/areas/contacts/index.ts';
import { type Id, newId } from '../server/src/common/ids.ts';

/** An event that has people already; they are numbered from 0. */
export interface Filled {
  /** The database, as a superuser. */
  url: string;
  org: Id;
  event: Id;
  day: Id;
  type: Id;
}

const FIRST =
  'Anna Ben Carla David Elif François Grace Hugo Inès João Kofi Léa Maja Noah Olivia Paul Raúl Sofía Viktor Zoë'.split(
    ' ',
  );
const HEAD = 'Ab Bar Car Dor Er Fin Gar Hol Ing Jan Kar Lin Mar Nor Öl Per Quin Ros Sal Tor Ul Var Wil Yor Zan'.split(
  ' ',
);
const TAIL = 'berg dale feld ford man mont sen ström vic wald'.split(' ');

/** 5,000 last names for everybody; as in life, some are far more frequent than others. */
const mix = (n: number): number => Math.imul(n ^ (n >>> 15), 0x2c1b3c6d) >>> 0;
export interface Person {
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  external_id: string;
}
export function person(n: number): Person {
  const first_name = FIRST[mix(n) % FIRST.length]!;
  const last_name = HEAD[mix(n * 7 + 1) % HEAD.length]! + TAIL[mix(n * 13 + 5) % TAIL.length]!;
  return { first_name, last_name, email: `p${n}@example.org`, phone: `+49 30 ${n}`, external_id: `M-${n}` };
}

const TABLES = ['contacts', 'registrations', 'attendees', 'tickets', 'ticket_people'];

/**
 * Each person has one registration, one contact and one ticket. A third of them has an external ID, a third an e-mail address and
 * a third a phone number, by which an import recognizes them.
 */
export async function fillPeople({ url, org, event, day, type }: Filled, people: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'`,
    );
    await client.query(`create temp table p (n int, contact uuid, registration uuid, attendee uuid, ticket uuid, first_name text,
      last_name text, email text, phone text, external_id text, name_key text, given_key text, email_key text, phone_key text)`);
    for (let from = 0; from < people; from += 20_000) {
      const rows = [];
      for (let n = from; n < Math.min(people, from + 20_000); n += 1) {
        const all = person(n);
        const known = {
          ...all,
          email: n % 3 === 2 ? null : all.email,
          external_id: n % 3 === 0 ? all.external_id : null,
        };
        const at = new Date(Date.UTC(2026, 0, 1) + n);
        rows.push({
          n,
          contact: newId(at),
          registration: newId(at),
          attendee: newId(at),
          ticket: newId(at),
          ...known,
          ...keysOf(known),
        });
      }
      await client.query(`insert into p select * from json_populate_recordset(null::p, $1)`, [JSON.stringify(rows)]);
    }
    const { rows: indexes } = await client.query<{ name: string; make: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as make from pg_index i
       where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      [TABLES],
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    const at = `timestamptz '2026-01-01' + n * interval '1 millisecond'`;
    const names = 'first_name, last_name, email, phone, email_key';
    await client.query(
      `insert into contacts (org_id, id, test, ${names}, phone_key, external_id, name_key, given_key, created_at, updated_at)
       select $1, contact, false, ${names}, phone_key, external_id, name_key, given_key, ${at}, ${at} from p`,
      [org],
    );
    await client.query(
      `insert into registrations (org_id, id, event_id, code, status, source, test, contact_id, ${names}, currency, total_minor,
         paid_minor, send_emails, confirmed_at, created_at, updated_at)
       select $1, registration, $2, lpad(upper(to_hex(n)), 10, '0'), 'confirmed', 'api', false, contact, ${names}, 'EUR', 0, 0, true,
         ${at}, ${at}, ${at} from p`,
      [org, event],
    );
    await client.query(
      `insert into attendees (org_id, id, event_id, registration_id, position, contact_id, attendee_type_id, day_ids, ${names}, phone_key,
         external_id, external_key, name_key, given_key, answers, price_minor, status, test, created_at, updated_at)
       select $1, attendee, $2, registration, 0, contact, $3, array[$4::uuid], ${names}, phone_key, external_id, lower(external_id),
         name_key, given_key, '{}', 0, 'confirmed', false, ${at}, ${at} from p`,
      [org, event, type, day],
    );
    await client.query(
      `insert into tickets (org_id, id, event_id, registration_id, code, status, test, extra, issued_at, created_at, updated_at)
       select $1, ticket, $2, registration, substr(upper(md5(registration::text)), 1, 28), 'valid', false, false, ${at}, ${at}, ${at} from p`,
      [org, event],
    );
    await client.query(
      `insert into ticket_people (org_id, ticket_id, attendee_id, position) select $1, ticket, attendee, 0 from p`,
      [org],
    );
    await client.query(
      `insert into places (org_id, event_id, scope_id, test, taken, waiting)
       select $1, $2::uuid, scope, false, $3, 0 from unnest(array[$2, $4, $5]::uuid[]) as scope`,
      [org, event, people, type, day],
    );
    for (const { make } of indexes) await client.query(make);
    await client.query(`vacuum (analyze) ${TABLES.join(', ')}`);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

export interface Row {
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  external_id: string;
  note: string;
}

/** The n-th row of the file: of six rows, three are new people, two change somebody and one changes nothing. */
export function fileRow(n: number): { kind: 'created' | 'updated' | 'unchanged'; row: Row } {
  const kind = n % 6 < 3 ? 'created' : n % 6 < 5 ? 'updated' : 'unchanged';
  const number = kind === 'created' ? 1_000_000 + n : n;
  const all = person(number);
  const by = number % 3;
  const row = { ...all, note: kind === 'updated' ? `Note ${n}` : '' };
  if (by !== 0) row.external_id = '';
  if (by === 2) row.email = '';
  return { kind, row };
}

/** Writes the file; and for the peer a second one that also has the keys by which people are compared. */
export async function writeFiles(path: string, keyed: string, rows: number): Promise<void> {
  const [plain, withKeys] = [createWriteStream(path), createWriteStream(keyed)];
  const say = async (out: typeof plain, cells: readonly (string | null)[]) => {
    if (!out.write(`${cells.map((cell) => cell ?? '').join(',')}\n`)) await once(out, 'drain');
  };
  const headings = ['First name', 'Last name', 'Email', 'Phone', 'ID', 'Note'];
  await say(plain, headings);
  await say(withKeys, [...headings, 'name_key', 'given_key', 'email_key', 'phone_key', 'external_key']);
  for (let n = 0; n < rows; n += 1) {
    const { row } = fileRow(n);
    const cells = [row.first_name, row.last_name, row.email, row.phone, row.external_id, row.note];
    const { name_key, given_key, email_key, phone_key } = keysOf({ ...row, email: row.email || null });
    await say(plain, cells);
    await say(withKeys, [...cells, name_key, given_key, email_key, phone_key, row.external_id.toLowerCase()]);
  }
  for (const out of [plain, withKeys]) {
    out.end();
    await once(out, 'finish');
  }
}

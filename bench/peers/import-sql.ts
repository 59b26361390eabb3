import { chmodSync } from 'node:fs';
import pg from 'pg';
import { headOf } from '../../server/src/road/write/record.ts';
import type { Filled } from '../import-fill.ts';

/**
 * The script that somebody would write who has direct access to the database and knows exactly this file: COPY into a staging
 * table, three joins that find people, then one statement a table for everybody at once. It writes the rows that an import writes,
 * including outbox and audit log, in one transaction. It has no row-level security, applies no rule of the event and rejects nothing.
 */
const STAGING = `
  create temp table staging (first_name text, last_name text, email text, phone text, external_id text, note text,
    name_key text collate "C", given_key text collate "C", email_key text collate "C", phone_key text collate "C",
    external_key text collate "C", attendee_id uuid, registration_id uuid)`;

const LIVING = `a.org_id = $1 and a.event_id = $2 and not a.test and a.status not in ('cancelled', 'declined', 'expired')`;
const found = (by: string) => `
  update staging s set attendee_id = a.id, registration_id = a.registration_id from attendees a
  where ${LIVING} and s.attendee_id is null and ${by}`;

const PEOPLE = ['first_name', 'last_name', 'email', 'phone'];
const FRESH = `
  create temp table fresh as select s.*, uuidv7() as contact, uuidv7() as registration, uuidv7() as attendee, uuidv7() as ticket,
    upper(substr(md5(random()::text), 1, 28)) as code
  from staging s where attendee_id is null and not exists (
    select from contacts c where c.org_id = $1 and c.email_key = s.email_key and c.name_key = s.name_key)`;
const CHANGED = `
  create temp table changed as select s.* from staging s join attendees a on a.org_id = $1 and a.id = s.attendee_id
  where (s.note is not null and s.note is distinct from a.answers->>'Note') or s.phone is distinct from a.phone`;

const columns = (list: Record<string, string>) =>
  [Object.keys(list).join(', '), Object.values(list).join(', ')] as const;
const insert = (table: string, from: string, list: Record<string, string>) => {
  const [into, select] = columns(list);
  return `insert into ${table} (${into}) select ${select} from ${from}`;
};
const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]));
const STAMPS = { created_at: 'now()', updated_at: 'now()' };

const attendeeJson = (of: {
  id: string;
  registration: string;
  contact: string;
  ticket: string;
  code: string;
  answers: string;
}) => `
  json_build_object('id', ${of.id}, 'registration_id', ${of.registration}, 'event_id', $2::uuid, 'contact_id', ${of.contact},
    'attendee_type', 'adult', 'first_name', p.first_name, 'last_name', p.last_name, 'email', p.email, 'phone', p.phone,
    'date_of_birth', null, 'external_id', p.external_id, 'group', null, 'days', array['d1'], 'answers', ${of.answers}, 'status',
    'confirmed', 'price_minor', 0, 'tickets', json_build_array(json_build_object('id', ${of.ticket}, 'code', ${of.code}, 'status',
    'valid')), 'checked_in', false, 'test', false, 'created_at', now(), 'updated_at', now())`;
const registrationJson = (of: Parameters<typeof attendeeJson>[0], source: string) => `
  json_build_object('id', ${of.registration}, 'code', substr(${of.code}, 1, 10), 'event_id', $2::uuid, 'status', 'confirmed', 'source',
    '${source}', 'test', false, 'group', null, 'contact', json_build_object('id', ${of.contact}, 'first_name', p.first_name, 'last_name',
    p.last_name, 'email', p.email, 'phone', p.phone), 'attendees', json_build_array(${attendeeJson(of)}), 'total_minor', 0, 'paid_minor', 0,
    'currency', 'EUR', 'payment_due_at', null, 'confirmed_at', now(), 'cancelled_at', null, 'created_at', now(), 'updated_at', now())`;
const OF_NEW = {
  id: 'p.attendee',
  registration: 'p.registration',
  contact: 'p.contact',
  ticket: 'p.ticket',
  code: 'p.code',
  answers: `'{}'::json`,
};
const OF_CHANGED = {
  id: 'p.id',
  registration: 'p.registration_id',
  contact: 'p.contact_id',
  ticket: 't.id',
  code: 't.code',
  answers: 'p.answers',
};
const TICKET = `
  json_build_object('id', p.ticket, 'code', p.code, 'status', 'valid', 'event_id', $2::uuid, 'registration_id', p.registration,
    'attendees', json_build_array(json_build_object('id', p.attendee, 'first_name', p.first_name, 'last_name', p.last_name,
    'attendee_type', 'adult')), 'days', array['d1'], 'test', false, 'issued_at', now(), 'voided_at', null, 'void_reason', null,
    'replaced_by', null, 'created_at', now(), 'updated_at', now())`;

const HEAD = `'${headOf('01890000-0000-7000-8000-000000000000', 'registration.created', new Date(0), true)}'`;
const OUTBOX = {
  ...{ org_id: '$1::uuid', id: 'uuidv7()', event_id: '$2::uuid', livemode: 'true', created_at: 'now()' },
  head: HEAD,
};
const AUDIT = {
  ...{
    org_id: '$1::uuid',
    id: 'uuidv7()',
    at: 'now()',
    action: `'people.imported'`,
    actor_kind: `'key'`,
    actor_id: '$2::uuid',
  },
  ...{ actor_name: `'bench'`, source: `'api'`, request_id: `'01JCQ8Z7M4T3V9R1X5K2N6P8DA'`, event_id: '$2::uuid' },
};

const WRITES: string[] = [
  insert('contacts', 'fresh', {
    ...{ org_id: '$1::uuid', id: 'contact', test: 'false', ...same(...PEOPLE, 'external_id') },
    ...{ ...same('name_key', 'given_key', 'email_key', 'phone_key'), ...STAMPS },
  }),
  insert('registrations', 'fresh', {
    ...{
      org_id: '$1::uuid',
      id: 'registration',
      event_id: '$2::uuid',
      code: 'substr(code, 1, 10)',
      status: `'confirmed'`,
    },
    ...{ source: `'import'`, test: 'false', contact_id: 'contact', ...same(...PEOPLE, 'email_key'), currency: `'EUR'` },
    ...{ total_minor: '0', paid_minor: '0', send_emails: 'false', confirmed_at: 'now()', ...STAMPS },
  }),
  insert('attendees', 'fresh', {
    ...{ org_id: '$1::uuid', id: 'attendee', event_id: '$2::uuid', registration_id: 'registration', position: '0' },
    ...{
      contact_id: 'contact',
      attendee_type_id: '$3::uuid',
      day_ids: 'array[$4::uuid]',
      ...same(...PEOPLE, 'external_id'),
    },
    ...{ external_key: 'external_key', answers: `'{}'`, price_minor: '0', status: `'confirmed'`, test: 'false' },
    ...{ ...same('name_key', 'given_key', 'email_key', 'phone_key'), ...STAMPS },
  }),
  insert('tickets', 'fresh', {
    ...{ org_id: '$1::uuid', id: 'ticket', event_id: '$2::uuid', registration_id: 'registration', code: 'code' },
    ...{ status: `'valid'`, test: 'false', extra: 'false', issued_at: 'now()', ...STAMPS },
  }),
  insert('ticket_people', 'fresh', { org_id: '$1::uuid', ticket_id: 'ticket', attendee_id: 'attendee', position: '0' }),
  `update attendees a set phone = s.phone, phone_key = s.phone_key, answers = a.answers || jsonb_build_object('Note', s.note),
     updated_at = now() from changed s where a.org_id = $1 and a.id = s.attendee_id`,
  `update registrations r set updated_at = now() from changed s where r.org_id = $1 and r.id = s.registration_id`,
  `update tickets t set updated_at = now() from changed s where t.org_id = $1 and t.registration_id = s.registration_id`,
  ...['registration.created', 'registration.confirmed'].map((type) =>
    insert('outbox', 'fresh p', { ...OUTBOX, type: `'${type}'`, data: registrationJson(OF_NEW, 'import') }),
  ),
  insert('outbox', 'fresh p', { ...OUTBOX, type: `'ticket.issued'`, data: TICKET }),
  insert(
    'outbox',
    `changed s join attendees p on p.org_id = $1 and p.id = s.attendee_id
     join tickets t on t.org_id = $1 and t.registration_id = s.registration_id`,
    { ...OUTBOX, type: `'registration.updated'`, data: registrationJson(OF_CHANGED, 'api') },
  ),
  insert('audit_log', 'fresh', {
    ...AUDIT,
    ...{
      object_kind: `'registration'`,
      object_id: 'registration',
      changes: `'{"people": 1, "status": [null, "confirmed"]}'::jsonb`,
    },
  }),
  insert('audit_log', 'changed', {
    ...AUDIT,
    object_kind: `'attendee'`,
    object_id: 'attendee_id',
    changes: `'{"fields": ["answers"]}'::jsonb`,
  }),
  `update places set taken = taken + (select count(*) from fresh) where org_id = $1 and event_id = $2`,
];

/** Runs the script; returns milliseconds. `file` has the rows together with their keys, so that the script need not make these. */
export async function runScript(into: Filled, file: string): Promise<number> {
  chmodSync(file, 0o644);
  const client = new pg.Client({ connectionString: into.url });
  await client.connect();
  const all = [into.org, into.event, into.type, into.day];
  // Each statement must get exactly the parameters that it names.
  const run = (text: string) =>
    client.query(text, all.slice(0, Math.max(0, ...[...text.matchAll(/\$(\d)/g)].map((one) => Number(one[1])))));
  try {
    await client.query(STAGING);
    const began = performance.now();
    await client.query('begin');
    await client.query(`copy staging (first_name, last_name, email, phone, external_id, note, name_key, given_key, email_key, phone_key,
      external_key) from '${file}' with (format csv, header true)`);
    await client.query('analyze staging');
    await run(found('a.external_key = s.external_key'));
    await run(found('a.email_key = s.email_key and a.name_key = s.name_key'));
    await run(found('a.phone_key = s.phone_key and a.name_key = s.name_key'));
    await run(FRESH.replace('$1', `'${into.org}'`));
    await run(CHANGED.replace('$1', `'${into.org}'`));
    await client.query('analyze fresh, changed');
    for (const text of WRITES) await run(text);
    await client.query('commit');
    return performance.now() - began;
  } finally {
    await client.end();
  }
}

/** How many milliseconds a bare COPY of the same rows takes, into a table without indexes. */
export async function bareCopy(url: string, file: string): Promise<number> {
  chmodSync(file, 0o644);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      'create table bare_copy (first_name text, last_name text, email text, phone text, external_id text, note text)',
    );
    const began = performance.now();
    await client.query(`copy bare_copy from '${file}' with (format csv, header true)`);
    return performance.now() - began;
  } finally {
    await client.query('drop table if exists bare_copy');
    await client.end();
  }
}

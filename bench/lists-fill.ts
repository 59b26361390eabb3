import pg from 'pg';
import { normalise } from '../server/src/areas/contacts/index.ts';
import { recount } from '../server/src/areas/registrations/index.ts';
import type { Id } from '../server/src/common/ids.ts';

/**
 * Fills an event with people by SQL: registrations of one to four people, each with a contact and a ticket; as in life, some names
 * are far more frequent than others. Rows, keys and codes look as the server makes them. The constraints hold, although they are
 * not checked while the rows are written.
 */
export interface Filling {
  /** The database, as a superuser. */
  url: string;
  org: Id;
  event: Id;
  days: readonly Id[];
  types: readonly Id[];
  /** Every third registration, with its people, belongs to this group. */
  group?: Id;
  /** Four registrations have ten attendees. */
  attendees: number;
  /** Whether the people have answers to the questions `diet` and `photo`. */
  answers?: boolean;
  say?: (line: string) => void;
}

/** Few people have this name, however many there are. */
export const RARE = { last_name: 'Zyrianovskaïte', everyNth: 99_991 };
/** A name that is found by its second word. */
export const INNER = { last_name: 'van Beethoven', word: 'beethoven' };
/** Of 1,000,000 people with 1,500 different last names, more than 20,000 have this one. */
export const COMMON = { first_name: 'Anna', last_name: 'Müller' };

const FIRST = [
  COMMON.first_name,
  ...'Ben Carla David Elif François Grace Hugo Inès João Kofi Léa Maja Noah Olivia'.split(' '),
];
FIRST.push(...'Paul Qadira Raúl Sofía Tomás Ursula Viktor Wanda Xenia Yusuf Zoë Björn Chloé Dagný Émile'.split(' '));
const LAST = [
  COMMON.last_name,
  INNER.last_name,
  ...'Smith García Nguyen Kowalski Groß Sørensen Öztürk D’Souza Martínez Ivanova'.split(' '),
];
for (const head of 'Ab Bar Car Dor Er Fin Gar Hol Ing Jan Kar Lin Mar Nor Ol Per Quin Ros Sal Tor Ul Var Wil Yor Zan'.split(
  ' ',
)) {
  for (const middle of ['', 'a', 'e', 'i', 'o', 'u', 'en', 'er', 'ing', 'el']) {
    for (const tail of 'berg dale feld ford man mont'.split(' ')) LAST.push(`${head}${middle}${tail}`);
  }
}

/**
 * SQL for the answers of a person: half of the people have one diet, others are rare, and one is only among those who registered last.
 */
const ANSWERS = (people: number): string => `jsonb_build_object('photo', a % 2 = 0, 'diet', case
  when a % 99991 = 0 then 'rare' when a > ${Math.floor(people * 0.98)} then 'late' when a % 331 = 0 then 'few'
  when a % 20 = 0 then 'some' else (array['half', 'other'])[1 + (a / 2) % 2] end)`;

/** SQL for an index into a list, from a hash of the person's number: the first entries are many times as frequent as the last. */
const pick = (salt: number, size: number): string =>
  `floor(${size} * ((hashint8extended(p.a, ${salt}) & 16777215) / 16777216.0) ^ 2)::int`;

/** Registration k has 1 to 4 people, so four registrations have ten; `a` numbers all people, `position` those of one registration. */
const PEOPLE = `
  select s.*, s.first_key || '.' || replace(s.last_key, ' ', '') || s.a || '@example.org' as email
  from (
    select p.k, p.position, p.a, f.name as first, f.key as first_key,
      case when p.a % ${RARE.everyNth} = 0 then $1 else l.name end as last, case when p.a % ${RARE.everyNth} = 0 then $2 else l.key end as last_key
    from (
      select k, position, (k / 4) * 10 + (k % 4) * (k % 4 + 1) / 2 + position as a
      from generate_series(0, $3::int - 1) as k, generate_series(0, 3) as position where position <= k % 4) p
    join names f on f.kind = 1 and f.i = ${pick(1, FIRST.length)}
    join names l on l.kind = 2 and l.i = ${pick(2, LAST.length)}
  ) s`;

const TABLES = [
  'contacts',
  'registrations',
  'attendees',
  'tickets',
  'ticket_people',
  'attendee_words',
  'contact_words',
];
/** The words of a name by which it is searched, apart from its beginnings. These names have only ’, - and spaces between words, and ø. */
const WORDS = (of: string) => `string_to_table(translate(${of}.given_key, '’-ø', '  o'), ' ') as w(word)
  where w.word <> '' and not starts_with(${of}.name_key, w.word) and not starts_with(${of}.given_key, w.word)`;

export async function fill(filling: Filling): Promise<void> {
  const { org, event, days, types, attendees } = filling;
  const say = filling.say ?? (() => {});
  const client = new pg.Client({ connectionString: filling.url });
  await client.connect();
  const step = async (name: string, text: string, values: unknown[] = []) => {
    const at = performance.now();
    await client.query(text, values);
    say(`${name}: ${((performance.now() - at) / 1000).toFixed(1)} s`);
  };
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '64MB'`);
    const { rows: indexes } = await client.query<{ name: string; make: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as make from pg_index i
       where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      [TABLES],
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query('create temp table names (kind int, i int, name text, key text)');
    for (const [i, list] of [FIRST, LAST].entries()) {
      const values = [i + 1, list, list.map(normalise)];
      await client.query(
        'insert into names select $1, n - 1, name, key from unnest($2::text[], $3::text[]) with ordinality as t(name, key, n)',
        values,
      );
    }
    await client.query('analyze names');
    await client.query(
      'create temp table person (k int, position int, a int, first text, first_key text, last text, last_key text, email text)',
    );
    const count = (attendees / 10) * 4;
    await step('people', `insert into person ${PEOPLE}`, [RARE.last_name, normalise(RARE.last_name), count]);
    await client.query('analyze person');
    // An id begins with milliseconds, as a ULID does. Twenty registrations share a stamp, as those of one batch do.
    const at = (k: string) => `(timestamptz '2026-01-01T08:00:00Z' + (${k} / 20) * interval '137023 microseconds')`;
    const id = (k: string, kind: number, n: string) =>
      `(lpad(to_hex((extract(epoch from ${at(k)}) * 1000)::bigint), 12, '0') || '7${kind}' || lpad(to_hex(${n}), 18, '0'))::uuid`;
    const [contact, registration, attendee, ticket] = [
      id('k', 1, 'a'),
      id('k', 2, 'k'),
      id('k', 3, 'a'),
      id('k', 4, 'a'),
    ];
    const status = `case when k % 100 < 96 then 'confirmed' when k % 100 < 99 then 'cancelled' else 'pending_payment' end`;
    const person = `first, last, email, last_key || ' ' || first_key, first_key || ' ' || last_key, email`;
    const group = (given: string) => `case when k % 3 = 0 then ${given}::uuid end`;
    const names = 'first_name, last_name, email, name_key, given_key, email_key';
    await step(
      'contacts',
      `insert into contacts (org_id, id, test, group_id, ${names}, created_at, updated_at)
       select $1, ${contact}, false, ${group('$2')}, ${person}, ${at('k')}, ${at('k')} from person`,
      [org, filling.group ?? null],
    );
    await step(
      'registrations',
      `insert into registrations (org_id, id, event_id, code, status, source, test, group_id, contact_id, first_name, last_name, email, email_key,
         currency, total_minor, paid_minor, send_emails, confirmed_at, cancelled_at, created_at, updated_at)
       select $1, ${registration}, $2, lpad(upper(to_hex((k * 2654435761) % (1::bigint << 40))), 10, '0'), ${status}, 'api', false,
         ${group('$3')}, ${contact}, first, last, email, email, 'EUR', 0, 0, true, ${at('k')}, case when k % 100 between 96 and 98 then ${at('k')} end,
         ${at('k')}, ${at('k')} from person where position = 0`,
      [org, event, filling.group ?? null],
    );
    await step(
      'attendees',
      `insert into attendees (org_id, id, event_id, registration_id, position, contact_id, attendee_type_id, group_id, day_ids, ${names},
         answers, price_minor, status, test, checked_in_at, created_at, updated_at)
       select $1, ${attendee}, $2, ${registration}, position, ${contact}, ($3::uuid[])[1 + a % $4], ${group('$7')}, array[($5::uuid[])[1 + a % $6]],
         ${person}, ${filling.answers === true ? ANSWERS(attendees) : `'{}'`}, 0, ${status}, false, case when a % 100 = 0 then ${at('k')} end, ${at('k')}, ${at('k')} from person`,
      [org, event, types, types.length, days, days.length, filling.group ?? null],
    );
    await step(
      'tickets',
      `insert into tickets (org_id, id, event_id, registration_id, code, status, test, extra, issued_at, voided_at, void_reason,
         created_at, updated_at)
       select $1, ${ticket}, $2, ${registration}, substr(upper(md5(a::text)), 1, 28), case when k % 100 < 96 then 'valid' else 'voided' end,
         false, false, ${at('k')}, case when k % 100 >= 96 then ${at('k')} end, case when k % 100 >= 96 then 'registration_cancelled' end,
         ${at('k')}, ${at('k')} from person where k % 100 < 99`,
      [org, event],
    );
    await step(
      'ticket_people',
      `insert into ticket_people (org_id, ticket_id, attendee_id, position)
       select $1, ${ticket}, ${attendee}, 0 from person where k % 100 < 99`,
      [org],
    );
    await client.query(
      `insert into attendee_words (org_id, event_id, word, attendee_id)
       select a.org_id, a.event_id, w.word, a.id from attendees a, ${WORDS('a')} and a.org_id = $1 and a.event_id = $2`,
      [org, event],
    );
    await client.query(
      `insert into contact_words (org_id, word, contact_id)
       select c.org_id, w.word, c.id from contacts c, ${WORDS('c')} and c.org_id = $1 on conflict do nothing`,
      [org],
    );
    await client.query(
      `insert into places (org_id, event_id, scope_id, test, taken, waiting)
       select org_id, event_id, scope, test, count(*), 0 from attendees, unnest(day_ids || event_id || attendee_type_id) as scope
       where org_id = $1 and event_id = $2 and status in ('pending_approval', 'pending_payment', 'confirmed') group by 1, 2, 3, 4
       on conflict (org_id, event_id, scope_id, test) do update set taken = excluded.taken`,
      [org, event],
    );
    // The clock goes on after the newest stamp.
    await client.query(
      'update event_clocks set at = (select max(updated_at) from attendees where org_id = $1 and event_id = $2) where org_id = $1 and event_id = $2',
      [org, event],
    );
    const started = performance.now();
    for (const { make } of indexes) await client.query(make);
    say(`${indexes.length} indexes: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    await client.query('drop table person, names');
    await step('vacuum', `vacuum (analyze) ${TABLES.join(', ')}, places`);
    for (const { text, values } of recount(org, event)) await client.query(text, [...values]);
  } finally {
    await client.end();
  }
}

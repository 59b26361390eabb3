import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from '../../../test/support/database.ts';
import { newId } from '../common/ids.ts';
import { sha256 } from '../common/sha256.ts';
import { headOf } from '../road/write/record.ts';
import { DatabaseRefused } from './database-refused.ts';
import { migrate, migrations } from './migrate.ts';

/** The first 16 digits of each migration's SHA-256, as it was released. */
const RELEASED: Record<string, string> = {
  '0001_base.sql': '816ce5db05b9e391',
  '0002_people.sql': 'a1385a7fe0423a96',
  '0003_scanning.sql': '1ed4bfc7ddb41169',
  '0004_webhooks.sql': 'a59aeed337e6419f',
  '0005_jobs.sql': '6a7f053b9e373f55',
  '0006_imports.sql': 'afd5d456090deb0c',
  '0007_platform.sql': 'f32f04d0f99e5177',
  '0008_communications.sql': 'b3655de88c79d034',
  '0009_endpoint_leases.sql': '3b1e9fb76bef5fea',
  '0010_fewer_checks.sql': '290b2d4519741ed1',
  '0011_idempotency.sql': 'f3a4960bece5f11d',
  '0012_envelope_heads.sql': 'fbedd73b65862efd',
  '0013_kept_once.sql': '408810792b6f86a0',
  '0014_delivery_log.sql': 'c5e489f6b4117247',
  '0016_revocations.sql': 'a628c8b48d36c47c',
  '0017_door.sql': '5106fd83d1d1e77e',
  '0018_group_wall.sql': '022a082be9b9409f',
  '0019_job_room.sql': '5edd09b3afb325fb',
  '0020_mails.sql': 'aaa10c6f7e2fbe1d',
  '0021_erasure.sql': '2038f74eeef55f8b',
  '0022_device_groups.sql': '888b68ecfa3479fd',
  '0023_audit.sql': '9f05e37d3fc598c0',
  '0024_door_words.sql': '29c52b7e8abf910a',
  '0025_balance.sql': '77259e876f68f575',
  '0026_lookups.sql': '1061a2d0095b122e',
  '0027_job_shapes.sql': '93872e16f44667ee',
  '0028_settings.sql': '879176daef759309',
  '0029_bulk.sql': '6f836065ff839aa9',
  '0030_search.sql': '3527137dd621dcb6',
  '0031_accounts.sql': '9a1b070e0d740499',
  '0032_door_pins.sql': '64eb190ad0f37d12',
  '0033_members.sql': '74a966762df3d7b7',
  '0034_registrations_by_name.sql': '000b21034ea58ba6',
  '0035_member_last_seen.sql': '67cfb5617458cbdd',
  '0036_reports.sql': 'b55fc168c5db55c2',
  '0037_answers.sql': '5c3bb51dcfe918fa',
  '0038_event_door.sql': '276e861e3d936066',
  '0039_pages.sql': 'e10edceca6780ab8',
  '0040_pictures.sql': '879ef2b20da0a81a',
  '0041_tenant_hosts.sql': '59b7db456a8c196a',
  '0042_handed_on.sql': 'd69bb28815a3ee88',
  '0043_form_windows.sql': 'ee03918076a00170',
  '0044_agents.sql': '998e9858eb06c52f',
  '0045_key_lengths.sql': 'c43dc1ea12bef47d',
  '0047_mail_budgets.sql': 'b869679589548eb8',
  '0048_payment_holds.sql': '8e69d9762f485122',
  '0049_pairing_maker.sql': 'aa52b66a4771fd85',
  '0052_sandbox_usage.sql': '8d0965708c0412c0',
  '0053_duplicate_payments.sql': 'ce72ee8e31c5e642',
  '0056_removals.sql': '81e7cddbbf94f859',
  '0057_job_formats.sql': '8601c27178578ade',
  '0058_registered_by_day.sql': 'aef263d74e63f090',
  '0059_left_rosters.sql': 'db22f2a620a86007',
  '0060_files_mark.sql': '9e56b4ee4b42f5e4',
  '0061_many_organizations.sql': '9b719d4d80b8cc1d',
  '0062_prices.sql': '161a0005aff0c1c3',
  '0063_selling.sql': '6630510fa42b0c3f',
  '0064_attendees_discount.sql': 'ce103cda672852d2',
  '0065_registrations_discount.sql': 'eb1491a09258640e',
  '0066_wrong_codes.sql': 'ea339df79d154c83',
};

/** What is wrong with the migrations, and what to do about it. */
const faultsOf = (all: readonly { name: string; checksum: string }[], released = RELEASED): string[] => {
  const found = new Map(all.map(({ name, checksum }) => [name, checksum.slice(0, 16)]));
  const last = Object.keys(released).sort().at(-1)!;
  return [
    ...[...found]
      .filter(([name]) => !(name in released))
      .map(([name, checksum]) =>
        name > last
          ? `${name} is new. When it is ready to be merged, add this line to RELEASED in migrate.test.ts: '${name}': '${checksum}',`
          : `${name} is new, but comes before ${last}. Databases that have ${last} would apply it late: give it the next number.`,
      ),
    ...Object.entries(released)
      .filter(([name, checksum]) => found.get(name) !== checksum)
      .map(
        ([name]) =>
          `${name} was ${found.has(name) ? 'changed' : 'removed'}, but databases have applied it and will not apply it again. ` +
          `Restore it (git checkout server/src/store/migrations/${name}) and put the change into a new migration.`,
      ),
  ];
};

test('a released migration does not change, and a new one comes last', () => {
  expect(faultsOf(migrations())).toEqual([]);
});

test('the message about a migration says what to do', () => {
  const before = { '0001_base.sql': '1111111111111111', '0003_scanning.sql': '3333333333333333' };
  const one = (name: string, digit: string) => ({ name, checksum: digit.repeat(64) });
  const [base, scanning] = [one('0001_base.sql', '1'), one('0003_scanning.sql', '3')] as const;
  expect(faultsOf([base, scanning], before)).toEqual([]);
  expect(faultsOf([base, scanning, one('0004_more.sql', '4')], before)).toEqual([
    `0004_more.sql is new. When it is ready to be merged, add this line to RELEASED in migrate.test.ts: '0004_more.sql': '4444444444444444',`,
  ]);
  expect(faultsOf([base, one('0002_late.sql', '2'), scanning], before)).toEqual([
    '0002_late.sql is new, but comes before 0003_scanning.sql. Databases that have 0003_scanning.sql would apply it late: give it the next number.',
  ]);
  expect(faultsOf([one('0001_base.sql', '9')], before)).toEqual([
    expect.stringMatching(
      /^0001_base\.sql was changed, .* Restore it \(git checkout .*\) and put the change into a new migration\.$/,
    ),
    expect.stringMatching(/^0003_scanning\.sql was removed, /),
  ]);
});

/** Each test has its own: it takes the schema back to that of an earlier build, which rows of a later one need not satisfy. */
let database: TestDatabase;
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database.drop());
const admin = (text: string) => runSql(database.adminUrl, text);
const record = (name: string, checksum: string) =>
  admin(`update migrations set checksum = '${checksum}' where name = '${name}'`);
const leases = () =>
  admin(`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
    where a.attrelid in ('webhook_endpoints'::regclass, 'webhook_queue'::regclass)
      and a.attname in ('worker', 'leased_until', 'due_at', 'claimable_at') order by 1`);

test('a database to which another text of a migration was applied is refused', async () => {
  const { checksum } = migrations().find((one) => one.name === '0005_jobs.sql')!;
  await record('0005_jobs.sql', 'another');
  await expect(migrate(database.url)).rejects.toThrow(DatabaseRefused);
  await expect(migrate(database.url)).rejects.toThrow(
    /0005_jobs\.sql differs from the one that was applied.* Restore the file .* new migration with the next number/,
  );
  await record('0005_jobs.sql', checksum);
  await expect(migrate(database.url)).resolves.toEqual([]);
});

test('0009: a database of the build whose 0004 had no leases ends with the same schema as any other', async () => {
  const whole = await leases();
  expect(whole.map((row) => row.name)).toEqual(['due_at', 'leased_until', 'worker']);
  await record('0004_webhooks.sql', '3dc8741653fdcf5b4ecf8653c4bdcc0cb20142f4de21d24de49c7be5aea63f8f');
  await record('0009_endpoint_leases.sql', 'd0204d73173dd8a4fb879b3c0726dbcd25a16cde6a255caf29f208898faf2f56');
  await expect(migrate(database.url)).resolves.toEqual([]);

  await admin(`delete from migrations where name = '0009_endpoint_leases.sql'`);
  await admin(`alter table webhook_endpoints drop column worker, drop column leased_until`);
  await admin(`alter table webhook_queue rename column due_at to claimable_at`);
  await expect(migrate(database.url)).resolves.toEqual(['0009_endpoint_leases.sql']);
  expect(await leases()).toEqual(whole);
});

test('0012: an occurrence in the outbox gets the head that it would have been raised with', async () => {
  const at = new Date('2026-11-15T09:30:00.250Z');
  const rows = [
    { id: newId(at), type: 'checkin.recorded', at, livemode: true },
    { id: newId(at), type: 'registration.created', at: new Date('2026-11-15T09:30:00Z'), livemode: false },
  ] as const;
  await admin(`delete from migrations where name = '0012_envelope_heads.sql'`);
  await admin('alter table outbox drop column head');
  for (const { id, type, at, livemode } of rows) {
    await admin(`insert into outbox (org_id, id, type, livemode, data, created_at)
      values ('${newId(at)}', '${id}', '${type}', ${livemode}, '{}', '${at.toISOString()}')`);
  }
  await expect(migrate(database.url)).resolves.toEqual(['0012_envelope_heads.sql']);
  const heads = await admin('select head from outbox order by id');
  expect(heads).toEqual(rows.map(({ id, type, at, livemode }) => ({ head: headOf(id, type, at, livemode) })));
});

test('0013: stored answers do not change by a letter, and those of test scans are marked as tests', async () => {
  const at = new Date();
  const [org, event, live, trial] = [newId(at), newId(at), newId(at), newId(at)];
  await admin(`delete from migrations where name = '0013_kept_once.sql'`);
  await admin(`
    alter table idempotency drop constraint idempotency_kept;
    alter table idempotency drop column kept_in;
    drop index scans_test;
    alter table scans drop column test;
    alter table scans alter column answer type json using answer::json;
    alter table outbox alter column data type json using data::json;
    alter table outbox drop constraint outbox_pkey;
    alter table outbox add primary key (org_id, id);
    create index outbox_order on outbox (id)`);
  const answers = [
    { id: live, answer: '{"result":"accepted", "test":false,"n":1.0}' },
    { id: trial, answer: '{"test": true,"result":"duplicate"}' },
  ];
  for (const { id, answer } of answers) {
    await admin(`insert into scans (org_id, event_id, client_uuid, fingerprint, answer, created_at)
      values ('${org}', '${event}', '${id}', '\\x00', '${answer}', now())`);
  }
  await expect(migrate(database.url)).resolves.toEqual(['0013_kept_once.sql']);
  expect(await admin(`select client_uuid as id, answer, test from scans where org_id = '${org}' order by 1`)).toEqual([
    { ...answers[0], test: false },
    { ...answers[1], test: true },
  ]);
});

test('0014: deliveries keep their states, signatures and answers', async () => {
  const at = new Date();
  const [org, endpoint, delivered, failed, dead, gone] = Array.from({ length: 6 }, () => newId(at));
  await admin(`delete from migrations where name = '0014_delivery_log.sql'`);
  await admin(`
    drop index webhook_queue_delivery, webhook_deliveries_dead;
    alter table webhook_deliveries drop column dead, add column status text, add column attempts int not null default 0,
      add column next_attempt_at timestamptz, add column last_attempt_at timestamptz, add column last_status_code int,
      add column last_signature text, add column last_answer bytea;
    create index webhook_deliveries_status on webhook_deliveries (org_id, endpoint_id, status, id) where status <> 'delivered';
    alter table webhook_attempts drop constraint webhook_attempts_pkey;
    alter table webhook_attempts drop column endpoint_id, drop column signature, drop column answer, drop column succeeded;
    alter table webhook_attempts add primary key (org_id, delivery_id, number)`);
  for (const [id, status, attempts] of [
    [delivered, 'delivered', 2],
    [failed, 'failed', 1],
    [dead, 'dead', 1],
  ]) {
    await admin(`
      insert into webhook_deliveries (org_id, id, endpoint_id, envelope_id, type, livemode, origin_at, created_at, status, attempts,
        last_signature, last_answer)
      values ('${org}', '${id}', '${endpoint}', '${id}', 'ticket.issued', true, now(), now(), '${status}', ${attempts}, 'v1 of ${status}', '\\x6f6b')`);
  }
  for (const [id, number, cause] of [
    [delivered, 1, `'answered 500'`],
    [delivered, 2, 'null'],
    [failed, 1, `'answered 500'`],
    [dead, 1, `'answered 410'`],
    [gone, 1, 'null'],
  ]) {
    await admin(`insert into webhook_attempts (org_id, delivery_id, number, at, duration_ms, cause)
      values ('${org}', '${id}', ${number}, now(), 1, ${cause})`);
  }
  await expect(migrate(database.url)).resolves.toEqual(['0014_delivery_log.sql']);
  const rows = await admin(`
    select d.id, d.dead, a.number, a.succeeded, a.signature, convert_from(a.answer, 'UTF8') as answer
    from webhook_attempts a left join webhook_deliveries d on d.org_id = a.org_id and d.endpoint_id = a.endpoint_id and d.id = a.delivery_id
    where a.org_id = '${org}' order by d.id, a.number`);
  expect(rows).toEqual([
    { id: delivered, dead: false, number: 1, succeeded: false, signature: null, answer: null },
    { id: delivered, dead: false, number: 2, succeeded: true, signature: 'v1 of delivered', answer: 'ok' },
    { id: failed, dead: false, number: 1, succeeded: false, signature: 'v1 of failed', answer: 'ok' },
    { id: dead, dead: true, number: 1, succeeded: false, signature: 'v1 of dead', answer: 'ok' },
  ]);
});

/** Brings the schema to the state before migration 0017. */
const beforeTheDoor = () =>
  admin(`
    delete from migrations where name = '0017_door.sql';
    alter table scans drop constraint if exists scans_pkey;
    alter table scans add primary key (org_id, event_id, client_uuid);
    alter table webhook_endpoints drop column test;
    drop index pairing_codes_over;
    alter table pairing_codes drop column claim, drop column fingerprint, drop column request_id, drop column answer;
    alter table devices drop column batch_flight, drop column batch_claim, drop column batch_free_at`);

test('0017: times outside the years 1900 to 2200 are moved into them, and others do not change', async () => {
  const at = new Date();
  const [org, event, plain] = [newId(at), newId(at), newId(at)];
  await admin(`
    insert into organizations (id, code, name, plan, timezone, created_at, updated_at)
      values ('${org}', 'odd', 'Odd', 'scale', 'UTC', now(), now());
    insert into org_clocks (org_id, at) values ('${org}', '2026-11-01T00:00:00Z')
      on conflict (org_id) do update set at = excluded.at`);
  for (const [id, ends] of [
    [event, '9999-12-31T23:59:59.9999999Z'],
    [plain, '2027-01-01T00:00:00Z'],
  ]) {
    await admin(`
      insert into events (org_id, id, code, name, test, timezone, currency, ticketing, language, registration, ends_at, created_at, updated_at)
        values ('${org}', '${id}', 'e${id}', 'E', false, 'UTC', 'EUR', 'per_person', 'en', '{}', '${ends}', '2026-11-01Z', '2026-11-01Z');
      insert into event_clocks (org_id, event_id, at) values ('${org}', '${id}', '2026-11-01T00:00:00Z')`);
  }
  const day = (of: string, code: string, date: string, opens = 'null', closes = 'null', locked = 'null') =>
    admin(`insert into days (org_id, id, event_id, code, name, date, opens_at, closes_at, locked_at, created_at, updated_at)
      values ('${org}', '${newId(at)}', '${of}', '${code}', 'D', '${date}', ${opens}, ${closes}, ${locked}, '2026-11-01Z', '2026-11-01Z')`);
  await beforeTheDoor();
  await day(event, 'a', '0001-01-01', 'null', `'0001-01-01T12:00:00Z'`);
  await day(event, 'b', '9999-12-31');
  await day(
    event,
    'c',
    '2027-06-12',
    `'0001-01-01Z'`,
    `'9999-12-31T23:59:59.9999999Z'`,
    `'9999-12-31T23:59:59.9999999Z'`,
  );
  await day(event, 'd', '2027-06-12', `'9998-01-01Z'`, `'9999-01-01Z'`);
  await day(event, 'e', '2027-06-12', `'2027-06-12T08:00:00Z'`, `'2027-06-12T18:00:00Z'`);
  await day(plain, 'a', '2027-06-12', 'null', 'null', `'2027-06-12T18:00:00Z'`);
  await expect(migrate(database.url)).resolves.toEqual(['0017_door.sql']);
  const utc = (column: string) => `(${column} at time zone 'UTC')::text as ${column}`;
  const rows = await admin(`
    select code, date::text, ${['opens_at', 'closes_at', 'locked_at'].map(utc)}, updated_at > '2026-11-02' as touched
    from days where event_id = '${event}' order by code`);
  const none = { opens_at: null, closes_at: null, locked_at: null };
  const [first, last] = ['1900-01-01 00:00:00', '2200-12-31 23:59:59.999'];
  const usual = { opens_at: '2027-06-12 08:00:00', closes_at: '2027-06-12 18:00:00', locked_at: null };
  expect(rows).toEqual([
    { code: 'a', date: '1900-01-01', ...none, touched: true },
    { code: 'b', date: '2200-12-31', ...none, touched: true },
    { code: 'c', date: '2027-06-12', opens_at: first, closes_at: last, locked_at: last, touched: true },
    { code: 'd', date: '2027-06-12', ...none, touched: true },
    { code: 'e', date: '2027-06-12', ...usual, touched: false },
  ]);
  expect(
    await admin(`select code = 'e${event}' as odd, ends_at < '2201-01-01' as mended, world_version > 0 as told from events
      where org_id = '${org}' order by 1`),
  ).toEqual([
    { odd: false, mended: true, told: false },
    { odd: true, mended: true, told: true },
  ]);
});

test('0017: idempotency records of test scans point to the test answer, and those of live scans do not change', async () => {
  const at = new Date();
  const [org, event, live, trial, actor] = Array.from({ length: 5 }, () => newId(at)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  await beforeTheDoor();
  for (const [id, isTest] of [
    [live, false],
    [trial, true],
  ] as const) {
    await admin(`
      insert into scans (org_id, event_id, client_uuid, fingerprint, answer, test, created_at)
        values ('${org}', '${event}', '${id}', '\\x00', '{}', ${isTest}, now());
      insert into idempotency (org_id, actor_id, key, fingerprint, request_id, status, kept_in, encrypted, created_at)
        values ('${org}', '${actor}', '${id}', '\\x00', 'r', 200, '${event} ${id}', false, now())`);
  }
  await expect(migrate(database.url)).resolves.toEqual(['0017_door.sql']);
  expect(await admin(`select key, kept_in from idempotency where org_id = '${org}' order by key`)).toEqual([
    { key: live, kept_in: `${event} ${live}` },
    { key: trial, kept_in: `${event} ${trial} test` },
  ]);
});

test('0021: blank IDs become null, with a new stamp, and others do not change', async () => {
  const at = new Date();
  const [org, event, type, registration] = Array.from({ length: 4 }, () => newId(at));
  await admin(`delete from migrations where name = '0021_erasure.sql'`);
  await admin(`
    drop table files_to_remove;
    alter table org_clocks drop column erasures;
    alter table mails drop column erased_attempts;
    insert into organizations (id, code, name, plan, created_at, updated_at)
      values ('${org}', 'blanks', 'Blanks', (select code from plans limit 1), now(), now());
    insert into org_clocks (org_id, at) values ('${org}', now());
    insert into events (org_id, id, code, name, test, timezone, currency, ticketing, language, registration, created_at, updated_at)
      values ('${org}', '${event}', 'fair', 'Fair', false, 'UTC', 'EUR', 'per_person', 'en', '{}', now(), now());
    insert into event_clocks (org_id, event_id, at) values ('${org}', '${event}', now());
    insert into attendee_types (org_id, id, event_id, code, name, price_minor, approval, visible, created_at, updated_at)
      values ('${org}', '${type}', '${event}', 'adult', 'Adult', 0, false, true, now(), now());
    insert into registrations (org_id, id, event_id, code, status, source, test, currency, total_minor, paid_minor, send_emails,
      created_at, updated_at)
      values ('${org}', '${registration}', '${event}', 'R', 'confirmed', 'api', false, 'EUR', 0, 0, true, now(), now())`);
  const ids = ['', '  ', '\u200b\u2060', '\u0301', '\u3164', 'M-1', '0', '\u5f20', 'a\u0301'];
  for (const [i, id] of ids.entries()) {
    const key = id === '' ? null : id;
    await runSql(
      database.adminUrl,
      `insert into contacts (org_id, id, test, external_id, name_key, given_key, created_at, updated_at)
       values ($1, $2, false, $3, 'x', 'x', 'epoch', 'epoch')`,
      [org, newId(at), id],
    );
    await runSql(
      database.adminUrl,
      `insert into attendees (org_id, id, event_id, registration_id, position, attendee_type_id, day_ids, first_name, last_name,
         external_id, external_key, answers, price_minor, status, test, name_key, given_key, created_at, updated_at)
       values ($1, $2, $3, $4, ${i}, $5, '{}', 'A', 'B', $6, $7, '{}', 0, 'confirmed', false, 'b a', 'a b', 'epoch', 'epoch')`,
      [org, newId(at), event, registration, type, id, key],
    );
  }
  await expect(migrate(database.url)).resolves.toEqual(['0021_erasure.sql']);
  for (const table of ['contacts', 'attendees']) {
    const rows = await admin(
      `select external_id as is, updated_at > 'epoch' as told from ${table} where org_id = '${org}' order by id`,
    );
    expect(rows).toEqual(ids.map((id, i) => (i < 5 ? { is: null, told: true } : { is: id, told: false })));
  }
});

test('0027: earlier jobs show what is known of them', async () => {
  const at = new Date();
  const org = newId(at);
  await admin(`delete from migrations where name = '0027_job_shapes.sql'`);
  await admin(`alter table jobs drop column about; drop index payments_created`);
  await admin(`insert into organizations (id, code, name, plan, timezone, created_at, updated_at)
    values ('${org}', 'jobs-of-before', 'Before', 'free', 'UTC', now(), now())`);
  const columns = Array.from({ length: 120 }, (_, i) => `answers.${i}`);
  const file = { result: { key: 'k', filename: 'a-people-fair-checkins-2026-11-15.xlsx', mediaType: 'x', size: 1 } };
  const jobs = [
    ['import', { preview: true, mapping: {} }, {}, { preview: true }],
    ['import', null, {}, null],
    [
      ...(['export', { what: 'people', format: 'csv', columns }, {}] as const),
      { what: 'people', format: 'csv', columns: columns.slice(0, 100), columns_total: 120 },
    ],
    ['export', null, file, { what: 'checkins', format: 'xlsx' }],
    ['export', null, {}, null],
    ['communication', { columns }, {}, null],
  ] as const;
  for (const [kind, input, files] of jobs) {
    const text = input === null ? 'null' : `'${JSON.stringify(input)}'`;
    await admin(`insert into jobs (org_id, id, kind, status, test, actor, input, files, due_at, created_at, updated_at)
      values ('${org}', '${newId(at)}', '${kind}', 'queued', false, '{}', ${text}, '${JSON.stringify(files)}', now(), now(), now())`);
  }
  await expect(migrate(database.url)).resolves.toEqual(['0027_job_shapes.sql']);
  const told = await admin(`select about from jobs where org_id = '${org}' order by id`);
  expect(told.map((row) => row.about)).toEqual(jobs.map(([, , , about]) => about));
});

test('0028: paused endpoints get their reason from the audit log', async () => {
  const org = newId(new Date());
  await admin(`delete from migrations where name = '0028_settings.sql'`);
  await admin(`
    drop index webhook_deliveries_copies;
    alter table organizations drop column currency;
    alter table webhook_endpoints drop column paused_by;
    insert into organizations (id, code, name, plan, created_at, updated_at)
      values ('${org}', 'paused', 'Paused', (select code from plans limit 1), now(), now())`);
  const endpoints = [
    { status: 'paused', held: false, log: ['system', 'key'], becomes: 'person' },
    { status: 'paused', held: false, log: ['member', 'system'], becomes: 'failing' },
    { status: 'paused', held: false, log: [], becomes: 'person' },
    { status: 'paused_plan', held: true, log: ['system'], becomes: 'failing' },
    { status: 'paused_plan', held: false, log: ['key'], becomes: null },
    { status: 'failing', held: false, log: ['key'], becomes: null },
  ];
  for (const { status, held, log } of endpoints) {
    const id = newId(new Date());
    await admin(`
      insert into webhook_endpoints (org_id, id, url, events, status, was_paused, secret, secret_last4, since, created_at, updated_at)
        values ('${org}', '${id}', 'https://x.example', '{*}', '${status}', ${held}, '', '', now(), now(), now())`);
    for (const kind of log) {
      await admin(`
        insert into audit_log (org_id, id, at, action, actor_kind, actor_name, source, object_kind, object_id)
          values ('${org}', '${newId(new Date())}', now(), 'webhook_endpoint.paused', '${kind}', 'x', 'x', 'webhook_endpoint', '${id}')`);
    }
  }
  await expect(migrate(database.url)).resolves.toEqual(['0028_settings.sql']);
  expect(await admin(`select paused_by from webhook_endpoints where org_id = '${org}' order by id`)).toEqual(
    endpoints.map(({ becomes }) => ({ paused_by: becomes })),
  );
  expect(await admin(`select currency, language from organizations where id = '${org}'`)).toEqual([
    { currency: 'EUR', language: 'en' },
  ]);
});

test('0059: of the tickets that left a roster, those of tests are marked, and each row names its group', async () => {
  const at = new Date();
  const [org, registration, group, another] = Array.from({ length: 4 }, () => newId(at));
  const [grouped, groupless] = [newId(at), newId(at)];
  await admin(`delete from migrations where name = '0059_left_rosters.sql'`);
  await admin(`
    alter table roster_removed drop column test;
    insert into organizations (id, code, name, plan, created_at, updated_at)
      values ('${org}', 'left', 'Left', (select code from plans limit 1), now(), now());
    insert into groups (org_id, id, code, name, path, created_at, updated_at)
      values ('${org}', '${group}', 'north', 'North', '{${group}}', now(), now())`);
  const left: { is: string; test: boolean; event: string; group: string | null; becomes: string | null }[] = [
    { is: 'LIVE', test: false, event: grouped, group: another!, becomes: another! },
    { is: 'TEST', test: true, event: grouped, group: another!, becomes: another! },
    { is: 'OF THE EVENT', test: true, event: grouped, group: null, becomes: group! },
    { is: 'OF NOBODY', test: false, event: groupless, group: null, becomes: null },
  ];
  for (const event of [grouped, groupless]) {
    await admin(`
      insert into events (org_id, id, group_id, code, name, test, timezone, currency, ticketing, language, registration, created_at, updated_at)
        values ('${org}', '${event}', ${event === grouped ? `'${group}'` : 'null'}, 'e${event}', 'E', false, 'UTC', 'EUR', 'per_person',
          'en', '{}', now(), now())`);
  }
  await admin(`
    insert into registrations (org_id, id, event_id, code, status, source, test, currency, total_minor, paid_minor, send_emails,
      created_at, updated_at)
      values ('${org}', '${registration}', '${grouped}', 'R', 'confirmed', 'api', false, 'EUR', 0, 0, true, now(), now())`);
  for (const { is, test, event, group: of } of left) {
    await admin(`
      insert into tickets (org_id, id, event_id, registration_id, code, status, test, extra, issued_at, created_at, updated_at)
        values ('${org}', '${newId(at)}', '${event}', '${registration}', '${is}', 'valid', ${test}, false, now(), now(), now());
      insert into roster_removed (org_id, id, event_id, code_sha256, group_id, everywhere, at)
        values ('${org}', '${newId(at)}', '${event}', '${sha256(is)}', ${of === null ? 'null' : `'${of}'`}, false, now())`);
  }
  await expect(migrate(database.url)).resolves.toEqual(['0059_left_rosters.sql']);
  const rows = await admin(
    `select code_sha256, group_id, test from roster_removed where org_id = '${org}' order by id`,
  );
  const kept = left.filter(({ becomes }) => becomes !== null);
  expect(rows).toEqual(kept.map(({ is, test, becomes }) => ({ code_sha256: sha256(is), group_id: becomes, test })));
});

describe('while others are at work', () => {
  /** A session that holds something until it is let go. */
  async function holding(text: string): Promise<() => Promise<void>> {
    const session = new pg.Client({ connectionString: database.url });
    await session.connect();
    await session.query('begin');
    await session.query(text);
    return async () => {
      await session.query('rollback');
      await session.end();
    };
  }

  test('whoever waits for another process that migrates says so, and whose session it is', async () => {
    const letGo = await holding('select pg_advisory_xact_lock(7261530)');
    const said: string[] = [];
    const waiting = migrate(database.url, (line) => said.push(line));
    await expect.poll(() => said, { timeout: 15_000 }).toHaveLength(1);
    expect(said[0]).toMatch(
      /^waiting for another process that migrates the database \(its session is \d+, from a local socket\)$/,
    );
    await letGo();
    await expect(waiting).resolves.toEqual([]);
  });

  test('a migration gives its locks up soon and comes back, so that nobody waits behind it', async () => {
    await admin(
      `delete from migrations where name = '0060_files_mark.sql'; alter table installation drop column files_mark`,
    );
    const letGo = await holding('select * from installation');
    const said: string[] = [];
    const migrating = migrate(database.url, (line) => said.push(line));
    await expect
      .poll(() => said.at(-1), { timeout: 15_000 })
      .toBe('0060_files_mark.sql waits for locks that others hold');
    // Between two tries nothing waits: the same table is read at once.
    await expect(admin('select count(*) from installation')).resolves.toHaveLength(1);
    await letGo();
    await expect(migrating).resolves.toEqual(['0060_files_mark.sql']);
  });
});

import { readFileSync } from 'node:fs';
import { fieldsOf, type Owner } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSql } from './support/database.ts';
import { HER, openWorld, type World } from './support/erasure-world.ts';
import { emptyTables, type Trace, tracesInDatabase, tracesInFiles, unfilledColumns } from './support/traces.ts';

/** The documented list: where something may stay, and what. */
const LIST = new Map(
  [
    ...readFileSync('docs/internals/erasure.md', 'utf8').matchAll(/^\| `([\w./]+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm),
  ].map((row) => [row[1]!, row[2]!.split(',').map((kind) => kind.trim())]),
);

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 180_000);
afterAll(() => world.stop());

async function traces(): Promise<Trace[]> {
  const { t, needles } = world;
  const found = [
    ...(await tracesInDatabase(t.database.adminUrl, Buffer.alloc(32, 7), needles)),
    ...tracesInFiles(t.dataDir, needles),
    ...tracesInFiles(t.database.files, needles).map((trace) => ({ ...trace, place: 'files/' })),
  ];
  return found;
}
const short = (found: readonly Trace[]): string[] => [
  ...new Set(found.map(({ place, kind, text }) => `${place}: ${kind} ${text}`)),
];
const notListed = (found: readonly Trace[], list = LIST): string[] =>
  short(found.filter(({ place, kind }) => list.get(place)?.includes(kind) !== true)).sort();

/** Tables without data about registered people; the world need not fill them. Accounts and invitations are of those who organize. */
const NOT_ABOUT_THEM = [
  'account_identities',
  'account_links',
  'account_passkeys',
  'account_recovery_codes',
  'account_sessions',
  'accounts',
  'api_keys',
  'devices',
  'duplicate_payments',
  'files_to_remove',
  'installation',
  'invitations',
  'license_revocations',
  'members',
  'organizations',
  'pairing_codes',
  'picture_files',
  'pictures',
  'sandbox_usage',
  'sign_in_steps',
  'tenant_hosts',
  'test_mails',
  'unsubscribed',
  'wrong_codes',
];
/** Columns of the other tables that the world does not fill, and why they need not be searched. */
const NOT_FILLED = new Map([
  ['jobs.error', 'one of the sentences that Turnout has for why a job failed'],
  ['jobs.state', 'how far a job has come: ids, numbers of rows and counts, emptied when it ends'],
]);

/** Where the fields of each are stored. */
const OWNERS = [
  ['attendee', 'attendees'],
  ['contact', 'contacts'],
  ['registrant', 'registrations'],
] as const satisfies [Owner, string][];

describe('the list', () => {
  test('names tables, columns and folders that exist', async () => {
    expect(LIST.size).toBeGreaterThan(0);
    for (const place of LIST.keys()) {
      if (place.endsWith('/')) continue;
      const [table, column] = place.split('.');
      const rows = await runSql(
        world.t.database.adminUrl,
        'select 1 from information_schema.columns where table_name = $1 and column_name = $2',
        [table, column],
      );
      expect([place, rows.length]).toEqual([place, 1]);
    }
  });
});

test('the world fills every table that could hold data about a person', async () => {
  // A new table fails here first. Let the world fill it, so that it is searched, and let erase-copies.ts empty it.
  const empty = await emptyTables(world.t.database.adminUrl);
  expect(empty.filter((table) => !NOT_ABOUT_THEM.includes(table))).toEqual([]);
});

test('the world fills every column that could hold a text about a person', async () => {
  // A new column fails here first. Let the world fill it with something of hers, so that it is searched, and let erasing empty it.
  const unfilled = await unfilledColumns(world.t.database.adminUrl);
  const places = unfilled.filter(({ table }) => !NOT_ABOUT_THEM.includes(table)).map(({ place }) => place);
  expect(places.filter((place) => !NOT_FILLED.has(place))).toEqual([]);
  // Nothing is left out that need not be: because the world fills it now, or because it is gone.
  expect([...NOT_FILLED.keys()].filter((place) => !places.includes(place))).toEqual([]);
  const tables = new Set([...unfilled.map(({ table }) => table), ...(await emptyTables(world.t.database.adminUrl))]);
  expect(NOT_ABOUT_THEM.filter((table) => !tables.has(table))).toEqual([]);
});

test('a person who left traces everywhere is found nowhere but where the list allows it', async () => {
  const found = await traces();
  const places = new Set(found.map((trace) => trace.place));
  // The control: before, the search finds her in all of these places, so it would find her afterwards, too.
  for (const place of [
    'attendees.answers',
    'attendees.date_of_birth',
    'attendees.email_key',
    'attendees.external_key',
    'attendees.given_key',
    'attendees.phone_key',
    'audit_log.changes',
    'checkins.override_reason',
    'communication_recipients.email',
    'communication_recipients.error',
    'contacts.name_key',
    'files/',
    'idempotency.body',
    'import_previews.person',
    'import_rejects.words',
    'mails.data',
    'mails.last_error',
    'mails.recipient',
    'mails.recipient_name',
    'mails/',
    'outbox.data',
    'payments.reference',
    'registrations.email',
    'scans.answer',
    'tickets.code',
    'tickets.void_reason',
    'webhook_attempts.answer',
    'webhook_envelopes.body',
  ]) {
    expect([...places]).toContain(place);
  }
  // Every field is found in its own column, so its value is one that the search can find.
  for (const [owner, table] of OWNERS) {
    for (const field of fieldsOf(owner, { personal: true })) {
      expect(short(found.filter(({ kind }) => kind === field))).toContainEqual(
        expect.stringContaining(`${table}.${field}: `),
      );
    }
  }
  const proven = 'select from stranger_mails where address = address_hash(org_id, $1)';
  expect(await runSql(world.t.database.adminUrl, proven, [HER.email])).toHaveLength(1);
  const networks = `select from payment_holds where network is not null`;
  expect(await runSql(world.t.database.adminUrl, networks, [])).not.toEqual([]);
  const erased = await world.post(`/contacts/${world.contact}/erase`);
  expect(erased.status, erased.text).toBe(200);
  expect(await runSql(world.t.database.adminUrl, networks, [])).toEqual([]);
  await world.sweep();
  // Her address is kept as a hash in these two, so the search does not find it.
  for (const table of ['proven_addresses', 'stranger_mails']) {
    const hers = `select from ${table} where address = address_hash(org_id, $1)`;
    expect([table, (await runSql(world.t.database.adminUrl, hers, [HER.email])).length]).toEqual([table, 0]);
  }
  // Right after erasing, envelopes and mails that were sent before are empty, including the ticket codes.
  const before = new Map([...LIST].filter(([place]) => !/^webhook_|^mails\/$/.test(place)));
  expect(notListed(await traces(), before)).toEqual([]);

  // Background work that was waiting does not bring her back either.
  await world.settle();
  await world.sweep();
  expect(notListed(await traces())).toEqual([]);
}, 120_000);

import type { Migration } from './migration.ts';

/**
 * A migration only adds what the build before does not know, and leaves what it reads and writes: both run side by side during an upgrade.
 * What takes something away waits for a release in which nobody uses it any more. These are the exceptions.
 */
export const NEEDS_STOP: Readonly<Record<string, string>> = {
  '0013_kept_once.sql': 'older processes do not find the answers of scans that newer ones record',
  '0014_delivery_log.sql': 'older processes write the outcome of a delivery into columns that no longer exist',
  '0017_door.sql':
    'older processes would send live activity to endpoints of test keys. It also rebuilds the primary key of `scans`, and every scanner fetches its manifest and roster once more afterwards, because a roster link now names its holder',
  '0031_accounts.sql':
    'older processes look for sessions, and for the names and addresses of members, where they no longer are',
};

/** Takes something away that the build before does not miss. */
export const HARMLESS: Readonly<Record<string, string>> = {
  '0001_base.sql': 'a function that drops partitions once they are too old',
  '0009_endpoint_leases.sql': 'only where the column was made by an unreleased 0004',
  '0012_envelope_heads.sql': 'the column is new in the same migration and has a default',
  '0035_member_last_seen.sql':
    'the function and the policy are made anew in the same migration, and serve the calls of before, too',
  '0061_many_organizations.sql':
    'the key of the outbox is made anew, with the organization in front: the relay of before sorts what waits instead of reading it in order',
};

/** Statements after which a build that does not know them may fail. Indexes and checks that only become wider are none of them. */
const NARROWS =
  /\b(drop (table|column|function|view|type|policy)|rename (to|column)|alter column \w+ (set not null|type)|drop constraint \w+_pkey|set schema)\b/gi;

export const withoutComments = (text: string): string => text.replace(/--.*$/gm, '');

export const narrowing = ({ text }: Pick<Migration, 'text'>): string[] =>
  [...withoutComments(text).matchAll(NARROWS)].map(([statement]) => statement.toLowerCase());

/** Up to here, migrations were written before there was a rule, and stay as they are. */
export const LAST_BEFORE_RULE = '0060_files_mark.sql';

/** Hold a large table for as long as it takes to read or write all of it, and say here why that does not matter. */
export const HOLDS: Readonly<Record<string, string>> = {
  '0061_many_organizations.sql':
    'none of these tables has a row for each person: the outbox is emptied as it fills, the others have one for each key, device, invitation, job or count',
};

/** Statements that read or write a whole table while others wait for it. */
const HOLDING =
  /\b(?:create (?:unique )?index (?!concurrently)(?:if not exists )?\w+ on (?:only )?(\w+)|update (\w+) (?:\w+ )?set\b|delete from (\w+) *(?:;|where)|alter table (?:only )?(\w+) (?=[^;]*\b(?:type\b|set not null|add (?:constraint \w+ )?(?:primary key|unique|check|foreign key)(?![^;]*not valid)|default (?:now|clock_timestamp|random|gen_random_uuid)\b)))/gi;
const MADE = /\bcreate (?:unlogged )?table (?:if not exists )?(\w+)/gi;

/**
 * The tables that a migration holds for long: everybody who uses them waits, because a migration is one transaction. Those that it has made
 * itself are empty. This sees plain statements, not what a function does.
 */
export function holding({ text }: Pick<Migration, 'text'>): string[] {
  const plain = withoutComments(text).replace(/\s+/g, ' ');
  const made = new Set([...plain.matchAll(MADE)].map(([, table]) => table));
  const held = [...plain.matchAll(HOLDING)].map((match) => match.slice(1).find((table) => table !== undefined)!);
  return [...new Set(held)].filter((table) => !made.has(table));
}

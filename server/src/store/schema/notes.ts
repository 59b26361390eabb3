import type { Section } from './note.ts';
import { DOOR, EVENTS, FOLLOWING, PEOPLE } from './notes-of-events.ts';
import { ACTORS, INSTALLATION, ROAD } from './notes-of-organizations.ts';

/** Every table, in the order in which the schema is best read. `npm run generate` fails if one is missing here. */
export const SECTIONS: readonly Section[] = [INSTALLATION, ACTORS, EVENTS, PEOPLE, DOOR, ROAD, FOLLOWING];

/** Every function, by its name with the schema unless that is `public`. */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  address_hash: 'The form in which `unsubscribed` keeps an address; `key` is the normalized address.',
  answer_values:
    'The values that the answers of an attendee have for the question with this code; an empty one if there is none.',
  current_org:
    'The organization that this transaction has entered; null, so that no row is visible, if it has entered none.',
  keep_partitions:
    'Makes the partitions of this month and of the next two, and drops those that are older than their table keeps its rows. ' +
    'Runs once a day and at every start.',
  make_tenant_table:
    'Every table of an organization passes through here. turnout_app then sees the rows of its own organization, turnout_system those of all.',
  ulid_floor: 'The smallest ULID of an instant, for the bounds of partitions and for "older than" conditions on ids.',
  'directory.consume':
    "Adds calls to each key's window of one minute, which begins with the key's first call, and returns the count.",
  'directory.find_device': 'As find_scanner, without the group. Kept for processes of the build before.',
  'directory.find_keys':
    'First adds the calls counted since the last visit, then reads the keys: one round trip for many requests (road/gate/authenticate.ts). ' +
    'A crash may lose the last moments of counting, so its commit does not wait for the disk.',
  'directory.find_pairing_code': 'The organization of a pairing code, by the hash of the code.',
  'directory.consume_within': 'As consume, for windows of another length than a minute.',
  'directory.find_organization': 'The organization whose registration pages are asked for, by its code or id.',
  'directory.find_scanner': 'A paired device, by the hash of its token.',
  'directory.find_session': 'A session by the hash of its token, and what its account is in an organization.',
  'directory.tenant_hosts': 'The proved hosts of all organizations, by which requests are routed.',
  'directory.tenant_hosts_version': 'A text that differs whenever the proved hosts do.',
  'directory.license_revocations':
    'Every revoked license, including the last one that an older build wrote to `installation`.',
  'directory.license_revoked_at': 'When a license was revoked. Kept for processes of an older build.',
};

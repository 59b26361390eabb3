import { pickFields } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { insertAll } from '../../store/bulk.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { keysOf, type MatchKeys, present } from './match.ts';
import { CONTACT_TEXTS, type ContactTexts } from './queries.ts';
import { columnsOfTexts } from './text-columns.ts';
import { addContactWords } from './words.ts';

/** An attendee or registrant whose contact is wanted. */
export interface LinkedPerson extends ContactTexts {
  group_id: Id | null;
  test: boolean;
}

/** An existing contact, with what is needed to compare it. */
interface ExistingContact {
  id: Id;
  external_id: string | null;
  name_key: string;
  email_key: string | null;
  phone_key: string | null;
  group_id: Id | null;
  test: boolean;
}

const COLUMNS = {
  org_id: 'uuid',
  id: 'uuid',
  test: 'boolean',
  group_id: 'uuid',
  ...columnsOfTexts('contact'),
  name_key: 'text',
  given_key: 'text',
  email_key: 'text',
  phone_key: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

/**
 * Finds the contact of each person, or creates one. `stamping` is the statement that takes the organization's clock; it must have been
 * sent already. The existing contacts are read in the same packet behind it, so under the clock, and two transactions never create
 * the same contact twice. People of different groups never share a contact: a key limited to one group must not learn that
 * somebody is known in another.
 */
export async function linkContacts(
  tx: Tx,
  org: Id,
  stamping: Promise<string>,
  linked: readonly LinkedPerson[],
): Promise<Id[]> {
  const people = linked.map((person) => ({ ...person, external_id: present(person.external_id) }));
  const keys = people.map(keysOf);
  const [stamp, known] = await Promise.all([stamping, candidates(tx, org, people, keys)]);
  const addressBook = new AddressBook(known);
  const fresh: (MatchKeys & { id: Id; org_id: Id; [column: string]: unknown })[] = [];
  const ids = people.map((person, i) => {
    const found = addressBook.find(person, keys[i]!);
    if (found !== null) return found;
    const id = newId(tx.clock.now());
    const { external_id, group_id, test } = person;
    fresh.push({
      org_id: org,
      id,
      test,
      group_id,
      ...pickFields(CONTACT_TEXTS, person),
      ...keys[i]!,
      created_at: stamp,
      updated_at: stamp,
    });
    addressBook.add({ id, external_id, group_id, test, ...keys[i]! });
    return id;
  });
  insertAll(tx, 'contacts', COLUMNS, fresh);
  addContactWords(tx, org, fresh);
  return ids;
}

function candidates(
  tx: Tx,
  org: Id,
  people: readonly LinkedPerson[],
  keys: readonly MatchKeys[],
): Promise<ExistingContact[]> {
  const given = <T>(values: (T | null)[]): T[] => [
    ...new Set(values.filter((value): value is T & {} => value !== null)),
  ];
  const external = given(people.map((person) => person.external_id));
  const emails = given(keys.map((key) => key.email_key));
  const phones = given(keys.map((key) => key.phone_key));
  return tx.all<ExistingContact>(sql`
    select id, external_id, name_key, email_key, phone_key, group_id, test from contacts
      where org_id = ${org} and external_id = any(${external}) and erased_at is null
    union
    select id, external_id, name_key, email_key, phone_key, group_id, test from contacts
      where org_id = ${org} and email_key = any(${emails}) and erased_at is null
    union
    select id, external_id, name_key, email_key, phone_key, group_id, test from contacts
      where org_id = ${org} and phone_key = any(${phones}) and erased_at is null
    order by id`);
}

/** The contacts that may match, by each way of recognizing a person. */
class AddressBook {
  readonly #byExternal = new Map<string, ExistingContact>();
  readonly #byEmail = new Map<string, ExistingContact>();
  readonly #byPhone = new Map<string, ExistingContact>();

  constructor(known: readonly ExistingContact[]) {
    for (const one of known) this.add(one);
  }

  add(one: ExistingContact): void {
    const realm = realmOf(one);
    const keep = (map: Map<string, ExistingContact>, key: string | null) => {
      if (key !== null && !map.has(realm + key)) map.set(realm + key, one); // the oldest contact wins
    };
    keep(this.#byExternal, present(one.external_id));
    keep(this.#byEmail, withName(one.email_key, one));
    keep(this.#byPhone, withName(one.phone_key, one));
  }

  find(person: LinkedPerson, keys: MatchKeys): Id | null {
    const realm = realmOf(person);
    const byId = person.external_id === null ? undefined : this.#byExternal.get(realm + person.external_id);
    if (byId !== undefined) return byId.id;
    for (const [map, key] of [
      [this.#byEmail, withName(keys.email_key, keys)],
      [this.#byPhone, withName(keys.phone_key, keys)],
    ] as const) {
      const found = key === null ? undefined : map.get(realm + key);
      // Two people with different IDs are different, even with the same name and address.
      const isOther = found !== undefined && person.external_id !== null && present(found.external_id) !== null;
      if (found !== undefined && !isOther) return found.id;
    }
    return null;
  }
}

/** An e-mail address or phone number only identifies a person together with the name: families and clubs share them. */
const withName = (key: string | null, { name_key }: Pick<MatchKeys, 'name_key'>): string | null =>
  key === null || name_key === '' ? null : `${key}\n${name_key}`;

/** Contacts are only compared inside one group, and live and test apart. */
const realmOf = (one: { test: boolean; group_id: Id | null }): string => `${one.test} ${one.group_id ?? '-'}\n`;

import { type Id, isUlid, toUuid } from '../../store/ids.ts';
import { externalKey, keysOf } from '../contacts/index.ts';
import type { PersonDetails } from '../registrations/index.ts';
import type { PersonRow } from './import-cells.ts';

/** A person whom a row may mean: one of the event, or one that an earlier row of the file made. */
export interface Known extends PersonDetails {
  id: Id;
  /** null: this import makes it. */
  registration_id: Id | null;
  /** Whether it has its places; who waits has none. */
  placed: boolean;
}

/** What people are found by. */
export interface Keys {
  external: string | null;
  /** E-mail and name, phone and name: the name alone is nobody. */
  email: string | null;
  phone: string | null;
}

type Findable = Pick<PersonDetails, 'first_name' | 'last_name' | 'email' | 'phone' | 'external_id'>;

export function findingKeys(person: Findable): Keys & { name: string } {
  const { name_key, email_key, phone_key } = keysOf(person);
  const withName = (key: string | null) => (key === null || name_key === '' ? null : `${key}\n${name_key}`);
  return {
    name: name_key,
    external: externalKey(person.external_id),
    email: withName(email_key),
    phone: withName(phone_key),
  };
}

export const findableOf = (row: PersonRow): Findable => ({
  first_name: row.first_name ?? '',
  last_name: row.last_name ?? '',
  email: row.email ?? null,
  phone: row.phone ?? null,
  external_id: row.external_id ?? null,
});

/** The attendee's own id, where the ID of a row is spelled like one. */
export const ownIdOf = (row: PersonRow): Id | null =>
  row.external_id !== undefined && isUlid(row.external_id) ? toUuid(row.external_id) : null;

/**
 * Everybody a row may mean, as the rows before it left them. Found by ID (`external_id`, else the attendee's own), then by
 * e-mail and name, then by phone and name; never somebody with a different ID.
 */
export class People {
  readonly #byId = new Map<Id, Known>();
  readonly #by: Record<keyof Keys, Map<string, Set<Known>>> = {
    external: new Map(),
    email: new Map(),
    phone: new Map(),
  };

  constructor(known: Iterable<Known>) {
    for (const one of known) this.add(one);
  }

  add(one: Known): void {
    this.#byId.set(one.id, one);
    const keys = findingKeys(one);
    for (const kind of ['external', 'email', 'phone'] as const) {
      const key = keys[kind];
      if (key === null) continue;
      const there = this.#by[kind].get(key);
      if (there === undefined) this.#by[kind].set(key, new Set([one]));
      else there.add(one);
    }
  }

  change(one: Known, details: PersonDetails): void {
    const keys = findingKeys(one);
    for (const kind of ['external', 'email', 'phone'] as const) {
      if (keys[kind] !== null) this.#by[kind].get(keys[kind])?.delete(one);
    }
    Object.assign(one, details);
    this.add(one);
  }

  find(row: PersonRow): Known | 'several' | null {
    const keys = findingKeys(findableOf(row));
    if (keys.external !== null) {
      const sameId = sole(this.#by.external.get(keys.external));
      if (sameId !== null) return sameId;
      const own = ownIdOf(row);
      const self = own === null ? undefined : this.#byId.get(own);
      if (self !== undefined) return self;
    }
    const other = (one: Known) => keys.external !== null && one.external_id !== null;
    for (const kind of ['email', 'phone'] as const) {
      const there = keys[kind] === null ? undefined : this.#by[kind].get(keys[kind]);
      const found = sole([...(there ?? [])].filter((one) => !other(one)));
      if (found !== null) return found;
    }
    return null;
  }
}

function sole(found: Iterable<Known> | undefined): Known | 'several' | null {
  const [first, ...others] = found ?? [];
  return first === undefined ? null : others.length > 0 ? 'several' : first;
}

import { type Id, isUlid, toUuid } from '../../store/ids.ts';
import { externalKey, keysOf } from '../contacts/index.ts';
import type { AttendeeDetails } from '../registrations/index.ts';
import type { PersonRow } from './import-cells.ts';

/** A person whom a row may mean: one of the event, or one that an earlier row of the file made. */
export interface Known extends AttendeeDetails {
  id: Id;
  /** null: this import makes it. */
  registration_id: Id | null;
  /** Whether it has its places; who waits has none. */
  placed: boolean;
}

/** What people are found by: e-mail and phone only with the name. */
export interface Keys {
  name: string;
  external: string | null;
  email: string | null;
  phone: string | null;
}

type Findable = Pick<AttendeeDetails, 'first_name' | 'last_name' | 'email' | 'phone' | 'external_id'>;

export function keysFor(person: Findable): Keys {
  const { name_key, email_key, phone_key } = keysOf(person);
  const named = name_key !== '';
  return {
    name: name_key,
    external: externalKey(person.external_id),
    email: named ? email_key : null,
    phone: named ? phone_key : null,
  };
}

/** The attendee's own id, where the ID of a row is spelled like one. */
export const ownIdOf = (row: PersonRow): Id | null =>
  row.external_id !== undefined && isUlid(row.external_id) ? toUuid(row.external_id) : null;

/**
 * Everybody a row may mean, as the rows before it left them. Found by ID (`external_id`, else the attendee's own), then by
 * e-mail and name, then by phone and name; never somebody with a different ID.
 */
export class People {
  readonly #byId = new Map<Id, Known>();
  readonly #by = {
    external: new Map<string, Set<Known>>(),
    email: new Map<string, Set<Known>>(),
    phone: new Map<string, Set<Known>>(),
  };

  constructor(known: Iterable<Known>) {
    for (const one of known) this.add(one);
  }

  add(one: Known): void {
    this.#byId.set(one.id, one);
    const keys = keysFor(one);
    for (const way of WAYS) {
      const key = keyOf(keys, way);
      if (key === null) continue;
      const there = this.#by[way].get(key);
      if (there === undefined) this.#by[way].set(key, new Set([one]));
      else there.add(one);
    }
  }

  change(one: Known, details: AttendeeDetails): void {
    const keys = keysFor(one);
    for (const way of WAYS) this.#at(keys, way)?.delete(one);
    Object.assign(one, details);
    this.add(one);
  }

  #at(keys: Keys, way: Way): Set<Known> | undefined {
    const key = keyOf(keys, way);
    return key === null ? undefined : this.#by[way].get(key);
  }

  find(row: PersonRow): Known | 'several' | null {
    const { keys } = row;
    const sameId = sole(this.#at(keys, 'external'));
    if (sameId !== null) return sameId;
    const own = ownIdOf(row);
    const self = own === null ? undefined : this.#byId.get(own);
    if (self !== undefined) return self;
    for (const way of ['email', 'phone'] as const) {
      const there = [...(this.#at(keys, way) ?? [])];
      const found = sole(keys.external === null ? there : there.filter((one) => externalKey(one.external_id) === null));
      if (found !== null) return found;
    }
    return null;
  }
}

const WAYS = ['external', 'email', 'phone'] as const;
type Way = (typeof WAYS)[number];
const keyOf = (keys: Keys, way: Way): string | null =>
  way === 'external' || keys[way] === null ? keys[way] : `${keys[way]}\n${keys.name}`;

function sole(found: Iterable<Known> | undefined): Known | 'several' | null {
  const [first, ...others] = found ?? [];
  return first === undefined ? null : others.length > 0 ? 'several' : first;
}

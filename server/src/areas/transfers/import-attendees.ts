import type { Id } from '../../common/ids.ts';
import { externalKey } from '../contacts/index.ts';
import type { AttendeeDetails } from '../registrations/index.ts';
import { type ImportRow, type Keys, keysFor, ownIdOf } from './import-row.ts';

/** An attendee that a row may match: one of the event, or one that an earlier row of the file adds. */
export interface KnownAttendee extends AttendeeDetails {
  id: Id;
  /** Null if this import adds the attendee. */
  registration_id: Id | null;
  /** Whether the attendee takes up places. Those on the waitlist do not. */
  placed: boolean;
}

/**
 * All attendees that a row may match, as the rows before it left them. A row matches by ID (`external_id`, else the attendee's
 * own id), then by e-mail and name, then by phone and name. A row with an ID never matches an attendee with a different one.
 */
export class KnownAttendees {
  readonly #byId = new Map<Id, KnownAttendee>();
  readonly #by = {
    external: new Map<string, Set<KnownAttendee>>(),
    email: new Map<string, Set<KnownAttendee>>(),
    phone: new Map<string, Set<KnownAttendee>>(),
  };

  constructor(known: Iterable<KnownAttendee>) {
    for (const one of known) this.add(one);
  }

  add(one: KnownAttendee): void {
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

  change(one: KnownAttendee, details: AttendeeDetails): void {
    const keys = keysFor(one);
    for (const way of WAYS) this.#at(keys, way)?.delete(one);
    Object.assign(one, details);
    this.add(one);
  }

  #at(keys: Keys, way: Way): Set<KnownAttendee> | undefined {
    const key = keyOf(keys, way);
    return key === null ? undefined : this.#by[way].get(key);
  }

  find(row: ImportRow): KnownAttendee | 'several' | null {
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

function sole(found: Iterable<KnownAttendee> | undefined): KnownAttendee | 'several' | null {
  const [first, ...others] = found ?? [];
  return first === undefined ? null : others.length > 0 ? 'several' : first;
}

import { BETWEEN_CODES, type KeptAdmission, type KeptEntry, type KeptPerson } from './entry.ts';
import { lineOf } from './names.ts';
import type { OwnScans } from './own.ts';
import { entryAt, findTicket, keyAt, lineAt, type Packed, skimAt } from './packed.ts';

/** Where somebody is on a day: they came and are inside, came and have left, or are still to come. */
export const WHEREABOUTS = ['inside', 'left', 'awaited'] as const;
export type Whereabouts = (typeof WHEREABOUTS)[number];

const MINUTE = 60_000;
/** How many minutes are counted one by one. */
export const MINUTES = 60;

export interface AttendanceCounts {
  /** By the code of the attendee type. */
  readonly types: readonly ({ readonly attendee_type: string } & Readonly<Record<Whereabouts, number>>)[];
  /** How many were admitted at entries in each of the last minutes; the last one is still going on. */
  readonly minutes: readonly number[];
}

export interface AttendancePerson {
  readonly key: string;
  readonly entry: Omit<KeptEntry, 'people'>;
  readonly person: KeptPerson;
  /** The latest entry or exit of the day. */
  readonly last: Pick<KeptAdmission, 'at' | 'check_in_point'> | null;
}

export interface AttendanceParts {
  readonly packed: Packed;
  readonly overlay: ReadonlyMap<string, KeptEntry | null>;
  readonly own: OwnScans;
  readonly find: (key: string) => KeptEntry | null;
  /** The codes of the exits that lead out of a zone only, and not out of the venue. */
  readonly zoneExits: ReadonlySet<string>;
}

interface Counted {
  readonly type: string;
  readonly due: boolean;
  readonly admissions: readonly KeptAdmission[];
}

/** On a ticket whose people are at different places, each has their own. */
const MIXED = WHEREABOUTS.length + 1;

/**
 * Who came on a day, and who is still to come, counted and by name. Everybody is looked at once; what is asked afterwards costs nothing.
 *
 * A person with a ticket for each day is on several tickets, all of which have the same admissions. The number that the server gave their
 * first entry tells that they were counted already; who has not come is counted by the one ticket that is for this day.
 */
export class Attendance {
  readonly #parts: AttendanceParts;
  readonly #day: string;
  readonly #types = new Map<string, Record<Whereabouts, number>>();
  readonly #minutes = new Map<number, number>();
  /** The first entries of those who were counted. */
  readonly #seen = new Set<number>();
  /** The entries that were counted by the minute. */
  readonly #recent = new Set<number>();
  readonly #recentFrom: number;
  /** Of each kind the people in the order of their names: the number of a name of the packed roster, or below zero one of `#changed`. */
  readonly #rows: Record<Whereabouts, number[]> = { inside: [], left: [], awaited: [] };
  #changed: (AttendancePerson & { line: string; where: Whereabouts })[] = [];

  constructor(parts: AttendanceParts, day: string, now: number) {
    this.#parts = parts;
    this.#day = day;
    this.#recentFrom = now - MINUTES * MINUTE;
    const keys = new Set(parts.overlay.keys());
    for (const { ticket } of parts.own.all()) if (ticket !== null) keys.add(ticket);
    const changedTickets = new Set([...keys].map((key) => findTicket(parts.packed, key)));
    const { places, mixed } = this.#countPacked(changedTickets);
    this.#countChanged(keys);
    this.#sort(places, mixed);
  }

  counts(now: number): AttendanceCounts {
    const last = Math.floor(now / MINUTE);
    return {
      types: [...this.#types].map(([attendee_type, counts]) => ({ attendee_type, ...counts })),
      minutes: Array.from({ length: MINUTES }, (_, i) => this.#minutes.get(last - MINUTES + 1 + i) ?? 0),
    };
  }

  list(where: Whereabouts, from: number, count: number): { people: AttendancePerson[]; count: number } {
    const rows = this.#rows[where];
    const people = rows.slice(from, from + count).map((row) => (row < 0 ? this.#changed[-row - 1]! : this.#named(row)));
    return { people: people.map(({ key, entry, person, last }) => ({ key, entry, person, last })), count: rows.length };
  }

  /** Of each ticket where its people are: 0 nowhere, else one more than the number of the place, or `MIXED`. */
  #countPacked(changed: ReadonlySet<number>) {
    const { packed } = this.#parts;
    const isDay = packed.texts.map((days) => days.split(BETWEEN_CODES).includes(this.#day));
    const places = new Uint8Array(packed.tickets);
    const mixed = new Map<number, (Whereabouts | null)[]>();
    for (let ticket = 0; ticket < packed.tickets; ticket += 1) {
      if (changed.has(ticket)) continue;
      const { valid, people } = skimAt(packed, ticket);
      const all = people.map(({ type, days, confirmed, admissions }) =>
        this.#count({ type: packed.texts[type]!, due: valid && confirmed && isDay[days]!, admissions }),
      );
      if (all.some((one) => one !== all[0])) {
        places[ticket] = MIXED;
        mixed.set(ticket, this.#inOrderOfNames(ticket, all));
      } else if (all[0] != null) places[ticket] = WHEREABOUTS.indexOf(all[0]) + 1;
    }
    return { places, mixed };
  }

  /** So the names of the packed roster, one after the other, tell whose turn it is. */
  #inOrderOfNames<T>(ticket: number, all: readonly T[]): T[] {
    const { people, registration } = entryAt(this.#parts.packed, ticket);
    const lines = people.map((person) => lineOf(person, registration));
    const order = [...lines.keys()].sort((a, b) => compareTexts(lines[a]!, lines[b]!) || a - b);
    return order.map((i) => all[i]!);
  }

  #countChanged(keys: ReadonlySet<string>): void {
    for (const key of keys) {
      const found = this.#parts.find(key);
      if (found === null) continue;
      const { people, ...entry } = found;
      for (const person of people) {
        const admissions = this.#parts.own.withOwn(person.id, person.admissions);
        const due = entry.status === 'valid' && person.confirmed && person.days.includes(this.#day);
        const where = this.#count({ type: person.attendee_type, due, admissions });
        if (where === null) continue;
        const last = this.#lastOf(admissions);
        this.#changed.push({ key, entry, person, last, where, line: lineOf(person, entry.registration) });
      }
    }
    this.#changed.sort((a, b) => compareTexts(a.line, b.line));
  }

  #count({ type, due, admissions }: Counted): Whereabouts | null {
    for (const one of admissions) this.#countMinute(one);
    const first = admissions.find((one) => one.kind === 'entry' && one.day === this.#day);
    if (first === undefined && !due) return null;
    if (first !== undefined && this.#seen.has(first.seq)) return null;
    if (first !== undefined) this.#seen.add(first.seq);
    const where = first === undefined ? 'awaited' : this.#lastOf(admissions)?.kind === 'exit' ? 'left' : 'inside';
    let counts = this.#types.get(type);
    if (counts === undefined) {
      counts = { inside: 0, left: 0, awaited: 0 };
      this.#types.set(type, counts);
    }
    counts[where] += 1;
    return where;
  }

  #countMinute({ kind, at, seq, day }: KeptAdmission): void {
    if (kind !== 'entry' || day !== this.#day || at < this.#recentFrom || this.#recent.has(seq)) return;
    this.#recent.add(seq);
    const minute = Math.floor(at / MINUTE);
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + 1);
  }

  #lastOf(admissions: readonly KeptAdmission[]): KeptAdmission | null {
    let last: KeptAdmission | null = null;
    for (const one of admissions) {
      const passes = one.kind === 'entry' || (one.kind === 'exit' && !this.#parts.zoneExits.has(one.check_in_point));
      if (!passes || one.day !== this.#day) continue;
      if (last === null || one.at > last.at || (one.at === last.at && one.seq > last.seq)) last = one;
    }
    return last;
  }

  /** Both the names of the packed roster and those that changed are in order already. */
  #sort(places: Uint8Array, mixed: ReadonlyMap<number, (Whereabouts | null)[]>): void {
    const { packed } = this.#parts;
    const before = this.#changed.map(({ line }) => firstNameAfter(packed, line));
    let next = 0;
    for (let name = 0; name <= packed.names; name += 1) {
      for (; next < this.#changed.length && before[next] === name; next += 1)
        this.#rows[this.#changed[next]!.where].push(-next - 1);
      if (name === packed.names) break;
      const ticket = packed.nameTickets[name]!;
      const place = places[ticket]!;
      if (place === 0) continue;
      const where = place === MIXED ? mixed.get(ticket)!.shift()! : WHEREABOUTS[place - 1]!;
      if (where !== null) this.#rows[where].push(name);
    }
  }

  #named(name: number): AttendancePerson {
    const { packed } = this.#parts;
    const ticket = packed.nameTickets[name]!;
    const { people, ...entry } = entryAt(packed, ticket);
    const person = people[this.#positionOf(name)]!;
    return { key: keyAt(packed, ticket), entry, person, last: this.#lastOf(person.admissions) };
  }

  /** Which of the people on the ticket has this name. Those of one name stand side by side, in the order of the ticket. */
  #positionOf(name: number): number {
    const { packed } = this.#parts;
    const ticket = packed.nameTickets[name]!;
    const { people, registration } = entryAt(packed, ticket);
    if (people.length === 1) return 0;
    const line = lineAt(packed, name);
    let earlier = 0;
    for (let other = name - 1; other >= 0 && lineAt(packed, other) === line; other -= 1)
      if (packed.nameTickets[other] === ticket) earlier += 1;
    const named = [...people.keys()].filter((i) => lineOf(people[i]!, registration) === line);
    return named[earlier] ?? named[0] ?? 0;
  }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The number of the first name of the packed roster that comes after this one. */
function firstNameAfter(packed: Packed, line: string): number {
  let low = 0;
  let high = packed.names;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineAt(packed, middle) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

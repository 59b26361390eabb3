import {
  type Admission,
  type CheckInPoint,
  type Decision,
  decide,
  isRegistrationCode,
  openDays,
  type Person,
  type PreparedWorld,
  pointOf,
  prepareWorld,
  ticketCode,
  typedCode,
} from '@turnout/checkin';
import type { Manifest } from '@turnout/client';
import { Attendance } from './attendance.ts';
import { LocalDates } from './counter.ts';
import type { KeptAdmission, KeptEntry, KeptPerson } from './entry.ts';
import { fit, lineOf, wordOfRegistration, wordsOf } from './names.ts';
import { isKnown, type OwnAdmission, OwnScans } from './own.ts';
import { ENTRIES, entryAt, findTicket, keyAt, lookUp, type Packed, ticketsWithPasses } from './packed.ts';
import { Packer } from './packer.ts';
import { type Hit, searchPacked } from './search.ts';
import { passesOf, Zones } from './zones.ts';

export interface FoundPerson {
  readonly key: string;
  readonly entry: Omit<KeptEntry, 'people'>;
  readonly person: KeptPerson;
  readonly inside: Inside | null;
}

/** The admission because of which somebody counts as inside. */
export type Inside = Pick<Admission, 'at' | 'check_in_point'>;

export interface FoundPeople {
  readonly people: readonly FoundPerson[];
  /** How many are found in all, also if fewer are given. */
  readonly count: number;
}

/** Somebody of a registration, with the ticket by which they would be let in here. */
export interface RegisteredPerson extends FoundPerson {
  readonly result: Decision['result'];
}

/** Where and when somebody looks. */
export interface Standing {
  readonly point: string | null;
  readonly at: number;
}

export interface ScanToJudge {
  readonly point: string;
  readonly at: number;
  readonly people: readonly string[] | null;
  /** The number of the newest admission on the ticket when it was read; 0 if there was none. */
  readonly newest: number;
}

/** After everybody was counted, they are not counted again for this many times as long. */
const REST = 20;

/** By key: the entry that replaces the packed one, or null if the ticket was removed. */
export type Overlay = Map<string, KeptEntry | null>;

/**
 * Everything that this device knows about the tickets of an event, in one mode: the packed roster, what changed since (the overlay),
 * and its own scans. It answers from memory.
 */
export class Book {
  readonly packed: Packed;
  readonly overlay: Overlay;
  readonly own: OwnScans;
  readonly #world: PreparedWorld;
  readonly #test: boolean;
  readonly #dates: LocalDates;
  readonly #counts = new Map<string, number>();
  readonly #zoneExits: ReadonlySet<string>;
  #attendance: { of: Attendance; day: string; at: number; took: number } | null = null;
  #zones: Zones | null = null;
  #tickets: number;

  constructor(parts: {
    packed: Packed;
    overlay?: Overlay;
    own?: OwnScans;
    manifest: Pick<Manifest, 'event' | 'days' | 'attendee_types' | 'groups' | 'products' | 'check_in_points'>;
    test: boolean;
  }) {
    this.packed = parts.packed;
    this.own = parts.own ?? new OwnScans();
    const { timezone, test } = parts.manifest.event;
    this.#world = prepareWorld({
      ...parts.manifest,
      timezone,
      check_in_points: parts.manifest.check_in_points as readonly CheckInPoint[],
    });
    this.#test = parts.test || test;
    this.#dates = new LocalDates(timezone);
    const leavesZone = ({ kind, policy }: Manifest['check_in_points'][number]) =>
      kind === 'exit' && policy.leaves != null;
    this.#zoneExits = new Set(parts.manifest.check_in_points.filter(leavesZone).map(({ code }) => code));
    this.#tickets = parts.packed.tickets;
    this.overlay = new Map();
    this.apply(parts.overlay ?? new Map());
  }

  get tickets(): number {
    return this.#tickets;
  }

  find(key: string): KeptEntry | null {
    const changed = this.overlay.get(key);
    return changed === undefined ? lookUp(this.packed, key) : changed;
  }

  /** Puts changes of the roster over what is packed. */
  apply(changes: Overlay): void {
    const people = new Map<string, { before: readonly KeptAdmission[]; after: readonly KeptAdmission[] }>();
    for (const [key, entry] of changes) {
      const before = this.find(key);
      this.#tickets += Number(entry !== null) - Number(before !== null);
      for (const person of entry?.people ?? []) {
        const old = before?.people.find(({ id }) => id === person.id);
        people.set(person.id, {
          before: old?.admissions ?? people.get(person.id)?.before ?? [],
          after: person.admissions,
        });
      }
      this.overlay.set(key, entry);
    }
    for (const [person, { before, after }] of people) {
      this.#recount(before, after);
      this.#zones?.change(person, passesOf(person, this.own.withOwn(person, after)));
    }
  }

  /** Adds what this device admitted, and drops what `drop` says. Returns what was dropped. */
  note(put: readonly OwnAdmission[], drop: (one: OwnAdmission) => boolean): OwnAdmission[] {
    const dropped = this.own.drop(drop);
    for (const one of put) this.own.put(one);
    for (const { person, ticket } of [...dropped, ...put]) {
      // Without the ticket, where else the person went would have to be looked for in the whole roster; that is done when it is needed.
      if (ticket === null) this.#zones = null;
      this.#zones?.change(person, passesOf(person, this.own.withOwn(person, this.#inRoster(person, ticket))));
    }
    return dropped;
  }

  decide(key: string, scan: ScanToJudge): Decision {
    const entry = this.find(key);
    const everyone = entry?.people.map(({ id }) => id) ?? [];
    const { capacity } = pointOf(this.#world, scan.point);
    return decide(this.#world, {
      check_in_point: scan.point,
      at: scan.at,
      mode: this.#test ? 'test' : 'live',
      ticket: entry && { ...entry, people: entry.people.map((person) => this.#before(scan, person)) },
      people_present: scan.people,
      ...(capacity !== null && { others_inside: this.#passes().inside(scan.point, scan.at, everyone) }),
    });
  }

  /** By words of the name, or by the whole code of the registration. */
  search(text: string, most: number, standing: Standing): FoundPeople {
    const code = ticketCode(typedCode(text));
    const byCode = isRegistrationCode(code) ? this.#searched([wordOfRegistration(code)], most) : null;
    const { hits, count } = byCode !== null && byCode.count > 0 ? byCode : this.#searched(wordsOf(text), most);
    return { people: this.#peopleOf(hits, standing), count };
  }

  /**
   * The people of a registration, each with one ticket. Of somebody with a ticket for each day it is the one that admits here now, else
   * the one that says most about why not.
   */
  registered(code: string, point: string, at: number): RegisteredPerson[] {
    const { hits } = this.#searched([wordOfRegistration(code)], Number.POSITIVE_INFINITY);
    const best = new Map<string, RegisteredPerson>();
    for (const key of new Set(hits.map((hit) => hit.key))) {
      const { people, ...entry } = this.find(key)!;
      const scan = { point, at, people: null, newest: Number.MAX_SAFE_INTEGER };
      const decision = this.decide(key, scan);
      for (const person of people) {
        // A voided ticket is refused as a whole, without a word about its people.
        const decided = decision.people.find((one) => one.person === person.id) ?? {
          ...decision,
          first_admission: null,
        };
        const { result, first_admission: inside } = decided;
        const before = best.get(person.id);
        if (before === undefined || tellsMore(result, before.result)) {
          best.set(person.id, { key, entry, person, result, inside });
        }
      }
    }
    return [...best.values()];
  }

  #searched(
    words: readonly string[],
    most: number,
  ): { hits: (Hit & { key: string; entry: KeptEntry })[]; count: number } {
    if (words.length === 0) return { hits: [], count: 0 };
    const changedTickets = new Set([...this.overlay.keys()].map((key) => findTicket(this.packed, key)));
    const packed = searchPacked(this.packed, words, most, (ticket) => changedTickets.has(ticket));
    const found = packed.hits.map((hit) => ({
      ...hit,
      key: keyAt(this.packed, hit.ticket),
      entry: entryAt(this.packed, hit.ticket),
    }));
    const changed = [...this.overlay].flatMap(([key, entry]) =>
      (entry?.people ?? []).flatMap((person) => {
        const line = lineOf(person, entry!.registration ?? null);
        const how = fit(line, words);
        return how === null ? [] : [{ key, entry: entry!, ticket: -1, line, fit: how }];
      }),
    );
    const hits = [...found, ...changed]
      .sort((a, b) => a.fit - b.fit || (a.line < b.line ? -1 : a.line > b.line ? 1 : 0))
      .slice(0, most);
    return { hits, count: packed.count + changed.length };
  }

  /** Admitted on the date of `now`: at the point, and at all entries. `inside` is for zones. */
  counts(point: string, now: number): { point: number; event: number; inside: number | null } {
    const date = this.#dates.of(now);
    const { key, kind } = pointOf(this.#world, point);
    const known = (name: string) =>
      (this.packed.counts[name]?.[date] ?? 0) + (this.#counts.get(`${name} ${date}`) ?? 0);
    const own = [...this.own.all()].filter(
      (one) => this.#dates.of(one.at) === date && !isKnown(one, this.#inRoster(one.person, one.ticket)),
    );
    return {
      point: known(point) + own.filter((one) => one.check_in_point === point).length,
      event: known(ENTRIES) + own.filter((one) => one.kind === 'entry').length,
      inside: kind === 'zone' ? this.#insideNow(key, now) : null,
    };
  }

  /**
   * Who came on this day. Counting everybody again keeps scans waiting, so it is done for the first time and then takes a twentieth of
   * the time at most, however often it is asked.
   */
  attendance(day: string, now: number): Attendance {
    const known = this.#attendance;
    const began = performance.now();
    if (known?.day === day && began - known.at < known.took * REST) return known.of;
    const of = new Attendance(
      {
        packed: this.packed,
        overlay: this.overlay,
        own: this.own,
        zoneExits: this.#zoneExits,
        find: (key) => this.find(key),
      },
      day,
      now,
    );
    const at = performance.now();
    this.#attendance = { of, day, at, took: at - began };
    return of;
  }

  /** Everything in one packed roster, without an overlay. */
  folded(timezone: string): Packed {
    const packer = new Packer(timezone, this.packed.texts);
    for (let ticket = 0; ticket < this.packed.tickets; ticket += 1) {
      const key = keyAt(this.packed, ticket);
      if (!this.overlay.has(key)) packer.addRaw(key, this.packed, ticket);
    }
    for (const [key, entry] of this.overlay) if (entry !== null) packer.add(key, entry);
    return packer.finish();
  }

  /** Of people on one ticket who have the same name, each is given once. */
  #peopleOf(hits: readonly { key: string; entry: KeptEntry; line: string }[], standing: Standing): FoundPerson[] {
    const given = new Set<string>();
    return hits.map(({ key, entry: { people, ...entry }, line }) => {
      const named = people.filter((one) => lineOf(one, entry.registration ?? null) === line);
      const person = named.find(({ id }) => !given.has(`${key} ${id}`)) ?? named[0] ?? people[0]!;
      given.add(`${key} ${person.id}`);
      return { key, entry, person, inside: this.#insideOf(key, person, standing) };
    });
  }

  /** What would make the person a duplicate at this point; at a point that lets everybody pass again, the last entry of the day. */
  #insideOf(key: string, person: KeptPerson, { point, at }: Standing): Inside | null {
    const scan = { at, people: [person.id], newest: Number.MAX_SAFE_INTEGER };
    const decision = point === null ? null : this.decide(key, { ...scan, point });
    const duplicate = decision?.people.find((one) => one.person === person.id)?.first_admission ?? null;
    const today = this.#dates.of(at);
    const entries = this.own
      .withOwn(person.id, person.admissions)
      .filter((one) => one.kind === 'entry' && this.#dates.of(one.at) === today);
    return duplicate ?? entries.at(-1) ?? null;
  }

  /** The person as they were before this scan. */
  #before(scan: ScanToJudge, person: KeptPerson): Person {
    const others = person.admissions.filter((one) => !isOf(scan, one));
    return { ...person, admissions: this.own.withOwn(person.id, others) } as Person;
  }

  #inRoster(person: string, ticket: string | null): readonly KeptAdmission[] {
    const entry = ticket === null ? this.#changedWith(person) : this.find(ticket);
    return entry?.people.find(({ id }) => id === person)?.admissions ?? [];
  }

  /** An override is known by its person alone. When the roster knows of it, the person is among what changed. */
  #changedWith(person: string): KeptEntry | null {
    for (const entry of this.overlay.values()) if (entry?.people.some(({ id }) => id === person)) return entry;
    return null;
  }

  #insideNow(zone: string, now: number): number {
    const inside = this.#passes().inside(zone, now, []);
    const days = openDays(this.#world, zone, now);
    return days.reduce((sum, day) => sum + (inside[day] ?? 0), 0);
  }

  #recount(before: readonly KeptAdmission[], after: readonly KeptAdmission[]): void {
    const change = (one: KeptAdmission, by: number) => {
      const date = this.#dates.of(one.at);
      for (const name of one.kind === 'entry' ? [one.check_in_point, ENTRIES] : [one.check_in_point]) {
        const key = `${name} ${date}`;
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
      }
    };
    const has = (list: readonly KeptAdmission[], one: KeptAdmission) => list.some(({ seq }) => seq === one.seq);
    for (const one of after) if (!has(before, one)) change(one, 1);
    for (const one of before) if (!has(after, one)) change(one, -1);
  }

  #passes(): Zones {
    if (this.#zones !== null) return this.#zones;
    const passes = new Map<string, ReturnType<typeof passesOf>>();
    const note = (entry: KeptEntry) => {
      for (const { id, admissions } of entry.people) passes.set(id, passesOf(id, this.own.withOwn(id, admissions)));
    };
    for (const ticket of ticketsWithPasses(this.packed)) {
      if (!this.overlay.has(keyAt(this.packed, ticket))) note(entryAt(this.packed, ticket));
    }
    for (const entry of this.overlay.values()) if (entry !== null) note(entry);
    for (const { person } of this.own.all()) {
      if (!passes.has(person)) passes.set(person, passesOf(person, this.own.withOwn(person, [])));
    }
    this.#zones = new Zones(this.#world, passes);
    return this.#zones;
  }
}

/**
 * Whether the roster tells of this very scan already: the server has recorded it, and its answer was lost or is late. Without this,
 * the scan would be a duplicate of itself, and somebody who was admitted would be turned away.
 */
const isOf = ({ point, at, newest }: ScanToJudge, admission: KeptAdmission): boolean =>
  admission.seq > newest && admission.at === at && admission.check_in_point === point;

/** From the answer that is wanted most to the one that says least about the person. */
const TELLING: readonly string[] = [
  'duplicate',
  'zone_full',
  'day_locked',
  'rejected',
  'not_yet_open',
  'closed',
  'wrong_day',
  'voided',
];
const rankOf = (result: Decision['result']): number => TELLING.indexOf(result);
const tellsMore = (result: Decision['result'], before: Decision['result']): boolean => rankOf(result) < rankOf(before);

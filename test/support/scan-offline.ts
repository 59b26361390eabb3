import { createHash } from 'node:crypto';
import {
  type Decision,
  decide,
  insideZone,
  type Mode,
  type Pass,
  pointOf,
  prepareWorld,
  ticketCode,
  type World,
} from '@turnout/checkin';
import type { RosterEntry } from '@turnout/contract';

/** The world, as the scanner takes it from the manifest. */
export interface OfflineManifest extends Omit<World, 'timezone'> {
  event: { timezone: string };
}

/** A scanner without a network, built as docs/guides/scanning.md describes: it has the manifest, the roster, and its own admissions. */
export class OfflineScanner {
  readonly #world;
  readonly #mode: Mode;
  readonly #entries: Map<string, RosterEntry>;
  readonly #record: Pass[];

  constructor(manifest: OfflineManifest, roster: readonly RosterEntry[], mode: Mode) {
    this.#world = prepareWorld({ ...manifest, timezone: manifest.event.timezone });
    this.#mode = mode;
    this.#entries = new Map(roster.map((entry) => [entry.code_sha256, entry]));
    // A person with two tickets is in both entries, with the same admissions.
    const admissions = roster.flatMap(({ people }) =>
      people.flatMap((person) =>
        person.admissions.map((one) => ({ ...one, at: Date.parse(one.at), person: person.id }) as Pass),
      ),
    );
    this.#record = [...new Map(admissions.map((pass) => [`${pass.person} ${pass.seq}`, pass])).values()];
  }

  scan(read: { code: string; check_in_point: string; scanned_at: string; people?: string[] }): Decision {
    const hash = createHash('sha256').update(ticketCode(read.code)).digest('hex');
    const entry = this.#entries.get(hash);
    const at = Date.parse(read.scanned_at);
    const decision = decide(this.#world, {
      check_in_point: read.check_in_point,
      at,
      mode: this.#mode,
      ticket: entry === undefined ? null : { ...entry, people: entry.people.map((person) => this.#withRecord(person)) },
      people_present: read.people ?? null,
      others_inside: insideZone(
        this.#world,
        read.check_in_point,
        this.#record,
        at,
        entry?.people.map((person) => person.id) ?? [],
      ),
    });
    const { kind } = pointOf(this.#world, read.check_in_point);
    for (const { person, admitted, day } of decision.people) {
      if (!admitted) continue;
      const seq = Number.MAX_SAFE_INTEGER - 1_000_000 + this.#record.length; // after every admission in the roster
      this.#record.push({ person, check_in_point: read.check_in_point, kind, day, at, seq });
    }
    return decision;
  }

  #withRecord(person: RosterEntry['people'][number]) {
    return { ...person, admissions: this.#record.filter((pass) => pass.person === person.id) };
  }
}

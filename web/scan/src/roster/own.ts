import type { KeptAdmission } from './entry.ts';

/** An admission that this device made or knows of before the roster does. */
export interface OwnAdmission {
  /** The scan that made it. */
  readonly client_uuid: string;
  readonly person: string;
  /** The key of the ticket in the roster; null if the roster does not hold it. */
  readonly ticket: string | null;
  readonly check_in_point: string;
  readonly kind: string;
  readonly day: string | null;
  readonly at: number;
  /** Grows with each admission of this device. */
  readonly n: number;
  /** When the server recorded it, by the clock of the event; null until the server has answered. */
  readonly recorded: number | null;
  /** The check-in that the server wrote. */
  readonly checkin: string | null;
}

/** Behind every admission of the roster, because the server numbers its own from 1. */
const AFTER_THE_ROSTER = 2 ** 52;

/**
 * What this device knows of its own scans. An admission is forgotten once the roster is newer than the server's answer: from then on
 * the roster tells about it, also if somebody has undone it since.
 */
export class OwnScans {
  readonly #byPerson = new Map<string, OwnAdmission[]>();

  put(one: OwnAdmission): void {
    const of = this.#byPerson.get(one.person) ?? [];
    const others = of.filter(({ client_uuid }) => client_uuid !== one.client_uuid);
    this.#byPerson.set(one.person, [...others, one]);
  }

  drop(which: (one: OwnAdmission) => boolean): OwnAdmission[] {
    const dropped: OwnAdmission[] = [];
    for (const [person, of] of this.#byPerson) {
      const gone = of.filter(which);
      if (gone.length === 0) continue;
      dropped.push(...gone);
      const left = of.filter((one) => !gone.includes(one));
      if (left.length === 0) this.#byPerson.delete(person);
      else this.#byPerson.set(person, left);
    }
    return dropped;
  }

  *all(): Generator<OwnAdmission> {
    for (const of of this.#byPerson.values()) yield* of;
  }

  /** The person's admissions of the roster together with those that only this device knows. */
  withOwn(person: string, admissions: readonly KeptAdmission[]): readonly KeptAdmission[] {
    const own = this.#byPerson.get(person);
    if (own === undefined) return admissions;
    const more = own.filter((one) => !isKnown(one, admissions));
    return [...admissions, ...more.map((one) => ({ ...one, seq: AFTER_THE_ROSTER + one.n }))];
  }
}

/** Whether the roster has the admission already: the server keeps the time that the device gave the scan. */
export const isKnown = (own: OwnAdmission, admissions: readonly KeptAdmission[]): boolean =>
  admissions.some(
    ({ at, kind, check_in_point }) => own.at === at && own.kind === kind && own.check_in_point === check_in_point,
  );

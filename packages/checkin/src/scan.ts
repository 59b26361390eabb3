import type { Mode, PointKind, Reason, ReasonOf, Refusal, Result, Success, TicketStatus } from './vocabulary.ts';

/**
 * One scan with everything that the decision looks at. Times are milliseconds since 1970 (`instant()` reads them from text).
 */
export interface Scan {
  readonly check_in_point: string;
  readonly at: number;
  readonly mode: Mode;
  /** Null when the code is not a ticket of this event. */
  readonly ticket: Ticket | null;
  /** The people of the ticket who are present at the point; by default all of them. */
  readonly people_present?: readonly string[] | null;
  /**
   * For a zone with a capacity, by day: how many people who are not on this ticket are inside at `at`
   * (`insideZone` counts them). A day that is left out has nobody inside. At such a zone the field is required.
   */
  readonly others_inside?: Readonly<Record<string, number>>;
}

export interface Ticket {
  readonly status: TicketStatus;
  /** Made with a test key. */
  readonly test: boolean;
  /** Everyone on the ticket, in ticket order, including those not present. */
  readonly people: readonly Person[];
}

export interface Person {
  readonly id: string;
  readonly attendee_type: string;
  readonly group: string | null;
  readonly confirmed: boolean;
  /** The person's days on this ticket. */
  readonly days: readonly string[];
  /** What the person has booked, alone or with the whole registration. Left out: nothing. */
  readonly products?: readonly string[] | undefined;
  /** On all tickets of the person, in the mode of the scan, in any order. Overrides are included, undone admissions are not. */
  readonly admissions: readonly Admission[];
}

export interface Admission {
  readonly check_in_point: string;
  /** The kind of the point at the time of the admission. */
  readonly kind: PointKind;
  /** Null only for an override that was recorded without a day. */
  readonly day: string | null;
  readonly at: number;
  /** Grows with each recorded admission. It decides which of two admissions at the same instant came first. */
  readonly seq: number;
}

/** The earlier admission that makes a scan a duplicate: when, where and for which day. */
export type FirstAdmission = Pick<Admission, 'at' | 'check_in_point' | 'day'>;

export type Admitted = { readonly result: Success; readonly reason: null; readonly admitted: true };
export type Refused = {
  [R in Refusal]: {
    readonly result: R;
    readonly reason: ReasonOf<R>;
    readonly admitted: false;
    readonly first?: R extends 'duplicate' ? FirstAdmission : never;
  };
}[Refusal];
export type Verdict = Admitted | Refused;

/** The decision about one person. `day` is null where none was chosen: the ticket is voided, or no window is open. */
export interface PersonDecision {
  readonly person: string;
  readonly result: Result;
  readonly reason: Reason | null;
  readonly admitted: boolean;
  readonly day: string | null;
  /** For a `duplicate`, the earliest of the admissions that make it one. Null for every other result. */
  readonly first_admission: FirstAdmission | null;
}

export interface Decision {
  readonly result: Result;
  readonly reason: Reason | null;
  readonly admitted: boolean;
  /** Only those present, in ticket order; empty for an unknown code. */
  readonly people: readonly PersonDecision[];
}

import type { Mode, PointKind, Reason, ReasonOf, Refusal, Result, Success, TicketStatus } from './vocabulary.ts';

/** One scan with everything the decision may look at. Times are milliseconds since 1970 (`instant()` reads text). */
export interface Scan {
  readonly check_in_point: string;
  readonly at: number;
  readonly mode: Mode;
  /** null: the code is no ticket of this event. */
  readonly ticket: Ticket | null;
  /** The people of the ticket who stand at the point; left out or null: all of them. */
  readonly people_present?: readonly string[] | null;
  /**
   * For a zone with a capacity, by day: how many people who are not on this ticket are inside at `at`
   * (`insideZone` counts them). A day left out has nobody inside; the whole left out at such a zone is a fault.
   */
  readonly others_inside?: Readonly<Record<string, number>>;
}

export interface Ticket {
  readonly status: TicketStatus;
  /** Made with a test key. */
  readonly test: boolean;
  /** Everyone on the ticket, in ticket order, also those not present. */
  readonly people: readonly Person[];
}

export interface Person {
  readonly id: string;
  readonly attendee_type: string;
  readonly group: string | null;
  readonly confirmed: boolean;
  /** The person's days on this ticket. */
  readonly days: readonly string[];
  /** Across all the person's tickets, in the mode of the scan: overrides counted, undone ones left out, any order. */
  readonly admissions: readonly Admission[];
}

export interface Admission {
  readonly check_in_point: string;
  /** The point's kind when the person went through. */
  readonly kind: PointKind;
  /** null only where an override was written without a day. */
  readonly day: string | null;
  readonly at: number;
  /** Recording order: it settles which of two admissions of the same instant came first. */
  readonly seq: number;
}

/** Whose admission makes a duplicate of the scan: when, where and for which day. */
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

/** What is written for one person. `day` is null where no day was reached: voided, or no open window. */
export interface PersonDecision {
  readonly person: string;
  readonly result: Result;
  readonly reason: Reason | null;
  readonly admitted: boolean;
  readonly day: string | null;
  /** Of a `duplicate`: the earliest of the admissions that make it one. Null for every other result. */
  readonly first_admission: FirstAdmission | null;
}

export interface Decision {
  readonly result: Result;
  readonly reason: Reason | null;
  readonly admitted: boolean;
  /** In ticket order, only those present; empty for an unknown code. */
  readonly people: readonly PersonDecision[];
}

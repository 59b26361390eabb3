import type { Reason, Result, TicketStatus } from './vocabulary.ts';
import type { World } from './world.ts';

/** The golden cases (`scan-cases.json`) as `parseCases` returns them. The README describes the file. */
export interface CaseFile {
  readonly version: number | string;
  readonly world: World;
  readonly cases: readonly GoldenCase[];
}

export interface GoldenCase {
  readonly name: string;
  /** The case cannot be set up over the API, only for a local scanner. */
  readonly local_only?: boolean;
  readonly tickets: readonly CaseTicket[];
  /** Applied in the order listed, not in the order of their times. */
  readonly scans: readonly CaseScan[];
}

export interface CaseTicket {
  readonly ref: string;
  readonly status?: TicketStatus;
  /** Registered with a test key. */
  readonly test?: boolean;
  readonly people: readonly CasePerson[];
}

/** The same `ref` on two tickets of a case is the same person. */
export interface CasePerson {
  readonly ref: string;
  readonly attendee_type: string;
  readonly days: readonly string[];
  readonly group?: string | null;
  /** What the person has booked, alone or with the whole registration. */
  readonly products?: readonly string[] | null;
  /** The status of the registration; by default `confirmed`. */
  readonly status?: PersonStatus;
}

export const PERSON_STATUSES = [
  'pending_approval',
  'waitlisted',
  'pending_payment',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
] as const;
export type PersonStatus = (typeof PERSON_STATUSES)[number];

export type CaseScan = (
  | { readonly ticket: string; readonly code?: never }
  | { readonly code: string; readonly ticket?: never }
) & {
  readonly check_in_point: string;
  readonly at: string;
  /** Scanned with a test key. */
  readonly test?: boolean;
  readonly people_present?: readonly string[];
  readonly result: Result;
  /** Compared only where it is given. */
  readonly reason?: Reason;
  /** The result of each person, by `ref`, where the ticket has several people. */
  readonly people?: Readonly<Record<string, Result>>;
  /** For a `duplicate`, by `ref`: the earlier admission that makes it one. Compared only where it is given. */
  readonly first_admission?: Readonly<Record<string, CaseAdmission>>;
};

export interface CaseAdmission {
  readonly at: string;
  readonly check_in_point: string;
  readonly day: string | null;
}

import type { Decision } from '@turnout/checkin';
import type { Manifest } from '@turnout/client';
import type { CallRefusal } from '../engine/calls.ts';
import type { Mode } from '../store/rows.ts';
import type { AttendanceCounts, AttendancePerson, Whereabouts } from './attendance.ts';
import type { FoundPeople, RegisteredPerson, ScanToJudge, Standing } from './book.ts';
import type { KeptEntry } from './entry.ts';
import type { OwnAdmission } from './own.ts';

/** What a roster that is open tells about itself. */
export interface RosterState {
  readonly tickets: number;
  readonly as_of: string;
  /** When it was last brought up to date, by our clock. */
  readonly at: number;
  readonly manifest: Manifest;
  readonly etag: string | null;
  /** It was packed by an earlier version of this app, which left out what is needed now. It is used until it is loaded again. */
  readonly outdated: boolean;
}

export type RosterOutcome =
  | { readonly kind: 'done'; readonly state: RosterState }
  | { readonly kind: 'refused'; readonly refusal: CallRefusal }
  | { readonly kind: 'none'; readonly why: string }
  /** It arrived, but could not be written. It is used from memory, and written with what comes next. */
  | { readonly kind: 'unwritten'; readonly state: RosterState; readonly full: boolean };

/** How the ticket is named: by the code that was read, or by its key in the roster. */
export type TicketReference = { readonly code: string } | { readonly key: string };

export interface Looked {
  readonly key: string;
  /** Null: not in the roster. */
  readonly entry: KeptEntry | null;
  /** False: there is no roster yet. */
  readonly known: boolean;
}

export interface Judged extends Looked {
  /** Null if there is no roster to decide by. */
  readonly decision: Decision | null;
}

export interface AttendancePart {
  readonly day: string;
  readonly now: number;
  readonly where: Whereabouts;
  readonly from: number;
  readonly count: number;
}

/** The worker that holds the roster. Each method is one message there and one back. */
export interface RosterApi {
  /** Opens what is on disk; null if there is nothing yet. */
  open(input: { device: string; token: string; mode: Mode }): Promise<RosterState | null>;
  /** Downloads the whole roster of this manifest and switches to both together. */
  load(input: { manifest: Manifest; etag: string | null; now: number }): Promise<RosterOutcome>;
  /** Keeps a manifest that differs only in its link. */
  relink(input: { manifest: Manifest; etag: string | null }): Promise<void>;
  /** Asks for changes and applies them. */
  changes(input: { now: number }): Promise<RosterOutcome>;
  look(named: TicketReference): Promise<Looked>;
  decide(input: { named: TicketReference } & ScanToJudge): Promise<Judged>;
  search(input: { text: string; most: number } & Standing): Promise<FoundPeople>;
  /** The people of the registration with this code; none if the roster has no such registration. */
  registered(input: { code: string; point: string; at: number }): Promise<RegisteredPerson[]>;
  counts(input: {
    point: string;
    now: number;
  }): Promise<{ point: number; event: number; inside: number | null } | null>;
  /** How many came on this day, and how many are still to come; null if there is no roster yet. */
  attendance(input: { day: string; now: number }): Promise<AttendanceCounts | null>;
  /** Some of them by name: `count` people from number `from` on. The answer says how many there are in all. */
  attendanceList(input: AttendancePart): Promise<{ people: readonly AttendancePerson[]; count: number }>;
  /** What this device admitted. `scans`: their earlier admissions are replaced. It is on disk already. */
  note(input: { scans: readonly string[]; put: readonly OwnAdmission[] }): Promise<void>;
  /** Packs the changes into the roster if there are many. Takes a second for large rosters, so it is asked for when nobody scans. */
  fold(): Promise<boolean>;
  /** Writes everything to disk again after it was deleted there. */
  rewrite(): Promise<void>;
}

export type Ask = {
  [M in keyof RosterApi]: { id: number; method: M; argument: Parameters<RosterApi[M]>[0] };
}[keyof RosterApi];
export type FromWorker =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly name: string }
  | { readonly progress: number };

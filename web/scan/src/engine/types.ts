import type { PointKind } from '@turnout/checkin';
import type { Manifest, ScanResponse } from '@turnout/client';
import type { AttendanceCounts, Whereabouts } from '../roster/attendance.ts';

/** The types between the screens and the engine. The engine knows no screen, and the screens know no storage and no server. */

export type { AttendanceCounts, Manifest, ScanResponse, Whereabouts };
/** The server may know results and reasons that this version does not; then `admitted` decides. */
export type AnyResult = ScanResponse['result'];
export type AnyReason = ScanResponse['reason'];

/** A paired event. One device may hold several; one of them is open. */
export interface PairedEvent {
  /** The id of the device, as the server knows it. */
  readonly id: string;
  readonly name: string;
  /** A member scans here in their own session of this organization; null for a device that was paired. */
  readonly org: string | null;
  readonly event: { readonly id: string; readonly name: string; readonly timezone: string };
  /** The point that was chosen last. */
  readonly point: string | null;
}

/** What was held to the device: a code that was read or typed, or somebody who was found by name. */
export type ScanTarget = { readonly code: string } | { readonly ticket_id: string; readonly key: string };

/** An answer that the event shows at the door. */
export interface DoorAnswer {
  readonly label: string;
  readonly answer: unknown;
}

/** Somebody whose bookings are looked up: the key of their ticket in the roster, if it is known. */
export interface BookedBy {
  readonly ticket: string | null;
  readonly person: string;
}

/** Units of a product that somebody has booked and not got yet. */
export interface ToHandOut {
  /** The id of the attendee, or else the code of the registration for which as a whole it was booked. */
  readonly attendee: string | null;
  readonly registration: string | null;
  readonly product: string;
  readonly option: string | null;
  readonly name: string;
  readonly optionName: string | null;
  readonly left: number;
  /** What was handed out at this device and can be taken back. `sent`: the server has recorded it. */
  readonly given: readonly { readonly client_uuid: string; readonly sent: boolean }[];
}

/** What the screen says about one person of a scan. */
export interface PersonAnswer {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  /** Names as the manifest has them, not codes. */
  readonly attendee_type: string;
  readonly group: string | null;
  readonly days: readonly string[];
  /** Missing in a scan that was stored by an earlier version. */
  readonly answers?: readonly DoorAnswer[];
  /** The key of the ticket in the roster; missing in a scan that was stored by an earlier version. */
  readonly ticket?: string | null;
  readonly result: AnyResult;
  readonly reason: AnyReason;
  readonly admitted: boolean;
  /** For a duplicate. `point` is the name of the point. */
  readonly first: { readonly at: number; readonly point: string } | null;
}

export type Tone = 'success' | 'warning' | 'danger' | 'mixed';

/** The answer to a scan, whoever decided it. */
export interface ScanAnswer {
  readonly client_uuid: string;
  /** If the people of a registration were scanned by several tickets: each of these scans. */
  readonly parts?: readonly string[];
  /**
   * Who decided. `nobody`: the server did not answer, and this device cannot judge, because it has no roster of this mode, or one
   * that is limited to a group and does not hold the ticket. The scan is in the queue.
   */
  readonly by: 'server' | 'device' | 'nobody';
  readonly result: AnyResult;
  readonly reason: AnyReason;
  readonly admitted: boolean;
  readonly tone: Tone;
  readonly people: readonly PersonAnswer[];
  readonly ticket_id: string | null;
  /** The beginning of a code that nobody knows, to tell it from others in a list. */
  readonly code?: string;
  /** The server has refused to record it. */
  readonly notRecorded?: boolean;
  readonly point: string;
  readonly point_kind: PointKind;
  readonly test: boolean;
  /** Milliseconds since 1970, by the server's clock as far as it is known. */
  readonly scanned_at: number;
  /** The check-ins that the server wrote; empty until the server has recorded the scan. Overriding and undoing need them. */
  readonly checkins: readonly { readonly id: string; readonly attendee_id: string; readonly admitted: boolean }[];
}

/** A ticket of several people, or a registration, has to be asked about: who is here? */
export interface PeopleQuestion {
  readonly ask: 'people';
  readonly target: ScanTarget;
  /** The code of the registration, if that was held to the device and not a ticket. */
  readonly registration: string | null;
  readonly people: readonly {
    readonly id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly attendee_type: string;
    readonly group: string | null;
    readonly answers: readonly DoorAnswer[];
    /** When and where they were admitted, so that they would be a duplicate here now; null for whoever may still come. */
    readonly inside: { readonly at: number; readonly point: string } | null;
  }[];
}

/** The server judged otherwise than the device had told. Shown to whoever holds the device. */
export interface Disagreement {
  readonly client_uuid: string;
  readonly told: AnyResult;
  readonly recorded: AnyResult;
  readonly scanned_at: number;
  readonly names: readonly string[];
}

/** Why a scan was not recorded by the server. It is kept and can be handed over. */
export interface NotRecorded {
  readonly client_uuid: string;
  readonly scanned_at: number;
  readonly point: string;
  readonly told: AnyResult | null;
  readonly code: string;
  readonly message: string;
}

export type Connection =
  /** The server answers. */
  | 'online'
  /** It does not; the device decides. */
  | 'offline'
  /** The device was unpaired, or the event is gone. Scanning stops, the queue stays. */
  | 'refused'
  /** The server wants a newer version of this app. Scanning stops, the queue stays, the app updates itself. */
  | 'too_old';

/** What the scanner's screens show all the time. */
export interface Status {
  readonly connection: Connection;
  /** With `refused`: the code of the refusal, such as `device_revoked`, `not_found` or `event_archived`. */
  readonly refusal: string | null;
  readonly queue: number;
  readonly notRecorded: number;
  /** How many tickets the device knows; null: no roster yet. */
  readonly tickets: number | null;
  /** When the roster was last brought up to date, by the server's clock. */
  readonly rosterAt: number | null;
  /** Loading the whole roster: how many tickets so far, and of how many. */
  readonly loading: { readonly done: number; readonly total: number } | null;
  /** The roster is limited to a group. */
  readonly narrowed: boolean;
  readonly storage: 'ok' | 'full' | 'wiped' | 'missing';
  /** Whether the browser promised not to delete what we keep. */
  readonly persistent: boolean;
  /** By how many milliseconds the clock of the device is wrong; null if unknown. */
  readonly clockOff: number | null;
  /** Another tab scans now; this engine has stopped and does not start again. */
  readonly elsewhere: boolean;
}

export interface LastScan {
  readonly told: ScanAnswer;
  readonly sent: boolean;
}

/** Somebody found by name. */
export interface SearchResult {
  readonly key: string;
  readonly ticket_id: string;
  readonly person: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly attendee_type: string;
  readonly group: string | null;
  readonly status: 'valid' | 'voided';
  readonly confirmed: boolean;
  /** The code of the registration; null if this device does not know it yet. */
  readonly registration: string | null;
  /** The names of the days of this ticket; empty if it is for all days of the event. */
  readonly days: readonly string[];
  /** What the event shows at the door, to tell people apart. */
  readonly answers: readonly DoorAnswer[];
  readonly inside: { readonly at: number; readonly point: string } | null;
}

/** One paired event that is open. The engine writes everything to disk before it reports it. */
export interface Engine {
  readonly paired: PairedEvent;
  manifest(): Manifest | null;
  status(): Status;
  /** Called after each change of the manifest, the status or the counts. Returns how to stop. */
  listen(listener: () => void): () => void;
  onDisagreement(listener: (one: Disagreement) => void): () => void;
  /**
   * Asks the server, waits 400 ms at most (3 s for what this device cannot judge), else decides here. `people`: who is present of a
   * ticket of several, or of a registration. Without it, a ticket of several people that is known here, and the code of a registration, is
   * answered with the question, unless all of them are inside already.
   */
  scan(
    held: ScanTarget,
    options: { point: string; test: boolean; people?: readonly string[] },
  ): Promise<ScanAnswer | PeopleQuestion>;
  /** At most 50, best first, and how many there are in all. */
  search(text: string): Promise<{ readonly people: readonly SearchResult[]; readonly count: number }>;
  /** Who came on a day, by what this device knows; null if it has no roster. */
  attendance(day: string): Promise<AttendanceCounts | null>;
  /** Some of them, in the order of their names; `inside` is the last entry or exit. And how many there are in all. */
  attendanceList(part: {
    readonly day: string;
    readonly where: Whereabouts;
    readonly from: number;
    readonly count: number;
  }): Promise<{ readonly people: readonly SearchResult[]; readonly count: number }>;
  lastScans(): Promise<readonly LastScan[]>;
  /** Admitted today at the point and in total, by what this device knows. */
  counts(point: string): Promise<{ readonly point: number; readonly event: number; readonly inside: number | null }>;
  notRecorded(): Promise<readonly NotRecorded[]>;
  disagreements(): Promise<readonly Disagreement[]>;
  /** Somebody has read it; it is not told again. */
  disagreementSeen(client_uuid: string): Promise<void>;
  /** Everything that the server has not recorded, queue and kept list, as a file for an organizer. Nothing is removed by it. */
  handOver(): Promise<Blob>;
  /** Searching, counting and the roster's state are about tests from now on, or about live tickets again. A scan switches by itself. */
  testMode(on: boolean): Promise<void>;
  choosePoint(code: string): Promise<void>;
  /** What these people have booked and not got yet, by what this device knows. In test mode of a live event nothing is handed out. */
  toHandOut(people: readonly BookedBy[]): Promise<readonly ToHandOut[]>;
  /**
   * Hands one unit out. It is on disk first; then the server is asked for two seconds at most. It refuses what somebody else has handed
   * out meanwhile; without its answer, it counts as handed out, and goes up later.
   */
  handOut(unit: ToHandOut): Promise<void>;
  /** Takes back what was handed out at this device a moment ago. */
  undoHandOut(client_uuid: string, reason: string): Promise<void>;
  /** Who may unlock this device, and unlocking it. */
  members(): Promise<readonly { readonly id: string; readonly name: string }[]>;
  unlock(member: string, pin: string): Promise<{ readonly name: string; readonly expires_at: string }>;
  /** Both give the check-in that is on record now: an override is written beside the refusal, and an undone one stays the same. */
  override(checkin: string, reason: string): Promise<string>;
  undo(checkin: string, reason: string): Promise<string>;
  /** Stops everything that runs. What is on disk stays. */
  close(): void;
}

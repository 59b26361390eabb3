import type { AnyResult, PairedEvent, ScanAnswer } from '../engine/types.ts';
import type { OwnAdmission } from '../roster/own.ts';

export type Mode = 'live' | 'test';

/**
 * A row whose meaning changes gets a number, `format`; without one it is of format 1, which is all that this version knows. A row of
 * another one, which a later version of the app has left, is passed over and stays where it is until that version is back.
 */
export const isKnownFormat = (row: unknown): boolean => ((row as { format?: unknown } | null)?.format ?? 1) === 1;

/** A paired event with its token. */
export interface EventRow extends Omit<PairedEvent, 'org'> {
  /** Of the device, or what stands for a member's session (engine/session-token.ts). */
  readonly token: string;
  readonly paired_at: number;
}

/** A scan that waits for the server. */
export interface QueueRow {
  readonly device: string;
  readonly client_uuid: string;
  /** Scans of the same millisecond stay in their order. */
  readonly n: number;
  readonly scanned_at: number;
  readonly point: string;
  readonly test: boolean;
  /** One of the two. */
  readonly code?: string;
  readonly ticket_id?: string;
  readonly people?: readonly string[];
  /** What was told at the door, once it was told by the device. */
  readonly offline_result?: AnyResult;
  readonly names: readonly string[];
  /** The key of the ticket in the roster, if it was known. */
  readonly ticket: string | null;
}

export interface KeptRow extends QueueRow {
  readonly error: { readonly code: string; readonly message: string };
}

export interface OwnRow extends OwnAdmission {
  readonly device: string;
  readonly mode: Mode;
}

export interface LastRow {
  readonly device: string;
  readonly n: number;
  readonly told: ScanAnswer;
}

export interface DifferenceRow {
  readonly device: string;
  readonly client_uuid: string;
  readonly told: AnyResult;
  readonly recorded: AnyResult;
  readonly scanned_at: number;
  readonly names: readonly string[];
}

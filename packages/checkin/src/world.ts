import type { Limit, PointKind, Requirement } from './vocabulary.ts';

/**
 * The structure of an event, in the field names of the API. A thing may have an `id`. Then every reference to it
 * (in a policy, a person's days, an admission) may be the id or the code, and decisions name it by its id.
 */
export interface World {
  readonly timezone: string;
  readonly days: readonly Day[];
  readonly attendee_types: readonly AttendeeType[];
  readonly groups: readonly Group[];
  /** What is sold beside the ticket; only needed where a policy names products. */
  readonly products?: readonly Product[];
  readonly check_in_points: readonly CheckInPoint[];
}

export interface Day {
  readonly id?: string;
  readonly code: string;
  readonly name?: string;
  /** Local date in the world's timezone, such as `2027-06-12`. */
  readonly date: string;
  /** Instant; by default local midnight of `date`. */
  readonly opens_at?: string | null;
  /** Instant; by default local midnight of the next date. */
  readonly closes_at?: string | null;
  readonly locked_at?: string | null;
}

export interface AttendeeType {
  readonly id?: string;
  readonly code: string;
  readonly name?: string;
  /** The days offered at registration. The decision does not use them; it goes by the days on the person's ticket. */
  readonly days?: readonly string[] | null;
  /** A number makes the type a pass for that many of its days, whichever they are. */
  readonly pass_days?: number | null;
}

export interface Group {
  readonly id?: string;
  readonly code: string;
  readonly name?: string;
  readonly parent?: string | null;
}

export interface Product {
  readonly id?: string;
  readonly code: string;
  readonly name?: string;
}

interface PointNames {
  readonly id?: string;
  readonly code: string;
  readonly name?: string;
}

interface CommonPolicy {
  readonly attendee_types?: readonly string[] | null;
  readonly groups?: readonly string[] | null;
  readonly days?: readonly string[] | null;
  /** Whoever has booked one of them is admitted; null: everybody. */
  readonly products?: readonly string[] | null;
  readonly opens_minutes_before?: number | null;
  readonly closes_minutes_after?: number | null;
  /** By default that of the kind (`DEFAULT_LIMIT`). */
  readonly limit?: Limit | null;
  readonly cooldown_seconds?: number | null;
  readonly requires?: Requirement | null;
}

/** Only zones have a `capacity`, and only exits `leaves`. In the policies of other points they may only be null. */
export interface DoorPolicy extends CommonPolicy {
  readonly capacity?: null;
  readonly leaves?: null;
}
export interface ZonePolicy extends CommonPolicy {
  readonly capacity?: number | null;
  readonly leaves?: null;
}
export interface ExitPolicy extends CommonPolicy {
  readonly capacity?: null;
  /** The zone that the exit leads out of; null: the venue and every zone. */
  readonly leaves?: string | null;
}
export type Policy = DoorPolicy | ZonePolicy | ExitPolicy;

export type CheckInPoint =
  | (PointNames & { readonly kind: 'entry' | 'pre_check'; readonly policy?: DoorPolicy })
  | (PointNames & { readonly kind: 'zone'; readonly policy?: ZonePolicy })
  | (PointNames & { readonly kind: 'exit'; readonly policy?: ExitPolicy });

/** A policy with all defaults filled in. */
export interface FullPolicy {
  readonly attendee_types: readonly string[] | null;
  readonly groups: readonly string[] | null;
  readonly days: readonly string[] | null;
  readonly products: readonly string[] | null;
  readonly opens_minutes_before: number;
  readonly closes_minutes_after: number;
  readonly limit: Limit;
  readonly cooldown_seconds: number;
  readonly requires: Requirement | null;
  readonly capacity: number | null;
  readonly leaves: string | null;
}

export const DEFAULT_LIMIT: Readonly<Record<PointKind, Limit>> = {
  entry: 'once_per_day',
  pre_check: 'once_per_day',
  zone: 'unlimited',
  exit: 'unlimited',
};

export function fullPolicy(kind: PointKind, policy: Policy = {}): FullPolicy {
  return {
    attendee_types: policy.attendee_types ?? null,
    groups: policy.groups ?? null,
    days: policy.days ?? null,
    products: policy.products ?? null,
    opens_minutes_before: policy.opens_minutes_before ?? 0,
    closes_minutes_after: policy.closes_minutes_after ?? 0,
    limit: policy.limit ?? DEFAULT_LIMIT[kind],
    cooldown_seconds: policy.cooldown_seconds ?? 0,
    requires: policy.requires ?? null,
    capacity: policy.capacity ?? null,
    leaves: policy.leaves ?? null,
  };
}

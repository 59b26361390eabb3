/**
 * Every word in the input and output of the decision, as lists from which other packages build their schemas.
 * The types are made from the lists, so a list and its type cannot differ.
 */

export const POINT_KINDS = ['entry', 'pre_check', 'zone', 'exit'] as const;
export type PointKind = (typeof POINT_KINDS)[number];

export const LIMITS = ['once_per_day', 'once', 'once_until_exit', 'unlimited'] as const;
export type Limit = (typeof LIMITS)[number];

/** What `requires` may ask for: an admission of that kind. */
export const REQUIREMENTS = ['pre_check', 'entry'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

export const TICKET_STATUSES = ['valid', 'voided'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const POLICY_FIELDS = [
  'attendee_types',
  'groups',
  'days',
  'products',
  'opens_minutes_before',
  'closes_minutes_after',
  'limit',
  'cooldown_seconds',
  'requires',
  'capacity',
  'leaves',
] as const;
export type PolicyField = (typeof POLICY_FIELDS)[number];

/** The result at a point of each kind when a person is admitted. */
export const SUCCESS_OF = {
  entry: 'accepted',
  pre_check: 'pre_checked',
  zone: 'zone_entered',
  exit: 'exited',
} as const satisfies Record<PointKind, string>;
export type Success = (typeof SUCCESS_OF)[PointKind];

/** Every result of a refusal with its possible reasons. A result with the reason of another one does not compile. */
export const REASONS_OF = {
  duplicate: ['limit', 'cooldown'],
  day_locked: ['locked', 'pass_used'],
  wrong_day: ['day_not_on_ticket'],
  zone_full: ['capacity'],
  rejected: [
    'not_confirmed',
    'test_ticket',
    'type_not_admitted',
    'group_not_admitted',
    'product_missing',
    'pre_check_required',
    'entry_required',
    'nobody_present',
  ],
  closed: ['after_closing'],
  not_yet_open: ['before_opening'],
  voided: ['ticket_voided'],
  unknown: ['code_unknown'],
} as const;
export type Refusal = keyof typeof REASONS_OF;
export type ReasonOf<R extends Refusal> = (typeof REASONS_OF)[R][number];
export type Reason = ReasonOf<Refusal>;

export type Result = Success | Refusal;

export const SUCCESSES: readonly Success[] = Object.values(SUCCESS_OF);
export const REFUSALS = Object.keys(REASONS_OF) as readonly Refusal[];
export const RESULTS: readonly Result[] = [...SUCCESSES, ...REFUSALS];
export const REASONS: readonly Reason[] = Object.values(REASONS_OF).flat();

export function isSuccess(result: Result): result is Success {
  return !(result in REASONS_OF);
}

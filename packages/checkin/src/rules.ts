import { cooldownOf, isInside, limitUsedBy, otherDaysEntered, wasAdmitted } from './history.ts';
import { keyOf, type PreparedPoint, type PreparedWorld, type Window } from './prepare.ts';
import type { Admission, Person, PersonDecision, Refused, Scan, Ticket } from './scan.ts';
import type { ReasonOf, Refusal } from './vocabulary.ts';
import { holds, isLocked } from './windows.ts';

/** One person at one point, with the day that was chosen for them. */
export interface Case {
  readonly world: PreparedWorld;
  readonly point: PreparedPoint;
  readonly scan: Scan;
  readonly ticket: Ticket;
  readonly person: Person;
  readonly day: string | null;
  /** Null at an exit while no window is open; then the day is that of the person's last admission. */
  readonly window: Window | null;
  /** The people of this ticket who were decided before this one. */
  readonly decided: readonly PersonDecision[];
}

export type Rule = (c: Case) => Refused | null;

/**
 * The rules are asked from top to bottom. The first that refuses gives the person's result; a person whom none refuses is admitted.
 *
 *   rule              refuses when                                                        result      at exits
 *   dayLocked         the day's `locked_at` is at or before `at`                          day_locked  not asked
 *   notConfirmed      the person's registration is not confirmed                          rejected
 *   testTicket        the ticket was made with a test key, and the scan is live           rejected
 *   typeNotAdmitted   the policy names types, and the person's is not among them          rejected
 *   groupNotAdmitted  the policy names groups, and the person's is not in their subtrees  rejected
 *   productMissing    the policy names products, and the person has booked none of them  rejected
 *   wrongDay          the day is not one of the person's on this ticket                   wrong_day   not asked
 *   passUsed          the pass for any n days has entries on n other days                 day_locked  not asked
 *   requirementUnmet  no admission of the required kind on that day up to `at`            rejected
 *   limit             the policy's limit is used up                                       duplicate
 *   cooldown          an admission that counts is less than the cooldown before or after  duplicate
 *   zoneFull          the zone has as many others inside as its capacity                  zone_full
 */
export const RULES = {
  dayLocked: (c) =>
    c.point.kind !== 'exit' && c.window !== null && isLocked(c.window, c.scan.at)
      ? refuse('day_locked', 'locked')
      : null,

  notConfirmed: (c) => (c.person.confirmed ? null : refuse('rejected', 'not_confirmed')),

  testTicket: (c) => (c.ticket.test && c.scan.mode === 'live' ? refuse('rejected', 'test_ticket') : null),

  typeNotAdmitted: (c) =>
    isAmong(c.point.types, keyOf(c.world.keys.types, c.person.attendee_type))
      ? null
      : refuse('rejected', 'type_not_admitted'),

  groupNotAdmitted: (c) =>
    isAmong(c.point.groups, c.person.group === null ? null : keyOf(c.world.keys.groups, c.person.group))
      ? null
      : refuse('rejected', 'group_not_admitted'),

  productMissing: (c) => {
    const { products } = c.point;
    const booked = c.person.products ?? [];
    if (products === null || booked.some((one) => products.has(keyOf(c.world.keys.products, one)))) return null;
    return refuse('rejected', 'product_missing');
  },

  wrongDay: (c) =>
    c.point.kind !== 'exit' && c.day !== null && !holds(c.world, c.person.days, c.day)
      ? refuse('wrong_day', 'day_not_on_ticket')
      : null,

  passUsed: (c) => {
    if (c.point.kind === 'exit') return null;
    const days = c.world.passDays.get(keyOf(c.world.keys.types, c.person.attendee_type));
    if (days === undefined || otherDaysEntered(c.world, c.person.admissions, c.day) < days) return null;
    return refuse('day_locked', 'pass_used');
  },

  requirementUnmet: (c) => {
    const kind = c.point.requires;
    if (kind === null || wasAdmitted(c.world, kind, c.person.admissions, c.day, c.scan.at)) return null;
    return refuse('rejected', kind === 'entry' ? 'entry_required' : 'pre_check_required');
  },

  limit: (c) => duplicateOf(c, limitUsedBy(c.world, c.point, c.person.admissions, c.day, c.scan.at), 'limit'),

  cooldown: (c) => duplicateOf(c, cooldownOf(c.world, c.point, c.person.admissions, c.scan.at), 'cooldown'),

  zoneFull: (c) =>
    c.point.capacity !== null && peopleInside(c) >= c.point.capacity ? refuse('zone_full', 'capacity') : null,
} as const satisfies Record<string, Rule>;

export const IN_ORDER: readonly Rule[] = Object.values(RULES);

/** How many others are inside the zone: people of other tickets, of this ticket, and those whom this scan has just admitted. */
function peopleInside({ world, point, scan, ticket, person, day, decided }: Case): number {
  if (scan.others_inside === undefined) {
    throw new TypeError(`${point.key} has a capacity, so the scan must say how many others are inside`);
  }
  // A day's code may be `constructor`: `hasOwn` makes sure that only numbers from the caller count.
  let inside = day !== null && Object.hasOwn(scan.others_inside, day) ? scan.others_inside[day]! : 0;
  for (const other of ticket.people) {
    if (other.id === person.id) continue;
    const letIn = decided.some((one) => one.person === other.id && one.admitted && one.day === day);
    if (letIn || isInside(world, point.key, other.admissions, day, scan.at)) inside += 1;
  }
  return inside;
}

function isAmong(admitted: ReadonlySet<string> | null, key: string | null): boolean {
  return admitted === null || (key !== null && admitted.has(key));
}

function refuse<R extends Refusal>(result: R, reason: ReasonOf<R>): Refused {
  return { result, reason, admitted: false } as Refused;
}

/** Names the point and the day as the world does, whatever spelling the admission has. */
function duplicateOf({ world }: Case, earlier: Admission | null, reason: ReasonOf<'duplicate'>): Refused | null {
  if (earlier === null) return null;
  const { at, check_in_point, day } = earlier;
  const first = {
    at,
    check_in_point: keyOf(world.keys.points, check_in_point),
    day: day === null ? null : keyOf(world.keys.days, day),
  };
  return { result: 'duplicate', reason, admitted: false, first };
}

import type { PreparedWorld } from './prepare.ts';
import type { Decision, FirstAdmission } from './scan.ts';
import { localDate, localTime } from './time.ts';
import { isSuccess, type Reason, type Success } from './vocabulary.ts';

export const TONES = ['success', 'warning', 'danger', 'mixed'] as const;
export type Tone = (typeof TONES)[number];

/** The message that the door shows. It is for people; programs decide by `result`. */
export interface Message {
  readonly title: string;
  readonly text: string;
  readonly tone: Tone;
}

const WELCOME: Readonly<Record<Success, readonly [title: string, text: string]>> = {
  accepted: ['Admitted', 'Welcome.'],
  pre_checked: ['Pre-checked', 'Ready for the entrance.'],
  zone_entered: ['Zone entered', 'May go in.'],
  exited: ['Checked out', 'Goodbye.'],
};

/** `warning`: the person may come back later, or the staff can solve it. `danger`: this ticket does not admit at this point. */
const REFUSED: Readonly<Record<Reason, readonly [title: string, text: string, tone: 'warning' | 'danger']>> = {
  limit: ['Already admitted', 'This ticket has been used already.', 'warning'],
  cooldown: ['Too soon', 'Admitted only a moment ago. Try again later.', 'warning'],
  locked: ['Day locked', 'Check-in for this day is locked.', 'warning'],
  pass_used: ['Pass used up', 'The pass has been used on all the days it covers.', 'danger'],
  day_not_on_ticket: ['Wrong day', 'The ticket is for another day.', 'danger'],
  capacity: ['Zone full', 'Someone has to leave first.', 'warning'],
  not_confirmed: ['Not confirmed', 'The registration is not confirmed.', 'danger'],
  test_ticket: ['Test ticket', 'A test ticket does not admit at a live gate.', 'danger'],
  type_not_admitted: ['Not admitted here', 'This attendee type is not admitted at this point.', 'danger'],
  group_not_admitted: ['Not admitted here', 'This group is not admitted at this point.', 'danger'],
  product_missing: ['Product not booked', 'This point asks for a product that was not booked.', 'danger'],
  pre_check_required: ['Pre-check missing', 'Go to the pre-check first.', 'danger'],
  entry_required: ['Entry missing', 'Go through the entrance first.', 'danger'],
  nobody_present: ['Nobody to admit', 'Nobody on this ticket is here.', 'danger'],
  after_closing: ['Closed', 'This point is closed.', 'warning'],
  before_opening: ['Not yet open', 'This point is not open yet.', 'warning'],
  ticket_voided: ['Ticket voided', 'This ticket is no longer valid.', 'danger'],
  code_unknown: ['Unknown code', 'This code is not a ticket of this event.', 'danger'],
};

/** Of a reason that this version does not know there is none. */
export const toneOfRefusal = (reason: string): 'warning' | 'danger' | null => REFUSED[reason as Reason]?.[2] ?? null;

/**
 * With `seen` (the world and the time of the scan), the message for a duplicate tells when and where the person was admitted.
 */
export function messageFor(decision: Decision, seen?: { world: PreparedWorld; at: number }): Message {
  const { people } = decision;
  const admitted = people.filter((person) => person.admitted).length;
  if (admitted > 0 && admitted < people.length) {
    return { title: `${admitted} of ${people.length} admitted`, text: othersRefused(decision), tone: 'mixed' };
  }
  if (isSuccess(decision.result)) {
    const [title, text] = WELCOME[decision.result];
    return { title: admitted > 1 ? `${title} (${admitted})` : title, text, tone: 'success' };
  }
  const [title, text, tone] = REFUSED[decision.reason!];
  const first = firstOf(decision);
  if (first === null || seen === undefined) return { title, text, tone };
  const before = `Admitted ${whenAndWhere(seen.world, first, seen.at)}.`;
  return { title, text: decision.reason === 'cooldown' ? `${before} Try again later.` : before, tone };
}

/** The earliest of the first admissions of those people who have the reason of the scan; null when there is none. */
function firstOf({ reason, people }: Decision): FirstAdmission | null {
  let first: FirstAdmission | null = null;
  for (const person of people) {
    const one = person.first_admission;
    if (person.reason === reason && one !== null && (first === null || one.at < first.at)) first = one;
  }
  return first;
}

/** "at 09:12, Main gate", or for another date "on 2027-06-12 at 09:12, Main gate". Times are local times of the event. */
function whenAndWhere(world: PreparedWorld, { at, check_in_point }: FirstAdmission, now: number): string {
  const date = localDate(world.timezone, at);
  const day = date === localDate(world.timezone, now) ? '' : `on ${date} `;
  const point = world.points.get(check_in_point);
  return `${day}at ${localTime(world.timezone, at)}${point === undefined ? '' : `, ${point.name}`}`;
}

/** Such as "1 already admitted, 2 wrong day". */
function othersRefused(decision: Decision): string {
  const counts = new Map<string, number>();
  for (const { reason } of decision.people) {
    if (reason === null) continue;
    const title = REFUSED[reason][0].toLowerCase();
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].map(([title, count]) => `${count} ${title}`).join(', ');
}

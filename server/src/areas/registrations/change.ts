import type { Change, Work } from '../../road/operation.ts';
import type { EventRow } from '../events/index.ts';
import { auditChange, auditCreation, auditFacts } from './audit.ts';
import { Book } from './book.ts';
import { groupCodesOf } from './group-codes.ts';
import { raiseAll } from './occurrences.ts';
import { type About, commonGroup, reachedGroups, requireReach, type Showing } from './reach.ts';
import { type PartRef, requireOwnMode } from './references.ts';
import type { RegistrationState } from './state.ts';

/** What `change` returns: the registration after the change, what is needed to show it, and the result of the act. */
export interface Changed<T> {
  showing: Showing;
  registration: RegistrationState;
  result: T;
  /** Whether somebody gets a mail about it. */
  mailed: boolean;
}

/**
 * Changes one registration: opens the event's book, checks that the caller reaches what the act is about, lets `act` change the
 * registration in memory, writes it, raises its occurrences and writes the audit log. Registrations that the change promoted from
 * the waitlist are raised and audited, too.
 *
 * `answer` is given where the act may change nothing. Then nothing is written, and the road answers with what `answer` returns.
 */
export async function change<T>(
  work: Work,
  about: About,
  found: PartRef,
  act: (book: Book, registration: RegistrationState) => T | Promise<T>,
  answer?: (showing: Showing, registration: RegistrationState, result: T) => unknown,
): Promise<Changed<T>> {
  requireOwnMode(work, found);
  const reached = await reachedGroups(work);
  const book = await Book.open(work.tx, work.org, found.event_id, work.caller.plan.limits.attendees_per_event);
  const registration = await book.loadOne(found.registration_id);
  const { event } = book.world;
  requireReach({ world: book.world, groups: new Map(), reached }, registration, about, found.id);
  const group = commonGroup(event, registration, about, found.id);
  const before = auditFacts(book, registration);
  const result = await act(book, registration);
  const subject = { kind: 'registration', id: registration.id, event: found.event_id, group };
  if (answer !== undefined && isUnchanged(auditChange(book, registration, before, null))) {
    const showing = { world: book.world, groups: await groupCodesOf(work.tx, work.org, [registration]), reached };
    work.changed({ ...subject, was: answer(showing, registration, result) });
    return { showing, registration, result, mailed: false };
  }
  const { shaping, occurred, mailed } = await book.close({ bulk: work.bulk === true });
  for (const all of occurred.values()) raiseAll(work, found.event_id, all);
  for (const other of occurred.keys()) {
    if (other !== registration && other.touched) work.changed(promotionChange(event, other));
  }
  work.changed({ ...subject, ...auditChange(book, registration, before, group) });
  return { showing: { ...shaping, reached }, registration, result, mailed: mailed.has(registration) };
}

const isUnchanged = ({ changes, objects }: ReturnType<typeof auditChange>): boolean =>
  objects.length === 0 && Object.keys(changes).length === 0;

/** A registration that was promoted by the change has an audit row of its own, because it may belong to another group. */
const promotionChange = (event: EventRow, registration: RegistrationState): Change => ({
  action: 'registration.promoted',
  kind: 'registration',
  id: registration.id,
  event: event.id,
  group: commonGroup(event, registration, 'registration', registration.id),
  ...auditCreation(registration),
  changes: { status: ['waitlisted', registration.status] },
});

import { Refusal } from '../../common/refusal.ts';
import { Turns } from '../../common/turns.ts';
import type { Change, Work } from '../../road/operation.ts';
import type { EventRow } from '../events/index.ts';
import { type AuditFacts, auditChange, auditCreation, auditFacts, renewFacts } from './audit.ts';
import { Book } from './book.ts';
import { groupCodesOf } from './group-codes.ts';
import { type Marked, restoreMarks, takeMarks } from './marks.ts';
import { raiseAll } from './occurrences.ts';
import { type About, commonGroup, reachedGroups, requireReach, type Showing } from './reach.ts';
import { type PartRef, requireOwnMode } from './references.ts';
import type { RegistrationState } from './state.ts';

/** What `change` returns: the registration after the change, what is needed to show it, and the result of the act. */
export interface ChangedRegistration<T> {
  showing: Showing;
  registration: RegistrationState;
  result: T;
  /** Whether somebody gets a mail about it. */
  mailed: boolean;
}

/** One of several changes to a registration. It is audited through its own `work`. */
export interface ChangeItem<T> {
  work: Work;
  found: PartRef;
  act: (book: Book, registration: RegistrationState) => T | Promise<T>;
}

/** What is answered where an act may change nothing. */
type Answer<T> = (showing: Showing, registration: RegistrationState, result: T) => unknown;

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
  act: ChangeItem<T>['act'],
  answer?: Answer<T>,
): Promise<ChangedRegistration<T>> {
  const [outcome] = await changeTogether(about, [{ work, found, act }], answer);
  if (outcome instanceof Refusal) throw outcome;
  return outcome!;
}

/**
 * Makes several changes to one registration, for one caller and in one transaction. Each is refused and audited by itself, but the
 * registration is loaded, written, announced and mailed about once: reissuing the tickets of 200 people one by one took 200 times as
 * long as reissuing one, and sent the registrant 200 mails.
 *
 * An act refuses before it changes anything. If one does not, nobody can tell what it left behind, and this function throws its refusal:
 * the caller has to undo the whole.
 */
export async function changeTogether<T>(
  about: About,
  items: readonly ChangeItem<T>[],
  answer?: Answer<T>,
): Promise<(ChangedRegistration<T> | Refusal)[]> {
  const [{ work, found }] = items as [ChangeItem<T>];
  requireOwnMode(work, found);
  const reached = await reachedGroups(work);
  const book = await Book.open(work.tx, work.org, found.event_id, work.caller.plan.limits.attendees_per_event);
  const registration = await book.loadOne(found.registration_id);
  const acting: Acting = { about, book, registration, reached, facts: auditFacts(book, registration) };
  const outcomes: (ActOutcome<T> | Refusal)[] = [];
  const turns = new Turns();
  for (const item of items) {
    outcomes.push(await actOn(acting, item, answer !== undefined));
    await turns.pause();
  }
  const done = outcomes.flatMap((one) => (one instanceof Refusal || one.marked === null ? [] : [one]));
  for (const { marked } of done) restoreMarks(registration, marked!);
  const [first] = done;
  const closed = first === undefined ? null : await book.close({ bulk: work.bulk === true });
  for (const [other, occurred] of closed?.occurred ?? []) {
    raiseAll(work, found.event_id, occurred);
    if (other !== registration && other.touched) first!.work.changed(promotionChange(book.world.event, other));
  }
  const shaping = closed?.shaping ?? {
    world: book.world,
    groups: await groupCodesOf(work.tx, work.org, [registration]),
  };
  const showing = { ...shaping, reached };
  return outcomes.map((outcome) => {
    if (outcome instanceof Refusal) return outcome;
    const { subject, audited, marked, result } = outcome;
    outcome.work.changed({
      ...subject,
      ...(marked === null ? { was: answer!(showing, registration, result) } : audited),
    });
    return { showing, registration, result, mailed: marked !== null && closed!.mailed.has(registration) };
  });
}

interface Acting {
  about: About;
  book: Book;
  registration: RegistrationState;
  reached: Showing['reached'];
  /** As they were before the next act. */
  facts: AuditFacts;
}

interface ActOutcome<T> {
  work: Work;
  subject: Change;
  audited: ReturnType<typeof auditChange>;
  /** Null if the act made no difference. */
  marked: Marked | null;
  result: T;
}

async function actOn<T>(
  { about, book, registration, reached, facts }: Acting,
  { work, found, act }: ChangeItem<T>,
  mayBeNothing: boolean,
): Promise<ActOutcome<T> | Refusal> {
  const since = registration.happened.length;
  try {
    requireReach({ world: book.world, groups: new Map(), reached }, registration, about, found.id);
    const group = commonGroup(book.world.event, registration, about, found.id);
    const subject = { kind: 'registration', id: registration.id, event: found.event_id, group };
    const result = await act(book, registration);
    const marked = takeMarks(registration, since);
    const audited = auditChange(book, registration, facts, group, marked);
    if (mayBeNothing && isUnchanged(auditChange(book, registration, facts, null, marked))) {
      registration.happened.length = since;
      return { work, subject, audited, marked: null, result };
    }
    renewFacts(book, registration, facts, marked);
    return { work, subject, audited, marked, result };
  } catch (error) {
    if (!(error instanceof Refusal) || takeMarks(registration, since).touched) throw error;
    return error;
  }
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

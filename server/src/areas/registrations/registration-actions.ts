import type {
  Reason,
  Registration,
  RegistrationChange,
  RegistrationCreate,
  RegistrationSource,
  Transition,
} from '@turnout/contract';
import { Refusal, refuse } from '../../common/refusal.ts';
import type { Item, Work } from '../../road/operation.ts';
import type { Reference } from '../../road/request/reference.ts';
import type { EventRow } from '../events/index.ts';
import { auditCreation } from './audit.ts';
import { Book } from './book.ts';
import { change } from './change.ts';
import { applyRegistrationChange } from './change-registration.ts';
import type { FormVisit } from './holds.ts';
import { raiseAll } from './occurrences.ts';
import { commonGroup, reachedGroups, shownRegistration } from './reach.ts';
import { asPart, type RegistrationRef } from './references.ts';
import { register } from './register.ts';
import { registrationShape } from './shapes.ts';
import { requireIssuable } from './size.ts';
import { activeAttendees, type RegistrationState } from './state.ts';
import { cancelRegistration, endRegistration, requireStatus, settle } from './statuses.ts';
import { promote } from './waitlist.ts';

/** People who register on our pages use the event's form, all others the API. */
const sourceOf = ({ caller }: Work): RegistrationSource => (caller.actor.kind === 'visitor' ? 'form' : 'api');
const formVisitOf = ({ caller: { actor }, outside }: Work): FormVisit | null =>
  actor.kind === 'visitor' ? { network: actor.network ?? '', online: outside.payments !== null } : null;

/**
 * How much of a batch a registration takes. One that makes as many tickets as it may fills a batch by itself, and two hundred that
 * leave their days to the event still share one.
 */
export const weightOf = ({ attendees }: RegistrationCreate): number =>
  attendees.reduce(
    (sum, { days, products }) => sum + (days === undefined ? 20 : 4 * days.length) + (products?.length ?? 0),
    0,
  );

/** Registers many in one transaction of the lane: they are decided in order of arrival and written together. */
export async function registerMany(
  items: readonly Item<{ event: Reference<EventRow> }, RegistrationCreate>[],
): Promise<(Registration | Refusal)[]> {
  const [first] = items;
  const { event } = first!.at;
  const book = await Book.open(first!.tx, first!.org, event.id, first!.caller.plan.limits.attendees_per_event);
  const outcomes: (RegistrationState | Refusal)[] = [];
  for (const item of items) outcomes.push(await register(book, item, item.body, sourceOf(item), formVisitOf(item)));
  const { shaping, occurred } = await book.close();
  return outcomes.map((outcome, i) => {
    if (outcome instanceof Refusal) return outcome;
    const item = items[i]!;
    raiseAll(item, event.id, occurred.get(outcome)!);
    item.changed({
      kind: 'registration',
      id: outcome.id,
      event: event.id,
      group: commonGroup(book.world.event, outcome, 'registration', outcome.id),
      ...auditCreation(outcome),
    });
    return registrationShape(shaping, outcome);
  });
}

async function transition(
  work: Work,
  found: RegistrationRef,
  name: Transition,
  act: (book: Book, registration: RegistrationState) => void,
): Promise<Registration> {
  const { showing, registration } = await change(work, 'registration', asPart(found), (book, state) => {
    requireStatus(state, name);
    act(book, state);
  });
  return shownRegistration(showing, registration);
}

export const approve = (work: Work, found: RegistrationRef): Promise<Registration> =>
  transition(work, found, 'approve', (book, registration) => {
    requireIssuable(book.world, activeAttendees(registration));
    registration.happened.push({ type: 'registration.approved' });
    settle(book, registration, true);
  });

export const decline = (work: Work, found: RegistrationRef, { reason }: Reason): Promise<Registration> =>
  transition(work, found, 'decline', (book, registration) => {
    if (reason !== undefined) registration.reason = reason;
    endRegistration(book, registration, 'declined');
    registration.happened.push({ type: 'registration.declined' });
  });

export const cancel = (work: Work, found: RegistrationRef, { reason }: Reason): Promise<Registration> =>
  transition(work, found, 'cancel', (book, registration) => cancelRegistration(book, registration, reason));

export const promoteByHand = (work: Work, found: RegistrationRef): Promise<Registration> =>
  transition(work, found, 'promote', (book, registration) => {
    requireIssuable(book.world, activeAttendees(registration));
    const lacking = promote(book, registration);
    if (lacking !== null) {
      refuse('invalid_state', {
        message: `There aren't enough places for this registration. ${lacking.message} Cancel others or raise the capacity first.`,
      });
    }
  });

/** Changes the registrant's details and whether mails are sent, in every status, and what is booked for the whole while it is open. */
export async function changeRegistration(
  work: Work,
  found: RegistrationRef,
  body: RegistrationChange,
): Promise<Registration> {
  const reached = await reachedGroups(work);
  const { showing, registration } = await change(
    work,
    'registration',
    asPart(found),
    (book, state) => applyRegistrationChange(book, state, body, work, reached),
    shownRegistration,
  );
  return shownRegistration(showing, registration);
}

import { isPossible, type ProductChoice, type SelfService, type Transition } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { NOTHING } from '../../road/write/audited.ts';
import type { EventRow } from '../events/index.ts';
import { attendeeIn } from './attendee-actions.ts';
import { cancelAttendeeOf, changeAttendeeOf } from './attendees.ts';
import type { Book } from './book.ts';
import { change } from './change.ts';
import { changeProducts } from './change-registration.ts';
import { answersInstead, handOver } from './hand-on.ts';
import { prove } from './holds.ts';
import { markProven } from './proven-addresses.ts';
import { shownAttendee, shownRegistration } from './reach.ts';
import { type AttendeeRef, asPart, type RegistrationRef } from './references.ts';
import { type AttendeeState, activeAttendees, isHandedOn, type RegistrationState } from './state.ts';
import { cancelRegistration, outstanding, requireStatus } from './statuses.ts';
import { NO_TEXTS } from './texts.ts';

/*
 * What registrants and attendees do by themselves, by their link. The rules are those of the API; in addition, the event says until
 * when each of them is allowed. Link and time are checked under the event's clock: until the commit neither the registrant nor the
 * event can change.
 */

export type SelfServiceAction = 'change' | 'cancel' | 'transfer' | 'products';
const UNTIL = {
  change: 'change_until',
  cancel: 'cancel_until',
  transfer: 'transfer_until',
  products: 'products_until',
} as const satisfies Record<SelfServiceAction, keyof SelfService>;
/** To hand a place on, and to book something else, is to change an attendee. */
const TRANSITION: Record<SelfServiceAction, Transition> = {
  change: 'change',
  cancel: 'cancel',
  transfer: 'change',
  products: 'change',
};

/** Whoever has opened a link. */
export interface LinkHolder {
  /** The attendee whose own link it is. Null: the registrant, who may act for everybody in the registration. */
  attendee: Id | null;
  /** The address that the link is for, and whether it was mailed there. Null if it does not open this registration. */
  opens(registration: RegistrationState, event: EventRow): { email: string; mailed: boolean } | null;
}

/** Whether the event allows it at this time. An archived event is over. */
export const isAllowed = (
  event: Pick<EventRow, 'self_service' | 'status'>,
  action: SelfServiceAction,
  now: Date,
): boolean => {
  const until = event.self_service[UNTIL[action]];
  return event.status !== 'archived' && until !== null && now.getTime() < Date.parse(until);
};

/**
 * Whether it can be done to this attendee now. A place that was used at the door can be neither cancelled nor handed on. One that is not
 * paid cannot be handed on: whoever gets it could not pay, because money stays with the registration.
 */
export const canDo = (
  action: SelfServiceAction,
  { event, now }: { event: EventRow; now: Date },
  registration: RegistrationState,
  attendee: AttendeeState,
): boolean =>
  isAllowed(event, action, now) &&
  isPossible(TRANSITION[action], registration.status) &&
  !attendee.cancelled &&
  (action === 'change' || action === 'products' || attendee.checked_in_at === null) &&
  (action !== 'transfer' || isPaid(registration));

export const isPaid = (registration: RegistrationState): boolean => outstanding(registration) <= 0;

/** The places that the registrant's link is about: those that were not handed on. */
export const ownPlaces = (registration: RegistrationState): AttendeeState[] =>
  registration.attendees.filter((attendee) => !isHandedOn(registration, attendee));

const ownActivePlaces = (registration: RegistrationState): AttendeeState[] =>
  activeAttendees(registration).filter((attendee) => !isHandedOn(registration, attendee));

/** Whether all of the registration can be cancelled now: every place that was not handed on. */
export const canCancelAll = (at: { event: EventRow; now: Date }, registration: RegistrationState): boolean =>
  ownActivePlaces(registration).length > 0 &&
  ownActivePlaces(registration).every((attendee) => canDo('cancel', at, registration, attendee)) &&
  isAllowed(at.event, 'cancel', at.now) &&
  isPossible('cancel', registration.status);

function requireAllowed(
  book: Book,
  registration: RegistrationState,
  holder: LinkHolder,
  action: SelfServiceAction,
): void {
  const { event } = book.world;
  const opened = holder.opens(registration, event) ?? refuse('not_found');
  if (!isAllowed(event, action, book.now)) {
    refuse('invalid_state', { message: 'The event does not allow this by link, or not any more.' });
  }
  registration.byVisitor = true;
  if (opened.mailed) provedBy(book, registration, holder, opened.email);
}

/** Whoever presses a button behind a mailed link reads the mails to its address. */
function provedBy(book: Book, registration: RegistrationState, holder: LinkHolder, email: string): void {
  markProven(book.tx, book.org, email);
  if (holder.attendee === null) prove(book, registration);
}

function placeOf(registration: RegistrationState, holder: LinkHolder, found: AttendeeRef): AttendeeState {
  if (holder.attendee !== null && holder.attendee !== found.id) refuse('not_found');
  const attendee = attendeeIn(registration, found);
  if (holder.attendee === null && isHandedOn(registration, attendee)) refuse('not_found');
  return attendee;
}

const requireUnused = ({ checked_in_at }: AttendeeState): void => {
  if (checked_in_at !== null) refuse('invalid_state', { message: 'This place was already used at check-in.' });
};

/** A change to the same values is no change, and the audit log gets no row for it. */
const auditingChanges = (work: Work): Work => ({
  ...work,
  changed: (made) => work.changed(made.was === undefined ? made : NOTHING),
});

export interface OwnDetails {
  first_name: string;
  last_name: string;
  answers?: Record<string, unknown>;
}

export async function changeOwnPlace(
  work: Work,
  found: AttendeeRef,
  holder: LinkHolder,
  { first_name, last_name, answers }: OwnDetails,
): Promise<undefined> {
  await change(
    auditingChanges(work),
    'attendee',
    found,
    (book, registration) => {
      requireAllowed(book, registration, holder, 'change');
      const attendee = placeOf(registration, holder, found);
      const sent = { first_name, last_name, ...(answers !== undefined && { answers }) };
      return changeAttendeeOf(book, work, registration, attendee, sent);
    },
    shownAttendee,
  );
}

/** Books other products for one place. What is then too little or too much is due or in credit. */
export async function changeOwnProducts(
  work: Work,
  found: AttendeeRef,
  holder: LinkHolder,
  products: readonly ProductChoice[],
): Promise<undefined> {
  await change(
    auditingChanges(work),
    'attendee',
    found,
    (book, registration) => {
      requireAllowed(book, registration, holder, 'products');
      const attendee = placeOf(registration, holder, found);
      return changeAttendeeOf(book, work, registration, attendee, { products: [...products] });
    },
    shownAttendee,
  );
}

/** Books other products for the registration as a whole, which is the registrant's. */
export async function changeSharedProducts(
  work: Work,
  found: RegistrationRef,
  holder: LinkHolder,
  products: readonly ProductChoice[],
): Promise<undefined> {
  await change(
    auditingChanges(work),
    'registration',
    asPart(found),
    (book, registration) => {
      requireAllowed(book, registration, holder, 'products');
      if (holder.attendee !== null) refuse('not_found');
      changeProducts(book, registration, [...products], work);
    },
    shownRegistration,
  );
}

/** Cancels one place. Nothing is refunded: what was paid too much is in credit, and the organizer decides about it. */
export async function cancelOwnPlace(work: Work, found: AttendeeRef, holder: LinkHolder): Promise<undefined> {
  await change(work, 'attendee', found, (book, registration) => {
    requireAllowed(book, registration, holder, 'cancel');
    const attendee = placeOf(registration, holder, found);
    requireUnused(attendee);
    cancelAttendeeOf(book, registration, attendee);
  });
}

export async function cancelOwnRegistration(
  work: Work,
  found: RegistrationRef,
  holder: LinkHolder,
): Promise<undefined> {
  await change(work, 'registration', asPart(found), (book, registration) => {
    requireAllowed(book, registration, holder, 'cancel');
    if (holder.attendee !== null) refuse('not_found');
    requireStatus(registration, 'cancel');
    const own = ownActivePlaces(registration);
    if (own.length === 0) refuse('invalid_state', { message: 'All places were given to others.' });
    for (const attendee of own) requireUnused(attendee);
    // Places that were handed on belong to others, so they stay, and with them the registration.
    if (own.length === activeAttendees(registration).length) cancelRegistration(book, registration, undefined);
    else for (const attendee of own) cancelAttendeeOf(book, registration, attendee);
  });
}

/** Holds the places for the whole time to pay. The link must have been mailed: the form shows a link to whoever has typed an address. */
export async function keepOwnPlaces(work: Work, found: RegistrationRef, holder: LinkHolder): Promise<undefined> {
  await change(work, 'registration', asPart(found), (book, registration) => {
    const opened = holder.opens(registration, book.world.event);
    if (opened === null || holder.attendee !== null || !opened.mailed) return refuse('not_found');
    requireStatus(registration, 'expire');
    provedBy(book, registration, holder, opened.email);
  });
}

export async function handOnPlace(
  work: Work,
  found: AttendeeRef,
  holder: LinkHolder,
  { first_name, last_name, email, answers = {} }: OwnDetails & { email: string },
): Promise<undefined> {
  await change(work, 'attendee', found, async (book, registration) => {
    requireAllowed(book, registration, holder, 'transfer');
    const attendee = placeOf(registration, holder, found);
    requireUnused(attendee);
    if (!isPaid(registration)) {
      refuse('invalid_state', {
        message: 'The registration is not paid yet. Its places can be given to others once it is.',
      });
    }
    const from = { ...attendee };
    const details = {
      ...NO_TEXTS,
      ...{ first_name, last_name, email },
      answers: answersInstead(attendee.answers, answers),
    };
    // Any address is taken, also one that is registered already: a refusal would tell who is registered.
    await changeAttendeeOf(book, work, registration, attendee, details, { uniqueEmail: false });
    handOver(book, registration, attendee, from);
  });
}

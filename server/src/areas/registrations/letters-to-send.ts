import type { Id } from '../../common/ids.ts';
import { greetedName } from '../../outside/clean.ts';
import type { MailKind } from '../../outside/mail-templates/index.ts';
import type { Tx } from '../../store/tx.ts';
import { type AttendeeState, activeAttendees, type Happening, isHandedOn, type RegistrationState } from './state.ts';
import type { EventWorld } from './world.ts';

/** A mail that somebody is to get about what happened to a registration. */
export interface ToSend {
  kind: MailKind;
  recipient: string;
  name: string;
  /** The mail is about these attendees only. If absent, it is about the whole registration. */
  attendees?: readonly Id[];
}

/** A mail, and the registration it is about. */
export interface Letter extends ToSend {
  about: RegistrationState;
}

/** Where mails are queued: the book satisfies it. */
export interface MailQueue {
  tx: Tx;
  org: Id;
  now: Date;
  world: Pick<EventWorld, 'event'>;
}

/** Whom to write to about what happened in this transaction: one mail for each address and occasion, however many people share it. */
export const lettersOf = (registration: RegistrationState): ToSend[] =>
  (registration.handedOn ?? []).length > 0
    ? onePerAddress(registration.handedOn!.flatMap((one) => lettersOfHandOn(registration, one)))
    : onePerAddress([...letterToRegistrant(registration), ...lettersToAttendees(registration)]);

function onePerAddress(letters: readonly ToSend[]): ToSend[] {
  const merged = new Map<string, ToSend>();
  for (const letter of letters) {
    const { kind, recipient, attendees } = letter;
    const key = `${kind} ${lower(recipient)}`;
    const first = merged.get(key);
    if (first === undefined) merged.set(key, letter);
    // Where several people are greeted, none of them is by name.
    else merged.set(key, { ...first, name: '', attendees: [...(first.attendees ?? []), ...(attendees ?? [])] });
  }
  return [...merged.values()];
}

function letterToRegistrant(registration: RegistrationState): ToSend[] {
  const kind = kindOf(registration);
  const { first_name, last_name, email } = registration.contact;
  if (kind === null || email === null) return [];
  return [{ kind, recipient: email, name: greetedName([first_name, last_name].filter(Boolean).join(' ')) }];
}

/** Attendees with an e-mail address of their own hear about their own place. */
function lettersToAttendees(registration: RegistrationState): ToSend[] {
  const kind = kindOf(registration);
  const registrant = lower(registration.contact.email);
  const ticketed = new Set(
    registration.happened.flatMap((one) =>
      'ticket' in one && one.type !== 'ticket.voided' ? one.ticket.attendee_ids : [],
    ),
  );
  const to = (letter: MailKind, attendees: readonly AttendeeState[]) =>
    attendees.flatMap((one) => letterAbout(letter, one, one));
  const active = activeAttendees(registration);
  const isOthers = ({ email }: AttendeeState) => lower(email) !== registrant;
  const removed = registration.happened.flatMap((one) =>
    one.type === 'registration.attendee_removed' ? [one.attendee] : [],
  );
  // Places that were handed on are no longer the registrant's, whose mail says that the others have ended.
  const ended = registration.ended === true ? active.filter((one) => isHandedOn(registration, one)) : [];
  return [
    ...to(
      'attendee_ticket',
      active.filter((one) => ticketed.has(one.id) && isOthers(one)),
    ),
    // Cancelling the last attendee cancels the registration, and the registrant gets a mail about that already.
    ...to('attendee_cancelled', [
      ...new Set([...removed.filter((one) => kind !== 'cancelled' || isOthers(one)), ...ended]),
    ]),
  ];
}

const letterAbout = (
  kind: MailKind,
  { id }: Pick<AttendeeState, 'id'>,
  { first_name, last_name, email }: Pick<AttendeeState, 'first_name' | 'last_name' | 'email'>,
): ToSend[] =>
  email === null ? [] : [{ kind, recipient: email, name: greetedName(`${first_name} ${last_name}`), attendees: [id] }];

const lower = (email: string | null): string | null => email?.toLowerCase() ?? null;

/** The mails to both people when a place went from one to the other. Nobody else of the registration is told. */
function lettersOfHandOn(
  { contact }: RegistrationState,
  { attendee, from }: NonNullable<RegistrationState['handedOn']>[number],
): ToSend[] {
  // Somebody without an address of their own is told through the registrant.
  const former = { ...from, email: from.email ?? contact.email };
  const isSame = lower(former.email) === lower(attendee.email);
  return [
    ...letterAbout('place_received', attendee, attendee),
    ...(isSame ? [] : letterAbout('place_handed_on', attendee, former)),
  ];
}

/** The registrant's mail about what happened: the first kind that applies, so that one click never causes three mails. */
function kindOf(registration: RegistrationState): MailKind | null {
  const has = (type: Happening['type']) => registration.happened.some((one) => one.type === type);
  if (has('registration.declined')) return 'declined';
  if (has('registration.cancelled')) return 'cancelled';
  // The expiry is told once, and not again when something else is done to the expired registration.
  if (registration.status === 'expired') return registration.ended === true ? 'registration_expired' : null;
  if (has('registration.confirmed')) return 'confirmation';
  if (has('registration.waitlisted')) return 'waitlisted';
  if (registration.status === 'pending_payment') {
    if (has('registration.promoted')) return 'promoted';
    if (has('registration.approved')) return 'approved';
    if (has('registration.created') || has('payment.refunded') || registration.reopened === true) return 'payment_due';
  }
  if (has('registration.promoted')) return 'promoted';
  if (has('registration.created')) return 'approval_pending';
  if (has('ticket.reissued')) return 'ticket_reissued';
  return has('ticket.issued') ? 'confirmation' : null;
}

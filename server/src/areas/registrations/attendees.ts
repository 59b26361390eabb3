import type { AttendeeChange, AttendeeCreate } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Fault, Refusal, refuse } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import { emailKey } from '../contacts/index.ts';
import { amountFaults, attendeeCount } from './amounts.ts';
import type { Book } from './book.ts';
import { type Coverage, coverageOf, coverLater, needsCode } from './discount.ts';
import { Findings, formRules } from './findings.ts';
import { type AttendeeDetails, readAttendee, readChange } from './input.ts';
import { bookingFaults, isNewLine, mergedLines, takenAwayRefusal } from './lines.ts';
import { moreThan, type Needs, needsOf, type Placed } from './needs.ts';
import { newAttendee } from './new-registration.ts';
import { confirmIfPaid } from './payments.ts';
import type { Places } from './places.ts';
import { takenEmail, windowRefusal } from './register.ts';
import { growthFault, requireKeepable } from './size.ts';
import { type AttendeeState, activeAttendees, holdsPlaces, type RegistrationState, touch } from './state.ts';
import { cancelRegistration, requireStatus, totalCost, updateTotal } from './statuses.ts';
import { attendeeTexts } from './texts.ts';
import { adjustTickets, issueLacking, removeFromTickets, ticketsDue } from './tickets.ts';
import type { EventWorld } from './world.ts';

/** Adds an attendee by the rules of the event's form. Where there is no place, it is refused and never waitlisted (contract). */
export async function addAttendeeTo(
  book: Book,
  reach: Reach,
  registration: RegistrationState,
  input: AttendeeCreate,
): Promise<AttendeeState> {
  requireStatus(registration, 'add');
  const { event } = book.world;
  const closed = windowRefusal(book);
  if (closed !== null) throw closed;
  const coverage = coverageOf(book.discountOf(registration), book.places, registration, book.now);
  const findings = new Findings();
  const read = await readAttendee(
    reach,
    book.world,
    input,
    '',
    registration.group_id,
    formRules(book.now, input, reach.caller, coverage?.discount),
    findings,
  );
  const details = read === null ? null : coverLater(coverage, read, null, true, isNewLine);
  const { max_people, unique_email } = event.registration;
  if (max_people !== null && activeAttendees(registration).length >= max_people) {
    findings.faults.push({ path: '', message: `at most ${attendeeCount(max_people)} can be registered together` });
  }
  if (details !== null && reach.caller.actor.kind !== 'member') {
    const faults = amountFaults(book.world, [...activeAttendees(registration), details]);
    findings.faults.push(
      ...faults.filter(({ rule }) => rule === 'too_many').map((one) => ({ ...one, path: 'attendee_type' })),
    );
  }
  const tooLarge = details === null ? null : growthFault(book.world, registration, { from: null, to: details }, 'days');
  if (tooLarge !== null) findings.faults.push(tooLarge);
  if (details !== null) findings.faults.push(...bookingFaultsWith(registration, null, details));
  const verdict = findings.verdict();
  if (verdict !== null) throw verdict;
  requireCovered(book, reach, coverage, details!);
  requireKeepable(registration, ticketsDue(book.world, details!).length);
  if (unique_email) {
    const taken = await takenEmail(book, [details!.email], registration.test);
    if (taken !== null) refuseDuplicate(taken);
  }
  const needs = needsOf(book.world, [details!]);
  const full = book.places.refusal(needs, registration.test);
  if (full !== null) throw new Refusal(full.code, { message: full.message });
  book.places.take(needs, registration.test, 1);
  return appendAttendee(book, registration, details!);
}

/** What is wrong with everything that a registration books with somebody's new details. */
function bookingFaultsWith(registration: RegistrationState, from: AttendeeState | null, to: AttendeeDetails): Fault[] {
  const people = [...activeAttendees(registration).filter((one) => one !== from), to];
  return bookingFaults(people, registration.products, totalCost(people, registration.products), 'products');
}

/** Refuses a hidden type that a code reveals, where the code covers nobody more. */
function requireCovered({ world }: Book, { caller }: Reach, coverage: Coverage | null, details: AttendeeDetails): void {
  if (coverage === null || details.discount_id !== null || !needsCode(world, caller)(details)) return;
  refuse('discount_used_up', {
    message: `The code ${coverage.discount.code} covers nobody more of this registration.`,
  });
}

const refuseDuplicate = (email: string): never =>
  refuse('duplicate_email', { message: `${email} is registered for this event already.` });

/** Appends an attendee, whose places the caller has taken already. */
export function appendAttendee(book: Book, registration: RegistrationState, details: AttendeeDetails): AttendeeState {
  const attendee = newAttendee(
    book,
    registration,
    details,
    Math.max(-1, ...registration.attendees.map((one) => one.position)) + 1,
  );
  registration.attendees.push(attendee);
  updateTotal(registration);
  touch(registration);
  registration.happened.push({ type: 'registration.attendee_added', attendee });
  if (registration.status === 'confirmed') issueLacking(book, registration, [attendee]);
  return attendee;
}

/** Changes an attendee's details. With a new type or new days, places are moved and tickets are issued and voided to match. */
export async function changeAttendeeOf(
  book: Book,
  reach: Reach,
  registration: RegistrationState,
  attendee: AttendeeState,
  input: AttendeeChange,
  /** Whether the event's rule that takes each address once applies. */
  { uniqueEmail = true }: { uniqueEmail?: boolean } = {},
): Promise<AttendeeState> {
  requireStatus(registration, 'change');
  if (attendee.cancelled)
    refuse('invalid_state', { message: 'The attendee is cancelled and cannot be changed. Add a new one instead.' });
  await requireNotErased(book, registration, attendee.contact_id, 'Cancel this attendee and add a new one.');
  const { event } = book.world;
  const coverage = coverageOf(book.discountOf(registration), book.places, registration, book.now);
  const findings = new Findings();
  const read = await readChange(
    reach,
    book.world,
    attendee,
    input,
    formRules(book.now, input, reach.caller, coverage?.discount),
    findings,
  );
  const isTicketNew = read.attendee_type_id !== attendee.attendee_type_id;
  const bought =
    isTicketNew || read.products !== attendee.products
      ? coverLater(coverage, read, attendee, isTicketNew, isNewLine)
      : read;
  const details = bought === read ? read : { ...bought, products: mergedLines(bought.products) };
  findings.faults.push(...bookingFaultsWith(registration, attendee, details));
  const tooLarge = growthFault(book.world, registration, { from: attendee, to: details }, 'days');
  if (tooLarge !== null) findings.faults.push(tooLarge);
  const verdict = findings.verdict();
  if (verdict !== null) throw verdict;
  if (isTicketNew) requireCovered(book, reach, coverage, details);
  const kept = takenAwayRefusal(book.world, attendee.products, details.products);
  if (kept !== null) throw kept;
  if (uniqueEmail && event.registration.unique_email && details.email !== attendee.email) {
    const others = activeAttendees(registration).filter((one) => one !== attendee);
    const key = emailKey(details.email);
    const own = key !== null && others.some((one) => emailKey(one.email) === key);
    const taken = own ? details.email : await takenEmail(book, [details.email], registration.test, attendee.id);
    if (taken !== null) refuseDuplicate(taken);
  }
  if (needsOtherPlaces(attendee, details)) requireKeepable(registration, ticketsDue(book.world, details).length);
  const full = holdsPlaces(registration)
    ? movePlaces(book.places, book.world, attendee, details, registration.test)
    : null;
  if (full !== null) throw new Refusal(full.code, { message: full.message });
  applyDetails(book, registration, attendee, details);
  return attendee;
}

/** Refuses changes to an erased person: new details would be kept about somebody who cannot be erased a second time. */
export async function requireNotErased(
  book: Book,
  registration: RegistrationState,
  contact: Id | null,
  instead: string,
): Promise<void> {
  if (contact !== null && (await book.erasedContacts(registration)).has(contact)) {
    refuse('invalid_state', { message: `The person was erased, and that cannot be undone. ${instead}` });
  }
}

type TypeAndDays = Pick<AttendeeState, 'attendee_type_id' | 'day_ids'>;
const needsOtherPlaces = (was: TypeAndDays, is: TypeAndDays): boolean =>
  was.attendee_type_id !== is.attendee_type_id || was.day_ids.join() !== is.day_ids.join();

/** Moves an attendee's places to another type, other days or other products. Returns why that is not possible, or null. */
export const movePlaces = (
  places: Places,
  world: EventWorld,
  attendee: Placed,
  details: Placed,
  test: boolean,
): ReturnType<Places['refusal']> => moveNeeds(places, needsOf(world, [attendee]), needsOf(world, [details]), test);

/** Takes one set of places instead of another. Only what is more than before needs room. Returns why that is not possible, or null. */
export function moveNeeds(places: Places, was: Needs, is: Needs, test: boolean): ReturnType<Places['refusal']> {
  const more = moreThan(was, is);
  if (more.size === 0 && moreThan(is, was).size === 0) return null;
  const full = places.refusal(more, test);
  if (full !== null) return full;
  places.take(was, test, -1);
  places.take(is, test, 1);
  return null;
}

/** Applies new details to an attendee, whose places the caller has moved already, and brings the tickets in line with them. */
export function applyDetails(
  book: Book,
  registration: RegistrationState,
  attendee: AttendeeState,
  details: AttendeeDetails,
): void {
  const moved = needsOtherPlaces(attendee, details);
  const group_id = details.group_id ?? registration.group_id;
  // Contacts are matched inside one group. The old group keeps its contact; the attendee gets one in the new group.
  if (group_id !== attendee.group_id) attendee.contact_id = null;
  Object.assign(attendee, details, attendeeTexts(details), { group_id });
  attendee.touched = true;
  for (const ticket of registration.tickets) if (ticket.attendee_ids.includes(attendee.id)) ticket.touched = true;
  touch(registration);
  updateTotal(registration);
  if (moved) adjustTickets(book, registration, attendee);
  confirmIfPaid(book, registration);
}

/** Cancels an attendee. Cancelling the last one cancels the registration. */
export function cancelAttendeeOf(book: Book, registration: RegistrationState, attendee: AttendeeState): void {
  requireStatus(registration, 'cancel');
  if (attendee.cancelled) refuse('invalid_state', { message: 'The attendee is cancelled already.' });
  if (activeAttendees(registration).length === 1) {
    registration.happened.push({ type: 'registration.attendee_removed', attendee });
    cancelRegistration(book, registration, undefined);
    return;
  }
  if (holdsPlaces(registration)) book.places.take(needsOf(book.world, [attendee]), registration.test, -1);
  removeFromTickets(book, registration, attendee);
  attendee.cancelled = true;
  attendee.cancelled_at = book.stamp;
  attendee.touched = true;
  touch(registration);
  updateTotal(registration);
  registration.happened.push({ type: 'registration.attendee_removed', attendee });
  confirmIfPaid(book, registration);
}

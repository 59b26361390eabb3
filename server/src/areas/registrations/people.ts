import type { AttendeeChange, AttendeeInput } from '@turnout/contract';
import type { Reach } from '../../road/reference.ts';
import { Refusal, refuse } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { emailKey } from '../contacts/index.ts';
import type { Book } from './book.ts';
import { type AttendeeDetails, Findings, FORM, readAttendee, readChange } from './input.ts';
import { covered } from './payments.ts';
import type { Places } from './places.ts';
import { knownBy, newPerson, takenEmail, windowRefusal } from './register.ts';
import { type AttendeeState, active, holds, needsOf, type RegistrationState, touch } from './state.ts';
import { cancelWhole, requireStatus, retotal } from './statuses.ts';
import { depart, follow, issueLacking, leave } from './tickets.ts';

/** Adds one person as the event's form would. A full day is refused, never waitlisted (contract). */
export async function addPerson(
  book: Book,
  reach: Reach,
  registration: RegistrationState,
  input: AttendeeInput,
): Promise<AttendeeState> {
  requireStatus(registration, 'add');
  const { event } = book.world;
  const closed = windowRefusal(book);
  if (closed !== null) throw closed;
  const findings = new Findings();
  const details = await readAttendee(reach, book.world, input, '', registration.group_id, FORM, findings);
  const { max_people, unique_email } = event.registration;
  if (max_people !== null && active(registration).length >= max_people) {
    findings.faults.push({ path: '', message: `at most ${max_people} people can be registered together` });
  }
  const verdict = findings.verdict();
  if (verdict !== null) throw verdict;
  if (unique_email) {
    const taken = await takenEmail(book, [details!.email], registration.test);
    if (taken !== null) refuse('duplicate_email', { message: `${taken} is registered for this event already.` });
  }
  const needs = needsOf(event.id, [details!]);
  const full = book.places.refusal(needs, registration.test);
  if (full !== null) throw new Refusal(full.code, { message: full.message });
  book.places.take(needs, registration.test, 1);
  return join(book, registration, details!);
}

/** Somebody joins, whose places are taken already. */
export function join(book: Book, registration: RegistrationState, details: AttendeeDetails): AttendeeState {
  const person = newPerson(
    book,
    registration,
    details,
    Math.max(-1, ...registration.people.map((one) => one.position)) + 1,
  );
  registration.people.push(person);
  retotal(registration);
  touch(registration);
  registration.happened.push({ type: 'registration.attendee_added', person });
  if (registration.status === 'confirmed') issueLacking(book, registration, [person]);
  return person;
}

/** Names, type, days, answers: places move exactly, tickets follow. */
export async function changePerson(
  book: Book,
  reach: Reach,
  registration: RegistrationState,
  person: AttendeeState,
  input: AttendeeChange,
): Promise<AttendeeState> {
  requireStatus(registration, 'change');
  if (person.cancelled) refuse('invalid_state', { message: 'The person is cancelled.' });
  await requireNotErased(book, person.contact_id, 'Cancel it and add another one.');
  const { event } = book.world;
  const findings = new Findings();
  const details = await readChange(reach, book.world, person, input, findings);
  const verdict = findings.verdict();
  if (verdict !== null) throw verdict;
  if (event.registration.unique_email && details.email !== person.email) {
    const others = active(registration).filter((one) => one !== person);
    const key = emailKey(details.email);
    const own = key !== null && others.some((one) => emailKey(one.email) === key);
    const taken = own ? details.email : await takenEmail(book, [details.email], registration.test, person.id);
    if (taken !== null) refuse('duplicate_email', { message: `${taken} is registered for this event already.` });
  }
  const full = holds(registration) ? move(book.places, event.id, person, details, registration.test) : null;
  if (full !== null) throw new Refusal(full.code, { message: full.message });
  become(book, registration, person, details);
  return person;
}

/** Else whatever was written would be known of somebody whom nobody can erase again. */
export async function requireNotErased({ tx, org }: Book, contact: Id | null, instead: string): Promise<void> {
  const erased = await tx.maybe(sql`
    select from contacts where org_id = ${org} and id = ${contact} and erased_at is not null`);
  if (erased !== null) {
    refuse('invalid_state', { message: `The person was erased; that cannot be undone. ${instead}` });
  }
}

type Placed = Pick<AttendeeState, 'attendee_type_id' | 'day_ids'>;
const moves = (was: Placed, is: Placed): boolean =>
  was.attendee_type_id !== is.attendee_type_id || was.day_ids.join() !== is.day_ids.join();

/** Moves one person's places, or says why not. */
export function move(
  places: Places,
  event: Id,
  person: Placed,
  details: Placed,
  test: boolean,
): ReturnType<Places['refusal']> {
  if (!moves(person, details)) return null;
  const was = needsOf(event, [person]);
  const is = needsOf(event, [details]);
  // Only what it needs anew: the place in the event it has, also where the capacity was lowered since.
  const full = places.refusal(new Map([...is].filter(([scope]) => !was.has(scope))), test);
  if (full !== null) return full;
  places.take(was, test, -1);
  places.take(is, test, 1);
  return null;
}

/** The person as changed, its places moved already: tickets follow. */
export function become(
  book: Book,
  registration: RegistrationState,
  person: AttendeeState,
  details: AttendeeDetails,
): void {
  const moved = moves(person, details);
  const group_id = details.group_id ?? registration.group_id;
  if (group_id !== person.group_id) {
    for (const ticket of registration.tickets)
      if (ticket.people.includes(person.id)) depart(registration, ticket, person);
    // Contacts are matched inside a group: the one of the old group stays there, and the person is found or added in the new one.
    person.contact_id = null;
  }
  Object.assign(person, details, knownBy(details), { group_id });
  person.touched = true;
  for (const ticket of registration.tickets) if (ticket.people.includes(person.id)) ticket.touched = true;
  touch(registration);
  retotal(registration);
  if (moved) follow(book, registration, person);
  covered(book, registration);
}

/** Cancels one person; the last one takes the registration along. */
export function cancelPerson(book: Book, registration: RegistrationState, person: AttendeeState): void {
  requireStatus(registration, 'cancel');
  if (person.cancelled) refuse('invalid_state', { message: 'The person is cancelled already.' });
  if (active(registration).length === 1) {
    registration.happened.push({ type: 'registration.attendee_removed', person });
    cancelWhole(book, registration, undefined);
    return;
  }
  if (holds(registration)) book.places.take(needsOf(book.world.event.id, [person]), registration.test, -1);
  leave(book, registration, person);
  person.cancelled = true;
  person.touched = true;
  touch(registration);
  retotal(registration);
  registration.happened.push({ type: 'registration.attendee_removed', person });
  covered(book, registration);
}

import type { AttendeeChange, AttendeeInput } from '@turnout/contract';
import type { Reach } from '../../road/reference.ts';
import { Refusal, refuse } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
import { emailKey } from '../contacts/index.ts';
import type { Book } from './book.ts';
import { Findings, FORM, readChange, readPerson } from './input.ts';
import { covered } from './payments.ts';
import { newPerson, takenEmail, windowRefusal } from './register.ts';
import { active, holds, needsOf, type PersonState, type RegistrationState, touch } from './state.ts';
import { end, requireStatus, retotal } from './statuses.ts';
import { depart, follow, issueLacking, leave } from './tickets.ts';

/** Adds one person as the event's form would. A full day is refused, never waitlisted (contract). */
export async function addPerson(
  book: Book,
  reach: Reach,
  registration: RegistrationState,
  input: AttendeeInput,
): Promise<PersonState> {
  requireStatus(registration, 'add');
  const { event } = book.world;
  const closed = windowRefusal(book);
  if (closed !== null) throw closed;
  const findings = new Findings();
  const details = await readPerson(reach, book.world, input, '', registration.group_id, FORM, findings);
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
  const lacking = book.places.lacking(needs, registration.test);
  if (lacking.length > 0) throw new Refusal(lacking[0]!.code, { message: lacking[0]!.message });
  // Nobody jumps the queue by being added.
  const awaited = book.places.awaited(needs, registration.test);
  if (awaited.length > 0) throw waitedFor(book, awaited[0]!);
  const person = newPerson(book, details!, Math.max(-1, ...registration.people.map((one) => one.position)) + 1);
  registration.people.push(person);
  book.places.take(needs, registration.test, 1);
  retotal(registration);
  touch(registration);
  registration.happened.push({ type: 'registration.attendee_added', person });
  if (registration.status === 'confirmed') issueLacking(book, registration, [person]);
  return person;
}

function waitedFor(book: Book, scope: Id): Refusal {
  const { event, days, types } = book.world;
  const message = 'Others wait for this place; it goes to them first.';
  if (scope === event.id) return new Refusal('event_full', { message });
  if (types.has(scope)) return new Refusal('type_full', { message });
  return new Refusal('day_full', { message: `${message} (day ${days.get(scope)?.code})` });
}

/** Names, type, days, answers: places move exactly, tickets follow. */
export async function changePerson(
  book: Book,
  reach: Reach,
  registration: RegistrationState,
  person: PersonState,
  input: AttendeeChange,
): Promise<PersonState> {
  requireStatus(registration, 'change');
  if (person.cancelled) refuse('invalid_state', { message: 'The person is cancelled.' });
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
  const moved =
    details.attendee_type_id !== person.attendee_type_id || details.day_ids.join() !== person.day_ids.join();
  if (moved && holds(registration)) {
    const was = needsOf(event.id, [person]);
    const is = needsOf(event.id, [details]);
    // Only what it needs anew: the place in the event it has, also where the capacity was lowered since.
    const more = new Map([...is].filter(([scope]) => !was.has(scope)));
    const lacking = book.places.lacking(more, registration.test);
    if (lacking.length > 0) throw new Refusal(lacking[0]!.code, { message: lacking[0]!.message });
    const awaited = book.places.awaited(more, registration.test);
    if (awaited.length > 0) throw waitedFor(book, awaited[0]!);
    book.places.take(was, registration.test, -1);
    book.places.take(is, registration.test, 1);
  }
  if (details.group_id !== person.group_id) {
    for (const ticket of registration.tickets)
      if (ticket.people.includes(person.id)) depart(registration, ticket, person);
  }
  Object.assign(person, details);
  person.touched = true;
  for (const ticket of registration.tickets) if (ticket.people.includes(person.id)) ticket.touched = true;
  touch(registration);
  retotal(registration);
  if (moved) follow(book, registration, person);
  covered(book, registration);
  return person;
}

/** Cancels one person; the last one takes the registration along. */
export function cancelPerson(book: Book, registration: RegistrationState, person: PersonState): void {
  requireStatus(registration, 'cancel');
  if (person.cancelled) refuse('invalid_state', { message: 'The person is cancelled already.' });
  if (active(registration).length === 1) {
    registration.happened.push({ type: 'registration.attendee_removed', person });
    end(book, registration, 'cancelled');
    registration.happened.push({ type: 'registration.cancelled' });
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

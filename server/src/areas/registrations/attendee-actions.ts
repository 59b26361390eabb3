import type { Attendee, AttendeeChange, AttendeeInput } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { addAttendeeTo, cancelAttendeeOf, changeAttendeeOf } from './attendees.ts';
import { change } from './change.ts';
import { shownAttendee } from './reach.ts';
import { type AttendeeRef, asPart, type RegistrationRef } from './references.ts';
import type { AttendeeState, RegistrationState } from './state.ts';

export const attendeeIn = (registration: RegistrationState, found: AttendeeRef): AttendeeState =>
  registration.attendees.find((attendee) => attendee.id === found.id) ?? refuse('not_found');

export async function addAttendee(work: Work, found: RegistrationRef, body: AttendeeInput): Promise<Attendee> {
  const { showing, registration, result } = await change(work, 'registration', asPart(found), (book, state) =>
    addAttendeeTo(book, work, state, body),
  );
  return shownAttendee(showing, registration, result);
}

export async function changeAttendee(work: Work, found: AttendeeRef, body: AttendeeChange): Promise<Attendee> {
  const { showing, registration, result } = await change(
    work,
    'attendee',
    found,
    (book, state) => changeAttendeeOf(book, work, state, attendeeIn(state, found), body),
    shownAttendee,
  );
  return shownAttendee(showing, registration, result);
}

export async function cancelAttendee(work: Work, found: AttendeeRef): Promise<Attendee> {
  const { showing, registration, result } = await change(work, 'attendee', found, (book, state) => {
    const attendee = attendeeIn(state, found);
    cancelAttendeeOf(book, state, attendee);
    return attendee;
  });
  return shownAttendee(showing, registration, result);
}

import type { Attendee, AttendeeChange, AttendeeCreate } from '@turnout/contract';
import { type Refusal, refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { addAttendeeTo, cancelAttendeeOf, changeAttendeeOf } from './attendees.ts';
import { type ChangedRegistration, type ChangeItem, change, changeTogether } from './change.ts';
import { byId } from './parts.ts';
import { shownAttendee } from './reach.ts';
import { type AttendeeRef, asPart, type RegistrationRef } from './references.ts';
import type { AttendeeState, RegistrationState } from './state.ts';

export const attendeeIn = (registration: RegistrationState, found: AttendeeRef): AttendeeState =>
  byId(registration.attendees).get(found.id) ?? refuse('not_found');

export async function addAttendee(work: Work, found: RegistrationRef, body: AttendeeCreate): Promise<Attendee> {
  const { showing, registration, result } = await change(work, 'registration', asPart(found), (book, state) =>
    addAttendeeTo(book, work, state, body),
  );
  return shownAttendee(showing, registration, result);
}

const changeItem = (work: Work, found: AttendeeRef, body: AttendeeChange): ChangeItem<AttendeeState> => ({
  work,
  found,
  act: (book, state) => changeAttendeeOf(book, work, state, attendeeIn(state, found), body),
});

export async function changeAttendee(work: Work, found: AttendeeRef, body: AttendeeChange): Promise<Attendee> {
  const { act } = changeItem(work, found, body);
  const { showing, registration, result } = await change(work, 'attendee', found, act, shownAttendee);
  return shownAttendee(showing, registration, result);
}

/** Makes the same change to attendees of one registration as one change of it. */
export const changeAttendeesTogether = (
  items: readonly { work: Work; found: AttendeeRef }[],
  body: AttendeeChange,
): Promise<(ChangedRegistration<AttendeeState> | Refusal)[]> =>
  changeTogether(
    'attendee',
    items.map(({ work, found }) => changeItem(work, found, body)),
    shownAttendee,
  );

export async function cancelAttendee(work: Work, found: AttendeeRef): Promise<Attendee> {
  const { showing, registration, result } = await change(work, 'attendee', found, (book, state) => {
    const attendee = attendeeIn(state, found);
    cancelAttendeeOf(book, state, attendee);
    return attendee;
  });
  return shownAttendee(showing, registration, result);
}

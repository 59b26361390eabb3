import type { RegistrationState } from './state.ts';

/** What is marked as changed (`touched`) in a registration, and what happened to it since some moment. */
export type Marked = Pick<RegistrationState, 'touched' | 'attendees' | 'tickets' | 'happened'>;

const isTouched = ({ touched }: { touched: boolean }): boolean => touched;

/**
 * Takes all marks off a registration and returns them, so that the next act begins without any: what one of several acts changed is
 * what is marked after it. An act marks whatever it changes, because nothing else is saved. `since`: how much had happened before.
 */
export function takeMarks(registration: RegistrationState, since: number): Marked {
  const { touched, attendees, tickets, happened } = registration;
  const marked = {
    touched,
    attendees: attendees.filter(isTouched),
    tickets: tickets.filter(isTouched),
    happened: happened.slice(since),
  };
  mark(registration, marked, false);
  return marked;
}

/** Puts marks back, so that what they are on is saved. */
export function restoreMarks(registration: RegistrationState, marked: Marked): void {
  if (marked.touched) mark(registration, marked, true);
}

function mark(registration: RegistrationState, { attendees, tickets }: Marked, touched: boolean): void {
  registration.touched = touched;
  for (const attendee of attendees) attendee.touched = touched;
  for (const ticket of tickets) ticket.touched = touched;
}

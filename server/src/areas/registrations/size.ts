import { MAX_PERSON_DAYS, MAX_TICKETS } from '@turnout/contract';
import { type Fault, refuse } from '../../common/refusal.ts';
import { type AttendeeState, activeAttendees, type RegistrationState } from './state.ts';
import { ticketsDue } from './tickets.ts';
import type { EventWorld } from './world.ts';

/*
 * How large a registration may be. A registration is decided, written, announced and answered in one piece, while everybody else who
 * wants to change the event waits. 5,000 tickets take about a second. A person on a day costs less than a ticket, but is still a
 * place that is counted, a day in every answer and webhook about the person, and a line at the door; so people times days have a
 * bound of their own, which also holds where one ticket is for many days or many people.
 */

type Sized = Pick<AttendeeState, 'attendee_type_id' | 'day_ids'>;

/** What is counted of a registration. */
export interface Size {
  tickets: number;
  personDays: number;
}

/** How large a registration of these attendees is, with the tickets that they get by the event's ticketing. */
export function sizeOf(world: EventWorld, attendees: readonly Sized[]): Size {
  const shared = world.event.ticketing === 'shared';
  let [tickets, personDays] = [shared ? 1 : 0, 0];
  for (const attendee of attendees) {
    if (!shared) tickets += ticketsDue(world, attendee).length;
    personDays += attendee.day_ids.length;
  }
  return { tickets, personDays };
}

const number = (count: number): string => count.toLocaleString('en-US');

/** Why a registration of this size is too large, as a fault of the field at `path`; null if it is not. */
export function sizeFault({ tickets, personDays }: Size, path: string): Fault | null {
  const split = 'register fewer people or fewer days at a time, in several registrations';
  if (tickets > MAX_TICKETS) {
    return {
      path,
      message: `would make ${number(tickets)} tickets, and one registration has at most ${number(MAX_TICKETS)}: ${split}`,
    };
  }
  if (personDays > MAX_PERSON_DAYS) {
    return {
      path,
      message: `would take ${number(personDays)} places (people times days), and one registration takes at most ${number(MAX_PERSON_DAYS)}: ${split}`,
    };
  }
  return null;
}

/** The fault of a registration that `changed` would make larger than it may be. One that is too large already may become smaller. */
export function growthFault(
  world: EventWorld,
  registration: RegistrationState,
  changed: { from: AttendeeState | null; to: Sized },
  path: string,
): Fault | null {
  const others = activeAttendees(registration).filter((one) => one !== changed.from);
  const before = changed.from === null ? 0 : changed.from.day_ids.length;
  if (changed.from !== null && changed.to.day_ids.length <= before) return null;
  return sizeFault(sizeOf(world, [...others, changed.to]), path);
}

/** How many tickets a registration may have with its voided ones, which are loaded, saved and shown with it. */
export const MAX_KEPT_TICKETS = 4 * MAX_TICKETS;

/**
 * Refuses tickets that take the place of voided ones again and again, or that are issued beside others. Only somebody who goes on
 * reissuing by program gets there: 200 people have their tickets reissued 99 times.
 */
export function requireKeepable({ tickets }: Pick<RegistrationState, 'tickets'>, more: number): void {
  if (tickets.length + more <= MAX_KEPT_TICKETS) return;
  refuse('invalid_state', {
    message: `The registration has had ${number(tickets.length)} tickets, and one has at most ${number(MAX_KEPT_TICKETS)} with its voided ones. Cancel it and register its attendees again.`,
  });
}

/**
 * Refuses to issue more tickets at once than a registration may have: the event's ticketing may have changed since people
 * registered, and a day that was one of many on one ticket may now need a ticket of its own.
 */
export function requireIssuable(world: EventWorld, attendees: readonly Sized[]): void {
  const { tickets } = sizeOf(world, attendees);
  if (tickets <= MAX_TICKETS) return;
  refuse('invalid_state', {
    message: `The registration would get ${number(tickets)} tickets, and one has at most ${number(MAX_TICKETS)}. Cancel some of its attendees, or change the event's ticketing.`,
  });
}

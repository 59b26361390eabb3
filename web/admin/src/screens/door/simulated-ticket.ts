import { type Admission, dayForOverride, instant, type PreparedWorld, type Ticket } from '@turnout/checkin';
import type { MadeUp } from './made-up.tsx';
import type { SomebodysTicket } from './somebody.tsx';

/** A ticket of one person, and the state of their registration in words of the server. */
export type SimulatedTicket = Ticket & { registration: string };

/** The ticket of a made-up person. Each earlier admission is of the day that the door would have chosen. */
export function madeUpTicket(of: MadeUp, world: PreparedWorld): SimulatedTicket {
  const admissions = of.earlier.map((one, seq): Admission => {
    const at = instant(one.at);
    const kind = world.points.get(one.point)?.kind ?? 'entry';
    return { check_in_point: one.point, kind, day: dayForOverride(world, one.point, at, of.days), at, seq };
  });
  return {
    ...{ status: of.ticket, test: false, registration: of.status },
    people: [
      {
        ...{ id: 'made-up', attendee_type: of.type, group: of.group === '' ? null : of.group, days: of.days },
        ...{ confirmed: of.status === 'confirmed', admissions },
      },
    ],
  };
}

export function ticketOf({ ticket, attendee, admissions }: SomebodysTicket): SimulatedTicket {
  return {
    ...{ status: ticket.status, test: ticket.test, registration: attendee.status },
    people: [
      {
        ...{ id: attendee.id, attendee_type: attendee.attendee_type, group: attendee.group, days: ticket.days },
        ...{ confirmed: attendee.status === 'confirmed', admissions },
      },
    ],
  };
}

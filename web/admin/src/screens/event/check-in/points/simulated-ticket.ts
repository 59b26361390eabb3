import { type Admission, dayForOverride, instant, type PreparedWorld, type Ticket } from '@turnout/checkin';
import type { AttendeeTicket } from './attendee-chooser.tsx';
import type { MadeUpPerson } from './made-up-person.tsx';

/** A ticket of one person, and the state of their registration in words of the server. */
export type SimulatedTicket = Ticket & { registration: string };

/** The ticket of a made-up person. Each earlier admission is of the day that the door would have chosen. */
export function madeUpTicket(person: MadeUpPerson, world: PreparedWorld): SimulatedTicket {
  const admissions = person.earlier.map((one, seq): Admission => {
    const at = instant(one.at);
    const kind = world.points.get(one.point)?.kind ?? 'entry';
    return { check_in_point: one.point, kind, day: dayForOverride(world, one.point, at, person.days), at, seq };
  });
  return {
    ...{ status: person.ticket, test: false, registration: person.status },
    people: [
      {
        ...{
          id: 'made-up',
          attendee_type: person.type,
          group: person.group === '' ? null : person.group,
          days: person.days,
          products: person.products,
        },
        ...{ confirmed: person.status === 'confirmed', admissions },
      },
    ],
  };
}

export function ticketOf({ ticket, attendee, products, admissions }: AttendeeTicket): SimulatedTicket {
  return {
    ...{ status: ticket.status, test: ticket.test, registration: attendee.status },
    people: [
      {
        ...{ id: attendee.id, attendee_type: attendee.attendee_type, group: attendee.group, days: ticket.days },
        ...{ confirmed: attendee.status === 'confirmed', products, admissions },
      },
    ],
  };
}

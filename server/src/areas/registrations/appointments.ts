import { toUlid } from '../../common/ids.ts';
import type { Appointment } from '../../outside/calendar.ts';
import { closesAt, type DayRow, type EventRow, nextDate, opensAt } from '../events/index.ts';
import { daysIn } from './print.ts';
import type { EventWorld } from './world.ts';

/** Whoever comes on more days than this gets one appointment from the first day to the last. */
const MAX_APPOINTMENTS = 31;

/**
 * The appointments of a registration, or of one of its attendees, for a calendar: one for each day. Calendars are shown to others,
 * so an appointment names no attendee and holds no ticket code. `whose` makes its uid differ from those of other registrations.
 */
export function appointmentsOf(
  world: EventWorld,
  whose: string,
  dayCodes: readonly string[],
  description: string,
): Appointment[] {
  const { event } = world;
  const days = daysIn(world, dayCodes);
  const about = { summary: event.name, location: event.venue, description };
  const uid = (id: string) => `${toUlid(id)}.${whose}@turnout`;
  if (days.length > 0 && days.length <= MAX_APPOINTMENTS) {
    return days.map((day) => ({
      ...about,
      ...timesOf(day, event),
      uid: uid(day.id),
      summary: day.name === day.date ? event.name : `${event.name}: ${day.name}`,
    }));
  }
  const [first, last] = [days[0], days.at(-1)];
  if (first !== undefined && last !== undefined) {
    return [{ ...about, uid: uid(event.id), start: first.date, end: nextDate(last.date) }];
  }
  if (event.starts_at === null) return [];
  return [{ ...about, uid: uid(event.id), start: event.starts_at, end: event.ends_at ?? event.starts_at }];
}

/** The day's own hours; or the event's, if it starts and ends on this day; or else the whole day. */
function timesOf(day: DayRow, event: EventRow): Pick<Appointment, 'start' | 'end'> {
  const [opens, closes] = [opensAt(day, event.timezone), closesAt(day, event.timezone)];
  if (day.opens_at !== null || day.closes_at !== null) return { start: opens, end: closes };
  const { starts_at, ends_at } = event;
  const within = (at: string | null) =>
    at !== null && Date.parse(at) >= Date.parse(opens) && Date.parse(at) <= Date.parse(closes);
  if (within(starts_at) && within(ends_at)) return { start: starts_at!, end: ends_at! };
  return { start: day.date, end: nextDate(day.date) };
}

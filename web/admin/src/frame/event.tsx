import type { AttendeeType, CheckInPoint, Day, Event, Product, Question, Quota } from '@turnout/client';
import { createContext, useContext } from 'react';

/** The event in the address and what it consists of. Everything follows when somebody changes it. */
export interface EventParts {
  event: Event;
  /** By date. */
  days: readonly Day[];
  /** Types and questions in the order in which they were made. */
  types: readonly AttendeeType[];
  points: readonly CheckInPoint[];
  questions: readonly Question[];
  /** What can be booked beside a ticket, and the limits that several of them share, in the order in which they were made. */
  products: readonly Product[];
  limits: readonly Quota[];
  /** Whether there is a code that makes something cheaper, as far as the viewer may see them. */
  hasCodes: boolean;
  timezone: string;
  /** An amount in the event's currency, as the viewer's language writes it. */
  money: (minor: number) => string;
  /** What a day, type, product or check-in point is called: a day without a name by its date, one that is gone by its code. */
  dayName: (code: string) => string;
  /** The days to choose from: a name with its date. */
  dayOptions: readonly { value: string; label: string }[];
  typeName: (code: string) => string;
  productName: (code: string) => string;
  pointName: (code: string) => string;
  /** The parameters of every address and every call of this event: `<Link to="/$org/events/$event/people" params={base}>`. */
  base: { org: string; event: string };
}

export const EventContext = createContext<EventParts | null>(null);

/** The event that the screen is about. */
export function useEvent(): EventParts {
  const event = useContext(EventContext);
  if (event === null) throw new Error('This screen is not below /app/{org}/events/{event}.');
  return event;
}

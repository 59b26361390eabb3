/** Whom a product is for. Null: all types, or all days. */
export interface Offered {
  attendee_types: readonly string[] | null;
  days: readonly string[] | null;
}
/** A person, by the type and the days of the ticket. */
export interface Comer {
  attendee_type: string;
  days: readonly string[];
}

/** Whether a product is for this person: it is for their type, and for one of the days on which they come. */
export const isOfferedTo = ({ attendee_types, days }: Offered, comer: Comer): boolean =>
  (attendee_types === null || attendee_types.includes(comer.attendee_type)) &&
  (days === null || comer.days.some((day) => days.includes(day)));

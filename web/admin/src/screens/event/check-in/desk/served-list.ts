const REMEMBERED = 8;

/** Who was served at a desk lately, the latest first and each person once. Codes that are nobody’s are all kept. */
export const withServed = <Served extends { attendee: { id: string } | null }>(
  before: readonly Served[],
  one: Served,
): Served[] =>
  [one, ...before.filter(({ attendee }) => attendee === null || attendee.id !== one.attendee?.id)].slice(0, REMEMBERED);

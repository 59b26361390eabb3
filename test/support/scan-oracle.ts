import type { World } from '@turnout/checkin';

/** An admission as it is recorded. */
export interface Admitted {
  seq: number;
  person: string;
  attendee_type: string;
  /** Codes of what the person has booked, alone or with the whole registration. */
  products: string[];
  check_in_point: string;
  kind: 'entry' | 'pre_check' | 'zone' | 'exit';
  day: string | null;
  at: number;
  test: boolean;
}

/**
 * Compares the recorded admissions with what each point's policy allows, from the rows alone and independently of the code that
 * decides. An admission is one too many if the limit was already used up when it was recorded, or if the person has booked nothing that
 * the point asks for.
 */
export function tooMany(world: World, rows: readonly Admitted[]): string[] {
  const found: string[] = [];
  const pointOf = (row: Admitted) => world.check_in_points.find(({ code }) => code === row.check_in_point)!;
  for (const row of rows) {
    const point = pointOf(row);
    const limit =
      point.policy?.limit ?? (point.kind === 'entry' || point.kind === 'pre_check' ? 'once_per_day' : 'unlimited');
    const cooldown = (point.policy?.cooldown_seconds ?? 0) * 1000;
    const before = rows.filter((one) => one.seq < row.seq && one.person === row.person && one.test === row.test);
    const venue = row.kind === 'entry' || row.kind === 'pre_check';
    const counted = before.filter((one) => (venue ? one.kind === row.kind : one.check_in_point === row.check_in_point));
    const sameDay = counted.filter((one) => one.day === row.day);
    const leftBetween = (one: Admitted) =>
      before.some(
        (exit) =>
          exit.kind === 'exit' &&
          pointOf(exit).policy?.leaves == null &&
          exit.at >= Math.min(one.at, row.at) &&
          exit.at <= Math.max(one.at, row.at),
      );
    const tell = (what: string) => found.push(`${row.person} at ${row.check_in_point} (${row.seq}): ${what}`);
    const asked = point.policy?.products ?? null;
    if (asked !== null && !asked.some((code) => row.products.includes(code)))
      tell('without a product that is asked for');
    if (limit === 'once' && counted.length > 0) tell('more than once');
    if (limit === 'once_per_day' && sameDay.length > 0) tell('more than once on a day');
    if (limit === 'once_until_exit' && sameDay.some((one) => !leftBetween(one))) tell('twice without an exit between');
    if (counted.some((one) => Math.abs(one.at - row.at) < cooldown)) tell('within the cooldown');
    const pass = world.attendee_types.find(({ code }) => code === row.attendee_type)?.pass_days ?? null;
    if (pass !== null && row.kind !== 'exit') {
      const others = new Set(before.filter((one) => one.kind === 'entry' && one.day !== row.day).map((one) => one.day));
      if (others.size >= pass) tell(`a pass for ${pass} days on another one`);
    }
  }
  return found;
}

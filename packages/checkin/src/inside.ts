import { isLater, passDirection } from './history.ts';
import { keyOf, type PreparedWorld, pointOf } from './prepare.ts';
import type { Admission } from './scan.ts';

/** An admission together with the person who was admitted. */
export interface Pass extends Admission {
  readonly person: string;
}

/**
 * How many people are inside a zone at `at`, by day: those whose last pass of that day, up to `at`, went in. Without the people
 * of the ticket (`except`) this is the number for a scan's `others_inside`.
 *
 * `all` may contain any admissions of one mode, in any order. Those that have nothing to do with the zone are ignored, so a
 * caller may give everything on record, or only the passes of the zone and the exits.
 */
export function insideZone(
  world: PreparedWorld,
  zone: string,
  all: Iterable<Pass>,
  at: number,
  except: readonly string[] = [],
): Record<string, number> {
  const { key } = pointOf(world, zone);
  const excepted = new Set(except);
  const lastOf = new Map<string, Map<string, Pass>>();
  for (const pass of all) {
    if (pass.at > at || pass.day === null || passDirection(world, key, pass) === null) continue;
    if (excepted.has(pass.person)) continue;
    const day = keyOf(world.keys.days, pass.day);
    let people = lastOf.get(day);
    if (people === undefined) {
      people = new Map();
      lastOf.set(day, people);
    }
    const last = people.get(pass.person);
    if (last === undefined || isLater(pass, last)) people.set(pass.person, pass);
  }
  const inside: Record<string, number> = {};
  for (const [day, people] of lastOf) {
    let count = 0;
    for (const last of people.values()) if (last.kind === 'zone') count += 1;
    inside[day] = count;
  }
  return inside;
}

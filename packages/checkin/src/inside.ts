import { isLater, passes } from './history.ts';
import { keyOf, type PreparedWorld, pointOf } from './prepare.ts';
import type { Admission } from './scan.ts';

/** An admission with its person: a pass through some door. */
export interface Pass extends Admission {
  readonly person: string;
}

/**
 * How many people are inside a zone at `at`, by day: those whose last pass of that day, up to `at`, went in. This is
 * the count that a scan's `others_inside` asks for, with the people of the ticket left out (`except`).
 *
 * `all` may hold any admissions of one mode in any order; those that have nothing to do with the zone are passed
 * over, so a caller may hand in everything on record or only the zone's passes and the exits.
 */
export function insideZone(
  world: PreparedWorld,
  zone: string,
  all: Iterable<Pass>,
  at: number,
  except: readonly string[] = [],
): Record<string, number> {
  const { key } = pointOf(world, zone);
  const left = new Set(except);
  const lastOf = new Map<string, Map<string, Pass>>();
  for (const pass of all) {
    if (pass.at > at || pass.day === null || passes(world, key, pass) === null) continue;
    if (left.has(pass.person)) continue;
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

import type { RosterEntry } from '@turnout/contract';
import { type Sql, sql } from '../../store/sql.ts';
import { eventGroup, registrationFullyInReach } from '../groups/index.ts';
import type { BookedLine } from '../registrations/index.ts';
import type { RosterReach } from './roster-reach.ts';
import type { ScanWorld } from './world.ts';

/*
 * What people have booked and not got yet, as the roster tells it to scanners. Nothing of this is read in an event that sells no products.
 */

export interface BookedRow {
  lines?: BookedLine[];
  /** Of the whole registration; empty for a roster that is limited to a group and lacks somebody of it. */
  shared_lines?: BookedLine[];
}

type ToHandOut = NonNullable<RosterEntry['people'][number]['to_hand_out']>;

/** So many of a person's lines are in the roster; the others appear there as these are handed out. */
const MAX_TO_HAND_OUT = 20;

/** Columns of the roster's people `a` of registrations `r`. */
export function bookedLines(world: ScanWorld, reach: RosterReach): Sql {
  if (!handsOut(world, reach)) return sql``;
  const whole = registrationFullyInReach(reach, 'r', eventGroup(world.event));
  return sql`, a.products as lines, case when r.products <> '[]' and ${whole} then r.products else '[]' end as shared_lines`;
}

/** In test mode of a live event nothing is handed out, because only live attendees are given anything there. */
const handsOut = ({ catalogue, event }: ScanWorld, { mode }: RosterReach): boolean =>
  catalogue.size > 0 && (event.test || mode === 'live');

export function toHandOut(world: ScanWorld, status: string, { lines, shared_lines = [] }: BookedRow) {
  if (lines === undefined) return {};
  if (status !== 'confirmed') return { to_hand_out: [] };
  const own = leftOf(world, lines, 'attendee');
  return { to_hand_out: [...own, ...leftOf(world, shared_lines, 'registration')].slice(0, MAX_TO_HAND_OUT) };
}

/** Lines of one product and option, which differ in their price, are one here. */
function leftOf({ catalogue }: ScanWorld, lines: readonly BookedLine[], booked_by: ToHandOut[number]['booked_by']) {
  const left = new Map<string, ToHandOut[number]>();
  for (const { product_id, option_id, quantity, handed_out } of lines) {
    const product = catalogue.get(product_id);
    if (product === undefined || handed_out >= quantity) continue;
    const option = product.options.find(({ id }) => id === option_id) ?? null;
    const key = `${product_id} ${option_id}`;
    left.set(key, {
      product: product.code,
      option: option?.code ?? null,
      name: product.name,
      option_name: option?.name ?? null,
      left: (left.get(key)?.left ?? 0) + quantity - handed_out,
      booked_by,
    });
  }
  return [...left.values()];
}

/** More tickets whose entries changed: what is booked with a whole registration stamps none of its attendees. */
export function ticketsOfRegistrationsSince(world: ScanWorld, reach: RosterReach, since: string): Sql {
  if (!handsOut(world, reach) && world.askedProducts.size === 0) return sql``;
  return sql`union
    select t.id from registrations r join tickets t on t.org_id = r.org_id and t.registration_id = r.id
      where r.org_id = ${reach.org} and r.event_id = ${reach.event} and r.updated_at >= ${since}::timestamptz`;
}

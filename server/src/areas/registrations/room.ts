import type { Id } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Tx } from '../../store/tx.ts';
import { needsOf, type Placed } from './needs.ts';
import { Places } from './places.ts';
import { type BookedLine, NO_LINES } from './state.ts';
import type { EventWorld } from './world.ts';

/** The places of an event, and whether test registrations or live ones ask for them. */
interface EventRoom {
  world: EventWorld;
  places: Places;
  test: boolean;
}

/** Whether the attendees get places or wait, and then for which; a refusal if they can do neither. */
export function roomFor(
  { world, places, test }: EventRoom,
  attendees: readonly Placed[],
  products: readonly BookedLine[],
): { waits: boolean; scopes: Id[] } | Refusal {
  const needs = needsOf(world, attendees, products);
  const lacking = places.lacking(needs, test);
  const awaited = places.awaited(needs, test);
  const waits = world.event.registration.waitlist && (lacking.length > 0 || awaited.length > 0);
  const cap = lacking.find((one) => one.code === 'attendee_cap_reached');
  const refused = cap ?? (waits ? undefined : lacking[0]);
  if (refused !== undefined) return new Refusal(refused.code, { message: refused.message });
  return { waits, scopes: [...lacking.map((one) => one.scope), ...awaited] };
}

/** What would become of a registration if it were sent now. */
export interface RoomForecast {
  outcome: 'places' | 'waits' | 'refused';
  /** Those who would get places without the others, by their position. The people who were named first come first. */
  fitting: number[];
}

/** Says before people register what will happen. Nothing is held for them, so it may be different a moment later. */
export async function forecastRoom(
  tx: Tx,
  org: Id,
  world: EventWorld,
  cap: number | null,
  attendees: readonly Placed[],
  products: readonly BookedLine[] = NO_LINES,
): Promise<RoomForecast> {
  const places = new Places(world, cap, await Places.counts(tx, org, world.event.id));
  const eventRoom: EventRoom = { world, places, test: world.event.test };
  const room = roomFor(eventRoom, attendees, products);
  if (!(room instanceof Refusal) && !room.waits) return { outcome: 'places', fitting: [...attendees.keys()] };
  const fitting: number[] = [];
  for (const [i, attendee] of attendees.entries()) {
    const together = roomFor(eventRoom, [...fitting.map((one) => attendees[one]!), attendee], products);
    if (!(together instanceof Refusal) && !together.waits) fitting.push(i);
  }
  return { outcome: room instanceof Refusal ? 'refused' : 'waits', fitting };
}

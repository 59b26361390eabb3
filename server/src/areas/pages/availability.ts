import { type PublicAvailability, type PublicRegistration, saleAt } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { hasClosed } from '../events/index.ts';
import type { PublicEvent, ShownDay, ShownType } from './queries.ts';

/** What is left of an event: of the whole, of each day and of each type, in words and never in numbers. */
export interface PlacesLeft {
  event: PublicAvailability;
  days: ReadonlyMap<Id, PublicAvailability>;
  types: ReadonlyMap<Id, PublicAvailability>;
  /** Days that are over, and types that have too few others. */
  over: ReadonlySet<Id>;
  /** Types that go on sale later. */
  notYet: ReadonlySet<Id>;
  /** Of products and of their options. */
  units: ReadonlyMap<Id, UnitsLeft>;
}

/** What is left of a product or an option. Its number is said where it is small, because somebody may want several. */
export interface UnitsLeft {
  state: PublicAvailability;
  /** Null: there is no limit. */
  units: number | null;
}

/** `few`: fewer than ten places, or less than a tenth of all of them. */
const FEW = 10;
const FEW_SHARE = 0.1;

/** From best to worst. */
const ORDER: readonly PublicAvailability[] = ['available', 'few', 'waitlist', 'sold_out'];
const worst = (...all: PublicAvailability[]): PublicAvailability =>
  ORDER[Math.max(...all.map((one) => ORDER.indexOf(one)))]!;
const best = (all: PublicAvailability[]): PublicAvailability =>
  ORDER[Math.min(...all.map((one) => ORDER.indexOf(one)))] ?? 'sold_out';

type Counted = Pick<PublicEvent, 'event' | 'placeCounts'>;

/** What is left of one scope. Newcomers queue behind others only as long as there is a waitlist. */
function leftIn({ event, placeCounts }: Counted, id: Id, capacity: number | null): UnitsLeft {
  const { waitlist } = event.registration;
  const { taken = 0, waiting = 0 } = placeCounts.get(id) ?? {};
  const units = capacity === null ? null : Math.max(0, capacity - taken);
  if (waiting > 0 && waitlist) return { state: 'waitlist', units };
  if (capacity === null || units === null) return { state: 'available', units };
  if (units === 0) return { state: waitlist ? 'waitlist' : 'sold_out', units };
  return { state: units < FEW || units < capacity * FEW_SHARE ? 'few' : 'available', units };
}

/** Of something that several limits bound. */
const together = (all: readonly UnitsLeft[]): UnitsLeft => {
  const bounded = all.flatMap(({ units }) => (units === null ? [] : [units]));
  return { state: worst(...all.map(({ state }) => state)), units: bounded.length === 0 ? null : Math.min(...bounded) };
};

/** A unit of a product takes one of the product, of its option and of each shared limit that counts the product. */
function unitsLeft(found: PublicEvent): Map<Id, UnitsLeft> {
  const left = new Map<Id, UnitsLeft>();
  for (const { id, capacity, options } of found.products) {
    const limits = found.limits.filter(({ product_ids }) => product_ids.includes(id));
    const whole = together([leftIn(found, id, capacity), ...limits.map((one) => leftIn(found, one.id, one.capacity))]);
    for (const option of options) left.set(option.id, together([whole, leftIn(found, option.id, option.capacity)]));
    const states = options.map((option) => left.get(option.id)!.state);
    left.set(id, { ...whole, state: options.length === 0 ? whole.state : worst(whole.state, best(states)) });
  }
  return left;
}

const openDays = ({ event, days }: Pick<PublicEvent, 'event' | 'days'>, now: Date): ShownDay[] =>
  days.filter((day) => !hasClosed(day, event.timezone, now));

/**
 * `cap` is the most attendees of an event in the organization's plan. Nobody waits for a place beyond it. Nothing is left of a day that
 * is over, nor of a type that has too few other days.
 */
export function leftOf(found: PublicEvent, cap: number | null, now: Date): PlacesLeft {
  const { event, days, types, placeCounts } = found;
  const scope = (id: Id, capacity: number | null): PublicAvailability => leftIn(found, id, capacity).state;
  const isCapped = cap !== null && (placeCounts.get(event.id)?.taken ?? 0) >= cap;
  const most = cap === null ? event.capacity : Math.min(cap, event.capacity ?? cap);
  const ofEvent = isCapped ? 'sold_out' : scope(event.id, most);
  const open = openDays({ event, days }, now);
  const ofDays = new Map<Id, PublicAvailability>([
    ...days.map((day) => [day.id, 'sold_out'] as const),
    ...open.map((day) => [day.id, worst(ofEvent, scope(day.id, day.capacity))] as const),
  ]);
  const isOver = (type: ShownType): boolean =>
    offeredDays(type, days).length > 0 && offeredDays(type, open).length < (type.pass_days ?? 1);
  const sales = new Map(types.map((type) => [type, saleAt(type.on_sale, now)]));
  const ofType = (type: ShownType): PublicAvailability => {
    const own = offeredDays(type, open).map((day) => ofDays.get(day.id)!);
    if (isOver(type) || sales.get(type) !== 'now') return 'sold_out';
    // A pass takes a place on each of its days, all others on the days that are chosen.
    const byDays = own.length === 0 ? ofEvent : type.pass_days === null ? best(own) : worst(...own);
    return worst(ofEvent, scope(type.id, type.capacity), byDays);
  };
  const ofTypes = new Map(types.map((type) => [type.id, ofType(type)]));
  const isOpen = new Set(open);
  const notYet = new Set(types.filter((type) => sales.get(type) === 'before').map(({ id }) => id));
  const isPast = (type: ShownType) => isOver(type) || sales.get(type) === 'over';
  const over = new Set([...days.filter((day) => !isOpen.has(day)), ...types.filter(isPast)].map(({ id }) => id));
  return {
    event: ofTypes.size === 0 ? ofEvent : best([...ofTypes.values()]),
    days: ofDays,
    types: ofTypes,
    over,
    notYet,
    units: unitsLeft(found),
  };
}

export function offeredDays({ day_ids }: Pick<ShownType, 'day_ids'>, days: readonly ShownDay[]): ShownDay[] {
  if (day_ids === null) return [...days];
  const offered = new Set(day_ids);
  return days.filter(({ id }) => offered.has(id));
}

/** Whether one can register now. Once all days of an event are over, one cannot. */
export function registrationState({ event, days }: Pick<PublicEvent, 'event' | 'days'>, now: Date): PublicRegistration {
  const { opens_at, closes_at } = event.registration;
  if (event.status !== 'published') return 'closed';
  if (opens_at !== null && now.getTime() < Date.parse(opens_at)) return 'not_yet';
  if (closes_at !== null && now.getTime() >= Date.parse(closes_at)) return 'closed';
  return days.length > 0 && openDays({ event, days }, now).length === 0 ? 'closed' : 'open';
}

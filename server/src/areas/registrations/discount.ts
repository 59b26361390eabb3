import { discountKey, discountOff } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { type DiscountRow, discountByCode } from '../events/index.ts';
import { findGroup } from '../groups/index.ts';
import type { Places } from './places.ts';
import type { AgreedPrice } from './price.ts';
import { activeAttendees, type BookedLine, type RegistrationState } from './state.ts';
import type { EventWorld } from './world.ts';

/*
 * What a discount code does to a registration. It covers people: those whose ticket or products it makes cheaper, or whose hidden type it
 * reveals, in the order of the registration. Each of them is one use. What it takes off stands with the lines it is taken off.
 */

/** Somebody whom a discount may cover. */
export type Buyer = AgreedPrice & { attendee_type_id: Id };

const asked = new WeakMap<Tx, Map<string, Promise<DiscountRow | null>>>();

/**
 * Looks a code up once for all registrations of a transaction: those of a batch are decided one after the other, and each waited for the
 * database while all others waited for the event's clock.
 */
function discountOnce({ tx, org }: Reach, event: Id, code: string): Promise<DiscountRow | null> {
  const codes = asked.get(tx) ?? new Map<string, Promise<DiscountRow | null>>();
  asked.set(tx, codes);
  const key = `${event} ${discountKey(code)}`;
  const found = codes.get(key) ?? discountByCode(tx, org, event, code);
  codes.set(key, found);
  return found;
}

/** The discount that a code means to this caller. A code of another group is none to a caller who is limited to a group. */
export async function findDiscount(reach: Reach, event: Id, code: string): Promise<DiscountRow | null> {
  const discount = await discountOnce(reach, event, code);
  if (discount === null || discount.group_id === null || reach.caller.group === null) return discount;
  return (await findGroup(reach.tx, reach.org, toUlid(discount.group_id), reach.caller)) === null ? null : discount;
}

/** Why a code cannot be used at this time, or null. */
function notNow({ active, opens_at, closes_at }: DiscountRow, now: Date): string | null {
  if (!active) return 'is switched off';
  if (opens_at !== null && now.getTime() < Date.parse(opens_at)) return `can be used from ${opens_at} on`;
  return closes_at !== null && now.getTime() >= Date.parse(closes_at) ? `could be used until ${closes_at}` : null;
}

export const isValid = (discount: DiscountRow, now: Date): boolean => notNow(discount, now) === null;

const notApplicable = ({ code }: DiscountRow, why: string): Refusal =>
  new Refusal('discount_not_applicable', { message: `The code ${code} ${why}.` });

/** Visitors are not told why a code does not work, so that trying codes tells them nothing. */
export function codeRefusal(
  discount: DiscountRow | null,
  code: string,
  now: Date,
  { actor }: Reach['caller'],
): Refusal | null {
  const why = discount === null ? null : notNow(discount, now);
  if (discount !== null && why === null) return null;
  if (discount === null || actor.kind === 'visitor') {
    return new Refusal('discount_unknown', {
      message: `There is no code ${code.trim().slice(0, 80)} that can be used now.`,
    });
  }
  return notApplicable(discount, why!);
}

const isFor = (ids: readonly Id[] | null, id: Id): boolean => ids === null || ids.includes(id);

const offTicket = (discount: DiscountRow, { attendee_type_id, price_minor }: Buyer): number =>
  isFor(discount.attendee_type_ids, attendee_type_id) ? discountOff(discount, { price_minor, quantity: 1 }) : 0;
const offLine = (discount: DiscountRow, line: BookedLine): number =>
  isFor(discount.product_ids, line.product_id) ? discountOff(discount, line) : 0;

/** The same with what the discount takes off the lines of which `isNew` says that they are priced now. */
export const discounted = (
  discount: DiscountRow,
  lines: readonly BookedLine[],
  isNew: (line: BookedLine) => boolean = () => true,
): BookedLine[] =>
  lines.map((line) => {
    const off = isNew(line) ? offLine(discount, line) : line.discount_minor;
    return off === line.discount_minor ? line : { ...line, discount_minor: off };
  });

const reveals = (discount: DiscountRow, { attendee_type_id }: Buyer): boolean =>
  discount.reveal_ids.includes(attendee_type_id);

/** A person with everything that the discount takes off, whether or not they are covered by it in the end. */
function coveredBy<One extends Buyer>(discount: DiscountRow, one: One): One | null {
  const discount_minor = offTicket(discount, one);
  const products = discounted(discount, one.products);
  const isCheaper = discount_minor > 0 || products.some((line) => line.discount_minor > 0);
  return isCheaper || reveals(discount, one) ? { ...one, discount_minor, discount_id: discount.id, products } : null;
}

/** Whether somebody may only be registered because a code reveals their type. */
export const needsCode =
  ({ types }: EventWorld, { actor }: Reach['caller']) =>
  ({ attendee_type_id }: Pick<Buyer, 'attendee_type_id'>): boolean =>
    actor.kind !== 'member' && !types.get(attendee_type_id)!.visible;

interface Purchase<One> {
  attendees: One[];
  /** What is taken for all of them together. */
  products: BookedLine[];
}

/**
 * A purchase with a discount, or why it is not applicable to it. `needsCode` says which people may only be registered because the code
 * reveals their type: the discount has to cover all of them.
 */
export function applyDiscount<One extends Buyer>(
  discount: DiscountRow,
  { attendees, products }: Purchase<One>,
  needsCode: (one: One) => boolean,
): Purchase<One> | Refusal {
  const { min_people, max_people_per_registration: most } = discount;
  const together = discounted(discount, products);
  const isCheaperTogether = together.some((line) => line.discount_minor > 0);
  const covered: (One | null)[] = attendees.map((one) => coveredBy(discount, one));
  // What is only taken for all together is covered in the name of the first person.
  if (isCheaperTogether && !covered.some((one) => one !== null)) {
    covered[0] = { ...attendees[0]!, discount_id: discount.id };
  }
  const coverable = covered.filter((one) => one !== null).length;
  if (coverable === 0) return notApplicable(discount, 'is for nothing that was chosen');
  if (min_people !== null && coverable < min_people) {
    return notApplicable(
      discount,
      `is for at least ${min_people} people in one registration, and it would cover ${coverable}`,
    );
  }
  let left = most ?? Number.POSITIVE_INFINITY;
  const people = attendees.map((one, i) => {
    const is = covered[i]!;
    if (is === null || left === 0) return one;
    left -= 1;
    return is;
  });
  if (people.some((one) => one.discount_id === null && needsCode(one))) {
    return notApplicable(discount, `is for at most ${most} people in one registration`);
  }
  return { attendees: people, products: together };
}

/**
 * What covers people who are added to a registration, or change what they have, from now on. Null: its code covers nobody any more. The
 * places must know the discount.
 */
export function coverageOf(
  discount: DiscountRow | null,
  places: Places,
  registration: RegistrationState,
  now: Date,
): Coverage | null {
  if (discount === null || !isValid(discount, now)) return null;
  const most = discount.max_people_per_registration ?? Number.POSITIVE_INFINITY;
  const covered = activeAttendees(registration).filter((one) => one.discount_id !== null).length;
  return { discount, left: Math.min(places.left(discount.id, registration.test), most - covered) };
}

/** What has to be known of a registration to cover one more person of it, or more of somebody's products. */
export interface Coverage {
  discount: DiscountRow;
  /** How many more people can be covered: by the registration, and by the discount in all. */
  left: number;
}

/** Whether somebody is covered only because the discount makes cheaper what was taken for all of them together. */
const standsForAll = (one: Buyer, discount: DiscountRow | null): boolean =>
  one.discount_id !== null &&
  one.discount_minor === 0 &&
  one.products.every((line) => line.discount_minor === 0) &&
  !(discount !== null && reveals(discount, one));

/**
 * One person who is added (`was` is null) or changed later, with what a still valid discount takes off whatever is priced now: the ticket, if `isTicketNew`,
 * and the new lines. Somebody who is not covered yet needs a use that is left. Without one, everything new costs its full price.
 */
export function coverLater<One extends Buyer>(
  coverage: Coverage | null,
  one: One,
  was: Buyer | null,
  isTicketNew: boolean,
  isNew: (line: BookedLine) => boolean,
): One {
  // Whoever was covered before has a use already, also if their ticket is priced anew.
  const canBe = coverage !== null && ((was ?? one).discount_id === coverage.discount.id || coverage.left > 0);
  const is = canBe
    ? {
        ...one,
        ...(isTicketNew && { discount_minor: offTicket(coverage.discount, one) }),
        products: discounted(coverage.discount, one.products, isNew),
      }
    : one;
  const isCovered =
    is.discount_minor > 0 ||
    is.products.some((line) => line.discount_minor > 0) ||
    (canBe && reveals(coverage.discount, one)) ||
    (was !== null && standsForAll(was, coverage?.discount ?? null));
  const discount_id = isCovered ? (canBe ? coverage.discount.id : one.discount_id) : null;
  return { ...is, discount_id };
}

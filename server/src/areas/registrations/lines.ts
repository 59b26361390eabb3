import { isOnSale, lineTotal, MAX_SUM, type ProductChoice } from '@turnout/contract';
import { isOfferedTo as isOfferedToPerson } from '@turnout/contract/offers';
import type { Id } from '../../common/ids.ts';
import { type Fault, Refusal } from '../../common/refusal.ts';
import type { ProductOption, ProductRow } from '../events/index.ts';
import { findByRef } from './find-by-ref.ts';
import type { Findings, FormRules } from './findings.ts';
import { type AttendeeState, type BookedLine, NO_LINES } from './state.ts';
import type { EventWorld } from './world.ts';

/** Who takes products: an attendee of a type on some days, or a registration with such attendees. */
export interface Taker {
  per: ProductRow['per'];
  people: readonly { attendee_type_id: Id; day_ids: readonly Id[] }[];
}

/** Whether a product is for any of these people. */
export const isOfferedTo = (
  { attendee_type_ids: attendee_types, day_ids: days }: Pick<ProductRow, 'attendee_type_ids' | 'day_ids'>,
  { people }: Pick<Taker, 'people'>,
): boolean =>
  people.some((one) =>
    isOfferedToPerson({ attendee_types, days }, { attendee_type: one.attendee_type_id, days: one.day_ids }),
  );

/** What is taken, by product and option. */
interface Choice {
  product: ProductRow;
  option: ProductOption | null;
  quantity: number;
}

/**
 * What a taker has booked from now on. `choices` are all that is taken; left out, nothing changes. What they had keeps its price and its
 * discount; what is new costs what it costs now, and no discount is taken off yet. Faults and refusals go to `findings`.
 */
export function readLines(
  world: EventWorld,
  taker: Taker,
  choices: readonly ProductChoice[] | undefined,
  had: readonly BookedLine[],
  path: string,
  rules: FormRules,
  findings: Findings,
): BookedLine[] {
  if (had.length === 0 && (choices ?? []).length === 0) {
    requireTaken(world, taker, [], path, rules, findings);
    return NO_LINES;
  }
  const chosen =
    choices === undefined ? had.map((line) => choiceOf(world, line)) : resolve(world, taker, choices, path, findings);
  const unavailable = (product: ProductRow, why: string) =>
    findings.refusals.push(new Refusal('product_not_available', { message: `The product ${product.code} ${why}.` }));
  for (const { product, option, quantity } of chosen) {
    if (!isOfferedTo(product, taker)) unavailable(product, 'is not offered for this attendee type or these days');
    else if (!rules.hiddenTypes && quantity > unitsOf(had, product.id, option?.id ?? null)) {
      if (!product.visible) unavailable(product, 'is not offered');
      else if (!isOnSale(product.on_sale, rules.now)) unavailable(product, 'is not on sale now');
    }
  }
  requireTaken(world, taker, chosen, path, rules, findings);
  return choices === undefined ? [...had] : linesOf(had, chosen);
}

const choiceOf = (world: EventWorld, { product_id, option_id, quantity }: BookedLine): Choice => {
  const product = world.products.get(product_id)!;
  return { product, option: product.options.find(({ id }) => id === option_id) ?? null, quantity };
};

/** Finds the products and options; each is named once, and within what one taker has at most. */
function resolve(
  world: EventWorld,
  { per }: Taker,
  choices: readonly ProductChoice[],
  path: string,
  { faults }: Findings,
): Choice[] {
  const found: Choice[] = [];
  const seen = new Set<string>();
  const units = new Map<ProductRow, { first: number; count: number }>();
  for (const [i, { product: ref, option: code, quantity = 1 }] of choices.entries()) {
    const fault = (field: string, message: string) => void faults.push({ path: `${path}/${i}${field}`, message });
    const product = findByRef(world.products, ref);
    if (product === null) {
      fault('/product', `no such product: ${ref}`);
      continue;
    }
    if (product.per !== per) {
      const taken = product.per === 'attendee' ? 'by each attendee' : 'once by the registration';
      fault('/product', `${product.code} is taken ${taken}: name it in \`products\` of the ${product.per}`);
      continue;
    }
    const option = product.options.find((one) => one.code.toLowerCase() === code?.toLowerCase()) ?? null;
    if (code === undefined && product.options.length > 0) {
      fault('/option', `is required; choose from: ${product.options.map((one) => one.code).join(', ')}`);
      continue;
    }
    if (code !== undefined && option === null) {
      fault('/option', `no such option: ${code}`);
      continue;
    }
    const key = `${product.id} ${option?.id}`;
    if (seen.has(key)) fault('', 'is in the list twice: name it once, with `quantity`');
    seen.add(key);
    const count = units.get(product);
    if (count === undefined) units.set(product, { first: i, count: quantity });
    else count.count += quantity;
    found.push({ product, option, quantity });
  }
  for (const [{ code, max }, { first, count }] of units) {
    if (count <= max) continue;
    const message = `at most ${max} of the product ${code} can be taken, and these are ${count}`;
    faults.push({ path: `${path}/${first}/quantity`, message, rule: 'too_many', limit: max });
  }
  return found;
}

/** Products that everybody takes to whom they are offered. */
function requireTaken(
  world: EventWorld,
  taker: Taker,
  chosen: readonly Choice[],
  path: string,
  { now }: FormRules,
  findings: Findings,
): void {
  for (const product of world.products.values()) {
    if (!product.required || product.per !== taker.per || !product.visible || !isOnSale(product.on_sale, now)) continue;
    if (!isOfferedTo(product, taker) || chosen.some((one) => one.product === product)) continue;
    findings.untaken.push({ path, message: `${product.code} is required`, rule: 'required' });
  }
}

const isSame = (line: BookedLine, product: Id, option: Id | null): boolean =>
  line.product_id === product && line.option_id === option;

const handedOutOf = (lines: readonly BookedLine[], product: Id, option: Id | null): number =>
  lines.reduce((sum, line) => (isSame(line, product, option) ? sum + line.handed_out : sum), 0);

const unitsOf = (lines: readonly BookedLine[], product: Id, option: Id | null): number =>
  lines.reduce((sum, line) => (isSame(line, product, option) ? sum + line.quantity : sum), 0);

const priced = new WeakSet<BookedLine>();
/** Whether a line was made by this call, so that nothing is agreed on yet. */
export const isNewLine = (line: BookedLine): boolean => priced.has(line);

/** The first units stay as they were agreed on; what is more is a line of its own at the price of now. */
function linesOf(had: readonly BookedLine[], chosen: readonly Choice[]): BookedLine[] {
  return chosen.flatMap(({ product, option, quantity }) => {
    const option_id = option?.id ?? null;
    const lines: BookedLine[] = [];
    let more = quantity;
    for (const line of had) {
      if (!isSame(line, product.id, option_id) || more === 0) continue;
      const kept = Math.min(line.quantity, more);
      more -= kept;
      lines.push(kept === line.quantity ? line : shortened(line, kept));
    }
    const { price_minor } = product;
    if (more > 0) {
      const line = { product_id: product.id, option_id, quantity: more, price_minor, discount_minor: 0, handed_out: 0 };
      priced.add(line);
      lines.push(line);
    }
    return handedOut(lines, handedOutOf(had, product.id, option_id));
  });
}

/** So many units were handed out, the first ones first. */
function handedOut(lines: readonly BookedLine[], units: number): BookedLine[] {
  let left = units;
  return lines.map((line) => {
    const handed_out = Math.min(line.quantity, left);
    left -= handed_out;
    return line.handed_out === handed_out ? line : { ...line, handed_out };
  });
}

/** Fewer units of a line, with their part of its discount. */
const shortened = (line: BookedLine, quantity: number): BookedLine => ({
  ...line,
  quantity,
  discount_minor: Math.round((line.discount_minor * quantity) / line.quantity),
});

/** Lines of the same units at the same price are one line, unless only one of them has a discount. */
export function mergedLines(lines: readonly BookedLine[]): BookedLine[] {
  const merged: BookedLine[] = [];
  for (const line of lines) {
    const like = merged.findIndex(
      (one) =>
        isSame(one, line.product_id, line.option_id) &&
        one.price_minor === line.price_minor &&
        (one.discount_minor === 0) === (line.discount_minor === 0),
    );
    if (like === -1) merged.push(line);
    else {
      const one = merged[like]!;
      merged[like] = {
        ...one,
        quantity: one.quantity + line.quantity,
        discount_minor: one.discount_minor + line.discount_minor,
        handed_out: one.handed_out + line.handed_out,
      };
    }
  }
  return merged.length === 0 ? NO_LINES : merged;
}

/** What was handed out cannot be taken away any more. */
export function takenAwayRefusal(
  world: EventWorld,
  had: readonly BookedLine[],
  is: readonly BookedLine[],
): Refusal | null {
  for (const { product_id, option_id } of had) {
    const gone = handedOutOf(had, product_id, option_id);
    if (gone <= unitsOf(is, product_id, option_id)) continue;
    const { code } = world.products.get(product_id)!;
    return new Refusal('invalid_state', {
      message: `${gone} of the product ${code} ${gone === 1 ? 'was' : 'were'} handed out already, so as many must stay. Undo the hand-out first.`,
    });
  }
  return null;
}

export const totalOf = (lines: readonly BookedLine[]): number => lines.reduce((sum, line) => sum + lineTotal(line), 0);
export const discountOf = (lines: readonly BookedLine[]): number =>
  lines.reduce((sum, line) => sum + line.discount_minor, 0);

/** How many lines a registration has at most. Each of them is in every answer and webhook about it. */
const MAX_BOOKED = 2000;

/** What is wrong with everything that a registration books: more than can be added up exactly, or more lines than it may have. */
export function bookingFaults(
  people: readonly Pick<AttendeeState, 'products'>[],
  products: readonly BookedLine[],
  total: number,
  path: string,
): Fault[] {
  const lines = people.reduce((sum, one) => sum + one.products.length, products.length);
  return [
    ...(total <= MAX_SUM ? [] : [{ path, message: `would cost more than ${MAX_SUM} in all` }]),
    ...(lines <= MAX_BOOKED
      ? []
      : [{ path, message: `would book ${lines} different things, and one registration books at most ${MAX_BOOKED}` }]),
  ];
}

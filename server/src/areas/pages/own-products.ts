import { isPossible } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import {
  type AttendeeState,
  activeAttendees,
  type BookedLine,
  canDo,
  isAllowed,
  isOfferedTo,
} from '../registrations/index.ts';
import { leftOf, registrationState, type UnitsLeft } from './availability.ts';
import type { Visit } from './my-visit.ts';
import type { Offer } from './offers.ts';
import type { PageParts } from './parts.ts';
import { countsOptions } from './product-choices.ts';
import { readPublic, type ShownProduct } from './queries.ts';
import { readTogether, type ShownEvent } from './shown.ts';

/** Whose products a link is used for: those of a place, or, with null, those that are booked for the whole registration. */
export type Whose = AttendeeState | null;

/** What somebody who has registered can choose from, and what they have. */
export interface OwnProducts {
  shown: ShownEvent;
  offers: Offer[];
  /** What is booked, as the fields of the form say it. */
  typed: ReadonlyMap<string, string>;
  /** How many units have been handed out, so that as many must stay, by the same keys. */
  least: ReadonlyMap<string, number>;
}

export const linesOf = ({ registration }: Visit, whose: Whose): readonly BookedLine[] =>
  (whose ?? registration).products;

/** Whether somebody may book something else now. What is booked for all together is the registrant's. */
export const mayBook = ({ world, registration, attendee, now }: Visit, whose: Whose): boolean =>
  whose === null
    ? attendee === null && isAllowed(world.event, 'products', now) && isPossible('change', registration.status)
    : canDo('products', { event: world.event, now }, registration, whose);

/** Whether there is anything to book, or to give back. */
export const hasProducts = (visit: Visit, whose: Whose): boolean => {
  const per = whose === null ? 'registration' : 'attendee';
  const people = peopleOf(visit, whose);
  const isOffered = [...visit.world.products.values()].some(
    (product) => product.per === per && product.visible && isOfferedTo(product, { people }),
  );
  return isOffered || linesOf(visit, whose).length > 0;
};

const peopleOf = ({ registration }: Visit, whose: Whose): AttendeeState[] =>
  whose === null ? activeAttendees(registration) : [whose];

const unitsOf = (lines: readonly BookedLine[], product: Id, option: Id | null): BookedLine[] =>
  lines.filter((line) => line.product_id === product && (option === null || line.option_id === option));
const sum = (lines: readonly BookedLine[], field: 'quantity' | 'handed_out'): number =>
  lines.reduce((all, line) => all + line[field], 0);

export async function ownProducts(parts: PageParts, visit: Visit, whose: Whose): Promise<OwnProducts> {
  const { world, site, now } = visit;
  const { organization } = site;
  const [found] = await readTogether(parts, organization, (tx) => readPublic(tx, organization.org.id, [world.event]));
  const lines = linesOf(visit, whose);
  const people = peopleOf(visit, whose);
  const per = whose === null ? 'registration' : 'attendee';
  const offered = found!.products
    .filter((product) => product.per === per && isOfferedTo(product, { people }))
    // Its most may have been lowered since.
    .map((product) => ({ ...product, max: Math.max(product.max, sum(unitsOf(lines, product.id, null), 'quantity')) }));
  const gone = [...new Set(lines.map(({ product_id }) => product_id))].filter(
    (id) => !offered.some((one) => one.id === id),
  );
  const products = [...offered, ...gone.flatMap((id) => keptOnly(visit, id, lines))];
  const all = { ...found!, products };
  const plain = leftOf(all, organization.plan.limits.attendees_per_event, now);
  const left = { ...plain, units: withOwn(plain.units, products, lines) };
  const state = registrationState(found!, now);
  const shown: ShownEvent = { ...all, left, state, cover: null, preview: false, hasCodes: false, discount: null };
  const keyed = products.flatMap((product) => fieldsOf(product, lines));
  return {
    shown,
    offers: products.map((product) => ({ product, isOpen: true, people: [] })),
    typed: new Map(keyed.map(({ key, value }) => [key, value])),
    least: new Map(keyed.map(({ key, least }) => [key, least])),
  };
}

/** Something that is booked and no longer offered can be kept or given back, and nothing more of it had. */
function keptOnly({ world }: Visit, id: Id, lines: readonly BookedLine[]): ShownProduct[] {
  const product = world.products.get(id);
  if (product === undefined) return [];
  const has = unitsOf(lines, id, null);
  const options = product.options.filter((option) => has.some(({ option_id }) => option_id === option.id));
  return [{ ...product, event_id: world.event.id, options, max: sum(has, 'quantity'), required: false }];
}

/** What is left for somebody who has some already. Nobody waits for more of it: a change is refused instead. */
const withOwn = (
  units: ReadonlyMap<Id, UnitsLeft>,
  products: readonly ShownProduct[],
  lines: readonly BookedLine[],
): Map<Id, UnitsLeft> => {
  const own = (of: UnitsLeft, has: number): UnitsLeft => {
    const isGone = of.state === 'waitlist' || of.state === 'sold_out';
    const free = of.units === null ? null : (isGone ? 0 : of.units) + has;
    return {
      state: !isGone ? of.state : has > 0 ? 'available' : 'sold_out',
      units: isGone && of.units === null ? has : free,
    };
  };
  return new Map(
    products.flatMap(({ id, options }) => [
      [id, own(units.get(id)!, sum(unitsOf(lines, id, null), 'quantity'))] as const,
      ...options.map(
        (option) => [option.id, own(units.get(option.id)!, sum(unitsOf(lines, id, option.id), 'quantity'))] as const,
      ),
    ]),
  );
};

/** What the fields of a product say of what is booked. */
function fieldsOf(
  product: ShownProduct,
  lines: readonly BookedLine[],
): { key: string; value: string; least: number }[] {
  const { code, id, options } = product;
  const of = (key: string, has: readonly BookedLine[], value = String(sum(has, 'quantity'))) =>
    has.length === 0 ? [] : [{ key, value, least: sum(has, 'handed_out') }];
  if (countsOptions(product)) {
    return options.flatMap((option) => of(`${code}.${option.code}`, unitsOf(lines, id, option.id)));
  }
  const has = unitsOf(lines, id, null);
  const option = options.find((one) => one.id === has[0]?.option_id);
  return of(code, has, option?.code);
}

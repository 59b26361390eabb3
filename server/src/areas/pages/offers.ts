import type { Id } from '../../common/ids.ts';
import { isOfferedTo } from '../registrations/index.ts';
import { offeredDays } from './availability.ts';
import { type Draft, type Person, typeOf } from './draft.ts';
import type { ShownDay, ShownProduct, ShownType } from './queries.ts';
import type { ShownEvent } from './shown.ts';

/** Whose products a part of the form asks for: those of a person, by their position, or of all people together. */
export type Taker = number | 'all';

/** What the names of the fields of a taker begin with. */
export const prefixOf = (taker: Taker): string => (taker === 'all' ? 'r' : `p${taker}`);

/** The part of the form with the products of a taker. */
export const productsField = (taker: Taker): string => `${prefixOf(taker)}-x`;

/** A product that is offered to a taker. */
export interface Offer {
  product: ShownProduct;
  /** Whether it is offered already. If not, it will be once one of these people comes on one of its days. */
  isOpen: boolean;
  people: number[];
}

/** Days that are over are not offered. */
export const choosableDays = (type: ShownType, { days, left }: ShownEvent): ShownDay[] =>
  offeredDays(type, days).filter((day) => !left.over.has(day.id));

export const hasChoiceOfDays = (shown: ShownEvent, person: Person): boolean => {
  const type = typeOf(shown, person);
  return type !== undefined && type.pass_days === null && choosableDays(type, shown).length > 1;
};

/** The days on which somebody comes, as far as they have said; where there is nothing to choose, all that there are. */
function daysOf(shown: ShownEvent, person: Person, type: ShownType): Id[] {
  const possible = choosableDays(type, shown);
  if (person.days.length === 0) return hasChoiceOfDays(shown, person) ? [] : possible.map(({ id }) => id);
  const chosen = new Set(person.days.map((code) => code.toLowerCase()));
  return possible.filter(({ code }) => chosen.has(code.toLowerCase())).map(({ id }) => id);
}

/** Whether a product is offered to a person now (`is`), and whether it can be on any day that they can choose (`can`). */
function offeredTo(shown: ShownEvent, product: ShownProduct, person: Person): { is: boolean; can: boolean } {
  const type = typeOf(shown, person);
  if (type === undefined) return { is: false, can: false };
  const on = (day_ids: readonly Id[]) => isOfferedTo(product, { people: [{ attendee_type_id: type.id, day_ids }] });
  const is = on(daysOf(shown, person, type));
  return { is, can: is || (hasChoiceOfDays(shown, person) && on(choosableDays(type, shown).map(({ id }) => id))) };
}

/** What a taker can choose from, in the order of the event: also what is only offered on days that are not chosen yet. */
export function offersTo(shown: ShownEvent, { people }: Pick<Draft, 'people'>, taker: Taker): Offer[] {
  const per = taker === 'all' ? 'registration' : 'attendee';
  const whose = taker === 'all' ? [...people.keys()] : [taker];
  return shown.products.flatMap((product) => {
    if (product.per !== per) return [];
    const possible = whose.filter((i) => offeredTo(shown, product, people[i]!).can);
    if (possible.length === 0) return [];
    const isOpen = possible.some((i) => offeredTo(shown, product, people[i]!).is);
    return [{ product, isOpen, people: possible }];
  });
}

/** Everybody who can take products, in the order of the form. */
export const takersOf = ({ people }: Pick<Draft, 'people'>): Taker[] => [...people.keys(), 'all'];

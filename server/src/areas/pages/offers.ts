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

const choosable = new WeakMap<ShownEvent, Map<ShownType, readonly ShownDay[]>>();

/** Days that are over are not offered. A form asks for every field that it draws, so they are found once for each type. */
export function choosableDays(type: ShownType, shown: ShownEvent): readonly ShownDay[] {
  const known = choosable.get(shown) ?? new Map<ShownType, readonly ShownDay[]>();
  choosable.set(shown, known);
  const { days, left } = shown;
  const found = known.get(type) ?? offeredDays(type, days).filter((day) => !left.over.has(day.id));
  known.set(type, found);
  return found;
}

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

/** Whether a product is offered to somebody now (`is`), and whether it can be on any day that they can choose (`can`). */
type Asked = (product: ShownProduct) => { is: boolean; can: boolean };

function offeredTo(shown: ShownEvent, person: Person): Asked {
  const type = typeOf(shown, person);
  if (type === undefined) return () => ({ is: false, can: false });
  const now = { attendee_type_id: type.id, day_ids: daysOf(shown, person, type) };
  const ever = hasChoiceOfDays(shown, person)
    ? { ...now, day_ids: choosableDays(type, shown).map(({ id }) => id) }
    : now;
  return (product) => {
    const is = isOfferedTo(product, { people: [now] });
    return { is, can: is || isOfferedTo(product, { people: [ever] }) };
  };
}

/** What a taker can choose from, in the order of the event: also what is only offered on days that are not chosen yet. */
export function offersTo(shown: ShownEvent, { people }: Pick<Draft, 'people'>, taker: Taker): Offer[] {
  const per = taker === 'all' ? 'registration' : 'attendee';
  const whose = taker === 'all' ? [...people.keys()] : [taker];
  const asked = whose.map((i) => ({ i, offered: offeredTo(shown, people[i]!) }));
  return shown.products.flatMap((product) => {
    if (product.per !== per) return [];
    const possible = asked.map(({ i, offered }) => ({ i, ...offered(product) })).filter(({ can }) => can);
    if (possible.length === 0) return [];
    return [{ product, isOpen: possible.some(({ is }) => is), people: possible.map(({ i }) => i) }];
  });
}

/** Everybody who can take products, in the order of the form. */
export const takersOf = ({ people }: Pick<Draft, 'people'>): Taker[] => [...people.keys(), 'all'];

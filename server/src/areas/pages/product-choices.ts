import type { ProductChoice } from '@turnout/contract';
import type { Fields } from '../../road/request/form-body.ts';
import type { Draft, TypedProducts } from './draft.ts';
import { type Offer, offersTo, prefixOf, type Taker, takersOf } from './offers.ts';
import type { ShownProduct } from './queries.ts';
import type { ShownEvent } from './shown.ts';

/** A field of a form, and what it says: so many of a product, or of one of its options. */
export interface Chosen {
  /** The name of the field. */
  field: string;
  product: ShownProduct | null;
  option: ShownProduct['options'][number] | null;
  /** As the API takes it. */
  body: ProductChoice;
}

/** The field of a product, or of one of its options. */
export const productField = (taker: Taker, key: string): string => `${prefixOf(taker)}-x-${key}`;

/** Whether each option has a number of its own. */
export const countsOptions = ({ options, max }: ShownProduct): boolean => options.length > 0 && max > 1;

/** What is no number is sent on as it is, and refused by the same rule as the API's. */
const quantityOf = (typed: string): number => (/^\d{1,9}$/.test(typed) ? Number(typed) : (typed as unknown as number));

function chosenAs(taker: Taker, products: readonly ShownProduct[], key: string, given: string): Chosen | null {
  const typed = given.trim();
  const [code = '', ofOption] = key.split('.', 2);
  const product = products.find((one) => one.code === code) ?? null;
  const names = product !== null && product.options.length > 0 && ofOption === undefined;
  const quantity = names ? 1 : quantityOf(typed);
  if (typed === '' || quantity === 0) return null;
  const optionCode = names ? typed : ofOption;
  const option = product?.options.find((one) => one.code === optionCode) ?? null;
  const body = {
    product: code,
    ...(optionCode !== undefined && { option: optionCode }),
    ...(quantity !== 1 && { quantity }),
  };
  return { field: productField(taker, key), product, option, body };
}

/** What was typed for the products of a taker, in the fields of any form. */
export function typedIn(fields: Fields, taker: Taker): TypedProducts {
  const begin = productField(taker, '');
  const typed = new Map<string, string>();
  for (const [name, values] of fields) if (name.startsWith(begin)) typed.set(name.slice(begin.length), values[0]!);
  return typed;
}

export const chosenAmong = (products: readonly ShownProduct[], taker: Taker, typed: TypedProducts): Chosen[] =>
  [...typed].map(([key, given]) => chosenAs(taker, products, key, given)).filter((one) => one !== null);

const typedOf = (draft: Draft, taker: Taker): TypedProducts =>
  taker === 'all' ? draft.together : (draft.people[taker]?.products ?? new Map());

/**
 * What a taker has chosen of what is offered to them. What the form cannot have offered is left out, such as the dinner of a day on which
 * they do not come after all; but not what is no longer sold, so that the person is told.
 */
export function chosenBy(shown: ShownEvent, draft: Draft, taker: Taker): Chosen[] {
  const open = new Set(
    offersTo(shown, draft, taker)
      .filter(({ isOpen }) => isOpen)
      .map(({ product }) => product),
  );
  return chosenAmong(shown.products, taker, typedOf(draft, taker)).filter(
    ({ product }) => product === null || open.has(product),
  );
}

/** What is offered to somebody only since they have chosen their days, and was not in the form that they have sent. */
export const unseenBy = (shown: ShownEvent, draft: Draft, taker: Taker): Offer[] =>
  offersTo(shown, draft, taker).filter(
    ({ product, isOpen }) => isOpen && product.day_ids !== null && !draft.seen.has(productField(taker, product.code)),
  );

export const anythingUnseen = (shown: ShownEvent, draft: Draft): boolean =>
  takersOf(draft).some((taker) => unseenBy(shown, draft, taker).length > 0);

/** The fields of what everybody has chosen, for a page that does not show them. */
export const fieldsOfProducts = (shown: ShownEvent, draft: Draft): [name: string, value: string][] =>
  takersOf(draft).flatMap((taker) => [
    ...chosenBy(shown, draft, taker).flatMap(({ field, product }): [string, string][] =>
      product === null ? [] : [[field, typedOf(draft, taker).get(field.slice(productField(taker, '').length))!]],
    ),
    ...offersTo(shown, draft, taker)
      .filter(({ product, isOpen }) => isOpen && product.day_ids !== null)
      .map(({ product }): [string, string] => ['seen', productField(taker, product.code)]),
  ]);

/** Products that a taker has to take, and has not chosen. */
export const missingFor = (shown: ShownEvent, draft: Draft, taker: Taker): ShownProduct[] => {
  const taken = new Set(chosenBy(shown, draft, taker).map(({ product }) => product));
  return offersTo(shown, draft, taker)
    .filter(({ product, isOpen }) => isOpen && product.required && !taken.has(product))
    .map(({ product }) => product);
};

/** The fields that ask for more than is left, where nobody waits for it: of a product, an option, or what products share. */
export function shortOf(shown: ShownEvent, draft: Draft): { field: string; left: number }[] {
  const { left, limits, placeCounts } = shown;
  const chosen = takersOf(draft).flatMap((taker) => chosenBy(shown, draft, taker));
  const scopes = [
    ...shown.products
      .flatMap(({ id, options }) => [id, ...options.map((option) => option.id)])
      .map((id) => ({
        left: left.units.get(id)!.units,
        ofIt: chosen.filter(({ product, option }) => product?.id === id || option?.id === id),
      })),
    ...limits.map(({ id, capacity, product_ids }) => ({
      left: Math.max(0, capacity - (placeCounts.get(id)?.taken ?? 0)),
      ofIt: chosen.filter(({ product }) => product !== null && product_ids.includes(product.id)),
    })),
  ];
  if (shown.event.registration.waitlist) return [];
  return scopes.flatMap(({ left: units, ofIt }) => {
    const asked = ofIt.reduce((sum, { body }) => sum + (body.quantity ?? 1), 0);
    return units === null || asked <= units ? [] : ofIt.map(({ field }) => ({ field, left: units }));
  });
}

import type { AttendeeType, BookedProduct, Day, Product, ProductChoice } from '@turnout/client';
import { isOfferedTo } from '@turnout/contract/offers';

const isOf = (product: string, option: string | null) => (one: Pick<BookedProduct, 'product' | 'option'>) =>
  one.product === product && one.option === option;
const lineOf = ({ product, option }: ProductChoice) => ({ product, option: option ?? null });

/** How many units of a product, or of one of its options, are chosen. */
export const quantityOf = (choices: readonly ProductChoice[], product: string, option: string | null): number =>
  choices
    .filter((choice) => isOf(product, option)(lineOf(choice)))
    .reduce((sum, { quantity = 1 }) => sum + quantity, 0);

/** The choices with so many units of one product or option; each keeps its place in the list. */
export function withQuantity(
  choices: readonly ProductChoice[],
  product: string,
  option: string | null,
  quantity: number,
): ProductChoice[] {
  const chosen: ProductChoice = { product, ...(option !== null && { option }), quantity };
  const at = choices.findIndex((choice) => isOf(product, option)(lineOf(choice)));
  if (at === -1) return quantity === 0 ? [...choices] : [...choices, chosen];
  return quantity === 0 ? choices.toSpliced(at, 1) : choices.with(at, chosen);
}

/** One unit of this option in place of whatever is chosen of the product; null: nothing of it. */
export function withOption(choices: readonly ProductChoice[], product: string, option: string | null): ProductChoice[] {
  const at = choices.findIndex((choice) => choice.product === product);
  const others = choices.filter((choice) => choice.product !== product);
  return option === null
    ? others
    : others.toSpliced(at === -1 ? others.length : at, 0, { product, option, quantity: 1 });
}

/** What is booked, as a form begins with it. */
export const choicesOf = (booked: readonly Pick<BookedProduct, 'product' | 'option' | 'quantity'>[]): ProductChoice[] =>
  booked.map(({ product, option, quantity }) => ({ product, ...(option !== null && { option }), quantity }));

/** What the choices cost at the prices of now. */
export const priceOf = (choices: readonly ProductChoice[], products: readonly Product[]): number =>
  choices.reduce(
    (sum, { product, quantity = 1 }) =>
      sum + quantity * (products.find(({ code }) => code === product)?.price_minor ?? 0),
    0,
  );

interface Structure {
  types: readonly Pick<AttendeeType, 'code' | 'days' | 'pass_days'>[];
  days: readonly Pick<Day, 'code'>[];
}

/** The products that somebody of this type who comes on these days may take. A pass is valid on each day of its type. */
export function productsFor(
  products: readonly Product[],
  person: { attendee_type: string; days: readonly string[] },
  { types, days }: Structure,
): Product[] {
  const type = types.find(({ code }) => code === person.attendee_type);
  const ofType = days.map(({ code }) => code).filter((code) => type?.days?.includes(code) ?? true);
  const hasNothingToChoose = type !== undefined && (type.pass_days !== null || ofType.length === 1);
  const comer = { ...person, days: person.days.length === 0 && hasNothingToChoose ? ofType : person.days };
  return products.filter((product) => product.per === 'attendee' && isOfferedTo(product, comer));
}

/** The choices that are still among these products, after a person got another type or other days. */
export const choicesAmong = (choices: readonly ProductChoice[], products: readonly Product[]): ProductChoice[] =>
  choices.filter(({ product }) => products.some(({ code }) => code === product));

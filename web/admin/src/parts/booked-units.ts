import type { BookedProduct, HandOut, Product } from '@turnout/client';

/** Units of one product and option, at whatever prices they were booked, and the hand-outs of them. */
export interface BookedUnits {
  product: string;
  option: string | null;
  name: string;
  optionName: string | null;
  quantity: number;
  handedOut: number;
  /** Those that stand: not taken back. Surplus ones included. */
  handOuts: readonly HandOut[];
}

type Line = Pick<BookedProduct, 'product' | 'option' | 'quantity'> & { handed_out?: number };

/** What is booked, each product and option once, in the order in which it was booked. */
export function bookedUnits(
  lines: readonly Line[],
  handOuts: readonly HandOut[],
  products: readonly Product[],
): BookedUnits[] {
  const units = new Map<string, BookedUnits>();
  const standing = handOuts.filter(({ undone_at }) => undone_at === null);
  const add = (product: string, option: string | null, quantity: number, handedOut: number) => {
    const key = JSON.stringify([product, option]);
    const known = products.find(({ code }) => code === product);
    const before = units.get(key);
    units.set(key, {
      product,
      option,
      name: known?.name ?? product,
      optionName: option === null ? null : (known?.options.find(({ code }) => code === option)?.name ?? option),
      quantity: (before?.quantity ?? 0) + quantity,
      handedOut: (before?.handedOut ?? 0) + handedOut,
      handOuts: standing.filter((one) => one.product === product && one.option === option),
    });
  };
  for (const { product, option, quantity, handed_out = 0 } of lines) add(product, option, quantity, handed_out);
  // What was given away without having been booked is shown all the same.
  for (const { product, option } of standing)
    if (!units.has(JSON.stringify([product, option]))) add(product, option, 0, 0);
  return [...units.values()];
}

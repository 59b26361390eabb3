import type { BookedLine, EventWorld, FormDraft } from '../registrations/index.ts';

/** Units of a product in a summary, with names in place of codes. */
export interface QuotedLine extends Pick<BookedLine, 'quantity' | 'price_minor' | 'discount_minor'> {
  name: string;
  option: string | null;
}

/** What a form costs, line by line. */
export interface Quote {
  people: { price_minor: number; discount_minor: number; lines: QuotedLine[] }[];
  /** What is taken once for everybody. */
  together: QuotedLine[];
  discount_minor: number;
  total_minor: number;
}

/** The lines that were booked, as people read them. */
export const quotedLines = ({ products }: EventWorld, lines: readonly BookedLine[]): QuotedLine[] =>
  lines.map(({ product_id, option_id, quantity, price_minor, discount_minor }) => {
    const { name = '', options = [] } = products.get(product_id) ?? {};
    const option = options.find(({ id }) => id === option_id)?.name ?? null;
    return { name, option, quantity, price_minor, discount_minor };
  });

export const quoteOf = (world: EventWorld, { details, products, discount_minor, total_minor }: FormDraft): Quote => ({
  people: details.map((one) => ({ ...one, lines: quotedLines(world, one.products) })),
  together: quotedLines(world, products),
  discount_minor,
  total_minor,
});

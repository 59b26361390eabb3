import { MAX_SALES_PRICES, type SalesReport } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { type ProductRow, products } from '../events/index.ts';
import { eventGroup, inSubtree } from '../groups/index.ts';
import { Places } from '../registrations/index.ts';
import { requireInRange, type Window } from './intervals.ts';
import { type LineRow, readCodes, readLines, readTickets, type TicketRow } from './sales-queries.ts';
import { aboutOf, type ReportScope, reportWorld } from './scope.ts';

type OfCurrency = SalesReport['currencies'][number];

/** What registrations that hold places have taken, and what it costs: by attendee type and price, product and option, and code. */
export async function salesReport(scope: ReportScope, range: Window): Promise<SalesReport> {
  requireInRange(range);
  const { tx, org, event } = scope;
  const [about, world, productRows, left, tickets, lines, codes] = await Promise.all([
    aboutOf(scope),
    reportWorld(scope),
    products.all(tx, org, event.id, sql`true`, sql`order by t.id`),
    whatIsLeft(scope),
    readTickets(scope, range),
    readLines(scope, range),
    readCodes(scope, range),
  ]);
  const currencies = new Set([event.currency, ...[...tickets, ...lines, ...codes].map((row) => row.currency)]);
  return {
    ...about,
    currencies: [...currencies].sort().map((currency): OfCurrency => {
      const own = <Row extends { currency: string }>(rows: readonly Row[]) =>
        rows.filter((row) => row.currency === currency);
      const [ofTickets, ofLines] = [own(tickets), own(lines)];
      const sum = sumOf([...ofTickets, ...ofLines]);
      const listed = productRows.filter(
        ({ id }) => currency === event.currency || ofLines.some((line) => line.product === id),
      );
      const shown = own(codes).map(({ currency: _, ...code }) => code);
      const [others] = shown.filter(({ code }) => code === null);
      return {
        currency,
        ...{ people: count(ofTickets, 'people'), units: count(ofLines, 'units') },
        ...sum,
        attendee_types: world.types.flatMap((type) =>
          typeOf(
            type.code,
            ofTickets.filter((row) => row.type === type.id),
          ),
        ),
        products: listed.map((product) => productOf(product, ofLines, left)),
        codes: shown.flatMap(({ code, codes: _, ...uses }) => (code === null ? [] : [{ code, ...uses }])),
        other_codes: others === undefined ? null : withoutCode(others),
      };
    }),
  };
}

const withoutCode = <Row extends { code: unknown }>({ code: _, ...others }: Row): Omit<Row, 'code'> => others;

type Amounts = Pick<LineRow, 'price_minor' | 'discount_minor'>;
const safe = (sum: number): number => Math.min(sum, Number.MAX_SAFE_INTEGER);
const sumOf = (rows: readonly Amounts[]) => {
  const of = (field: keyof Amounts) => safe(rows.reduce((sum, row) => sum + row[field], 0));
  const [price_minor, discount_minor] = [of('price_minor'), of('discount_minor')];
  return { price_minor, discount_minor, total_minor: price_minor - discount_minor };
};
const count = <Field extends string>(rows: readonly Record<Field, number>[], field: Field): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

function typeOf(attendee_type: string, rows: readonly TicketRow[]): OfCurrency['attendee_types'] {
  if (rows.length === 0) return [];
  const prices = rows.map((row) => ({ name: row.name, people: row.people, ...sumOf([row]) }));
  return [
    {
      attendee_type,
      people: count(rows, 'people'),
      ...sumOf(rows),
      prices: prices.sort((a, b) => b.people - a.people).slice(0, MAX_SALES_PRICES),
    },
  ];
}

/** How many units of a product or an option are left; null: nobody limits them, or the caller may not know. */
type Left = (scope: Id, capacity: number | null) => number | null;

function productOf(product: ProductRow, rows: readonly LineRow[], left: Left): OfCurrency['products'][number] {
  const own = rows.filter((row) => row.product === product.id);
  const unitsOf = (some: readonly LineRow[], { id, capacity }: { id: Id; capacity: number | null }) => ({
    ...{ units: count(some, 'units'), handed_out: count(some, 'handed_out'), left: left(id, capacity) },
    ...sumOf(some),
  });
  return {
    product: product.code,
    ...unitsOf(own, product),
    options: product.options.map((option) => ({
      option: option.code,
      ...unitsOf(
        own.filter((row) => row.option === option.id),
        option,
      ),
    })),
  };
}

/** As in the availability of an event: what is left depends on everybody, so only callers who reach the event's group are told. */
async function whatIsLeft({ tx, org, event, limit, test }: ReportScope): Promise<Left> {
  const [{ knows }, counts] = await Promise.all([
    tx.one<{ knows: boolean }>(sql`select (${inSubtree(limit, eventGroup(event))}) is true as knows`),
    Places.counts(tx, org, event.id),
  ]);
  const taken = new Map(counts.filter((one) => one.test === test).map((one) => [one.scope_id, one.taken]));
  return (scope, capacity) => (capacity === null || !knows ? null : Math.max(capacity - (taken.get(scope) ?? 0), 0));
}

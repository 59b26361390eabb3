import type { SalesReport } from '@turnout/client';
import { Section, useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { usePhone } from '../../../parts/use-phone.ts';
import '../../../parts/sheet.css';

export type Sales = SalesReport['currencies'][number];

interface Column<Row> {
  head: string;
  cell: (row: Row) => ReactNode;
}

/** A row, or a part of the row above it, such as an option of a product. */
interface Named {
  id: string;
  name: ReactNode;
  part?: boolean;
}

/** Numbers by name, with the total at the end. */
function NumberTable<Row extends Named>({
  title,
  head,
  rows,
  columns,
}: {
  title: string;
  /** What the names are of. */
  head: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  return (
    <Section title={title}>
      {/* biome-ignore lint/a11y/useSemanticElements: the section around it is the landmark already, and it is no group of fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <div className="sheet sales" role="group" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {columns.map((column) => (
                <th key={column.head} scope="col" data-align="end">
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} data-part={row.part || undefined}>
                <th scope="row">
                  <bdi>{row.name}</bdi>
                </th>
                {columns.map((column) => (
                  <td key={column.head} className="number" data-align="end">
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

type Amounts = Pick<Sales, 'price_minor' | 'discount_minor' | 'total_minor'>;

const NOTHING = '–';

/** The amounts: what was taken off only where something was, and where there is room. */
function useAmounts({ discount_minor, currency }: Sales): Column<Amounts>[] {
  const t = useWords('reports');
  const formats = useFormats();
  const isPhone = usePhone();
  const money = (minor: number) => formats.money(minor, currency);
  const total = { head: t('total'), cell: (row: Amounts) => money(row.total_minor) };
  if (discount_minor === 0 || isPhone) return [total];
  return [
    { head: t('beforeDiscounts'), cell: (row) => money(row.price_minor) },
    { head: t('discounts'), cell: (row) => (row.discount_minor === 0 ? NOTHING : money(row.discount_minor)) },
    total,
  ];
}

const useCount = (): ((value: number | null) => string) => {
  const formats = useFormats();
  return (value) => (value === null ? NOTHING : formats.number(value));
};

export function TypeTable({ sales }: { sales: Sales }) {
  const t = useWords('reports');
  const count = useCount();
  const { typeName } = useEvent();
  const amounts = useAmounts(sales);
  const rows = sales.attendee_types.flatMap(({ attendee_type, prices, ...type }) => [
    { ...type, id: attendee_type, name: typeName(attendee_type), part: false },
    // One price that has no name says what the type says.
    ...(prices.length === 1 && prices[0]!.name === null ? [] : prices).map(({ name, ...price }) => ({
      ...price,
      ...{ id: `${attendee_type} ${name}`, name: name ?? t('regularPrice'), part: true },
    })),
  ]);
  return (
    <NumberTable
      title={t('byType')}
      head={t('type')}
      rows={rows}
      columns={[{ head: t('people'), cell: ({ people }) => count(people) }, ...amounts]}
    />
  );
}

export function ProductTable({ sales }: { sales: Sales }) {
  const t = useWords('reports');
  const count = useCount();
  const { products, productName } = useEvent();
  const amounts = useAmounts(sales);
  const rows = sales.products.flatMap(({ product, options, ...of }) => [
    { ...of, id: product, name: productName(product), part: false },
    ...options.map(({ option, ...one }) => ({
      ...one,
      ...{ id: `${product} ${option}`, part: true },
      name: products.find(({ code }) => code === product)?.options.find(({ code }) => code === option)?.name ?? option,
    })),
  ]);
  const some = <T,>(has: boolean, column: T): T[] => (has ? [column] : []);
  return (
    <NumberTable
      title={t('byProduct')}
      head={t('product')}
      rows={rows}
      columns={[
        { head: t('sold'), cell: ({ units }) => count(units) },
        ...some(
          rows.some(({ handed_out }) => handed_out > 0),
          { head: t('handedOut'), cell: ({ handed_out }: { handed_out: number }) => count(handed_out) },
        ),
        ...some(
          rows.some(({ left }) => left !== null),
          { head: t('left'), cell: ({ left }: { left: number | null }) => count(left) },
        ),
        ...amounts,
      ]}
    />
  );
}

export function CodeTable({ sales: { codes, other_codes, currency } }: { sales: Sales }) {
  const t = useWords('reports');
  const count = useCount();
  const formats = useFormats();
  const others = other_codes === null ? [] : [{ ...other_codes, code: null }];
  const rows = [...codes, ...others].map(({ code, ...of }) => ({
    ...of,
    id: code ?? '',
    name: code ?? t('otherCodes', { count: other_codes!.codes }),
  }));
  return (
    <NumberTable
      title={t('byCode')}
      head={t('code')}
      rows={rows}
      columns={[
        { head: t('registrations'), cell: ({ registrations }) => count(registrations) },
        { head: t('used'), cell: ({ people }) => count(people) },
        { head: t('discounts'), cell: ({ discount_minor }) => formats.money(discount_minor, currency) },
      ]}
    />
  );
}

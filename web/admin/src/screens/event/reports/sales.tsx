import { EmptyState, Section, useFormats, useWords } from '@turnout/ui';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Bars } from '../../../parts/plot.tsx';
import type { DrawnProps } from './drawn.ts';
import { Totals } from './numbers.tsx';
import { CodeTable, ProductTable, type Sales, TypeTable } from './sales-tables.tsx';

/** What people have booked and what it costs: by type and price, product and option, and code, each currency for itself. */
export function SalesDrawn({ query }: DrawnProps) {
  const t = useWords('reports');
  const { base } = useEvent();
  const report = useCall('reportSales', { ...base, query });
  return (
    <QueryResult query={report}>
      {({ currencies }) =>
        currencies.every(({ people, units }) => people === 0 && units === 0) ? (
          <EmptyState title={t('noSales')}>{t('noSalesText')}</EmptyState>
        ) : (
          currencies.map((one) => <CurrencySales key={one.currency} sales={one} alone={currencies.length === 1} />)
        )
      }
    </QueryResult>
  );
}

function CurrencySales({ sales, alone }: { sales: Sales; alone: boolean }) {
  const t = useWords('reports');
  const formats = useFormats();
  const { units, discount_minor, products, codes } = sales;
  const money = (minor: number) => formats.money(minor, sales.currency);
  return (
    <section className="stack" aria-label={sales.currency}>
      {!alone && <h2>{sales.currency}</h2>}
      <p className="soft">{t('salesLead')}</p>
      <Totals
        label={t('totals')}
        facts={[
          [t('people'), formats.number(sales.people)],
          ...(units === 0 ? [] : [[t('unitsSold'), formats.number(units)] as const]),
          ...(discount_minor === 0
            ? []
            : ([
                [t('beforeDiscounts'), money(sales.price_minor)],
                [t('discounts'), money(discount_minor)],
              ] as const)),
          [t('total'), money(sales.total_minor)],
        ]}
      />
      <Share sales={sales} />
      <TypeTable sales={sales} />
      {products.length > 0 && <ProductTable sales={sales} />}
      {codes.length > 0 && <CodeTable sales={sales} />}
    </section>
  );
}

const MAX_BARS = 10;

/** Where the money comes from: types and products beside each other. */
function Share({ sales: { attendee_types, products, currency } }: { sales: Sales }) {
  const t = useWords('reports');
  const formats = useFormats();
  const { typeName, productName } = useEvent();
  const parts = [
    ...attendee_types.map((one) => ({
      id: `type ${one.attendee_type}`,
      name: typeName(one.attendee_type),
      value: one.total_minor,
    })),
    ...products.map((one) => ({
      id: `product ${one.product}`,
      name: productName(one.product),
      value: one.total_minor,
    })),
  ].filter(({ value }) => value > 0);
  if (parts.length < 2) return null;
  const largest = parts.sort((a, b) => b.value - a.value).slice(0, MAX_BARS);
  return (
    <Section title={t('salesShare')}>
      <Bars
        label={t('salesShare')}
        bars={largest.map((one) => ({ ...one, text: formats.money(one.value, currency) }))}
      />
    </Section>
  );
}

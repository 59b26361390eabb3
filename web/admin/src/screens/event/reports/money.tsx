import type { MoneyReport } from '@turnout/client';
import { EmptyState, Section, useFormats, useWords } from '@turnout/ui';
import { useCallback, useMemo } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Bars, Plot } from '../../../parts/plot.tsx';
import { useNameText } from '../../../parts/status.tsx';
import type { DrawnProps } from './drawn.ts';
import { Totals } from './numbers.tsx';

type Currency = MoneyReport['currencies'][number];

/** What is due and what came in: by way of paying, type and date, each currency for itself. */
export function MoneyDrawn({ query }: DrawnProps) {
  const t = useWords('reports');
  const { base } = useEvent();
  const report = useCall('reportMoney', { ...base, query });
  return (
    <QueryResult query={report}>
      {({ currencies }) =>
        currencies.length === 0 ? (
          <EmptyState title={t('noMoney')}>{t('noMoneyText')}</EmptyState>
        ) : (
          currencies.map((one) => <CurrencySection key={one.currency} currency={one} alone={currencies.length === 1} />)
        )
      }
    </QueryResult>
  );
}

function CurrencySection({ currency, alone }: { currency: Currency; alone: boolean }) {
  const t = useWords('reports');
  const formats = useFormats();
  const names = useNameText();
  const { typeName } = useEvent();
  const money = (minor: number) => formats.money(minor, currency.currency);
  return (
    <section className="stack" aria-label={currency.currency}>
      {!alone && <h2>{currency.currency}</h2>}
      <Totals
        label={t('totals')}
        facts={[
          [t('received'), money(currency.received_minor)],
          [t('refunded'), money(currency.refunded_minor)],
          ...(currency.charged_back_minor === 0
            ? []
            : [[t('chargedBack'), money(currency.charged_back_minor)] as const]),
          [t('net'), money(currency.net_minor)],
          [t('due'), money(currency.due_minor)],
          ...(currency.credit_minor === 0 ? [] : [[t('credit'), money(currency.credit_minor)] as const]),
        ]}
      />
      <ByDate currency={currency} />
      <div className="report-grid">
        <Section title={t('byMethod')}>
          <Bars
            label={t('byMethod')}
            bars={currency.methods.map((one) => ({
              ...{ id: one.method, name: names.method(one.method), value: Math.max(0, one.net_minor) },
              text: t('methodCounts', { net: money(one.net_minor), count: one.payments }),
            }))}
          />
        </Section>
        <Section title={t('byType')}>
          <Bars
            label={t('byType')}
            bars={currency.attendee_types.map((one) => ({
              ...{ id: one.attendee_type, name: typeName(one.attendee_type), value: one.paid_minor },
              total: one.charged_minor,
              text: t('paidOf', { paid: money(one.paid_minor), charged: money(one.charged_minor) }),
            }))}
          />
        </Section>
      </div>
    </section>
  );
}

function ByDate({ currency: { days, currency } }: { currency: Currency }) {
  const t = useWords('reports');
  const formats = useFormats();
  const at = useMemo(() => days.map(({ date }) => `${date}T00:00:00Z`), [days]);
  const series = useMemo(
    () => [
      {
        name: t('received'),
        values: days.map((one) => one.received_minor),
        tone: 'good' as const,
        kind: 'bars' as const,
      },
      {
        name: t('refunded'),
        values: days.map((one) => one.refunded_minor),
        tone: 'warn' as const,
        kind: 'line' as const,
      },
    ],
    [days, t],
  );
  const format = useCallback((minor: number) => formats.money(minor, currency), [formats, currency]);
  if (days.length === 0) return null;
  return (
    <Section title={t('byDate')}>
      {/* A date is the same everywhere, so it is drawn in UTC, in which it was made. */}
      <Plot label={t('byDate')} at={at} series={series} by="day" timeZone="UTC" format={format} />
    </Section>
  );
}

import { useFormats, useWords } from '@turnout/ui';
import { QueryResult } from '../../../frame/query-result.tsx';
import '../../../parts/figures.css';
import type { useMoneyReport } from './use-payments.ts';

const FIGURES = ['received', 'refunded', 'net', 'due'] as const;

/** What came in, what went back and what is still due, in each currency; of the chosen time where one is chosen. */
export function Totals({ report }: { report: ReturnType<typeof useMoneyReport> }) {
  const t = useWords('payments');
  const formats = useFormats();
  return (
    <QueryResult query={report}>
      {({ currencies }) =>
        currencies.map((one) => (
          <dl key={one.currency} className="figures" aria-label={t('totals', { currency: one.currency })}>
            {FIGURES.map((name) => (
              <div key={name} data-tone={name === 'due' && one.due_minor > 0 ? 'warn' : undefined}>
                <dt>{t(`total.${name}`)}</dt>
                <dd>{formats.money(one[`${name}_minor`], one.currency)}</dd>
              </div>
            ))}
            {one.charged_back_minor > 0 && (
              <div data-tone="warn">
                <dt>{t('total.chargedBack')}</dt>
                <dd>{formats.money(one.charged_back_minor, one.currency)}</dd>
              </div>
            )}
            {one.credit_minor > 0 && (
              <div>
                <dt>{t('total.credit')}</dt>
                <dd>{formats.money(one.credit_minor, one.currency)}</dd>
              </div>
            )}
          </dl>
        ))
      }
    </QueryResult>
  );
}

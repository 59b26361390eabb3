import type { Payment } from '@turnout/client';
import { useCall, usePages } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import type { useFilters } from '../../../parts/use-filters.ts';
import { spanOf } from '../../../parts/zoned.ts';
import { type PaymentFilters, paymentsQuery } from './payment-values.ts';

/** The payments that match the filters in the address. */
export function usePayments(values: ReturnType<typeof useFilters>['values']) {
  const { base, timezone } = useEvent();
  const between = spanOf(values, timezone);
  const query = { ...paymentsQuery(values as PaymentFilters), ...between };
  const pages = usePages('listEventPayments', { ...base, query } as never, { keep: true }) as ReturnType<
    typeof usePages<'listEventPayments'>
  >;
  const shown: Payment | undefined = pages.rows?.find(({ id }) => id === values.payment);
  return { pages, between, shown };
}

/** The totals in each currency, of the chosen time where one is chosen. */
export function useMoneyReport(between: { from?: string | undefined; to?: string | undefined }) {
  const { base } = useEvent();
  const query = JSON.parse(JSON.stringify(between)) as { from?: string; to?: string };
  return useCall('reportMoney', { ...base, query }, { keep: true });
}

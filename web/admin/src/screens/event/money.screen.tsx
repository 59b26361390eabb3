import type { Payment } from '@turnout/client';
import { Button, DataShape, FiguresShape, Page, Skeleton, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useOrganization } from '../../frame/organization.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { PaymentDialog } from './money/payment.tsx';
import { PaymentFilters } from './money/payment-filters.tsx';
import { PaymentTable } from './money/payment-table.tsx';
import { isFiltered } from './money/payment-values.ts';
import { Record } from './money/record.tsx';
import { Refund } from './money/refund.tsx';
import { Totals } from './money/totals.tsx';
import { useMoneyReport, usePayments } from './money/use-payments.ts';
import './money/payments.css';

/** Every payment of the event with its totals; recording and refunding. */
export default function Payments() {
  const t = useWords('payments');
  const { may } = useOrganization();
  const { values, set } = useFilters();
  const { pages, between, shown } = usePayments(values);
  const report = useMoneyReport(between);
  const [refunding, setRefunding] = useState<Payment | null>(null);
  const record = may('money.record') && (
    <Button kind="main" onClick={() => set({ record: 'yes' })}>
      {t('record')}
    </Button>
  );
  const refund = (payment: Payment) => {
    if (values.payment !== undefined) set({ payment: undefined });
    setRefunding(payment);
  };
  // How high the totals are depends on what there is, so what stands below them is drawn with them.
  if (report.isPending)
    return (
      <Page title={t('title')} actions={record}>
        <Skeleton>
          <FiguresShape />
          <DataShape />
        </Skeleton>
      </Page>
    );
  return (
    <Page title={t('title')} actions={record}>
      <Totals report={report} />
      <PaymentFilters />
      <PaymentTable
        {...{ pages, record }}
        isFiltered={isFiltered(values)}
        onOpen={({ id }) => set({ payment: id })}
        onRefund={refund}
      />
      {values.record !== undefined && (
        <Record registration={values.registration} onClose={() => set({ record: undefined })} />
      )}
      {values.payment !== undefined && (
        <PaymentDialog
          id={values.payment}
          known={shown}
          onClose={() => set({ payment: undefined })}
          onRefund={refund}
        />
      )}
      {refunding !== null && <Refund payment={refunding} onClose={() => setRefunding(null)} />}
    </Page>
  );
}

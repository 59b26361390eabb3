import type { Payment } from '@turnout/client';
import { Button, Page, useWords } from '@turnout/ui';
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
import { usePayments } from './money/use-payments.ts';
import './money/payments.css';

/** Every payment of the event with its totals; recording and refunding. */
export default function Payments() {
  const t = useWords('payments');
  const { may } = useOrganization();
  const { values, set } = useFilters();
  const { pages, between, shown } = usePayments(values);
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
  return (
    <Page title={t('title')} actions={record}>
      <Totals {...between} />
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

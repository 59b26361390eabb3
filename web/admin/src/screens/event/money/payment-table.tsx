import type { Payment } from '@turnout/client';
import { EmptyState, Menu, MoreIcon, Time, useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import type { usePages } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { type DataColumn, DataTable } from '../../../parts/data-table.tsx';
import { StateBadge, useNameText } from '../../../parts/status.tsx';
import { useNarrowerThan } from '../../../parts/use-phone.ts';
import { Payer } from './payer.tsx';
import { canBeRefunded } from './payment-values.ts';

interface PaymentTableProps {
  pages: ReturnType<typeof usePages<'listEventPayments'>>;
  isFiltered: boolean;
  /** The button that records the first payment; false if this member may not. */
  record: ReactNode;
  onOpen: (payment: Payment) => void;
  onRefund: (payment: Payment) => void;
}

export function PaymentTable({ pages, isFiltered, record, onOpen, onRefund }: PaymentTableProps) {
  const t = useWords('payments');
  const columns = usePaymentColumns({ onOpen, onRefund });
  const empty = isFiltered ? (
    <EmptyState title={t('noneMatches')} />
  ) : (
    <EmptyState title={t('noneTitle')} action={record}>
      {t('noneText')}
    </EmptyState>
  );
  return (
    <DataTable
      name="payments"
      label={t('table')}
      pages={pages}
      keyOf={(one) => one.id}
      columns={columns}
      empty={empty}
    />
  );
}

function usePaymentColumns({ onOpen, onRefund }: Pick<PaymentTableProps, 'onOpen' | 'onRefund'>) {
  const t = useWords('payments');
  const formats = useFormats();
  const { timezone } = useEvent();
  const names = useNameText();
  // The rest still fits beside the navigation, and the menu of a row covers none of it.
  const narrow = useNarrowerThan(88);
  const narrower = useNarrowerThan(72);
  const amount = (one: Payment, minor: number) => formats.money(minor, one.currency);
  const columns: DataColumn<Payment>[] = [
    {
      ...{ id: 'who', head: t('who'), always: true, card: 'title', width: 'minmax(9rem, 2fr)' },
      cell: (one) => (
        <button type="button" className="row-link link-button" onClick={() => onOpen(one)}>
          <span className="clip">
            <Payer registration={one.registration_id} />
          </span>
        </button>
      ),
    },
    {
      ...{ id: 'amount', head: t('amount'), align: 'end', width: '7rem', card: 'end' },
      cell: (one) => amount(one, one.amount_minor),
    },
    {
      ...{ id: 'refunded', head: t('refunded'), align: 'end', width: '7rem', extra: narrower },
      cell: (one) => (one.refunded_minor === 0 ? '' : amount(one, one.refunded_minor)),
    },
    {
      ...{ id: 'status', head: t('status'), card: 'line', width: 'minmax(9rem, 1fr)' },
      cell: (one) => <StateBadge kind="payment" value={one.status} />,
    },
    {
      ...{ id: 'method', head: t('method'), card: 'line', width: 'minmax(6rem, 1fr)', extra: narrower },
      cell: (one) => names.method(one.method),
    },
    {
      ...{ id: 'reference', head: t('reference'), width: 'minmax(6rem, 1fr)', extra: narrow },
      cell: (one) => <bdi>{one.reference}</bdi>,
    },
    {
      ...{ id: 'at', head: t('when'), card: 'line', width: 'minmax(9.5rem, 1fr)' },
      cell: (one) => <Time at={one.created_at} timeZone={timezone} />,
    },
    {
      ...{ id: 'actions', head: t('actions'), always: true, pinned: true, width: '5rem', align: 'end' },
      cell: (one) => <PaymentActions payment={one} onRefund={onRefund} />,
    },
  ];
  return columns;
}

function PaymentActions({ payment, onRefund }: { payment: Payment; onRefund: (payment: Payment) => void }) {
  const t = useWords('payments');
  const formats = useFormats();
  const { may } = useOrganization();
  if (!may('money.refund') || !canBeRefunded(payment)) return null;
  return (
    <Menu
      label={t('actionsFor', { amount: formats.money(payment.amount_minor, payment.currency) })}
      button={{ kind: 'quiet', size: 'icon' }}
      groups={[{ items: [{ id: 'refund', label: t('refund'), onAction: () => onRefund(payment) }] }]}
    >
      <MoreIcon />
    </Menu>
  );
}

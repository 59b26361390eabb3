import { Link } from '@tanstack/react-router';
import type { Payment } from '@turnout/client';
import { Button, EmptyState, Menu, MoreIcon, Page, Time, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useCall, usePages } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { type DataColumn, DataTable } from '../../parts/data-table.tsx';
import { DateField } from '../../parts/fields.tsx';
import { Chip, Filters } from '../../parts/filters.tsx';
import { StateBadge, useNameText, useStateOptions } from '../../parts/status.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { spanOf } from '../../parts/zoned.ts';
import { Payer } from './money/payer.tsx';
import { PaymentDialog } from './money/payment.tsx';
import { Record } from './money/record.tsx';
import { Refund } from './money/refund.tsx';
import { Totals } from './money/totals.tsx';
import './money/payments.css';

const METHODS = ['cash', 'transfer', 'card', 'online', 'other'] as const;

/** Every payment of the event with its totals; recording and refunding. */
export default function Payments() {
  const t = useWords('payments');
  const { base, event, money, timezone } = useEvent();
  const { may } = useOrganization();
  const { values, set } = useFilters();
  const optionsOf = useStateOptions();
  const names = useNameText();
  const [refunding, setRefunding] = useState<Payment | null>(null);
  const between = spanOf(values, timezone);
  const query = {
    ...{ limit: 50, ...between },
    ...(values.status !== undefined && { status: values.status as Payment['status'] }),
    ...(values.method !== undefined && { method: values.method as Payment['method'] }),
    ...(values.registration !== undefined && { registration: values.registration }),
  };
  const pages = usePages('listEventPayments', { ...base, query } as never, { keep: true }) as ReturnType<
    typeof usePages<'listEventPayments'>
  >;
  const amount = (one: Payment, minor: number) =>
    one.currency === event.currency ? money(minor) : `${minor / 100} ${one.currency}`;
  const left = (one: Payment) => one.amount_minor - one.refunded_minor - one.charged_back_minor;
  const refundable = (one: Payment) => may('money.refund') && one.status === 'received' && left(one) > 0;
  const columns: DataColumn<Payment>[] = [
    {
      ...{ id: 'who', head: t('who'), always: true, card: 'title', width: 'minmax(11rem, 2fr)' },
      cell: (one) => (
        <button type="button" className="row-link link-button" onClick={() => set({ payment: one.id })}>
          <span className="clip">
            <Payer registration={one.registration_id} />
          </span>
        </button>
      ),
    },
    {
      id: 'amount',
      head: t('amount'),
      align: 'end',
      width: '7rem',
      card: 'end',
      cell: (one) => amount(one, one.amount_minor),
    },
    {
      ...{ id: 'refunded', head: t('refunded'), align: 'end', width: '7rem' },
      cell: (one) => (one.refunded_minor === 0 ? '' : amount(one, one.refunded_minor)),
    },
    {
      id: 'status',
      head: t('status'),
      card: 'line',
      width: 'minmax(8rem, 1fr)',
      cell: (one) => <StateBadge kind="payment" value={one.status} />,
    },
    { id: 'method', head: t('method'), card: 'line', cell: (one) => names.method(one.method) },
    { id: 'reference', head: t('reference'), cell: (one) => <bdi>{one.reference}</bdi> },
    {
      id: 'at',
      head: t('when'),
      card: 'line',
      width: 'minmax(11rem, 1fr)',
      cell: (one) => <Time at={one.created_at} timeZone={timezone} />,
    },
    {
      ...{ id: 'actions', head: t('actions'), always: true, pinned: true, width: '5rem', align: 'end' },
      cell: (one) =>
        refundable(one) && (
          <Menu
            label={t('actionsFor', { amount: amount(one, one.amount_minor) })}
            button={{ kind: 'quiet', size: 'icon' }}
            groups={[{ items: [{ id: 'refund', label: t('refund'), onAction: () => setRefunding(one) }] }]}
          >
            <MoreIcon />
          </Menu>
        ),
    },
  ];
  const isFiltered = ['status', 'method', 'registration', 'from', 'to'].some((name) => values[name] !== undefined);
  const record = may('money.record') && (
    <Button kind="main" onClick={() => set({ record: 'yes' })}>
      {t('record')}
    </Button>
  );
  const shown = pages.rows?.find(({ id }) => id === values.payment);
  return (
    <Page title={t('title')} actions={record}>
      <Totals {...between} />
      <Filters
        choices={[
          { name: 'status', label: t('status'), options: optionsOf('payment') },
          {
            ...{ name: 'method', label: t('method') },
            options: METHODS.map((value) => ({ value, label: names.method(value) })),
          },
        ]}
        others={['from', 'to', 'registration']}
      >
        <div className="filter-dates">
          <DateField
            label={t('from')}
            value={values.from ?? ''}
            onChange={(from) => set({ from }, { quietly: true })}
          />
          <DateField label={t('to')} value={values.to ?? ''} onChange={(to) => set({ to }, { quietly: true })} />
        </div>
        {values.registration !== undefined && (
          <RegistrationChip registration={values.registration} onRemove={() => set({ registration: undefined })} />
        )}
      </Filters>
      <DataTable
        name="payments"
        label={t('title')}
        pages={pages}
        keyOf={(one) => one.id}
        columns={columns}
        empty={
          isFiltered ? (
            <EmptyState title={t('noneMatches')} />
          ) : (
            <EmptyState title={t('noneTitle')} action={record}>
              {t('noneText')}
            </EmptyState>
          )
        }
      />
      {values.record !== undefined && (
        <Record registration={values.registration} onClose={() => set({ record: undefined })} />
      )}
      {values.payment !== undefined && (
        <PaymentDialog
          id={values.payment}
          known={shown}
          onClose={() => set({ payment: undefined })}
          onRefund={(one) => {
            set({ payment: undefined });
            setRefunding(one);
          }}
        />
      )}
      {refunding !== null && <Refund payment={refunding} onClose={() => setRefunding(null)} />}
    </Page>
  );
}

function RegistrationChip({ registration, onRemove }: { registration: string; onRemove: () => void }) {
  const t = useWords('payments');
  const { base } = useEvent();
  const { data } = useCall('getRegistration', { ...base, registration });
  return (
    <>
      <Chip label={t('ofRegistration', { code: data?.code ?? '…' })} onRemove={onRemove} />
      <Link to="/$org/events/$event/people/registrations/$registration" params={{ ...base, registration }}>
        {t('toRegistration')}
      </Link>
    </>
  );
}

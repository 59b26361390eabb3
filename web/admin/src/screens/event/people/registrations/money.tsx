import { Link } from '@tanstack/react-router';
import type { Payment, Registration } from '@turnout/client';
import { isPossible } from '@turnout/contract/registration-states';
import { Button, Facts, Section, Table, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { usePages } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { QueryResult } from '../../../../frame/query-result.tsx';
import { StateBadge, useNameText } from '../../../../parts/status.tsx';
import { useMayHere } from '../may-here.ts';
import { CheckoutLink, RecordPayment, Refund, usePaymentsSoon } from './payment-later.tsx';

type Open = { what: 'record' | 'checkout' } | { what: 'refund'; payment: Payment };

/**
 * The money of a registration: what is due, what came, what is left, and what can be done about it. Nothing for those who see only a
 * part of the registration. `brief`: beside a person, without the payments, which are in the timeline there.
 */
export function Money({ registration, brief }: { registration: Registration; brief?: boolean }) {
  const t = useWords('registrations');
  const may = useMayHere();
  const { online_payments } = useOrganization();
  const { base } = useEvent();
  const [open, setOpen] = useState<Open | null>(null);
  usePaymentsSoon();
  const { total_minor, paid_minor, balance_minor } = registration;
  if (total_minor === null || paid_minor === null || balance_minor === null) return null;
  if (brief && total_minor === 0 && paid_minor === 0 && registration.discount_code === null) return null;
  const close = () => setOpen(null);
  const payable = may('money.record') && isPossible('pay', registration.status);
  const payableOnline = online_payments && registration.status === 'pending_payment' && !registration.test;
  return (
    <Section
      title={t('money')}
      actions={
        <>
          {payable && (
            <Button size="small" onClick={() => setOpen({ what: 'record' })}>
              {t('recordPayment')}
            </Button>
          )}
          {payable && payableOnline && balance_minor > 0 && (
            <Button size="small" onClick={() => setOpen({ what: 'checkout' })}>
              {t('checkout')}
            </Button>
          )}
        </>
      }
    >
      <Sums registration={registration} />
      {brief ? (
        <p>
          <Link
            to="/$org/events/$event/people/registrations/$registration"
            params={{ ...base, registration: registration.code }}
          >
            {t('toPayments')}
          </Link>
        </p>
      ) : (
        <Payments registration={registration} onRefund={(payment) => setOpen({ what: 'refund', payment })} />
      )}
      {open?.what === 'record' && <RecordPayment registration={registration} onClose={close} />}
      {open?.what === 'checkout' && <CheckoutLink registration={registration} onClose={close} />}
      {open?.what === 'refund' && <Refund registration={registration} payment={open.payment} onClose={close} />}
    </Section>
  );
}

function Sums({ registration }: { registration: Registration }) {
  const t = useWords('registrations');
  const formats = useFormats();
  const { money, timezone } = useEvent();
  const balance = registration.balance_minor ?? 0;
  const b = useWords('booking');
  const { discount_code: code, discount_minor } = registration;
  return (
    <Facts
      facts={[
        ...(code === null
          ? []
          : [
              [
                b('code'),
                <span key="code">
                  <bdi>{code}</bdi>
                  <span className="soft number"> · {b('off', { amount: money(discount_minor ?? 0) })}</span>
                </span>,
              ] as const,
            ]),
        [
          t('total'),
          <span key="t" className="number">
            {money(registration.total_minor ?? 0)}
          </span>,
        ],
        [
          t('paid'),
          <span key="p" className="number">
            {money(registration.paid_minor ?? 0)}
          </span>,
        ],
        [
          t(balance < 0 ? 'credit' : 'due'),
          <span key="b" className="number">
            <strong>{money(Math.abs(balance))}</strong>
            {registration.payment_due_at !== null && (
              <span className="soft">
                {' '}
                · {t('dueAt', { at: formats.dateTime(registration.payment_due_at, timezone) })}
              </span>
            )}
          </span>,
        ],
      ]}
    />
  );
}

function Payments({ registration, onRefund }: { registration: Registration; onRefund: (payment: Payment) => void }) {
  const t = useWords('registrations');
  const formats = useFormats();
  const may = useMayHere();
  const { base, money, timezone } = useEvent();
  const nameText = useNameText();
  const payments = usePages('listPayments', { ...base, registration: registration.id, query: { limit: 100 } });
  const left = (one: Payment) => one.amount_minor - one.refunded_minor - one.charged_back_minor;
  return (
    <QueryResult query={{ ...payments, data: payments.rows }} lines={2}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="soft">{t('noPayments')}</p>
        ) : (
          <Table
            label={t('payments')}
            rows={rows}
            keyOf={(one) => one.id}
            columns={[
              {
                ...{ id: 'at', head: t('at') },
                cell: (one) => (
                  <>
                    {formats.dateTime(one.created_at, timezone)}
                    <div className="soft small">
                      {nameText.method(one.method)}
                      {one.reference !== null && (
                        <>
                          {' · '}
                          <bdi>{one.reference}</bdi>
                        </>
                      )}
                    </div>
                  </>
                ),
              },
              { id: 'status', head: t('status'), cell: (one) => <StateBadge kind="payment" value={one.status} /> },
              {
                ...{ id: 'amount', head: t('amount'), align: 'end' },
                cell: (one) => (
                  <>
                    {money(one.amount_minor)}
                    {one.refunded_minor > 0 && (
                      <div className="soft small">
                        {t('refunded')}: {money(one.refunded_minor)}
                      </div>
                    )}
                  </>
                ),
              },
              {
                ...{ id: 'actions', head: '', align: 'end' },
                cell: (one) =>
                  may('money.refund') &&
                  one.status !== 'failed' &&
                  left(one) > 0 && (
                    <Button
                      size="small"
                      aria-label={t('refundOf', { amount: money(one.amount_minor) })}
                      onClick={() => onRefund(one)}
                    >
                      {t('refund')}
                    </Button>
                  ),
              },
            ]}
          />
        )
      }
    </QueryResult>
  );
}

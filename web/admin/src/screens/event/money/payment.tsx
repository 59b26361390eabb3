import { Link } from '@tanstack/react-router';
import type { Payment } from '@turnout/client';
import { Button, Dialog, Facts, useFormats, useWords } from '@turnout/ui';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { History } from '../../../parts/history.tsx';
import { StateBadge, useNameText } from '../../../parts/status.tsx';
import { Payer } from './payer.tsx';
import { canBeRefunded } from './payment-values.ts';

/** One payment with its history. Its address can be sent to somebody. */
export function PaymentDialog({
  id,
  known,
  onClose,
  onRefund,
}: {
  id: string;
  known: Payment | undefined;
  onClose: () => void;
  onRefund: (payment: Payment) => void;
}) {
  const t = useWords('payments');
  const formats = useFormats();
  const { base, timezone } = useEvent();
  const { org, may } = useOrganization();
  const names = useNameText();
  const paymentQuery = useCall('getPayment', { org, payment: id });
  const payment =
    paymentQuery.data === undefined && known !== undefined ? { ...paymentQuery, data: known } : paymentQuery;
  const registration = payment.data?.registration_id;
  const payer = useCall(
    'getRegistration',
    { ...base, registration: registration ?? '' },
    { enabled: registration !== undefined },
  );
  // A dialog that grew while its content comes would jump: an address that leads straight here shows the list until then.
  if (payment.error === null && (payment.data === undefined || payer.isPending)) return null;
  return (
    <Dialog title={t('one')} onClose={onClose} wide>
      <QueryResult query={payment}>
        {(one) => {
          const money = (minor: number) => formats.money(minor, one.currency);
          return (
            <div className="stack">
              <Facts
                facts={[
                  [
                    t('who'),
                    <Link
                      key="who"
                      to="/$org/events/$event/people/registrations/$registration"
                      params={{ ...base, registration: one.registration_id }}
                    >
                      <Payer registration={one.registration_id} />
                    </Link>,
                  ],
                  [t('amount'), money(one.amount_minor)],
                  ...(one.refunded_minor > 0 ? [[t('refunded'), money(one.refunded_minor)] as const] : []),
                  ...(one.charged_back_minor > 0
                    ? [[t('total.chargedBack'), money(one.charged_back_minor)] as const]
                    : []),
                  [t('status'), <StateBadge key="status" kind="payment" value={one.status} />],
                  [t('method'), names.method(one.method)],
                  ...(one.reference === null
                    ? []
                    : [[t('reference'), <bdi key="reference">{one.reference}</bdi>] as const]),
                  [t('when'), formats.dateTime(one.created_at, timezone)],
                ]}
              />
              {may('money.refund') && canBeRefunded(one) && (
                <div className="buttons">
                  <Button kind="danger" onClick={() => onRefund(one)}>
                    {t('refund')}
                  </Button>
                </div>
              )}
              <History object={one.id} />
            </div>
          );
        }}
      </QueryResult>
    </Dialog>
  );
}

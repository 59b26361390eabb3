import type { Payment } from '@turnout/client';
import { Dialog, Form, Radios, Submit, TextField, toast, useFormats, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { MoneyField } from '../../../parts/fields.tsx';
import { leftOf } from './payment-values.ts';

/**
 * Gives money back, all or a part of it, and says what becomes of the registration. Nothing is chosen beforehand: a refund by itself leaves
 * tickets that admit, and whoever refunds must have wanted that.
 */
export function Refund({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const t = useWords('payments');
  const formats = useFormats();
  const { org } = useOrganization();
  const refresh = useRefresh();
  const left = leftOf(payment);
  const { currency } = payment;
  return (
    <Dialog title={t('refundTitle', { amount: formats.money(payment.amount_minor, currency) })} onClose={onClose}>
      <Form
        values={{ amount_minor: left as number | null, reason: '', after: '' as '' | 'stay' | 'reopen' | 'cancel' }}
        submit={({ amount_minor, reason, after }, { key }) =>
          call(
            'refundPayment',
            {
              ...{ org, payment: payment.id },
              body: {
                ...(amount_minor !== null && { amount_minor }),
                ...(reason.trim() !== '' && { reason: reason.trim() }),
                ...(after === 'reopen' && { reopen: true }),
                ...(after === 'cancel' && { cancel: true }),
              },
            },
            { key },
          )
        }
        done={async (_, { amount_minor }) => {
          toast(t('refundDone', { amount: formats.money(amount_minor ?? left, currency) }), 'good');
          onClose();
          await refresh(
            'listEventPayments',
            'getPayment',
            'reportMoney',
            'getRegistration',
            'listRegistrations',
            'listPayments',
            'getEventSummary',
          );
        }}
      >
        {({ field }) => (
          <>
            <p className="soft">{payment.method === 'online' ? t('refundOnline') : t('refundByHand')}</p>
            <MoneyField label={t('refundAmount')} currency={currency} min={1} max={left} {...field('amount_minor')} />
            <TextField
              label={t('reason')}
              hint={t('reasonHint')}
              required={false}
              maxLength={500}
              {...field('reason')}
            />
            <Radios
              required
              label={t('afterRefund')}
              options={[
                { value: 'stay', label: t('thenStay'), hint: t('thenStayHint') },
                { value: 'reopen', label: t('thenReopen'), hint: t('thenReopenHint') },
                { value: 'cancel', label: t('thenCancel'), hint: t('thenCancelHint') },
              ]}
              {...field('after')}
            />
            <div className="buttons">
              <Submit kind="danger-main">{t('refund')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

import type { Checkout, Payment, Registration } from '@turnout/client';
import { hasEnded, isPossible } from '@turnout/contract/registration-states';
import {
  Button,
  CopyField,
  Dialog,
  Form,
  ProblemNotice,
  Radios,
  Select,
  Skeleton,
  TextArea,
  TextField,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useEffect, useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { useDueCheck } from '../../../../parts/due-check.ts';
import { MoneyField } from '../../../../parts/fields.tsx';
import { useNameText } from '../../../../parts/status.tsx';
import { DialogButtons, reasonIn, useDone } from '../attendee/dialog-parts.tsx';

const METHODS = ['cash', 'transfer', 'card', 'other'] as const;

/** Money that came by another way than the payment provider. */
export function RecordPayment({ registration, onClose }: { registration: Registration; onClose: () => void }) {
  const t = useWords('registrations');
  const nameText = useNameText();
  const { base, event, money } = useEvent();
  const done = useDone(onClose);
  const due = Math.max(0, registration.balance_minor ?? 0);
  const checkDue = useDueCheck(registration);
  return (
    <Dialog title={t('recordPayment')} onClose={onClose}>
      <Form
        careless
        values={{
          amount_minor: (due === 0 ? null : due) as number | null,
          method: 'transfer' as (typeof METHODS)[number] | '',
          reference: '',
        }}
        submit={async ({ amount_minor, method, reference }, { key }) => {
          await checkDue(key);
          const body = {
            ...{ amount_minor: amount_minor ?? 0, method: method || ('other' as const) },
            ...(reference.trim() !== '' && { reference: reference.trim() }),
          };
          return call('recordPayment', { ...base, registration: registration.id, body }, { key });
        }}
        done={({ amount_minor }) => done(t('wasRecorded', { amount: money(amount_minor) }))}
      >
        {({ field }) => (
          <>
            <MoneyField label={t('amount')} currency={event.currency} min={1} {...field('amount_minor')} />
            <Select
              label={t('method')}
              options={METHODS.map((value) => ({ value, label: nameText.method(value) }))}
              {...field('method')}
            />
            <TextField
              label={t('reference')}
              hint={t('referenceHint')}
              required={false}
              maxLength={200}
              autoComplete="off"
              {...field('reference')}
            />
            <DialogButtons onClose={onClose}>{t('recordPayment')}</DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

const AFTER = ['keep', 'reopen', 'cancel'] as const;

/**
 * Gives money back: all of it or a part, and what becomes of the registration. Nothing is chosen beforehand: a refund by itself leaves
 * tickets that admit, and whoever refunds must have wanted that.
 */
export function Refund({
  registration,
  payment,
  onClose,
}: {
  registration: Registration;
  payment: Payment;
  onClose: () => void;
}) {
  const t = useWords('registrations');
  const { org } = useOrganization();
  const { event, money } = useEvent();
  const done = useDone(onClose);
  const most = payment.amount_minor - payment.refunded_minor - payment.charged_back_minor;
  const ended = hasEnded(registration.status);
  return (
    <Dialog title={t('refundTitle', { amount: money(payment.amount_minor) })} onClose={onClose}>
      <Form
        careless
        values={{ amount_minor: most as number | null, reason: '', after: '' as '' | (typeof AFTER)[number] }}
        submit={({ amount_minor, reason, after }, { key }) =>
          call(
            'refundPayment',
            {
              ...{ org, payment: payment.id },
              body: {
                ...{ amount_minor: amount_minor ?? most, ...reasonIn(reason) },
                ...(after === 'reopen' && { reopen: true }),
                ...(after === 'cancel' && { cancel: true }),
              },
            },
            { key },
          )
        }
        done={(_, { amount_minor }) => done(t('wasRefunded', { amount: money(amount_minor ?? most) }))}
      >
        {({ field }) => (
          <>
            {payment.method === 'online' && <p>{t('refundOnline')}</p>}
            <MoneyField label={t('amount')} currency={event.currency} min={1} max={most} {...field('amount_minor')} />
            <TextArea label={t('reason')} required={false} maxLength={500} {...field('reason')} />
            {!ended && (
              <Radios
                required
                label={t('after')}
                options={AFTER.filter((one) => one !== 'reopen' || isPossible('reopen', registration.status)).map(
                  (value) => ({
                    ...{ value, label: t(`after.${value}`), hint: t(`afterHint.${value}`) },
                  }),
                )}
                {...field('after')}
              />
            )}
            <DialogButtons danger onClose={onClose}>
              {t('refund')}
            </DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** A page of the payment provider on which the registrant pays; the link is given to them. */
export function CheckoutLink({ registration, onClose }: { registration: Registration; onClose: () => void }) {
  const t = useWords('registrations');
  const c = useWords('common');
  const formats = useFormats();
  const { base, money } = useEvent();
  const [checkout, setCheckout] = useState<Checkout | null>(null);
  const make = useAction(async (registration: string, { key }: { key: string }) => {
    const back = `${location.origin}/`;
    const body = { success_url: back, cancel_url: back };
    setCheckout(await call('startCheckout', { ...base, registration, body }, { key }));
  });
  useEffect(() => {
    void make.run(registration.id);
  }, [make.run, registration.id]);
  return (
    <Dialog title={t('checkout')} onClose={onClose}>
      <ProblemNotice problem={make.problem} />
      {checkout === null && make.problem === null && <Skeleton lines={2} />}
      {checkout !== null && (
        <>
          <p>
            {t('checkoutText', { amount: money(checkout.amount_minor), until: formats.dateTime(checkout.expires_at) })}
          </p>
          <CopyField label={t('checkout')} text={checkout.url} />
        </>
      )}
      <div className="buttons">
        <Button onClick={onClose}>{c('close')}</Button>
      </div>
    </Dialog>
  );
}

import type { Event, EventChange } from '@turnout/client';
import { isPaid } from '@turnout/contract/prices';
import { ComboBox, Section, TextArea, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { NumberField } from '../../../parts/number-field.tsx';
import { useOptions } from '../../events/options.ts';
import { ChangeForm } from './change-form.tsx';
import { ChangeWarning } from './change-warning.tsx';
import { useUsed } from './use-used.ts';

interface Values {
  currency: string;
  payment_instructions: string;
  payment_hours: string;
  checkout_minutes: string;
  confirm_hours: string;
}

const valuesOf = ({ currency, payment_instructions, registration }: Event): Values => ({
  ...{ currency, payment_instructions: payment_instructions ?? '' },
  payment_hours: String(registration.payment_hours),
  checkout_minutes: String(registration.checkout_minutes),
  confirm_hours: String(registration.confirm_hours),
});

function bodyOf({ currency, payment_instructions, ...limits }: Partial<Values>): EventChange {
  const rules = Object.fromEntries(Object.entries(limits).map(([name, text]) => [name, Number(text)]));
  return {
    ...(currency !== undefined && { currency }),
    ...(payment_instructions !== undefined && {
      payment_instructions: payment_instructions.trim() === '' ? null : payment_instructions,
    }),
    ...(Object.keys(rules).length > 0 && { registration: rules }),
  };
}

/** In which currency people pay, how, and how long places are held for them. */
export function Payment() {
  const t = useWords('events');
  const site = useWords('site');
  const { event, types } = useEvent();
  const { used } = useUsed();
  const { currencies } = useOptions({ currency: event.currency });
  const names = {
    ...{ currency: t('currency'), payment_instructions: site('instructions'), payment_hours: t('paymentHours') },
    ...{ checkout_minutes: t('checkoutMinutes'), confirm_hours: t('confirmHours') },
  };
  const priced = types.some(isPaid);
  const days = (text: string) => {
    const count = Number(text);
    return Number.isInteger(count) && count >= 48 && count % 24 === 0
      ? t('paymentDays', { count: count / 24 })
      : undefined;
  };
  return (
    <Section title={t('payment')}>
      <ChangeForm valuesOf={valuesOf} body={bodyOf} names={names} places={PLACES}>
        {({ field, values, moved }) => (
          <>
            <ComboBox label={names.currency} options={currencies} {...field('currency')} />
            <ChangeWarning when={moved('currency') && (used || priced)}>
              {t(used ? 'mind.currencyUsed' : 'mind.currencyPrices')}
            </ChangeWarning>
            <TextArea
              label={names.payment_instructions}
              hint={site('instructionsHint')}
              required={false}
              maxLength={2000}
              rows={3}
              {...field('payment_instructions')}
            />
            <NumberField
              label={names.payment_hours}
              hint={[t('paymentHoursHint'), days(values.payment_hours)].filter(Boolean).join(' ')}
              min={1}
              max={8760}
              {...field('payment_hours')}
            />
            <NumberField
              label={names.checkout_minutes}
              hint={t('checkoutMinutesHint')}
              min={5}
              max={1440}
              {...field('checkout_minutes')}
            />
            <NumberField
              label={names.confirm_hours}
              hint={t('confirmHoursHint')}
              min={1}
              max={720}
              {...field('confirm_hours')}
            />
            <ChangeWarning
              when={(moved('payment_hours') || moved('checkout_minutes') || moved('confirm_hours')) && used}
            >
              {t('mind.paymentHours')}
            </ChangeWarning>
          </>
        )}
      </ChangeForm>
    </Section>
  );
}

const PLACES = {
  'registration/payment_hours': 'payment_hours',
  'registration/checkout_minutes': 'checkout_minutes',
  'registration/confirm_hours': 'confirm_hours',
} as const;

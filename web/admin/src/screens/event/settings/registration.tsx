import type { Event, EventChange } from '@turnout/client';
import { Checkbox, Section, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { DateTimeField } from '../../../parts/fields.tsx';
import { NumberField, numberOf, numberText } from '../../../parts/number-field.tsx';
import { ChangeForm } from './change-form.tsx';
import { ChangeWarning } from './change-warning.tsx';
import { useUsed } from './use-used.ts';

interface Values {
  opens_at: string | null;
  closes_at: string | null;
  capacity: string;
  max_people: string;
  approval: boolean;
  waitlist: boolean;
  unique_email: boolean;
  payment_hours: string;
  checkout_minutes: string;
  confirm_hours: string;
}

const valuesOf = ({ capacity, registration }: Event): Values => ({
  ...registration,
  capacity: numberText(capacity),
  max_people: numberText(registration.max_people),
  payment_hours: String(registration.payment_hours),
  checkout_minutes: String(registration.checkout_minutes),
  confirm_hours: String(registration.confirm_hours),
});

function bodyOf({
  capacity,
  max_people,
  payment_hours,
  checkout_minutes,
  confirm_hours,
  ...rest
}: Partial<Values>): EventChange {
  const rules = {
    ...rest,
    ...(max_people !== undefined && { max_people: numberOf(max_people) }),
    ...(payment_hours !== undefined && { payment_hours: Number(payment_hours) }),
    ...(checkout_minutes !== undefined && { checkout_minutes: Number(checkout_minutes) }),
    ...(confirm_hours !== undefined && { confirm_hours: Number(confirm_hours) }),
  };
  return {
    ...(capacity !== undefined && { capacity: numberOf(capacity) }),
    ...(Object.keys(rules).length > 0 && { registration: rules }),
  };
}

/** Who can register, when, how many, and what happens then. */
export function RegistrationRules() {
  const t = useWords('events');
  const formats = useFormats();
  const { timezone } = useEvent();
  const { used, takenPlaces } = useUsed();
  const names = {
    ...{ opens_at: t('opensAt'), closes_at: t('closesAt'), capacity: t('capacity'), max_people: t('maxPeople') },
    ...{ approval: t('approval'), waitlist: t('waitlistRule'), unique_email: t('uniqueEmail') },
    ...{ payment_hours: t('paymentHours'), checkout_minutes: t('checkoutMinutes'), confirm_hours: t('confirmHours') },
  };
  const hours = (text: string) => {
    const count = Number(text);
    return Number.isInteger(count) && count >= 48 && count % 24 === 0
      ? t('paymentDays', { count: count / 24 })
      : undefined;
  };
  return (
    <Section title={t('registration')}>
      <ChangeForm valuesOf={valuesOf} body={bodyOf} names={names} places={PLACES}>
        {({ field, values, moved }) => (
          <>
            <div className="columns">
              <DateTimeField
                label={names.opens_at}
                hint={t('opensAtHint')}
                required={false}
                zone={timezone}
                {...field('opens_at')}
              />
              <DateTimeField
                label={names.closes_at}
                hint={t('closesAtHint')}
                required={false}
                zone={timezone}
                {...field('closes_at')}
              />
            </div>
            <div className="columns">
              <NumberField
                label={names.capacity}
                hint={t('capacityHint')}
                required={false}
                min={0}
                {...field('capacity')}
              />
              <NumberField
                label={names.max_people}
                hint={t('maxPeopleHint')}
                required={false}
                min={1}
                max={1000}
                {...field('max_people')}
              />
            </div>
            <ChangeWarning when={moved('capacity') && values.capacity !== '' && Number(values.capacity) < takenPlaces}>
              {t('mind.capacity', { taken: formats.number(takenPlaces) })}
            </ChangeWarning>
            <Checkbox label={names.approval} hint={t('approvalHint')} {...field('approval')} />
            <ChangeWarning when={moved('approval') && used}>
              {t(values.approval ? 'mind.approvalOn' : 'mind.approvalOff')}
            </ChangeWarning>
            <Checkbox label={names.waitlist} hint={t('waitlistHint')} {...field('waitlist')} />
            <ChangeWarning when={moved('waitlist') && used && !values.waitlist}>{t('mind.waitlistOff')}</ChangeWarning>
            <Checkbox label={names.unique_email} hint={t('uniqueEmailHint')} {...field('unique_email')} />
            <ChangeWarning when={moved('unique_email') && used && values.unique_email}>
              {t('mind.uniqueEmail')}
            </ChangeWarning>
            <NumberField
              label={names.payment_hours}
              hint={[t('paymentHoursHint'), hours(values.payment_hours)].filter(Boolean).join(' ')}
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
  'registration/opens_at': 'opens_at',
  'registration/closes_at': 'closes_at',
  'registration/max_people': 'max_people',
  'registration/payment_hours': 'payment_hours',
  'registration/checkout_minutes': 'checkout_minutes',
  'registration/confirm_hours': 'confirm_hours',
} as const;

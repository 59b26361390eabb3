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
}

const valuesOf = ({ capacity, registration }: Event): Values => {
  const { opens_at, closes_at, approval, waitlist, unique_email } = registration;
  return {
    ...{ opens_at, closes_at, approval, waitlist, unique_email },
    capacity: numberText(capacity),
    max_people: numberText(registration.max_people),
  };
};

function bodyOf({ capacity, max_people, ...rest }: Partial<Values>): EventChange {
  const rules = { ...rest, ...(max_people !== undefined && { max_people: numberOf(max_people) }) };
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
            <Checkbox label={names.unique_email} {...field('unique_email')} />
            <ChangeWarning when={moved('unique_email') && used && values.unique_email}>
              {t('mind.uniqueEmail')}
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
} as const;

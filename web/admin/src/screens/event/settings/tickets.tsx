import type { Event, EventChange } from '@turnout/client';
import { ComboBox, Radios, Section, Select, TextArea, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useOptions } from '../../events/options.ts';
import { ChangeForm } from './change-form.tsx';
import { ChangeWarning } from './change-warning.tsx';
import { useUsed } from './use-used.ts';

interface Values {
  ticketing: Event['ticketing'];
  language: string;
  currency: string;
  terms: string;
}
const TICKETINGS = ['per_person', 'per_day', 'shared'] as const;

const valuesOf = ({ ticketing, language, currency, terms }: Event): Values => ({
  ...{ ticketing, language, currency },
  terms: terms ?? '',
});
const bodyOf = ({ terms, ...rest }: Partial<Values>): EventChange => ({
  ...rest,
  ...(terms !== undefined && { terms: terms.trim() === '' ? null : terms }),
});

/** What people get: their tickets, the language of them and of the mails, what is printed on them, and the currency of prices. */
export function Tickets() {
  const t = useWords('events');
  const { event, types } = useEvent();
  const { used } = useUsed();
  const { currencies, languages } = useOptions({ currency: event.currency, language: event.language });
  const names = {
    ...{ ticketing: t('ticketing'), language: t('language'), currency: t('currency'), terms: t('terms') },
  };
  const priced = types.some(({ price_minor }) => price_minor > 0);
  return (
    <Section title={t('ticketsTitle')}>
      <ChangeForm valuesOf={valuesOf} body={bodyOf} names={names}>
        {({ field, moved }) => (
          <>
            <Radios
              label={names.ticketing}
              options={TICKETINGS.map((value) => ({
                value,
                label: t(`ticketing.${value}`),
                hint: t(`ticketingHint.${value}`),
              }))}
              {...field('ticketing')}
            />
            <ChangeWarning when={moved('ticketing') && used}>{t('mind.ticketing')}</ChangeWarning>
            <div className="columns">
              <Select label={names.language} hint={t('languageHint')} options={languages} {...field('language')} />
              <ComboBox label={names.currency} hint={t('currencyHint')} options={currencies} {...field('currency')} />
            </div>
            <ChangeWarning when={moved('language') && used}>{t('mind.language')}</ChangeWarning>
            <ChangeWarning when={moved('currency') && (used || priced)}>
              {t(used ? 'mind.currencyUsed' : 'mind.currencyPrices')}
            </ChangeWarning>
            <TextArea
              label={names.terms}
              hint={t('termsHint')}
              required={false}
              maxLength={5000}
              rows={4}
              {...field('terms')}
            />
            <ChangeWarning when={moved('terms') && used}>{t('mind.terms')}</ChangeWarning>
          </>
        )}
      </ChangeForm>
    </Section>
  );
}

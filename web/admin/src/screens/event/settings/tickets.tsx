import type { Event, EventChange } from '@turnout/client';
import { Radios, Section, Select, TextArea, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useOptions } from '../../events/options.ts';
import { ChangeForm } from './change-form.tsx';
import { ChangeWarning } from './change-warning.tsx';
import { useUsed } from './use-used.ts';

interface Values {
  ticketing: Event['ticketing'];
  language: string;
  terms: string;
}
const TICKETINGS = ['per_person', 'per_day', 'shared'] as const;

const valuesOf = ({ ticketing, language, terms }: Event): Values => ({
  ...{ ticketing, language },
  terms: terms ?? '',
});
const bodyOf = ({ terms, ...rest }: Partial<Values>): EventChange => ({
  ...rest,
  ...(terms !== undefined && { terms: terms.trim() === '' ? null : terms }),
});

/** What people get: their tickets, the language of them and of the mails, and what is printed on them. */
export function Tickets() {
  const t = useWords('events');
  const { event } = useEvent();
  const { used } = useUsed();
  const { languages } = useOptions({ language: event.language });
  const names = { ticketing: t('ticketing'), language: t('language'), terms: t('terms') };
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
            <Select label={names.language} hint={t('languageHint')} options={languages} {...field('language')} />
            <ChangeWarning when={moved('language') && used}>{t('mind.language')}</ChangeWarning>
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

import type { OrganizationSettings } from '@turnout/client';
import { ACCOUNT_LANGUAGES } from '@turnout/contract/languages';
import { ComboBox, Select, Submit, TextField, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { SharedForm } from '../../parts/shared-form.tsx';
import { useChangeOrganization, useOrganizationNow } from './change.ts';

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
const CURRENCIES = Intl.supportedValuesOf('currency');

/** A list that also holds the present value: a browser may not know it, or call it by another name. */
const including = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? [...values] : [value, ...values];

const valuesOf = ({ name, timezone, defaults: { currency, language } }: OrganizationSettings) => ({
  ...{ name, timezone, currency, language },
});

/** The organization's name, and what its new events begin with. */
export function Profile({ settings }: { settings: OrganizationSettings }) {
  const t = useWords('organization');
  const formats = useFormats();
  const change = useChangeOrganization();
  const now = useOrganizationNow();
  const { currency, language } = settings.defaults;
  const currencies = useMemo(
    () =>
      including(CURRENCIES, currency).map((code) => ({
        value: code,
        label: `${code} – ${formats.nameOf('currency', code)}`,
      })),
    [currency, formats],
  );
  return (
    <SharedForm
      operation="changeOrganization"
      values={valuesOf(settings)}
      now={async () => {
        const settings = await now();
        return { values: valuesOf(settings), updated_at: settings.updated_at };
      }}
      places={{ 'defaults/currency': 'currency', 'defaults/language': 'language' }}
      save={({ name, timezone, ...defaults }, _, options) =>
        change(
          {
            ...(name !== undefined && { name }),
            ...(timezone !== undefined && { timezone }),
            ...(Object.keys(defaults).length > 0 && { defaults }),
          },
          options,
        )
      }
    >
      {({ field }) => (
        <>
          <TextField label={t('name')} maxLength={200} autoComplete="organization" {...field('name')} />
          <div className="stack" data-gap="small">
            <h3>{t('defaults')}</h3>
            <p className="soft">{t('defaultsLead')}</p>
          </div>
          <ComboBox
            label={t('timezone')}
            options={including(ZONES, settings.timezone).map((zone) => ({
              value: zone,
              label: zone.replaceAll('_', ' '),
            }))}
            {...field('timezone')}
          />
          <div className="columns">
            <ComboBox label={t('currency')} options={currencies} {...field('currency')} />
            <Select
              label={t('language')}
              options={including(ACCOUNT_LANGUAGES, language).map((code) => ({
                value: code,
                label: formats.nameOf('language', code),
              }))}
              {...field('language')}
            />
          </div>
          <div className="buttons">
            <Submit />
          </div>
        </>
      )}
    </SharedForm>
  );
}

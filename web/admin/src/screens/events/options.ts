import { ACCOUNT_LANGUAGES } from '@turnout/contract/languages';
import { type Option, useFormats } from '@turnout/ui';
import { useMemo } from 'react';

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
const CURRENCIES = Intl.supportedValuesOf('currency');

/** A list that also holds the present value: a browser may not know it, or call it by another name. */
const including = (values: readonly string[], value: string): string[] =>
  value === '' || values.includes(value) ? [...values] : [value, ...values];

/** Time zones, currencies and languages to choose from. `present`: what is set now. */
export function useOptions(present: { timezone?: string; currency?: string; language?: string }) {
  const formats = useFormats();
  const { timezone = '', currency = '', language = '' } = present;
  return useMemo<Record<'zones' | 'currencies' | 'languages', Option[]>>(
    () => ({
      zones: including(ZONES, timezone).map((value) => ({ value, label: value.replaceAll('_', ' ') })),
      currencies: including(CURRENCIES, currency).map((value) => ({
        value,
        label: `${value} – ${formats.nameOf('currency', value)}`,
      })),
      languages: including(ACCOUNT_LANGUAGES, language).map((value) => ({
        value,
        label: formats.nameOf('language', value),
      })),
    }),
    [timezone, currency, language, formats],
  );
}

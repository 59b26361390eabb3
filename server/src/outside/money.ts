import { localeOf, type Moment } from './locale.ts';

// The decimals of currencies by ISO 4217. Intl knows how many decimals people usually write, which is not the same: it says 0
// for HUF, IDR, COP and a dozen more that have hundredths, so 250000 (HUF 2,500) would be shown as HUF 250,000.
const EXPONENTS: Record<string, number> = {};
const codes: [number, string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
for (const [digits, list] of codes) for (const code of list.split(' ')) EXPONENTS[code] = digits;

export const minorDigits = (currency: string): number => EXPONENTS[currency] ?? 2;

const formatters = new Map<string, Intl.NumberFormat>();

/** Writes an amount in minor units as usual in that language: 2500 EUR is "€25.00", 2500 JPY "¥2,500". */
export function formatMoney(minor: number, currency: string, at: Moment): string {
  const locale = localeOf(at.language, at.timezone);
  const key = `${locale} ${currency}`;
  let format = formatters.get(key);
  if (format === undefined) {
    if (formatters.size > 500) formatters.clear();
    format = currencyFormat(locale, currency);
    formatters.set(key, format);
  }
  return format.format(minor / 10 ** minorDigits(currency));
}

function currencyFormat(locale: string, currency: string): Intl.NumberFormat {
  const digits = minorDigits(currency);
  const usual = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    // Where people usually write fewer decimals, whole amounts are written without them: HUF 2,500.
    trailingZeroDisplay: (usual ?? digits) < digits ? 'stripIfInteger' : 'auto',
  });
}

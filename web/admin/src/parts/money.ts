/** How a locale writes numbers: `,` and `.` in German. */
interface Separators {
  decimal: string;
  group: string;
}

function separatorsOf(locale: string): Separators {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' } as Intl.NumberFormatOptions).formatToParts(
    12_345.6,
  );
  const find = (type: string) => parts.find((part) => part.type === type)?.value;
  return { decimal: find('decimal') ?? '.', group: find('group') ?? ',' };
}

/** How many digits of a currency stand after the separator: 2 for EUR, 0 for JPY, 3 for KWD. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** What may stand beside an amount without a meaning of its own: signs and codes of currencies, spaces, apostrophes between thousands. */
const AROUND = /^(?:[\p{Sc}\s]|\p{L}+\.?)+|[\p{Sc}\p{L}\s]+\.?$/gu;
const BETWEEN = /[\s'’]/g;
/** The largest amount that the server takes (a 32-bit integer) has ten digits. */
const MAX_AMOUNT = 2_147_483_647;

/**
 * An amount as people type it, in the currency's minor unit: `1.234,50 €` in German and `1,234.50` in English are 123450. Where one
 * separator could mean either, the locale decides; but a number that would not be grouped that way (`25.50` in German) is taken for
 * what it must mean. Null: this is not an amount.
 */
export function parseMoney(text: string, currency: string, locale: string): number | null {
  const bare = text.trim().replaceAll(AROUND, '').replaceAll(BETWEEN, '');
  const match = /^([-−]?)([\d.,]*\d[\d.,]*)$/.exec(bare);
  if (match === null) return null;
  const [whole, fraction] = split(match[2]!, separatorsOf(locale));
  const digits = digitsOf(currency);
  if (whole === null || fraction.length > digits) return null;
  const minor = Number(whole + fraction.padEnd(digits, '0'));
  if (minor > MAX_AMOUNT) return null;
  return match[1] === '' || minor === 0 ? minor : -minor;
}

function split(number: string, { decimal, group }: Separators): [whole: string | null, fraction: string] {
  const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
  if (last === -1) return [number, ''];
  const sign = number[last]!;
  const other = sign === '.' ? ',' : '.';
  const [before, after] = [number.slice(0, last), number.slice(last + 1)];
  const grouped = (part: string, by: string) =>
    new RegExp(`^\\d{1,3}(\\${by}\\d{3})+$`).test(part) ? part.replaceAll(by, '') : null;
  const plain = (part: string) => (/^\d*$/.test(part) ? part || '0' : null);
  // Both signs: the last is the decimal separator, the other groups.
  if (before.includes(other)) return [before.includes(sign) ? null : grouped(before, other), after];
  // One sign several times can only group.
  if (before.includes(sign)) return [grouped(number, sign), ''];
  if (sign !== decimal && (sign === group || after.length === 3)) {
    const whole = grouped(number, sign);
    if (whole !== null) return [whole, ''];
  }
  return [plain(before), after];
}

/** An amount for a field: no sign of the currency, no grouping, so that it can be changed digit by digit. */
export function moneyText(minor: number, currency: string, locale: string): string {
  const digits = digitsOf(currency);
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: minor % 10 ** digits === 0 ? 0 : digits,
    maximumFractionDigits: digits,
  }).format(minor / 10 ** digits);
}

/** What the currency is called beside a field: `€`, `CHF`. */
export function currencySign(currency: string, locale: string): string {
  const parts = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0);
  return parts.find((part) => part.type === 'currency')?.value ?? currency;
}

import type { Discount } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';

/** What a discount gives, in words: `20% off Adult and Bread workshop`. */
export function useGives(): (
  discount: Pick<Discount, 'kind' | 'value' | 'attendee_types' | 'products' | 'reveals'>,
) => string {
  const t = useWords('selling');
  const formats = useFormats();
  const { money, typeName, productName } = useEvent();
  return ({ kind, value, attendee_types, products, reveals }) => {
    const what = [
      ...(attendee_types === null ? [t('allTickets')] : attendee_types.map(typeName)),
      ...(products === null ? [t('allProducts')] : products.map(productName)),
    ];
    const opens = reveals.length === 0 ? null : t('givesAccess', { types: formats.list(reveals.map(typeName)) });
    if (what.length === 0) return opens ?? t('givesNothing');
    const list = formats.list(what);
    const isFree = (kind === 'percent' && value === 100) || (kind === 'price' && value === 0);
    const gives = isFree
      ? t('givesFree', { what: list })
      : kind === 'percent'
        ? t('givesOff', { value: formats.percent(value / 100), what: list })
        : t(kind === 'amount' ? 'givesOff' : 'givesPrice', { value: money(value), what: list });
    return opens === null ? gives : `${gives} · ${opens}`;
  };
}

import type { BookedProduct } from '@turnout/client';
import { useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';

/** What is booked, as a short text: `2 × T-shirt (M)`. */
export function useLineText(): (line: Pick<BookedProduct, 'product' | 'option' | 'quantity'>) => string {
  const t = useWords('booking');
  const { products, productName } = useEvent();
  return ({ product, option, quantity }) => {
    const name = productName(product);
    const options = products.find(({ code }) => code === product)?.options ?? [];
    const optionName = options.find(({ code }) => code === option)?.name ?? option;
    const what = optionName === null ? name : t('withOption', { name, option: optionName });
    return quantity === 1 ? what : t('times', { count: quantity, what });
  };
}

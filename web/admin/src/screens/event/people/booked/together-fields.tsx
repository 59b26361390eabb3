import type { ProductChoice } from '@turnout/client';
import { type FormParts, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { useSells } from '../../../../frame/sells.ts';
import { ProductsField } from '../../../../parts/products-field.tsx';
import { useUnits } from '../../../../parts/use-units.ts';
import { DiscountField } from './discount-field.tsx';

/** What belongs to a registration as a whole. */
export interface TogetherValues {
  products: ProductChoice[];
  discount_code: string;
}
export const nothingTogether = (): TogetherValues => ({ products: [], discount_code: '' });

/** What is sent of it: nothing where nothing was chosen. */
export const togetherInput = ({ products, discount_code }: TogetherValues) => ({
  ...(products.length > 0 && { products }),
  ...(discount_code.trim() !== '' && { discount_code: discount_code.trim() }),
});

/** What is taken once for all of them, and the code that makes something cheaper. Nothing in an event that has neither. */
export function TogetherFields({ field }: Pick<FormParts<TogetherValues>, 'field'>) {
  const t = useWords('booking');
  const { products } = useEvent();
  const { left } = useUnits();
  const { codes } = useSells();
  return (
    <>
      <ProductsField
        label={t('together')}
        products={products.filter(({ per }) => per === 'registration')}
        left={left}
        lenient
        {...field('products')}
      />
      {codes && <DiscountField {...field('discount_code')} />}
    </>
  );
}

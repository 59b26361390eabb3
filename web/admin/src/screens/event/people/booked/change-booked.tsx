import type { BookedProduct, Product, ProductChoice } from '@turnout/client';
import { Dialog, Form, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useRefresh } from '../../../../frame/api.ts';
import { choicesOf } from '../../../../parts/product-choices.ts';
import { ProductsField } from '../../../../parts/products-field.tsx';
import { useUnits } from '../../../../parts/use-units.ts';
import { DialogButtons, useDone } from '../attendee/dialog-parts.tsx';

/**
 * Changes what a person, or a registration as a whole, has booked. What stays keeps its price; what is added costs its price of the
 * moment.
 */
export function ChangeBooked({
  title,
  products,
  booked,
  save,
  onClose,
}: {
  title: string;
  /** What may be booked here, with what is booked. */
  products: readonly Product[];
  booked: readonly Pick<BookedProduct, 'product' | 'option' | 'quantity'>[];
  save: (products: ProductChoice[], options: { key: string }) => Promise<unknown>;
  onClose: () => void;
}) {
  const t = useWords('booking');
  const refresh = useRefresh();
  const done = useDone(onClose);
  const { left } = useUnits();
  const [began] = useState(() => ({ products: choicesOf(booked) }));
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        values={began}
        submit={(values, options) => save(values.products, options)}
        done={() => {
          done(t('changed'));
          void refresh('getAvailability');
        }}
      >
        {({ field }) => (
          <>
            <ProductsField label={t('products')} products={products} left={left} lenient {...field('products')} />
            <p className="soft small">{t('priceStays')}</p>
            <DialogButtons onClose={onClose}>{t('save')}</DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

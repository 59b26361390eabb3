import type { Product } from '@turnout/client';
import { saleAt } from '@turnout/contract/prices';
import { Badge, Button, EmptyState, toast, useFormats, useWords } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { asShown, newestOf } from '../../../parts/over-newest.ts';
import { useUnits } from '../../../parts/use-units.ts';
import { DeletePart } from '../form/delete-part.tsx';
import { FormPage, useMayEdit } from '../form/form-page.tsx';
import { PartItem, PartList, useFocusBack } from '../form/part-list.tsx';
import { NEW } from '../form/type-values.ts';
import { type Editors, useEditors } from '../form/use-editors.ts';
import { ProductEditor } from './products/product-editor.tsx';
import { emptyProduct, type ProductValues, previewProduct } from './products/product-values.ts';
import './products/products.css';
import { UnitsOf } from './units.tsx';

/** What people can book beside their ticket: workshops, T-shirts, parking. */
export default function Products() {
  const t = useWords('selling');
  const form = useWords('form');
  const { products, money } = useEvent();
  const edits = useMayEdit();
  const editors = useEditors<ProductValues>('product');
  const units = useUnits();
  const [deleting, setDeleting] = useState<Product | null>(null);
  const adding = edits && editors.isOpen(NEW);
  useFocusBack(adding, () => document.querySelector<HTMLElement>('[data-add]'));
  const add = edits && !adding && (
    <Button kind="main" data-add="" onClick={() => editors.open(NEW)}>
      {t('addProduct')}
    </Button>
  );
  return (
    <FormPage
      title={t('products')}
      lead={t('productsLead')}
      actions={products.length > 0 && add}
      preview={{ products: usePreview(editors), current: editors.current, unsaved: editors.drafts.size > 0 }}
    >
      {products.length === 0 && !adding && (
        <EmptyState title={t('noProductsTitle')} action={add}>
          {t('noProductsText')}
        </EmptyState>
      )}
      {(products.length > 0 || adding) && (
        <PartList label={t('products')}>
          {products.map((product) => (
            <PartItem
              key={product.id}
              name={product.name}
              meta={<ProductMeta product={product} />}
              end={
                <>
                  <div className="number">{product.price_minor === 0 ? form('free') : money(product.price_minor)}</div>
                  <UnitsOf
                    capacity={product.capacity}
                    units={units.ofProduct(product.code)}
                    isWaiting={units.isWaiting}
                  />
                </>
              }
              open={edits && editors.isOpen(product.id)}
              unsaved={editors.drafts.has(product.id)}
              onToggle={edits ? () => editors.toggle(product.id) : undefined}
            >
              <ProductEditor
                product={product}
                editors={editors}
                others={
                  <Button kind="danger" size="small" onClick={() => setDeleting(product)}>
                    {form('delete')}
                  </Button>
                }
              />
            </PartItem>
          ))}
          {adding && (
            <PartItem name={t('newProduct')} open unsaved={editors.drafts.has(NEW)}>
              <ProductEditor product={null} editors={editors} />
            </PartItem>
          )}
        </PartList>
      )}
      {deleting !== null && (
        <DeleteProduct
          product={deleting}
          onClose={() => setDeleting(null)}
          onGone={() => {
            setDeleting(null);
            editors.close(deleting.id);
          }}
        />
      )}
    </FormPage>
  );
}

/** The products as they will be. */
function usePreview({ drafts, current }: Editors<ProductValues>): Product[] {
  const t = useWords('selling');
  const { products } = useEvent();
  return useMemo(() => {
    const untitled = t('newProduct');
    const changed = products.map((product) => {
      const draft = drafts.get(product.id);
      return draft === undefined ? product : previewProduct(product, draft, untitled);
    });
    const draft = drafts.get(NEW) ?? (current === NEW ? emptyProduct() : undefined);
    return draft === undefined ? changed : [...changed, previewProduct(null, draft, untitled)];
  }, [products, drafts, current, t]);
}

const SHOWN_OPTIONS = 8;

function ProductMeta({ product }: { product: Product }) {
  const t = useWords('selling');
  const form = useWords('form');
  const formats = useFormats();
  const { typeName, dayName } = useEvent();
  const { ofOption } = useUnits();
  const { options, on_sale, per, max, required, visible } = product;
  const sale = saleAt(on_sale, new Date());
  const optionText = ({ code, name, capacity }: Product['options'][number]) => {
    const taken = ofOption(product.code, code)?.taken ?? null;
    if (capacity === null) return taken === null || taken === 0 ? name : `${name} ${formats.number(taken)}`;
    return `${name} ${taken === null ? '' : `${formats.number(taken)}/`}${formats.number(capacity)}`;
  };
  return (
    <>
      {options.length > 0 && (
        <span className="number">
          {options.slice(0, SHOWN_OPTIONS).map(optionText).join(' · ')}
          {options.length > SHOWN_OPTIONS && ' · …'}
        </span>
      )}
      {per === 'registration' && <span>{t('perRegistration')}</span>}
      {max > 1 && <span>{t('upTo', { count: max })}</span>}
      {product.attendee_types !== null && (
        <span>{form('onlyFor', { types: formats.list(product.attendee_types.map(typeName)) })}</span>
      )}
      {product.days !== null && <span>{formats.list(product.days.map(dayName))}</span>}
      {required && <Badge>{form('required')}</Badge>}
      {sale !== 'now' && (
        <Badge tone="warn">
          {sale === 'before' ? form('saleLater', { at: formats.dateTime(on_sale!.from!) }) : form('saleOver')}
        </Badge>
      )}
      {!visible && <Badge>{form('hidden')}</Badge>}
    </>
  );
}

function DeleteProduct({
  product: opened,
  onClose,
  onGone,
}: {
  product: Product;
  onClose: () => void;
  onGone: () => void;
}) {
  const t = useWords('selling');
  const form = useWords('form');
  const { base, products, limits } = useEvent();
  const refresh = useRefresh();
  const { ofProduct } = useUnits();
  const product = newestOf(products, opened);
  const { name } = product;
  const taken = ofProduct(product.code)?.taken ?? 0;
  return (
    <DeletePart
      title={form('deleteTitle', { name })}
      used={[
        ...(taken === 0 ? [] : [t('usedByBookings', { count: taken })]),
        ...limits
          .filter((limit) => limit.products?.includes(product.code) === true)
          .map((limit) => form('usedByLimit', { name: limit.name })),
      ]}
      instead={form('deleteTypeInstead')}
      work={() =>
        asShown(
          product,
          (options) => call('deleteProduct', { ...base, product: product.id }, options),
          () => refresh('listProducts'),
        )
      }
      done={() => {
        onGone();
        toast(form('deleted', { name }), 'good');
        void refresh('listProducts', 'getAvailability');
      }}
      onClose={onClose}
    >
      <p>{t('deleteProductText')}</p>
    </DeletePart>
  );
}

import type { Product } from '@turnout/client';
import { Checkbox, type FormParts, Radios, TextArea, TextField, toast, useWords } from '@turnout/ui';
import { type ReactNode, useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useClash } from '../../../../parts/clash.ts';
import { MoneyField } from '../../../../parts/fields.tsx';
import { History } from '../../../../parts/history.tsx';
import { overNewest } from '../../../../parts/over-newest.ts';
import { useUnits } from '../../../../parts/use-units.ts';
import { CodeField } from '../../form/code-field.tsx';
import { CountField } from '../../form/count-field.tsx';
import { PartEditor } from '../../form/part-editor.tsx';
import { NEW } from '../../form/type-values.ts';
import type { Editors } from '../../form/use-editors.ts';
import { Begin } from '../type-editor.tsx';
import { OfferFields } from './offer-fields.tsx';
import { OptionsField } from './options-field.tsx';
import {
  emptyProduct,
  hasLimits,
  MAX_UNITS,
  newProduct,
  type ProductValues,
  productChange,
  productValues,
  sentProduct,
} from './product-values.ts';

const PLACES = {
  'clash/attendee_types': 'for_types',
  'clash/days': 'for_days',
  'clash/on_sale': 'sale_from',
  'on_sale/until': 'sale_until',
} as const;

/** What can be set of a product; `product` is null for one that is not made yet. */
export function ProductEditor({
  product,
  editors,
  others,
}: {
  product: Product | null;
  editors: Editors<ProductValues>;
  others?: ReactNode;
}) {
  const t = useWords('selling');
  const form = useWords('form');
  const { base, money } = useEvent();
  const refresh = useRefresh();
  const clash = useClash('changeProduct', {
    textOf: (name, value) => (name === 'price_minor' ? money(Number(value)) : undefined),
  });
  const id = product?.id ?? NEW;
  const save = async (now: ProductValues, before: ProductValues, { key }: { key: string }) => {
    if (product === null) await call('createProduct', { ...base, body: newProduct(now) }, { key });
    else {
      const body = productChange(before, now);
      if (body === null) return;
      const at = { ...base, product: product.id };
      await overNewest(
        () => call('getProduct', at),
        (saved, options) => {
          clash(sentProduct(before), body, sentProduct(productValues(saved)));
          return call('changeProduct', { ...at, body }, options);
        },
      );
    }
    void refresh('getAvailability', 'listQuotas');
    // Only the list is waited for: once it shows the product, nothing is unsaved any more, and one can go on.
    await refresh('listProducts');
  };
  return (
    <Begin active={product === null}>
      <PartEditor
        id={id}
        values={product === null ? emptyProduct() : productValues(product)}
        draft={editors.drafts.get(id)}
        follow={editors.follow}
        save={save}
        saved={({ name }) => {
          editors.close(id);
          toast(form(product === null ? 'added' : 'saved', { name }), 'good');
        }}
        onClose={() => editors.close(id)}
        places={PLACES}
        {...(product === null && { action: t('addProduct') })}
        others={others}
      >
        {(parts) => <Fields parts={parts} product={product} />}
      </PartEditor>
      {product !== null && <History object={product.id} />}
    </Begin>
  );
}

function Fields({ parts, product }: { parts: FormParts<ProductValues>; product: Product | null }) {
  const t = useWords('selling');
  const form = useWords('form');
  const { event } = useEvent();
  const units = useUnits();
  const { field, values, faultsIn } = parts;
  const [opened, setOpened] = useState(() => hasLimits(values));
  const taken = product === null ? 0 : (units.ofProduct(product.code)?.taken ?? 0);
  const isBelow = values.capacity !== null && values.capacity < taken;
  const isNew = product === null;
  return (
    <>
      <TextField label={form('name')} maxLength={200} placeholder={t('productExample')} {...field('name')} />
      <TextArea
        label={form('typeText')}
        hint={form('typeTextHint')}
        maxLength={2000}
        required={false}
        {...field('description')}
      />
      <div className="columns">
        <MoneyField
          label={form('price')}
          currency={event.currency}
          hint={t(isNew ? 'priceHintNew' : 'priceHint')}
          {...field('price_minor')}
        />
        <CountField
          label={t('units')}
          hint={isBelow ? t('unitsBelow', { count: taken }) : form('capacityHint')}
          {...field('capacity')}
        />
      </div>
      <OptionsField
        {...field('options')}
        faults={faultsIn('options')}
        unitsOf={(option) => (product === null ? undefined : units.ofOption(product.code, option))}
      />
      <Radios
        label={t('per')}
        options={[
          { value: 'attendee', label: t('perAttendee'), hint: t('perAttendeeHint') },
          { value: 'registration', label: t('perRegistration'), hint: t('perRegistrationHint') },
        ]}
        {...field('per')}
      />
      <CountField
        label={t(values.per === 'attendee' ? 'maxEach' : 'maxRegistration')}
        hint={values.options.length > 0 ? t('maxOptionsHint') : undefined}
        required
        min={1}
        max={MAX_UNITS}
        {...field('max')}
      />
      <Checkbox label={t('required')} hint={t('requiredHint')} {...field('required')} />
      <Checkbox label={form('visible')} hint={t('visibleHint')} {...field('visible')} />
      <OfferFields parts={parts} open={opened} onToggle={setOpened} />
      <CodeField hint={isNew ? form('codeHint') : t('codeHintUsed')} {...field('code')} />
    </>
  );
}

import type { Product, ProductChange, ProductCreate } from '@turnout/client';
import { differences, NEW } from '../../form/type-values.ts';

/** One of those that are chosen between, as it is typed. */
export interface OptionValues {
  /** For the screen only. */
  id: number;
  /** Empty for one that is new. */
  code: string;
  name: string;
  capacity: number | null;
}
/** The most of them that the server takes. */
export const MAX_OPTIONS = 50;
export const MAX_UNITS = 100;
let options = 0;
export const emptyOption = (name = ''): OptionValues => ({ id: ++options, code: '', name, capacity: null });

/** A product as it is typed. */
export interface ProductValues {
  name: string;
  description: string;
  price_minor: number | null;
  capacity: number | null;
  options: OptionValues[];
  per: Product['per'];
  max: number | null;
  required: boolean;
  for_types: 'all' | 'some';
  attendee_types: string[];
  for_days: 'all' | 'some';
  days: string[];
  sale_from: string | null;
  sale_until: string | null;
  visible: boolean;
  code: string;
}

export const emptyProduct = (): ProductValues => ({
  ...{ name: '', description: '', price_minor: 0, capacity: null, options: [], per: 'attendee', max: 1 },
  ...{ required: false, for_types: 'all', attendee_types: [], for_days: 'all', days: [] },
  ...{ sale_from: null, sale_until: null, visible: true, code: '' },
});

/** Whether anything is set that most products do not need. */
export const hasLimits = (values: ProductValues): boolean =>
  values.for_types === 'some' || values.for_days === 'some' || values.sale_from !== null || values.sale_until !== null;

export const productValues = (product: Product): ProductValues => ({
  name: product.name,
  description: product.description ?? '',
  price_minor: product.price_minor,
  capacity: product.capacity,
  // The place in the list names them, so that the same product gives the same values.
  options: product.options.map((option, i) => ({ ...option, id: -i })),
  per: product.per,
  max: product.max,
  required: product.required,
  for_types: product.attendee_types === null ? 'all' : 'some',
  attendee_types: product.attendee_types ?? [],
  for_days: product.days === null ? 'all' : 'some',
  days: product.days ?? [],
  sale_from: product.on_sale?.from ?? null,
  sale_until: product.on_sale?.until ?? null,
  visible: product.visible,
  code: product.code,
});

/** As the server has it. Options without a name are left out. */
export const sentProduct = (values: ProductValues) => ({
  name: values.name,
  description: values.description.trim() === '' ? null : values.description,
  price_minor: values.price_minor ?? 0,
  capacity: values.capacity,
  options: values.options
    .filter(({ name, code }) => name.trim() !== '' || code !== '')
    .map(({ code, name, capacity }) => ({ ...(code !== '' && { code }), name: name.trim(), capacity })),
  per: values.per,
  max: values.max ?? 1,
  required: values.required,
  attendee_types: values.for_types === 'all' ? null : values.attendee_types,
  days: values.for_days === 'all' ? null : values.days,
  on_sale:
    values.sale_from === null && values.sale_until === null
      ? null
      : { from: values.sale_from, until: values.sale_until },
  visible: values.visible,
  ...(values.code !== '' && { code: values.code }),
});

export const newProduct = (values: ProductValues): ProductCreate => sentProduct(values);

/** Only what was changed, so that two people at once do not undo each other's changes. Null: nothing was. */
export const productChange = (before: ProductValues, now: ProductValues): ProductChange | null =>
  differences(sentProduct(before), sentProduct(now));

/** The product as it will be, for the preview. */
export const previewProduct = (product: Product | null, values: ProductValues, untitled: string): Product => {
  const sent = sentProduct(values);
  return {
    ...{ id: NEW, created_at: '', updated_at: '' },
    ...sent,
    // Limits refer to it by the code that it has now.
    ...{ id: product?.id ?? NEW, code: product?.code ?? NEW },
    name: values.name.trim() === '' ? untitled : values.name,
    options: sent.options.map((option, i) => ({ ...option, code: option.code ?? `${NEW}${i}` })),
  };
};

import type { Product, ProductChoice } from '@turnout/client';
import { saleAt } from '@turnout/contract/prices';
import { Checkbox, Fault, Field, Select, useFormats, useWords } from '@turnout/ui';
import { useId } from 'react';
import { useEvent } from '../frame/event.tsx';
import { quantityOf, withOption, withQuantity } from './product-choices.ts';
import './products-field.css';

/** How many units are left of a product or of an option. Null: nobody knows, or there is no limit. */
export type LeftOf = (product: string, option: string | null) => number | null;
const NOT_KNOWN: LeftOf = () => null;

interface Taking {
  product: Product;
  name: string;
  quantity: (option: string | null) => number;
  onQuantity: (option: string | null, quantity: number) => void;
  /** One unit of this option and none of the others; null: nothing at all. */
  onOption: (option: string | null) => void;
  left: LeftOf;
}

/**
 * Which products somebody takes, how many, and of which option. `lenient`: where an organizer chooses, nothing has to be taken; the server
 * says what is missing.
 */
export function ProductsField({
  label,
  products,
  name = 'products',
  value,
  onChange,
  fault,
  left = NOT_KNOWN,
  lenient = false,
  current,
}: {
  label: string;
  products: readonly Product[];
  name?: string;
  value: readonly ProductChoice[];
  onChange: (value: ProductChoice[]) => void;
  fault?: string | undefined;
  left?: LeftOf;
  lenient?: boolean;
  /** The id of the product that stands out. */
  current?: string | null;
}) {
  const id = useId();
  if (products.length === 0) return null;
  return (
    <fieldset className="products" aria-describedby={`${id}-fault`} data-invalid={fault === undefined ? undefined : ''}>
      <legend className="legend">{label}</legend>
      {fault !== undefined && <Fault id={`${id}-fault`}>{fault}</Fault>}
      {products.map((product) => (
        <div className="product" key={product.id} data-current={product.id === current || undefined}>
          <ProductTaken
            product={product}
            name={`${name}/${product.code}`}
            left={left}
            required={product.required && !lenient}
            quantity={(option) => quantityOf(value, product.code, option)}
            onQuantity={(option, quantity) => onChange(withQuantity(value, product.code, option, quantity))}
            onOption={(option) => onChange(withOption(value, product.code, option))}
          />
        </div>
      ))}
    </fieldset>
  );
}

function ProductTaken({ required, ...taking }: Taking & { required: boolean }) {
  const { product, name, quantity, onQuantity, left } = taking;
  const label = useProductLabel(product);
  const hint = useProductHint(product, left(product.code, null));
  if (product.options.length > 0)
    return product.max === 1 ? (
      <OptionChoice {...taking} label={label} hint={hint} required={required} />
    ) : (
      <OptionQuantities {...taking} label={label} hint={hint} />
    );
  if (product.max === 1)
    return (
      <Checkbox
        label={label}
        hint={hint}
        name={name}
        value={quantity(null) > 0}
        onChange={(on) => onQuantity(null, on ? 1 : 0)}
      />
    );
  return (
    <Quantity
      label={label}
      hint={hint}
      name={name}
      max={product.max}
      required={required}
      value={quantity(null)}
      onChange={(units) => onQuantity(null, units)}
    />
  );
}

/** One of several options, such as a size. */
function OptionChoice({
  product,
  name,
  quantity,
  onOption,
  left,
  label,
  hint,
  required,
}: Taking & { label: string; hint: string | undefined; required: boolean }) {
  const t = useWords('booking');
  const leftText = useLeftText();
  const chosen = product.options.find(({ code }) => quantity(code) > 0)?.code ?? '';
  return (
    <Select
      label={label}
      hint={hint}
      name={name}
      required={required}
      empty={t('none')}
      value={chosen}
      onChange={(option) => onOption(option === '' ? null : option)}
      options={product.options.map((option) => {
        const text = leftText(left(product.code, option.code));
        return { value: option.code, label: text === null ? option.name : `${option.name} · ${text}` };
      })}
    />
  );
}

/** Several units of several options, such as two shirts in M and one in L. */
function OptionQuantities({
  product,
  name,
  quantity,
  onQuantity,
  left,
  label,
  hint,
}: Taking & { label: string; hint: string | undefined }) {
  const id = useId();
  const leftText = useLeftText();
  return (
    <fieldset className="product-options" aria-describedby={hint === undefined ? undefined : id}>
      <legend className="legend">{label}</legend>
      {hint !== undefined && (
        <div className="hint" id={id}>
          {hint}
        </div>
      )}
      <div className="product-quantities">
        {product.options.map((option) => (
          <Quantity
            key={option.code}
            label={option.name}
            hint={leftText(left(product.code, option.code)) ?? undefined}
            name={`${name}/${option.code}`}
            max={product.max}
            value={quantity(option.code)}
            onChange={(units) => onQuantity(option.code, units)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Quantity({
  label,
  hint,
  name,
  max,
  required = false,
  value,
  onChange,
}: {
  label: string;
  hint: string | undefined;
  name: string;
  max: number;
  required?: boolean;
  value: number;
  onChange: (units: number) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <input
          className="input product-quantity number"
          type="number"
          inputMode="numeric"
          name={name}
          min={required ? 1 : 0}
          max={max}
          step={1}
          value={value}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => onChange(Math.min(max, Math.max(0, Math.trunc(Number(target.value)) || 0)))}
          {...wiring}
        />
      )}
    </Field>
  );
}

/** The name with the price. */
function useProductLabel({ name, price_minor, max }: Product): string {
  const t = useWords('booking');
  const { money } = useEvent();
  if (price_minor === 0) return name;
  return t(max === 1 ? 'withPrice' : 'withPriceEach', { name, price: money(price_minor) });
}

/** The description, how many are left, and why people could not take it in the form. */
function useProductHint({ description, visible, on_sale }: Product, left: number | null): string | undefined {
  const t = useWords('booking');
  const leftText = useLeftText();
  const sale = saleAt(on_sale, new Date());
  const parts = [
    description,
    leftText(left),
    visible ? null : t('hidden'),
    sale === 'now' ? null : t(sale === 'before' ? 'notYetOnSale' : 'saleOver'),
  ].filter((text) => text !== null);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function useLeftText(): (left: number | null) => string | null {
  const t = useWords('booking');
  const formats = useFormats();
  return (left) => (left === null ? null : left <= 0 ? t('soldOut') : t('left', { left: formats.number(left) }));
}

import { Field, type FieldProps, useFormats, useWords } from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { currencySign, moneyText, parseMoney } from './money.ts';
import './fields.css';

/**
 * An amount, typed as people write it in their language; its value is in the currency's minor unit, or null while it is empty. What is
 * no amount is not sent: the form says so beside the field.
 */
export function MoneyField({
  label,
  name,
  value,
  onChange,
  hint,
  fault,
  required = true,
  disabled,
  currency,
  min = 0,
  max,
}: FieldProps<number | null> & { currency: string; min?: number; max?: number }) {
  const t = useWords('parts');
  const formats = useFormats();
  const { locale } = formats;
  const write = (minor: number | null) => (minor === null ? '' : moneyText(minor, currency, locale));
  const [text, setText] = useState(() => write(value));
  const [left, setLeft] = useState(false);
  const known = useRef(value);
  // A value that comes from elsewhere, such as “pay the rest”, is written into the field.
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setText(value === null ? '' : moneyText(value, currency, locale));
  }, [value, currency, locale]);
  const parsed = text.trim() === '' ? null : parseMoney(text, currency, locale);
  const wrong =
    text.trim() === ''
      ? ''
      : parsed === null
        ? t('faultMoney', { example: moneyText(12_345, currency, locale) })
        : parsed < min
          ? t('faultLeast', { amount: formats.money(min, currency) })
          : max !== undefined && parsed > max
            ? t('faultMost', { amount: formats.money(max, currency) })
            : '';
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(wrong), [wrong]);
  return (
    <Field label={label} hint={hint} fault={fault ?? (left && wrong !== '' ? wrong : undefined)} required={required}>
      {(wiring) => (
        <div className="money-field">
          <input
            className="input"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            ref={input}
            required={required}
            disabled={disabled}
            {...(name !== undefined && { name })}
            value={text}
            // A zero is there to be replaced, wherever the caret lands.
            onFocus={({ target }) => value === 0 && requestAnimationFrame(() => target.select())}
            onChange={(event) => {
              const next = event.target.value;
              const minor = next.trim() === '' ? null : parseMoney(next, currency, locale);
              setText(next);
              setLeft(false);
              known.current = minor;
              onChange(minor);
            }}
            onBlur={() => {
              setLeft(true);
              if (wrong === '') setText(write(parsed));
            }}
            {...wiring}
          />
          <span aria-hidden="true">{currencySign(currency, locale)}</span>
        </div>
      )}
    </Field>
  );
}

import { Field, type FieldProps, useWords } from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { parseCount } from './count.ts';

const MAX_INTEGER = 2_147_483_647;

/** A whole number; its value is null while it is empty. What is no number is not sent: the form says so beside the field. */
export function CountField({
  label,
  name,
  value,
  onChange,
  hint,
  fault,
  required = false,
  min = 0,
  max = MAX_INTEGER,
}: FieldProps<number | null> & { min?: number; max?: number }) {
  const t = useWords('form');
  const [text, setText] = useState(value === null ? '' : String(value));
  const known = useRef(value);
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setText(value === null ? '' : String(value));
  }, [value]);
  const count = parseCount(text);
  const wrong =
    text.trim() === ''
      ? ''
      : count === null
        ? t('faultCount')
        : count < min
          ? t('faultLeast', { least: min })
          : count > max
            ? t('faultMost', { most: max })
            : '';
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(wrong), [wrong]);
  return (
    <Field label={label} hint={hint} fault={fault} required={required}>
      {(wiring) => (
        <input
          className="input count-field number"
          type="text"
          inputMode="numeric"
          autoComplete="off"
          ref={input}
          required={required}
          {...(name !== undefined && { name })}
          value={text}
          onChange={(event) => {
            const next = event.target.value;
            setText(next);
            known.current = parseCount(next);
            onChange(known.current);
          }}
          {...wiring}
        />
      )}
    </Field>
  );
}

/** How many places there are. One that is lower than what is taken already is allowed; what it means is said. */
export function CapacityField({
  takenPlaces,
  ...props
}: Omit<FieldProps<number | null>, 'label'> & { takenPlaces: number }) {
  const t = useWords('form');
  const isBelow = props.value !== null && props.value < takenPlaces;
  return (
    <CountField
      label={t('capacity')}
      hint={isBelow ? t('capacityBelow', { count: takenPlaces }) : t('capacityHint')}
      {...props}
    />
  );
}

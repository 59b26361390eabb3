import { type FieldProps, TextField } from '@turnout/ui';

/** A whole number as text, so that it can be empty. */
export const NumberField = ({ min, max, ...props }: FieldProps<string> & { min: number; max?: number }) => (
  <TextField type="number" inputMode="numeric" step={1} min={min} {...(max !== undefined && { max })} {...props} />
);

/** What is sent: null for an empty field. */
export const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
export const numberText = (value: number | null): string => (value === null ? '' : String(value));

import { lazy, Suspense } from 'react';
import { type FieldProps, type Option, TextField } from './fields.tsx';

export interface ComboBoxProps extends FieldProps<string> {
  options: readonly Option[];
  placeholder?: string;
}
const Aria = lazy(() => import('./combobox-aria.tsx'));

/** A field that searches a long list, such as time zones. Its value is that of the chosen option, or empty. */
export function ComboBox(props: ComboBoxProps) {
  const { options, value, placeholder: _placeholder, ...rest } = props;
  const shown = options.find((option) => option.value === value)?.label ?? value;
  return (
    <Suspense fallback={<TextField {...rest} value={shown} onChange={() => {}} readOnly />}>
      <Aria {...props} />
    </Suspense>
  );
}

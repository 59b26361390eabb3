import { lazy, Suspense } from 'react';
import type { ComboBoxProps } from './combobox-props.ts';
import { TextField } from './fields.tsx';

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

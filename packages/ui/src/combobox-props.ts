import type { FieldProps, Option } from './fields.tsx';

export interface ComboBoxProps extends FieldProps<string> {
  options: readonly Option[];
  placeholder?: string;
}

import { type FieldProps, TextField, useWords } from '@turnout/ui';

/** The code of a discount, as somebody says or writes it. */
export function DiscountField(props: Omit<FieldProps<string>, 'label'>) {
  const t = useWords('booking');
  return (
    <TextField
      label={t('code')}
      required={false}
      maxLength={80}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      {...props}
    />
  );
}

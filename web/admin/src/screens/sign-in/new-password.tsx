import { type FormField, PasswordField, useWords } from '@turnout/ui';

const MIN_CHARACTERS = 12;

/** A new password. What is wrong with it is said in the person's language, before it is sent where that is possible. */
export function NewPassword({
  field,
  label,
  required,
  autoFocus,
}: {
  field: FormField<string>;
  label?: string;
  required?: boolean;
  autoFocus?: boolean;
}) {
  const t = useWords('password');
  const s = useWords('sign-in');
  return (
    <PasswordField
      label={label ?? s('password')}
      hint={t(required === false ? 'passwordOptionalHint' : 'passwordHint')}
      autoComplete="new-password"
      maxLength={1000}
      onInput={({ currentTarget: input }) => {
        const length = [...input.value.normalize('NFKC')].length;
        input.setCustomValidity(length > 0 && length < MIN_CHARACTERS ? t('passwordShort') : '');
      }}
      {...(autoFocus && { autoFocus })}
      {...(required === false && { required })}
      {...field}
    />
  );
}

import { Problem } from '@turnout/client';
import { type FormField, PasswordField, useWords } from '@turnout/ui';

const SHORTEST = 12;

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
  const t = useWords('sign-in');
  return (
    <PasswordField
      label={label ?? t('password')}
      hint={t(required === false ? 'passwordOptionalHint' : 'passwordHint')}
      autoComplete="new-password"
      maxLength={1000}
      onInput={({ currentTarget: input }) => {
        const length = [...input.value.normalize('NFKC')].length;
        input.setCustomValidity(length > 0 && length < SHORTEST ? t('passwordShort') : '');
      }}
      {...(autoFocus && { autoFocus })}
      {...(required === false && { required })}
      {...field}
    />
  );
}

/** The only other rule is that it is none of the most common; the server has their list and says so in English. */
export function passwordProblem(error: unknown, common: string): unknown {
  if (!(error instanceof Problem) || !error.details.some(isCommon)) return error;
  const { status, code, message, operation, requestId, details } = error;
  const said = details.map((one) => (isCommon(one) ? { ...one, message: common } : one));
  return new Problem({ status, code, message, operation, requestId, details: said });
}
const isCommon = ({ path, message }: { path: string; message: string }): boolean =>
  path === 'password' && message.includes('most common');

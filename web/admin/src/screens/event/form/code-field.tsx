import { type FieldProps, TextField, useWords } from '@turnout/ui';
import '../../../parts/fold.css';

/** The code by which files, the API and other systems know it. Few people need it, so it is folded away. */
export function CodeField({ fault, hint, ...props }: Omit<FieldProps<string>, 'label'>) {
  const t = useWords('form');
  return (
    <details className="fold" open={fault !== undefined || undefined}>
      <summary>{props.value === '' ? t('code') : t('codeIs', { code: props.value })}</summary>
      <TextField
        label={t('code')}
        required={false}
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        hint={hint}
        fault={fault}
        {...props}
      />
    </details>
  );
}

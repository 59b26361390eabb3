import { Field, type FieldProps } from '@turnout/ui';
import { useRef } from 'react';
import { MarkdownToolbar, type Placeholders, pressTool } from './markdown-toolbar.tsx';

/** A text with the small part of Markdown that mails and pages know, and a row of tools for those who do not know its signs. */
export function MarkdownField({
  label,
  name,
  value,
  onChange,
  hint,
  fault,
  required = true,
  disabled,
  rows,
  maxLength,
  placeholders,
}: FieldProps<string> & { rows: number; maxLength?: number; placeholders?: Placeholders }) {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <Field label={label} hint={hint} fault={fault} required={required}>
      {(wiring) => (
        <div className="markdown">
          {disabled !== true && <MarkdownToolbar area={area} controls={wiring.id} placeholders={placeholders} />}
          <textarea
            className="input"
            ref={area}
            rows={rows}
            required={required}
            disabled={disabled}
            maxLength={maxLength}
            {...(name !== undefined && { name })}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={pressTool}
            {...wiring}
          />
        </div>
      )}
    </Field>
  );
}

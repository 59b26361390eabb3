import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId, useState } from 'react';
import { Button } from './button.tsx';
import { AlertIcon, EyeIcon, EyeOffIcon } from './icons.tsx';
import { useWords } from './words.tsx';

/** What every field has. `{...field('name')}` of a form gives `name`, `value`, `onChange` and `fault`. */
export interface FieldProps<Value> {
  label: ReactNode;
  name?: string;
  value: Value;
  onChange: (value: Value) => void;
  hint?: ReactNode;
  fault?: string | undefined;
  /** Without it, the label says that the field may stay empty. */
  required?: boolean;
  disabled?: boolean;
}

interface Frame {
  label: ReactNode;
  hint?: ReactNode;
  fault?: string | undefined;
  required?: boolean | undefined;
}
interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** A label above, a hint and a fault below, tied to the control for those who cannot see them. */
export function Field({ label, hint, fault, required, children }: Frame & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const t = useWords('common');
  const optional = required === false;
  const about = [
    optional && `${id}-optional`,
    hint !== undefined && `${id}-hint`,
    fault !== undefined && `${id}-fault`,
  ].filter(Boolean);
  return (
    <div className="field">
      {/* “Optional” describes the field and is no part of its name, by which people and programs find it. */}
      <div className="label-line">
        <label htmlFor={id}>{label}</label>
        {optional && (
          <span className="optional" id={`${id}-optional`}>
            ({t('optional')})
          </span>
        )}
      </div>
      {children({
        id,
        'aria-describedby': about.join(' ') || undefined,
        'aria-invalid': fault === undefined ? undefined : true,
      })}
      <Below id={id} hint={hint} fault={fault} />
    </div>
  );
}

function Below({ id, hint, fault }: { id: string; hint?: ReactNode; fault?: string | undefined }) {
  return (
    <>
      {hint !== undefined && (
        <div className="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {fault !== undefined && <Fault id={`${id}-fault`}>{fault}</Fault>}
    </>
  );
}

/** What is wrong with the field above it. */
export const Fault = ({ id, children }: { id?: string | undefined; children: ReactNode }) => (
  <div className="fault" id={id}>
    <AlertIcon />
    <span>{children}</span>
  </div>
);

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | keyof FieldProps<string>>;

export function TextField({
  label,
  value,
  onChange,
  hint,
  fault,
  required = true,
  ...rest
}: FieldProps<string> & InputProps) {
  return (
    <Field label={label} hint={hint} fault={fault} required={required}>
      {(wiring) => (
        <input
          className="input"
          type="text"
          required={required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
          {...wiring}
        />
      )}
    </Field>
  );
}

export const EmailField = (props: FieldProps<string> & InputProps) => (
  <TextField type="email" inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} {...props} />
);

type TextAreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | keyof FieldProps<string>>;

export function TextArea({
  label,
  value,
  onChange,
  hint,
  fault,
  required = true,
  ...rest
}: FieldProps<string> & TextAreaProps) {
  return (
    <Field label={label} hint={hint} fault={fault} required={required}>
      {(wiring) => (
        <textarea
          className="input"
          required={required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
          {...wiring}
        />
      )}
    </Field>
  );
}

/** `autoComplete`: `current-password` to sign in, `new-password` to choose one, so that password managers help. */
export function PasswordField({
  label,
  value,
  onChange,
  hint,
  fault,
  required = true,
  ...rest
}: FieldProps<string> & InputProps & { autoComplete: 'current-password' | 'new-password' }) {
  const t = useWords('common');
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} fault={fault} required={required}>
      {(wiring) => (
        <div className="with-button">
          <input
            className="input"
            type={shown ? 'text' : 'password'}
            spellCheck={false}
            autoCapitalize="none"
            required={required}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            {...rest}
            {...wiring}
          />
          <Button kind="quiet" aria-label={t(shown ? 'hidePassword' : 'showPassword')} onClick={() => setShown(!shown)}>
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </Button>
        </div>
      )}
    </Field>
  );
}

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

/** The browser's own list. `empty`: what stands for “none chosen”. For long lists that one searches, use ComboBox. */
export function Select<Value extends string>({
  label,
  value,
  onChange,
  hint,
  fault,
  required = true,
  options,
  empty,
  ...rest
}: FieldProps<Value | ''> & { options: readonly Option<Value>[]; empty?: string }) {
  return (
    <Field label={label} hint={hint} fault={fault} required={required}>
      {(wiring) => (
        <select
          className="input"
          required={required}
          value={value}
          onChange={(event) => onChange(event.target.value as Value | '')}
          {...rest}
          {...wiring}
        >
          {empty !== undefined && <option value="">{empty}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckProps = Omit<FieldProps<boolean>, 'required'> & { role?: 'switch'; indeterminate?: boolean };

export function Checkbox({ label, value, onChange, hint, fault, indeterminate, ...rest }: CheckProps) {
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className="check">
      <input
        type="checkbox"
        id={id}
        checked={value}
        ref={(input) => {
          if (input !== null) input.indeterminate = indeterminate ?? false;
        }}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={about || undefined}
        aria-invalid={fault === undefined ? undefined : true}
        {...rest}
      />
      <label htmlFor={id}>{label}</label>
      <Below id={id} hint={hint} fault={fault} />
    </div>
  );
}

/** A checkbox that acts at once, such as “require a second factor”. */
export const Switch = (props: Omit<CheckProps, 'role'>) => <Checkbox role="switch" {...props} />;

/** Several checkboxes with one name: which of the options are chosen. */
export function Checkboxes<Value extends string>({
  label,
  value,
  onChange,
  hint,
  fault,
  options,
  name,
}: Omit<FieldProps<Value[]>, 'required'> & {
  options: readonly (Option<Value> & { hint?: ReactNode })[];
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-fault`}>
      <legend className="legend">{label}</legend>
      <Below id={id} hint={hint} fault={fault} />
      {options.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          hint={option.hint}
          {...(name !== undefined && { name })}
          disabled={option.disabled ?? false}
          value={value.includes(option.value)}
          onChange={(on) => onChange(on ? [...value, option.value] : value.filter((one) => one !== option.value))}
        />
      ))}
    </fieldset>
  );
}

/** One of a few options, each with a hint, all to be seen at once. */
export function Radios<Value extends string>({
  label,
  value,
  onChange,
  hint,
  fault,
  options,
  name,
  required = false,
}: FieldProps<Value> & { options: readonly (Option<Value> & { hint?: ReactNode })[] }) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-fault`} data-invalid={fault === undefined ? undefined : ''}>
      <legend className="legend">{label}</legend>
      <Below id={id} hint={hint} fault={fault} />
      {options.map((option) => (
        <div className="check" key={option.value}>
          <input
            type="radio"
            id={`${id}-${option.value}`}
            name={name ?? id}
            required={required}
            checked={value === option.value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}-hint`}
          />
          <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
          {option.hint !== undefined && (
            <div className="hint" id={`${id}-${option.value}-hint`}>
              {option.hint}
            </div>
          )}
        </div>
      ))}
    </fieldset>
  );
}

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | null;
  readonly value: string;
  readonly onText: (text: string) => void;
  /** Not shown while it is typed. */
  readonly secret?: boolean;
  readonly class?: string;
  readonly maxLength?: number;
  readonly inputMode?: 'numeric';
  readonly autocapitalize?: 'characters' | 'none';
  readonly enterkeyhint?: 'go' | 'search';
  /** Names and codes are not what a dictionary knows. */
  readonly spellcheck?: false;
  readonly autofocus?: true;
}

/** A field with its label, a hint, and what is wrong with it. Browsers do not offer what others have typed on this device before. */
export function Field({ label, hint, fault = null, value, onText, secret = false, ...input }: FieldProps) {
  const kind = secret ? ({ type: 'password' } as const) : ({ type: 'text' } as const);
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        {...kind}
        id={id}
        autocomplete="off"
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
        aria-invalid={fault !== null}
        {...(described !== '' && { 'aria-describedby': described })}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onChoose: (value: T) => void;
}

/** One of a few, all of them seen. */
export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-options">
        {options.map(([one, text]) => (
          <label key={one}>
            <input type="radio" name={name} checked={one === value} onChange={() => onChoose(one)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Switch({
  label,
  hint,
  on,
  onSwitch,
}: {
  label: string;
  hint?: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="switch">
      <label>
        <span>{label}</span>
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
          {...(hint !== undefined && { 'aria-describedby': id })}
        />
      </label>
      {hint !== undefined && (
        <p class="hint" id={id}>
          {hint}
        </p>
      )}
    </div>
  );
}

export const Notice = ({
  tone,
  title,
  children,
}: {
  tone: 'good' | 'warn' | 'bad';
  title?: string;
  children?: ComponentChildren;
}) => (
  <div class={`notice ${tone}`}>
    {title !== undefined && <strong>{title}</strong>}
    {children}
  </div>
);

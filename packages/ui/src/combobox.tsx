import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import './css/overlay.css';
import { Field, type FieldProps, type Option } from './fields.tsx';
import { ChevronIcon } from './icons.tsx';
import { announce } from './toast.tsx';
import { useWords } from './words.tsx';

interface ComboBoxProps extends FieldProps<string> {
  options: readonly Option[];
  placeholder?: string;
}

/** More are not drawn; whoever does not see theirs types another letter. */
const SHOWN = 100;
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * A field that searches a long list, such as time zones. Its value is that of the chosen option, or empty. It is closed until somebody
 * types or presses an arrow; the list says which option the arrows are at, while the focus stays in the field (ARIA's pattern of a
 * combobox). Text that is no option becomes the last choice again when the field is left.
 */
export function ComboBox({
  label,
  name,
  value,
  onChange,
  options,
  hint,
  fault,
  required = true,
  disabled,
  placeholder,
}: ComboBoxProps) {
  const t = useWords('common');
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  /** What is typed; null while nobody types. */
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const matching = typed === null ? options : options.filter((option) => folded(option.label).includes(folded(typed)));
  const shown = matching.slice(0, SHOWN);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  const show = (text: string | null, position: number) => {
    setTyped(text);
    setAt(position);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setTyped(null);
    setAt(-1);
  };
  const choose = (option: Option | undefined) => {
    if (option !== undefined) onChange(option.value);
    close();
  };
  const type = (text: string) => {
    if (text === '' && !required) onChange('');
    show(text, text === '' ? -1 : 0);
    if (!options.some((option) => folded(option.label).includes(folded(text)))) announce(t('noMatch'));
  };
  const press = (event: KeyboardEvent) => {
    const last = shown.length - 1;
    const present = open ? at : options.findIndex((option) => option.value === value);
    if (event.key === 'ArrowDown')
      show(typed, open ? Math.min(at + 1, last) : Math.max(0, Math.min(present, SHOWN - 1)));
    else if (event.key === 'ArrowUp') show(typed, Math.max(present - 1, 0));
    else if (event.key === 'Enter' && open) choose(shown[at]);
    else if (event.key === 'Escape' && open) close();
    else return;
    // Enter would send the form, and Escape close the dialog around it.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Field label={label} hint={hint} fault={fault} required={required}>
      {(wiring) => (
        <div className="with-button combobox">
          <input
            className="input"
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={open ? `${id}-list` : undefined}
            aria-activedescendant={open && at >= 0 && at < shown.length ? `${id}-${at}` : undefined}
            placeholder={placeholder ?? t('choose')}
            required={required}
            disabled={disabled}
            {...(name !== undefined && { name })}
            value={typed ?? chosen?.label ?? value}
            onChange={(event) => type(event.target.value)}
            onClick={() => !open && show(null, -1)}
            onFocus={(event) => event.target.select()}
            onBlur={close}
            onKeyDown={press}
            {...wiring}
          />
          <span className="combobox-sign">
            <ChevronIcon />
          </span>
          {open && (
            <div
              className="popover combobox-list"
              role="listbox"
              id={`${id}-list`}
              aria-label={typeof label === 'string' ? label : t('choose')}
              ref={list}
            >
              {shown.map((option, i) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
                <div
                  key={option.value}
                  id={`${id}-${i}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={i === at}
                  className="menu-item"
                  data-focused={i === at || undefined}
                  // The field must not lose the focus to what is clicked.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(option)}
                >
                  {option.label}
                </div>
              ))}
              {shown.length === 0 && (
                <div className="menu-head" role="option" tabIndex={-1} aria-selected={false} aria-disabled="true">
                  {t('noMatch')}
                </div>
              )}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}

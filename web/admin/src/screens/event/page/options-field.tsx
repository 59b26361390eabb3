import { Button, CloseIcon, Fault, type FieldProps, useWords } from '@turnout/ui';
import { type ClipboardEvent, type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { MAX_OPTIONS } from '../form/question-values.ts';

/**
 * What can be chosen, one in each field. Enter begins the next one, Backspace in an empty one removes it, Alt with an arrow moves it,
 * and several lines that are pasted become as many options.
 */
export function OptionsField({
  name = 'options',
  value,
  onChange,
  hint,
  fault,
  faults,
}: Omit<FieldProps<string[]>, 'label'> & { faults: Readonly<Record<string, string>> }) {
  const t = useWords('form');
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  // Which field gets the focus once it is drawn: before the next key, or a fast hand would type on in the old one.
  const next = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (next.current === null) return;
    list.current?.querySelectorAll('input')[next.current]?.focus();
    next.current = null;
  });
  const change = (options: readonly string[], focus: number | null = null) => {
    next.current = focus;
    onChange(options.slice(0, MAX_OPTIONS));
  };
  const without = (i: number) => (value.length === 1 ? [''] : value.toSpliced(i, 1));
  const move = (i: number, to: number) => {
    if (to < 0 || to >= value.length) return;
    change(value.toSpliced(i, 1).toSpliced(to, 0, value[i]!), to);
  };
  const press = (event: KeyboardEvent, i: number) => {
    const act = {
      Enter: () => change(value.toSpliced(i + 1, 0, ''), i + 1),
      Backspace: value[i] === '' && value.length > 1 ? () => change(without(i), Math.max(0, i - 1)) : undefined,
      ArrowUp: event.altKey ? () => move(i, i - 1) : undefined,
      ArrowDown: event.altKey ? () => move(i, i + 1) : undefined,
    }[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>, i: number) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length < 2) return;
    event.preventDefault();
    const before = value[i] === '' ? [] : [value[i]!];
    change(value.toSpliced(i, 1, ...before, ...lines), i + before.length + lines.length - 1);
  };
  const isBlank = value.every((option) => option.trim() === '');
  // A fault of the whole list; one of a single option stands beside it.
  const listFault = Object.keys(faults).length > 0 ? undefined : fault;
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-fault`}>
      <legend className="legend">{t('options')}</legend>
      <div className="hint" id={`${id}-hint`}>
        {hint ?? t('optionsHint')}
      </div>
      {listFault !== undefined && <Fault id={`${id}-fault`}>{listFault}</Fault>}
      <ul className="options" ref={list}>
        {value.map((option, i) => {
          const twice = option.trim() !== '' && value.findIndex((one) => one.trim() === option.trim()) < i;
          const wrong = faults[i] ?? (twice ? t('optionTwice') : undefined);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is known by its place; its text changes while it is typed
            <li className="option" key={i}>
              <input
                className="input"
                name={`${name}/${i}`}
                aria-label={t('option', { number: i + 1 })}
                aria-invalid={wrong === undefined ? undefined : true}
                aria-describedby={wrong === undefined ? undefined : `${id}-${i}`}
                maxLength={200}
                autoComplete="off"
                required={isBlank && i === 0}
                ref={(input) => input?.setCustomValidity(twice ? t('optionTwice') : '')}
                value={option}
                onChange={(event) => change(value.with(i, event.target.value))}
                onKeyDown={(event) => press(event, i)}
                onPaste={(event) => paste(event, i)}
              />
              <Button
                kind="quiet"
                size="icon"
                aria-label={t('removeOption', { number: i + 1 })}
                onClick={() => change(without(i), Math.max(0, i - 1))}
              >
                <CloseIcon />
              </Button>
              {wrong !== undefined && <Fault id={`${id}-${i}`}>{wrong}</Fault>}
            </li>
          );
        })}
      </ul>
      {value.length < MAX_OPTIONS && (
        <div className="buttons">
          <Button size="small" onClick={() => change([...value, ''], value.length)}>
            {t('addOption')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

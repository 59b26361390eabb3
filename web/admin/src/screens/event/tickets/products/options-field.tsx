import { Button, CloseIcon, Fault, useFormats, useWords } from '@turnout/ui';
import { type ClipboardEvent, type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import type { Units } from '../../../../parts/use-units.ts';
import { CountField } from '../../form/count-field.tsx';
import { emptyOption, MAX_OPTIONS, type OptionValues } from './product-values.ts';

/**
 * What is chosen between, such as sizes, each with how many there are. Enter begins the next one, and several lines that are pasted
 * become as many options.
 */
export function OptionsField({
  value,
  onChange,
  faults,
  fault,
  unitsOf,
}: {
  value: readonly OptionValues[];
  onChange: (value: OptionValues[]) => void;
  faults: Readonly<Record<string, string>>;
  fault: string | undefined;
  unitsOf: (option: string) => Units | undefined;
}) {
  const t = useWords('selling');
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  // Which option gets the focus once it is drawn: before the next key, or a fast hand would type on in the old one.
  const next = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (next.current === null) return;
    list.current?.querySelectorAll<HTMLInputElement>('input[data-option]')[next.current]?.focus();
    next.current = null;
  });
  const add = (i: number, names: readonly string[] = ['']) => {
    next.current = i + names.length - 1;
    onChange(value.toSpliced(i, 0, ...names.map((name) => emptyOption(name))).slice(0, MAX_OPTIONS));
  };
  const change = (i: number, to: Partial<OptionValues>) => onChange(value.with(i, { ...value[i]!, ...to }));
  const press = (event: KeyboardEvent, i: number) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    add(i + 1);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>, i: number) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length < 2) return;
    event.preventDefault();
    next.current = i + lines.length - 1;
    const pasted = lines.slice(1).map((line) => emptyOption(line));
    onChange(
      value
        .with(i, { ...value[i]!, name: lines[0]! })
        .toSpliced(i + 1, 0, ...pasted)
        .slice(0, MAX_OPTIONS),
    );
  };
  const isAlone = Object.keys(faults).length === 0;
  return (
    <fieldset className="stack" data-gap="small" aria-describedby={`${id}-hint ${id}-fault`}>
      <legend className="legend">{t('options')}</legend>
      <div className="hint" id={`${id}-hint`}>
        {t('optionsHint')}
      </div>
      {isAlone && fault !== undefined && <Fault id={`${id}-fault`}>{fault}</Fault>}
      {value.length > 0 && (
        <ul className="product-option-list" ref={list}>
          {value.map((option, i) => (
            <OptionRow
              key={option.id}
              number={i + 1}
              option={option}
              twice={value.slice(0, i).some((one) => sameName(one, option))}
              faults={{ name: faults[`${i}/name`] ?? faults[`${i}/code`], capacity: faults[`${i}/capacity`] }}
              units={option.code === '' ? undefined : unitsOf(option.code)}
              onChange={(to) => change(i, to)}
              onRemove={() => {
                next.current = Math.max(0, i - 1);
                onChange(value.toSpliced(i, 1));
              }}
              onKeyDown={(event) => press(event, i)}
              onPaste={(event) => paste(event, i)}
            />
          ))}
        </ul>
      )}
      {value.length < MAX_OPTIONS && (
        <div className="buttons">
          <Button size="small" onClick={() => add(value.length)}>
            {t('addOption')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const sameName = (a: OptionValues, b: OptionValues): boolean => a.name.trim() !== '' && a.name.trim() === b.name.trim();

function OptionRow({
  number,
  option,
  twice,
  faults,
  units,
  onChange,
  onRemove,
  onKeyDown,
  onPaste,
}: {
  number: number;
  option: OptionValues;
  twice: boolean;
  faults: Readonly<Record<'name' | 'capacity', string | undefined>>;
  units: Units | undefined;
  onChange: (to: Partial<OptionValues>) => void;
  onRemove: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}) {
  const t = useWords('selling');
  const form = useWords('form');
  const formats = useFormats();
  const id = useId();
  const wrong = faults.name ?? (twice ? form('optionTwice') : undefined);
  const taken = units?.taken ?? 0;
  return (
    <li className="product-option">
      <div className="field">
        <label htmlFor={id}>{t('option', { number })}</label>
        <input
          className="input"
          id={id}
          data-option=""
          name={`options/${number - 1}/name`}
          maxLength={100}
          autoComplete="off"
          required={option.code !== ''}
          aria-invalid={wrong === undefined ? undefined : true}
          aria-describedby={wrong === undefined ? undefined : `${id}-fault`}
          ref={(input) => input?.setCustomValidity(twice ? form('optionTwice') : '')}
          value={option.name}
          onChange={({ target }) => onChange({ name: target.value })}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {wrong !== undefined && <Fault id={`${id}-fault`}>{wrong}</Fault>}
      </div>
      <CountField
        label={t('optionCapacity')}
        name={`options/${number - 1}/capacity`}
        {...(taken > 0 && { hint: t('bookedOf', { count: taken, booked: formats.number(taken) }) })}
        fault={faults.capacity}
        value={option.capacity}
        onChange={(capacity) => onChange({ capacity })}
      />
      <Button kind="quiet" size="icon" aria-label={form('removeOption', { number })} onClick={onRemove}>
        <CloseIcon />
      </Button>
    </li>
  );
}

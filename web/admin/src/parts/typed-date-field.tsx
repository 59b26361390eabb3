import { Field, type FieldProps, TextField, useFormats, useWords } from '@turnout/ui';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { CalendarButton } from './calendar-button.tsx';
import { readDate, readDateTime } from './typed-date.ts';
import { localOf } from './zoned.ts';

interface TypedDateProps extends FieldProps<string> {
  /** With a time of day: its value is `2027-09-18T14:30`, else `2027-09-18`; empty if there is none. */
  timed?: boolean;
  min?: string | undefined;
  max?: string | undefined;
  /** Where it is today, if not where the reader is. */
  zone?: string | undefined;
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const EXAMPLE = '2027-09-18T14:30';

/**
 * A date as the reader's language writes it, typed or chosen in a calendar. Where one taps, the browser's own field is better. What is
 * typed stays as it is until the field is left; what is no date is not sent, and the field says so.
 */
export function TypedDateField(props: TypedDateProps) {
  const { timed, zone, min, max, ...field } = props;
  const limits = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return useCoarse() ? (
    <TextField type={timed ? 'datetime-local' : 'date'} {...field} {...limits} />
  ) : (
    <TypedDate {...props} />
  );
}

function TypedDate(props: TypedDateProps) {
  const { label, name, value, onChange, hint, fault, required = true, disabled, timed = false, min, max, zone } = props;
  const t = useWords('parts');
  const formats = useFormats();
  const today = localOf(new Date().toISOString(), zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone).slice(
    0,
    10,
  );
  const write = (date: string): string =>
    Number.isNaN(Date.parse(date)) ? '' : timed ? formats.dateTime(`${date}Z`, 'UTC') : formats.when(date, DAY);
  const read = (text: string): string | null =>
    text.trim() === '' ? '' : (timed ? readDateTime : readDate)(text, formats.locale, today);
  // What is typed, for as long as the value is what was read from it or the focus is in the field.
  const [typed, setTyped] = useState<{ text: string; value: string; here: boolean } | null>(null);
  const isTyped = typed !== null && (typed.here || typed.value === value);
  const shown = isTyped ? typed.text : write(value);
  const wrong = isTyped ? faultIn(typed.text) : '';
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(wrong), [wrong]);

  function faultIn(text: string): string {
    const date = read(text);
    if (date === null) return t('faultDate', { example: write(timed ? EXAMPLE : EXAMPLE.slice(0, 10)) });
    if (date !== '' && min !== undefined && date < min) return t('faultEarly', { date: write(min) });
    if (date !== '' && max !== undefined && date > max) return t('faultLate', { date: write(max) });
    return '';
  }
  const choose = (next: string) => {
    setTyped(null);
    onChange(next);
  };
  const settle = () => setTyped(wrong === '' || typed === null ? null : { ...typed, here: false });
  const [day, time = '00:00'] = value.split('T') as [string, string?];
  return (
    <Field
      label={label}
      hint={hint}
      required={required}
      fault={fault ?? (typed !== null && !typed.here && wrong !== '' ? wrong : undefined)}
    >
      {(wiring) => (
        <div className="with-button">
          <input
            className="input"
            type="text"
            autoComplete="off"
            spellCheck={false}
            ref={input}
            required={required}
            disabled={disabled}
            {...(name !== undefined && { name })}
            value={shown}
            onChange={(event) => {
              const text = event.target.value;
              const next = faultIn(text) === '' ? (read(text) ?? '') : '';
              setTyped({ text, value: next, here: true });
              if (next !== value) onChange(next);
            }}
            onBlur={settle}
            onKeyDown={(event) => event.key === 'Enter' && settle()}
            {...wiring}
          />
          <CalendarButton
            {...{ value: day, today, min: min?.slice(0, 10), max: max?.slice(0, 10), disabled }}
            onChoose={(next) => choose(timed ? `${next}T${time}` : next)}
            time={
              timed
                ? {
                    value: day === '' ? '' : time,
                    onChange: (next) => next !== '' && choose(`${day || today}T${next}`),
                  }
                : undefined
            }
            onClear={required ? undefined : () => choose('')}
          />
        </div>
      )}
    </Field>
  );
}

const COARSE = '(pointer: coarse)';

/** Whether one taps rather than clicks. */
const useCoarse = (): boolean => useSyncExternalStore(listen, () => matchMedia(COARSE).matches);

function listen(listener: () => void): () => void {
  const media = matchMedia(COARSE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

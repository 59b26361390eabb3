import { type FieldProps, TextField, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { differs, instantOf, localOf, viewerZone } from './zoned.ts';

/** A date without a time, `2026-11-16`; empty if there is none. */
export const DateField = ({ min, max, ...props }: FieldProps<string> & { min?: string; max?: string }) => (
  <TextField type="date" {...props} {...(min !== undefined && { min })} {...(max !== undefined && { max })} />
);

/** A time of day, `14:30`; empty if there is none. */
export const TimeField = (props: FieldProps<string>) => <TextField type="time" {...props} />;

/**
 * A moment, by the clocks of the event's time zone. Its value is an instant (`2026-11-16T13:30:00.000Z`) or null. Where the viewer's
 * clock shows another time, the field says in which zone it is and what that is for the viewer.
 */
export function DateTimeField({
  value: given,
  onChange,
  zone,
  hint,
  ...props
}: FieldProps<string | null> & { /** The time zone: `timezone` of the event. */ zone: string }) {
  const t = useWords('parts');
  const formats = useFormats();
  // It may come from an address, which anybody can write.
  const value = Number.isNaN(Date.parse(given ?? '')) ? null : given;
  // What is typed is kept until it is a whole date and time; a browser gives an empty text before.
  const [typed, setTyped] = useState<{ text: string; for: string | null } | null>(null);
  const text = typed !== null && typed.for === value ? typed.text : localOf(value, zone);
  const elsewhere = differs(value ?? new Date().toISOString(), zone, viewerZone());
  const about = elsewhere
    ? value === null
      ? t('inZoneOf', { zone: zone.replaceAll('_', ' ') })
      : t('inZoneIs', { zone: zone.replaceAll('_', ' '), yours: formats.dateTime(value) })
    : undefined;
  const below =
    about === undefined ? (
      hint
    ) : (
      <>
        {hint !== undefined && <div>{hint}</div>}
        {about}
      </>
    );
  return (
    <TextField
      type="datetime-local"
      {...props}
      {...(below !== undefined && { hint: below })}
      value={text}
      onChange={(next) => {
        const instant = instantOf(next, zone);
        setTyped({ text: next, for: instant });
        onChange(instant);
      }}
    />
  );
}

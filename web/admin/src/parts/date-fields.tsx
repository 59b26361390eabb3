import { type FieldProps, TextField, useFormats, useWords } from '@turnout/ui';
import { TypedDateField } from './typed-date-field.tsx';
import { differs, instantOf, localOf, viewerZone } from './zoned.ts';

/** A date without a time, `2026-11-16`; empty if there is none. */
export const DateField = (props: FieldProps<string> & { min?: string; max?: string }) => <TypedDateField {...props} />;

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
    <TypedDateField
      timed
      zone={zone}
      {...props}
      {...(below !== undefined && { hint: below })}
      value={localOf(value, zone)}
      onChange={(next) => onChange(instantOf(next, zone))}
    />
  );
}

import { useWords } from '@turnout/ui';
import { PeriodMenuOfMoments } from '../../parts/period-menu.tsx';
import { TypedDateField } from '../../parts/typed-date-field.tsx';
import { viewerZone } from '../../parts/zoned.ts';

/** An instant as `datetime-local` shows it, where the person is. */
export function localOf(instant: string | undefined): string {
  const at = new Date(instant ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
/** The instant of such a text; undefined if it is none. */
export function instantOf(local: string): string | undefined {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
/** What an address may carry: anything else than an instant is left out. */
export const asInstant = (text: string | undefined): string | undefined => instantOf(text ?? '');

/** From when until when. The address carries instants, so that it shows the same wherever it is opened. */
export function TimeRange({
  from,
  to,
  onChange,
}: {
  from: string | undefined;
  to: string | undefined;
  onChange: (change: { from?: string | undefined; to?: string | undefined }) => void;
}) {
  const t = useWords('audit');
  return (
    <>
      <TypedDateField
        timed
        label={t('from')}
        value={localOf(from)}
        onChange={(text) => onChange({ from: instantOf(text) })}
      />
      <TypedDateField
        timed
        label={t('to')}
        value={localOf(to)}
        onChange={(text) => onChange({ to: instantOf(text) })}
      />
      <PeriodMenuOfMoments zone={viewerZone()} onChoose={onChange} />
    </>
  );
}

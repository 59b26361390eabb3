import { useFormats, useWords } from '@turnout/ui';
import type { Units } from '../../../parts/use-units.ts';
import '../form/form.css';

/** Taken of how many, in words and as a line. */
export function UnitsOf({
  capacity,
  units,
  isWaiting,
}: {
  capacity: number | null;
  units: Units | undefined;
  isWaiting: boolean;
}) {
  const t = useWords('selling');
  const formats = useFormats();
  // The room of what comes.
  if (units === undefined && isWaiting)
    return (
      <div className="places" aria-hidden="true">
        <div className="small number">&nbsp;</div>
        {capacity !== null && <div className="places-line" />}
      </div>
    );
  const taken = units?.taken ?? null;
  if (taken === null)
    return capacity === null ? null : <span className="small number">{t('atMost', { count: capacity })}</span>;
  if (capacity === null)
    return <div className="small number">{t('bookedOf', { count: taken, booked: formats.number(taken) })}</div>;
  const share = capacity === 0 ? 0 : Math.min(100, (100 * taken) / capacity);
  return (
    <div className="places">
      <div className="small number">
        <span aria-hidden="true">
          <strong>{formats.number(taken)}</strong> / {formats.number(capacity)}
        </span>
        <span className="hidden">{t('takenOf', { taken, capacity })}</span>
      </div>
      <div className="places-line" aria-hidden="true" data-full={taken >= capacity || undefined}>
        <span style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

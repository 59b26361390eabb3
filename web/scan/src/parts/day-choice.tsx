import { useId } from 'preact/hooks';
import type { Manifest } from '../engine/types.ts';
import { textOf } from './answer-words.ts';
import { formats, t } from './words.ts';

interface Props {
  readonly days: Manifest['days'];
  readonly day: string | null;
  readonly onChoose: (code: string) => void;
}

/** Which day; with one day there is nothing to choose. */
export function DayChoice({ days, day, onChoose }: Props) {
  const id = useId();
  if (days.length < 2) return null;
  return (
    <div class="field">
      <label for={id}>{t('day')}</label>
      <select id={id} value={day ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
        {days.map(({ code, name, date }) => (
          <option key={code} value={code}>
            {name === date ? textOf(name) : `${name} · ${formats().date(date)}`}
          </option>
        ))}
      </select>
    </div>
  );
}

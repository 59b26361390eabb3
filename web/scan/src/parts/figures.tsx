import type { AttendanceCounts, Whereabouts } from '../engine/types.ts';
import { sumOf } from './attendance.ts';
import { formats, t } from './words.ts';

interface Props {
  readonly counts: AttendanceCounts;
  /** Leads to the people behind a number; null where the event does not let devices look for names. */
  readonly onShow: ((where: Whereabouts) => void) | null;
  /** Whose names are shown already. */
  readonly shown?: Whereabouts;
}

/** How many are inside and how many are still to come, and how many have left where anybody has. */
export function Figures({ counts, onShow, shown }: Props) {
  const sum = sumOf(counts);
  const places: readonly Whereabouts[] =
    sum.left > 0 || shown === 'left' ? ['inside', 'left', 'awaited'] : ['inside', 'awaited'];
  return (
    <ul class="figures">
      {places.map((where) => {
        const figure = (
          <>
            <strong>{formats().number(sum[where])}</strong>
            <span>{t(`whereabouts.${where}`)}</span>
          </>
        );
        return (
          <li key={where}>
            {onShow === null ? (
              <div class="figure">{figure}</div>
            ) : (
              <button
                type="button"
                class="figure"
                {...(shown !== undefined && { 'aria-pressed': shown === where })}
                onClick={() => onShow(where)}
              >
                {figure}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

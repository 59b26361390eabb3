import { useFormats } from '@turnout/ui';
import type { ReactNode } from 'react';
import './plot.css';
import type { PlotTone } from './plot-props.ts';

export interface Bar {
  id: string;
  /** What it counts; may be a link. */
  name: ReactNode;
  value: number;
  /**
   * How many there can be at most, such as places; without it, bars are as long as their numbers compare. Null: there is no limit, so
   * there is nothing that a bar could be a share of, and a long one would look sold out.
   */
  total?: number | null;
  /** What comes on top of the value, such as places that are held. */
  more?: number;
  tone?: PlotTone;
  /** The numbers in words; without it `value`, or `value / of`. */
  text?: ReactNode;
}

/** Counts by name, each as a bar with its numbers in words. Nobody has to read the bars. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const formats = useFormats();
  const longest = Math.max(
    1,
    ...bars.map(({ value, more = 0, total }) => (typeof total === 'number' ? 0 : value + more)),
  );
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ id, name, value, total, more = 0, tone = 'accent', text }) => {
        const most = typeof total === 'number' ? Math.max(1, total) : longest;
        const share = (count: number, room = 1) => `${100 * Math.max(0, Math.min(room, count / most))}%`;
        return (
          <li key={id}>
            <span className="bars-name">{name}</span>
            <span className="bars-text number">
              {text ??
                (typeof total === 'number'
                  ? `${formats.number(value)} / ${formats.number(total)}`
                  : formats.number(value))}
            </span>
            {total !== null && (
              <span className="bars-line" aria-hidden="true">
                <span data-line={tone} style={{ width: share(value) }} />
                {more > 0 && <span data-line={tone} data-more="" style={{ width: share(more, 1 - value / most) }} />}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

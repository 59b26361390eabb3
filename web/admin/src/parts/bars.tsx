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
  of?: number | null;
  /** What comes on top of the value, such as places that are held. */
  more?: number;
  tone?: PlotTone;
  /** The numbers in words; without it `value`, or `value / of`. */
  text?: ReactNode;
}

/** Counts by name, each as a bar with its numbers in words. Nobody has to read the bars. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const formats = useFormats();
  const longest = Math.max(1, ...bars.map(({ value, more = 0, of }) => (typeof of === 'number' ? 0 : value + more)));
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ id, name, value, of, more = 0, tone = 'accent', text }) => {
        const most = typeof of === 'number' ? Math.max(1, of) : longest;
        const share = (count: number, room = 1) => `${100 * Math.max(0, Math.min(room, count / most))}%`;
        return (
          <li key={id}>
            <span className="bars-name">{name}</span>
            <span className="bars-text number">
              {text ??
                (typeof of === 'number' ? `${formats.number(value)} / ${formats.number(of)}` : formats.number(value))}
            </span>
            {of !== null && (
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

import { Skeleton, useFormats, useWords } from '@turnout/ui';
import { lazy, Suspense, useState } from 'react';
import './fold.css';
import './plot.css';
import type { PlotProps } from './plot-props.ts';
import './sheet.css';

export { type Bar, Bars } from './bars.tsx';
export type { PlotProps } from './plot-props.ts';

// uPlot is 23 kB, compressed, and only screens with a plot need it.
const Canvas = lazy(() => import('./plot-canvas.tsx'));

/** Numbers over time, drawn, and below it as a table for those who cannot see the drawing or want the numbers. */
export function Plot(props: PlotProps) {
  const { label, series, height = 220 } = props;
  return (
    <figure className="plot">
      {series.length > 1 && (
        <ul className="plot-legend" aria-hidden="true">
          {series.map((one) => (
            <li key={one.name} data-line={one.tone ?? 'accent'}>
              {one.name}
            </li>
          ))}
        </ul>
      )}
      <div role="img" aria-label={label} style={{ minHeight: height }}>
        <Suspense fallback={<Skeleton lines={3} />}>
          <Canvas {...props} height={height} />
        </Suspense>
      </div>
      <AsTable {...props} />
    </figure>
  );
}

/** How a time is written, by the length of the interval. */
export function useTimeText(by: PlotProps['by'], timeZone: string): (at: string | number) => string {
  const formats = useFormats();
  return (at) =>
    by === 'day' || by === 'week'
      ? formats.when(at, { day: 'numeric', month: 'short', year: 'numeric' }, timeZone)
      : formats.dateTime(at, timeZone);
}

const MAX_TABLE_ROWS = 400;

function AsTable(props: PlotProps) {
  const t = useWords('parts');
  const [open, setOpen] = useState(false);
  return (
    <details className="fold small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('asTable')}</summary>
      {open && <Numbers {...props} />}
    </details>
  );
}

function Numbers({ label, at, series, by, timeZone, format }: PlotProps) {
  const t = useWords('parts');
  const formats = useFormats();
  const timeText = useTimeText(by, timeZone);
  const write = format ?? ((value: number) => formats.number(value));
  const from = Math.max(0, at.length - MAX_TABLE_ROWS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="sheet plot-table" aria-label={label} tabIndex={0}>
      <table>
        <caption className="hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {series.map((one) => (
              <th key={one.name} scope="col" data-align="end">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {at.slice(from).map((time, i) => (
            <tr key={time}>
              <th scope="row" className="number">
                {timeText(time)}
              </th>
              {series.map((one) => {
                const value = one.values[from + i];
                return (
                  <td key={one.name} data-align="end">
                    {value === null || value === undefined ? '–' : write(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

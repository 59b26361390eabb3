import { useFormats } from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { PlotProps, PlotTone } from './plot-props.ts';
import { useThemeColours } from './theme-colours.ts';

/** How long an interval is, in seconds. */
const STEPS = { minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const;

/** The drawing itself. It is drawn anew when its numbers, the theme or the width change. */
export default function PlotCanvas({ at, series, by, timeZone, format, height = 220 }: PlotProps) {
  const formats = useFormats();
  const box = useRef<HTMLDivElement>(null);
  const colours = useThemeColours(box);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0 || colours === null) return;
    const write = format ?? ((value: number) => formats.number(value));
    // A single interval stands in the middle; uPlot would show the years after it. The first and the last bar are not cut in half.
    const hasBars = series.some(({ kind }) => kind === 'bars');
    const beside = at.length === 1 ? STEPS[by] : hasBars ? STEPS[by] / 2 : 0;
    const short = (value: number) => (format ?? ((n: number) => formats.number(n, { notation: 'compact' })))(value);
    const drawn = new UPlot(
      {
        width,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
        // Seconds, which uPlot counts in, shown by the clocks of the event's zone.
        tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), timeZone),
        scales: {
          x: { range: (_, min, max) => [min - beside, max + beside] },
          y: { range: (_, __, max) => [0, max <= 0 ? 1 : max * 1.08] },
        },
        axes: [
          axis(colours, {
            space: 70,
            values: (_, ticks) => ticks.map((tick) => tickText(tick)),
            grid: { show: false },
          }),
          axis(colours, {
            size: (_, values) => 16 + 7 * Math.max(2, ...(values ?? []).map((value) => value.length)),
            values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) || format ? short(tick) : '')),
          }),
        ],
        series: [{}, ...series.map((one) => lineOf(one, colours, at.length === 1))],
        plugins: [
          tip(
            box.current!,
            series.map((one) => one.name),
            timeText,
            write,
          ),
        ],
      },
      [at.map((time) => Date.parse(time) / 1000), ...series.map((one) => [...one.values])] as UPlot.AlignedData,
      box.current!,
    );
    function tickText(seconds: number): string {
      if (by === 'day' || by === 'week')
        return formats.when(seconds * 1000, { day: 'numeric', month: 'short' }, timeZone);
      return formats.time(seconds * 1000, timeZone);
    }
    function timeText(seconds: number): string {
      if (by === 'day' || by === 'week') return formats.date(seconds * 1000, timeZone);
      return formats.dateTime(seconds * 1000, timeZone);
    }
    return () => drawn.destroy();
  }, [width, height, colours, at, series, by, timeZone, format, formats]);
  return <div className="plot-canvas" ref={box} style={{ height }} />;
}

type Colours = Readonly<Record<PlotTone | 'line' | 'ink', string>>;

const axis = (colours: Colours, more: UPlot.Axis): UPlot.Axis => ({
  stroke: colours.soft,
  font: '12px Inter, system-ui, sans-serif',
  grid: { stroke: colours.line, width: 1 },
  ticks: { stroke: colours.line, width: 1, size: 4 },
  ...more,
});

const thinner = (colour: string, share: number): string =>
  colour.replace(/^rgb\(([^)]+)\)$/, (_, parts: string) => `rgba(${parts}, ${share})`);

/** A line through a single interval is a point. */
function lineOf(
  { name, tone = 'accent', kind = 'area' }: PlotProps['series'][number],
  colours: Colours,
  single: boolean,
): UPlot.Series {
  const stroke = colours[tone];
  return {
    label: name,
    stroke,
    width: 1.75,
    points: { show: single && kind !== 'bars', size: 7, fill: stroke },
    ...(kind !== 'line' && { fill: thinner(stroke, kind === 'bars' ? 0.6 : 0.14) }),
    ...(kind === 'bars' && { paths: UPlot.paths.bars!({ size: [0.7, 40] }), width: 0 }),
  };
}

/** The numbers at the pointer. */
function tip(
  box: HTMLElement,
  names: readonly string[],
  timeText: (at: number) => string,
  write: (n: number) => string,
): UPlot.Plugin {
  const element = document.createElement('div');
  element.className = 'plot-tip';
  element.hidden = true;
  return {
    hooks: {
      init: () => box.append(element),
      destroy: () => element.remove(),
      setCursor: (plot) => {
        const { idx, left } = plot.cursor;
        element.hidden = idx === null || idx === undefined || left === undefined || left < 0;
        if (element.hidden) return;
        const lines = names.map((name, i) => {
          const value = plot.data[i + 1]![idx!];
          return `${names.length > 1 ? `${name}: ` : ''}${value === null || value === undefined ? '–' : write(value)}`;
        });
        element.textContent = [timeText(plot.data[0][idx!]!), ...lines].join('\n');
        const x = plot.valToPos(plot.data[0][idx!]!, 'x') + plot.over.offsetLeft;
        const most = box.clientWidth - element.offsetWidth;
        element.style.left = `${Math.max(0, Math.min(most, x - element.offsetWidth / 2))}px`;
      },
    },
  };
}

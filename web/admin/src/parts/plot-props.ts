export type PlotTone = 'accent' | 'good' | 'warn' | 'bad' | 'soft';
export interface PlotSeries {
  name: string;
  /** One number for each time; null: there is none. */
  values: readonly (number | null)[];
  tone?: PlotTone;
  /** `area` unless told otherwise. Bars are for counts of an interval, lines and areas for what goes on. */
  kind?: 'line' | 'area' | 'bars';
}
export interface PlotProps {
  /** What it shows, for screen readers and above its table. */
  label: string;
  /** The times, oldest first. */
  at: readonly string[];
  series: readonly PlotSeries[];
  /** How long an interval is, which decides how times are written. */
  by: 'minute' | 'hour' | 'day' | 'week';
  timeZone: string;
  /** How a number is written; as a number unless told otherwise. For money: `money` of the event. */
  format?: (value: number) => string;
  /** In pixels. */
  height?: number;
}

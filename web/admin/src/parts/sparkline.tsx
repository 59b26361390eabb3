import { addedUp, sparkline } from './curve.ts';
import './sparkline.css';

const WIDTH = 100;
const HEIGHT = 24;

/** A small curve of what was added day by day. It only illustrates the number beside it, so screen readers skip it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const { line, area } = sparkline(addedUp(values), WIDTH, HEIGHT);
  return (
    <svg className="sparkline" viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`} preserveAspectRatio="none" aria-hidden="true">
      <path className="sparkline-area" d={area} />
      <path className="sparkline-line" d={line} />
    </svg>
  );
}

/** The line through the values and the area below it, as paths of an SVG of this size. One value more or less is a step of the same width. */
export function sparkline(values: readonly number[], width: number, height: number): { line: string; area: string } {
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values.map((value, i) => `${round(i * step)} ${round(height - (value / most) * height)}`);
  const line = points.map((point, i) => `${i === 0 ? 'M' : 'L'}${point}`).join('');
  return { line, area: points.length === 0 ? '' : `${line}V${height}H0Z` };
}

/** How many there were up to each day: a curve that climbs, which a handful of registrations a day would not draw. */
export function addedUp(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;

const HOUR = 3_600_000;
const KEPT = 50_000;

/**
 * The local time of an instant in a timezone, as the milliseconds that UTC would have if its clocks showed that time. Asking Intl
 * for each of millions of times would cost more than the rest of the export. So the offset is asked once per hour, and used for
 * the whole hour if the offset is the same at both of its ends.
 */
export function clockIn(timezone: string): (at: string) => number {
  // The Swedish locale formats times as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const offsetAt = (second: number): number => Date.parse(`${format.format(second).replace(' ', 'T')}Z`) - second;
  const offsets = new Map<number, number>();
  const offsetOfHour = (hour: number): number => {
    let offset = offsets.get(hour);
    if (offset === undefined) {
      if (offsets.size >= KEPT) offsets.clear();
      offset = offsetAt(hour * HOUR);
      offsets.set(hour, offset);
    }
    return offset;
  };
  return (at) => {
    const second = Math.floor(Date.parse(at) / 1000) * 1000;
    const hour = Math.floor(second / HOUR);
    const offset = offsetOfHour(hour);
    return second + (offset === offsetOfHour(hour + 1) ? offset : offsetAt(second));
  };
}

const HOUR = 3_600_000;
const KEPT = 50_000;

/**
 * What a clock in the zone shows at an instant, in milliseconds counted as if it stood in UTC. Asking Intl for each of
 * millions of times would cost more than all the rest of an export: an hour at whose ends the offset is the same has no
 * change in it.
 */
export function clockIn(timezone: string): (at: string) => number {
  // Swedes write times as ISO 8601 does.
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

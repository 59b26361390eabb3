const parts = new Map<string, Intl.DateTimeFormat>();

function offsetAt(instant: number, timezone: string): number {
  let format = parts.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    parts.set(timezone, format);
  }
  const at: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) at[type] = Number(value);
  return Date.UTC(at.year!, at.month! - 1, at.day!, at.hour!, at.minute!, at.second!) - instant;
}

/**
 * The instant at which a local date begins. Where clocks jump over midnight (it happens: Beirut, Havana, Santiago) the day
 * begins at the first instant that exists.
 */
export function zonedMidnight(date: string, timezone: string): string {
  const wanted = Date.parse(`${date}T00:00:00Z`);
  // Two guesses settle every offset change; where midnight is skipped, the later instant is the first of the day.
  const first = wanted - offsetAt(wanted, timezone);
  const second = wanted - offsetAt(first, timezone);
  const at = offsetAt(second, timezone) === wanted - second ? second : Math.max(first, second);
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

export const nextDate = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

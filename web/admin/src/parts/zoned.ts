/** What the clocks of a time zone show at an instant, as milliseconds since 1970 if it were UTC. */
function wallClock(at: number, zone: string): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = value;
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

const made = new Map<string, Intl.DateTimeFormat>();
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = made.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    made.set(zone, format);
  }
  return format;
}

/** The zone that the viewer's computer is set to. */
export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** An instant as `datetime-local` shows it (`2026-11-16T14:30`), by the clocks of a zone; empty if it is none. */
export function localOf(instant: string | null | undefined, zone: string): string {
  const at = Date.parse(instant ?? '');
  return Number.isNaN(at) ? '' : new Date(wallClock(at, zone)).toISOString().slice(0, 16);
}

const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/;

/**
 * The instant at which the clocks of a zone show this time; null if it is no time. When clocks are turned back, a time is shown twice:
 * the first is meant. When they are turned forward, some are not shown at all: then it is as long after the jump as the time is after
 * the hour that was left out, as if the clock had not been turned.
 */
export function instantOf(local: string, zone: string): string | null {
  const match = LOCAL.exec(local);
  const wanted = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}:00Z`);
  if (Number.isNaN(wanted)) return null;
  const DAY = 86_400_000;
  // The offsets before and after a change of the clocks near this time; most often they are the same.
  const offsets = [wanted - DAY, wanted + DAY].map((at) => wallClock(at, zone) - at);
  const candidates = offsets.map((offset) => wanted - offset);
  const exact = candidates.filter((at) => wallClock(at, zone) === wanted);
  const at = exact.length > 0 ? Math.min(...exact) : candidates[0]!;
  return new Date(at).toISOString();
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** The day after, because `to` is the first moment that does not count any more. */
const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** From and to in an address as instants. A date without a time is the whole day in the zone; anything else stays as it is. */
export function spanOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  zone: string,
): { from?: string; to?: string } {
  const at = (text: string, date: (text: string) => string) =>
    DATE.test(text) && !Number.isNaN(Date.parse(text)) ? (instantOf(`${date(text)}T00:00`, zone) ?? text) : text;
  return {
    ...(from !== undefined && { from: at(from, (date) => date) }),
    ...(to !== undefined && { to: at(to, dayAfter) }),
  };
}

/** Whether the clocks of two zones show different times at this instant. */
export const differs = (instant: string, zone: string, other: string): boolean =>
  wallClock(Date.parse(instant), zone) !== wallClock(Date.parse(instant), other);

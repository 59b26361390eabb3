import {
  capitalized,
  formatDate,
  formatEventDates,
  formatHours,
  formatInstant,
  localeOf,
} from '../../outside/locale.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import type { EventRow } from '../events/index.ts';
import type { ShownDay } from './queries.ts';
import type { Site } from './site.ts';

/** Dates of an event are written in the language of the visitor and in the time zone of the event. */
const inZone = (site: Site, event: Pick<EventRow, 'timezone'>) => ({
  language: site.language,
  timezone: event.timezone,
});

/** When the event is, or null; with the hours of these days, if they all have the same. The script adds the visitor's own time where it differs (web/register). */
export function whenOf(site: Site, event: EventRow, days: readonly ShownDay[] = []): Html | null {
  const { starts_at, ends_at } = event;
  const dates = formatEventDates({ ...inZone(site, event), starts_at, ends_at }, hoursOfAll(site, event, days));
  if (dates === null) return null;
  const at = event.starts_at ?? event.ends_at!;
  const end = event.ends_at ?? '';
  return html`<time datetime="${at}" data-end="${end}" data-zone="${event.timezone}" data-local="${site.t('yourTime')}">${capitalized(dates)}</time><br><span class="soft small">${zoneName(site, event, at)}</span>`;
}

function hoursOfAll(site: Site, event: EventRow, days: readonly ShownDay[]): string | null {
  const [hours = null, ...others] = new Set(days.map((day) => hoursOf(site, event, day)));
  if (hours === null || others.length > 0) return null;
  return days.length === 1 ? hours : site.t('hoursEachDay', { hours });
}

const hoursOf = (site: Site, event: EventRow, { opens_at, closes_at }: ShownDay): string | null =>
  opens_at === null && closes_at === null ? null : formatHours(opens_at, closes_at, inZone(site, event));

/** `New Zealand Time (GMT+13)`: the name that people know, and the difference on that day. */
export function zoneName(site: Site, { timezone }: Pick<EventRow, 'timezone'>, at: string): string {
  const locale = localeOf(site.language, timezone);
  const part = (timeZoneName: 'longGeneric' | 'shortOffset') =>
    new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName })
      .formatToParts(new Date(at))
      .find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
  const [name, offset] = [part('longGeneric'), part('shortOffset')];
  return name === offset ? name : `${name} (${offset})`;
}

/** `Sat, 21 November 2026, 09:00 – 18:00` */
export function dayText(site: Site, event: EventRow, day: ShownDay): string {
  const hours = hoursOf(site, event, day);
  const date = capitalized(formatDate(day.date, inZone(site, event)));
  return hours === null ? date : `${date}, ${hours}`;
}

/** A day by its own name, unless that is only its date. */
export const dayName = (site: Site, event: EventRow, day: ShownDay): string =>
  day.name === day.date ? capitalized(formatDate(day.date, inZone(site, event))) : day.name;

/** A moment with its time zone. */
export const momentText = (site: Site, event: EventRow, at: string): string =>
  capitalized(formatInstant(at, inZone(site, event)));

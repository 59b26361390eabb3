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

/** When the event is, or null. The script adds the visitor's own time where it differs (web/register). */
export function whenOf(site: Site, event: EventRow): Html | null {
  const dates = formatEventDates({ ...inZone(site, event), starts_at: event.starts_at, ends_at: event.ends_at });
  if (dates === null) return null;
  const at = event.starts_at ?? event.ends_at!;
  const end = event.ends_at ?? '';
  return html`<time datetime="${at}" data-end="${end}" data-zone="${event.timezone}" data-local="${site.t('yourTime')}">${capitalized(dates)}</time><br><span class="soft small">${zoneName(site, event, at)}</span>`;
}

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
  const at = inZone(site, event);
  const hours = day.opens_at === null && day.closes_at === null ? null : formatHours(day.opens_at, day.closes_at, at);
  const date = capitalized(formatDate(day.date, at));
  return hours === null ? date : `${date}, ${hours}`;
}

/** A day by its own name, unless that is only its date. */
export const dayName = (site: Site, event: EventRow, day: ShownDay): string =>
  day.name === day.date ? capitalized(formatDate(day.date, inZone(site, event))) : day.name;

/** A moment with its time zone. */
export const momentText = (site: Site, event: EventRow, at: string): string =>
  capitalized(formatInstant(at, inZone(site, event)));

import type { OverviewEvent } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { lastOf } from '@turnout/words';

/** When an event is, in its own time zone, which is said where the viewer's clock shows another time. Null: it has no date. */
export function useWhen(): (event: OverviewEvent) => string | null {
  const t = useWords('home');
  const formats = useFormats();
  return ({ starts_at, ends_at, timezone, when }) => {
    const from = starts_at ?? ends_at;
    if (from === null) return null;
    const day = (moment: string | number) => formats.date(moment, timezone);
    const several = starts_at !== null && ends_at !== null && day(starts_at) !== day(lastOf(starts_at, ends_at));
    if (several) return formats.span(starts_at, ends_at, timezone);
    if (when === 'past') return day(from);
    const clock = `${day(from)}, ${formats.time(from, timezone)}`;
    const same = formats.dateTime(from, timezone) === formats.dateTime(from);
    return same ? clock : t('inZone', { when: clock, zone: timezone.replaceAll('_', ' ') });
  };
}

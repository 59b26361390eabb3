import type { Event } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';

/** From when until when an event is, in its time zone, which is said where the viewer's clock shows another time. Null: it has no date. */
export function useEventWhen({ starts_at, ends_at, timezone }: Event): string | null {
  const t = useWords('parts');
  const formats = useFormats();
  const from = starts_at ?? ends_at;
  if (from === null) return null;
  const days = formats.span(from, ends_at ?? from, timezone);
  const same = formats.dateTime(from, timezone) === formats.dateTime(from);
  return same ? days : t('inZone', { when: days, zone: timezone.replaceAll('_', ' ') });
}

import type { Availability } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import '../form/form.css';

type Places = Availability['event'];

/** How many places are taken, by the codes of days and types. Nothing for those who may not see people. */
export function usePlaces(): {
  ofDay: (code: string) => Places | undefined;
  ofType: (code: string) => Places | undefined;
  /** Whether they are asked for and not known yet. */
  isWaiting: boolean;
} {
  const { base } = useEvent();
  const { may } = useOrganization();
  const { data, isLoading } = useCall('getAvailability', base, { enabled: may('people.read') });
  return {
    isWaiting: isLoading,
    ofDay: (code) => data?.days.find(({ day }) => day === code),
    ofType: (code) => data?.attendee_types.find(({ attendee_type }) => attendee_type === code),
  };
}

/** How many hold a place, those who are not approved or have not paid included. */
export const holding = (places: Places | undefined): number => (places?.taken ?? 0) + (places?.held ?? 0);

/** Taken of how many, in words and as a line; what is held and waiting below. */
export function PlacesOf({
  capacity,
  places,
  isWaiting,
}: {
  capacity: number | null;
  places: Places | undefined;
  isWaiting: boolean;
}) {
  const t = useWords('form');
  const formats = useFormats();
  const taken = places?.taken ?? 0;
  const held = places?.held ?? 0;
  const more = [
    held > 0 && t('held', { count: held }),
    (places?.waiting ?? 0) > 0 && t('waiting', { count: places?.waiting ?? 0 }),
  ].filter((text) => text !== false);
  // The room of what comes.
  if (places === undefined && isWaiting)
    return (
      <div className="places" aria-hidden="true">
        <div className="small number">&nbsp;</div>
        {capacity !== null && <div className="places-line" />}
      </div>
    );
  if (places === undefined)
    return capacity === null ? null : <span className="small number">{t('placesAtMost', { count: capacity })}</span>;
  const share = (count: number) =>
    `${capacity === null || capacity === 0 ? 0 : Math.min(100, (100 * count) / capacity)}%`;
  return (
    <div className="places">
      <div className="small number">
        {capacity === null ? (
          t('takenNoLimit', { count: taken })
        ) : (
          <>
            <span aria-hidden="true">
              <strong>{formats.number(taken)}</strong> / {formats.number(capacity)}
            </span>
            <span className="hidden">{t('takenOf', { taken, capacity })}</span>
          </>
        )}
      </div>
      {capacity !== null && (
        <div className="places-line" aria-hidden="true" data-full={taken + held >= capacity || undefined}>
          <span style={{ width: share(taken) }} />
          <span data-held="" style={{ width: share(Math.min(held, Math.max(0, capacity - taken))) }} />
        </div>
      )}
      {more.length > 0 && <div className="soft small number">{more.join(' · ')}</div>}
    </div>
  );
}

import type { OverviewEvent } from '@turnout/client';
import { Badge, useWords } from '@turnout/ui';

/** From this share of taken places on, it says that few are left. */
const FEW = 0.9;

/** How full an event is: a quiet bar, always with the numbers in words. Nobody has to read the bar. */
export function Fill({ event }: { event: OverviewEvent }) {
  const t = useWords('home');
  const { capacity, taken, held, checked_in } = event;
  const left = capacity === null ? null : Math.max(0, capacity - taken - held);
  const share = (count: number) =>
    `${capacity === null || capacity === 0 ? 0 : Math.min(100, (100 * count) / capacity)}%`;
  return (
    <div className="fill">
      <div className="fill-text">
        <span className="number">
          {capacity === null ? (
            <>
              <strong>{t('noLimit', { count: taken })}</strong> <span className="soft">({t('noLimitText')})</span>
            </>
          ) : (
            <strong>{t('places', { taken, capacity })}</strong>
          )}
          {held > 0 && <span className="soft"> + {t('held', { count: held })}</span>}
        </span>
        {event.when === 'past' && checked_in > 0 && <CheckedIn event={event} />}
        {event.when !== 'past' && left !== null && (
          <PlacesLeft left={left} few={taken + held >= FEW * (capacity ?? 0)} />
        )}
      </div>
      {capacity !== null && (
        <div className="fill-bar" aria-hidden="true">
          <span style={{ width: share(taken) }} />
          <span data-held="" style={{ width: share(Math.min(held, capacity - Math.min(taken, capacity))) }} />
        </div>
      )}
      {event.when === 'now' && <CheckedIn event={event} />}
    </div>
  );
}

function CheckedIn({ event: { checked_in: admitted, taken } }: { event: OverviewEvent }) {
  const t = useWords('home');
  return <span className="soft small number">{t('checkedIn', { admitted, taken })}</span>;
}

function PlacesLeft({ left, few }: { left: number; few: boolean }) {
  const t = useWords('home');
  if (left === 0) return <Badge tone="good">{t('full')}</Badge>;
  return (
    <span className="soft small number">
      {few && <Badge tone="warn">{t('fewLeft')}</Badge>} {t('placesLeft', { count: left })}
    </span>
  );
}

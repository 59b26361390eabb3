import type { Attendee } from '@turnout/client';
import { Badge, useFormats, useWords } from '@turnout/ui';
import { useEffect, useRef } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { StateBadge } from '../../../../parts/status.tsx';
import { nameOf } from '../../people/query.ts';
import { hasEnded } from './find.ts';
import type { FindResult } from './use-find.ts';

export const optionId = (attendee: string): string => `desk-option-${attendee}`;
export const LIST_ID = 'desk-list';

/** Whom the typed letters find. The field keeps the focus; the arrow keys choose. */
export function FoundList({
  found: { rows, hasMore },
  chosen,
  onChoose,
}: {
  found: FindResult;
  chosen: Attendee | undefined;
  onChoose: (attendee: Attendee) => void;
}) {
  const t = useWords('desk');
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is chosen
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  return (
    <>
      <div className="desk-list" role="listbox" id={LIST_ID} aria-label={t('results')} ref={list} tabIndex={-1}>
        {rows.map((one) => (
          <Row key={one.id} attendee={one} isChosen={one.id === chosen?.id} onChoose={onChoose} />
        ))}
      </div>
      {hasMore && <p className="soft small">{t('thereAreMore')}</p>}
    </>
  );
}

function Row({
  attendee,
  isChosen,
  onChoose,
}: {
  attendee: Attendee;
  isChosen: boolean;
  onChoose: (attendee: Attendee) => void;
}) {
  const t = useWords('desk');
  const formats = useFormats();
  const { typeName, dayName, days } = useEvent();
  const about = [
    typeName(attendee.attendee_type),
    // On the day itself nobody needs to read the name of the only one.
    days.length > 1 &&
      attendee.days.length > 0 &&
      attendee.days.length < days.length &&
      formats.list(attendee.days.map(dayName)),
    attendee.email ?? attendee.phone ?? attendee.external_id,
  ].filter(Boolean);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed in the field, which keeps the focus
    <div
      id={optionId(attendee.id)}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className="desk-row"
      data-ended={hasEnded(attendee) || undefined}
      // The field must not lose the focus by a click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(attendee)}
    >
      <span className="desk-row-name clip">
        <bdi>{nameOf(attendee)}</bdi>
      </span>
      <span className="desk-row-state">
        {attendee.status !== 'confirmed' && <StateBadge kind="registration" value={attendee.status} />}
        {attendee.checked_in && <StateBadge kind="attendance" value="in" />}
        {attendee.test && <Badge tone="warn">{t('test')}</Badge>}
      </span>
      <span className="desk-row-about clip soft small">
        <bdi>{about.join(' · ')}</bdi>
      </span>
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import type { CheckIn } from '@turnout/client';
import { Button, Dialog, Facts, ProblemNotice, Time, toast, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { StateBadge, useReasonText, useStateText } from '../../../../parts/status.tsx';
import { OverrideForm, useDoorRefresh } from '../override.tsx';
import { usePersonName } from './person-name.tsx';

/** A check-in with everything that is known of it. A refusal can be overridden, an admission can be taken back. */
export function CheckInDialog({ checkIn, onClose }: { checkIn: CheckIn; onClose: () => void }) {
  const t = useWords('door');
  const { base } = useEvent();
  const { may } = useOrganization();
  const name = usePersonName(checkIn.attendee_id);
  const mayChange = may('door.override');
  return (
    <Dialog title={name} onClose={onClose}>
      <Facts facts={useFacts(checkIn)} />
      {may('people.read') && (
        <p>
          <Link to="/$org/events/$event/people/$attendee" params={{ ...base, attendee: checkIn.attendee_id }}>
            {t('toPerson')}
          </Link>
        </p>
      )}
      {mayChange && !checkIn.admitted && <OverrideForm checkIn={checkIn.id} onDone={onClose} />}
      {mayChange && checkIn.admitted && checkIn.undone_at === null && <Undo checkIn={checkIn} onDone={onClose} />}
    </Dialog>
  );
}

function useFacts(one: CheckIn): [string, ReactNode][] {
  const t = useWords('door');
  const reasonText = useReasonText();
  const textOf = useStateText();
  const { pointName, dayName, timezone } = useEvent();
  return [
    [t('result'), <StateBadge key="result" kind="result" value={one.result} />],
    ...(one.reason === null ? [] : [[t('why'), reasonText(one.reason)] as [string, ReactNode]]),
    [t('point'), pointName(one.check_in_point)],
    [t('day'), one.day === null ? '–' : dayName(one.day)],
    [t('time'), <Time key="time" at={one.scanned_at} timeZone={timezone} />],
    [t('by'), <bdi key="by">{one.device?.name ?? one.actor.name}</bdi>],
    ...(one.offline_result === null
      ? []
      : [[t('doorSaid'), textOf('result', one.offline_result)] as [string, ReactNode]]),
    ...(one.override === null
      ? []
      : [[t('reason'), <bdi key="reason">{one.override.reason}</bdi>] as [string, ReactNode]]),
    ...(one.undone_at === null
      ? []
      : [[t('wasUndone'), <Time key="undone" at={one.undone_at} timeZone={timezone} />] as [string, ReactNode]]),
    ...(one.test ? [[t('mode'), t('isTest')] as [string, ReactNode]] : []),
  ];
}

function Undo({ checkIn, onDone }: { checkIn: CheckIn; onDone: () => void }) {
  const t = useWords('door');
  const { org } = useOrganization();
  const refresh = useDoorRefresh();
  const undo = useAction(async (check_in: string, { key }: { key: string }) => {
    await call('undoCheckIn', { org, check_in, body: {} }, { key });
    toast(t('undone'), 'good');
    void refresh();
    onDone();
  });
  return (
    <div className="stack" data-gap="small">
      <p className="soft">{t('undoText')}</p>
      <ProblemNotice problem={undo.problem} />
      <div className="buttons">
        <Button kind="danger" busy={undo.busy} onClick={() => void undo.run(checkIn.id)}>
          {t('undo')}
        </Button>
      </div>
    </div>
  );
}

import type { Attendee, Problem, ScanResponse } from '@turnout/client';
import { Button, CheckIcon, ConfirmDialog, ProblemNotice, UndoIcon, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { stateLook, useReasonText, useStateText } from '../../../../parts/status.tsx';
import { useMayHere } from '../../people/may-here.ts';
import { Override } from '../../people/override.tsx';
import { nameOf } from '../../people/query.ts';
import { Key } from './key.tsx';

/** Somebody who was just served at this desk, and what the door said. */
export interface DeskEntry {
  key: number;
  /** Null if the code is no ticket, or if one may not look people up. */
  attendee: Attendee | null;
  name: string;
  /** Null: nobody was checked in, such as a walk-in who has to wait. */
  answer: ScanResponse | null;
  corrected?: 'overridden' | 'undone';
  /** Why somebody new could not be checked in. */
  problem?: Problem;
}

/** What was decided about one person of a ticket. */
export function decisionOf(answer: ScanResponse, attendee: string | undefined) {
  return answer.people.find(({ id }) => id === attendee) ?? answer.person ?? answer;
}

/** The answer of the door in its colours, so large that it is seen from where the clerk stands. */
export function DeskAnswer({
  entry,
  onCorrected,
}: {
  entry: DeskEntry & { answer: ScanResponse };
  onCorrected: (how: 'overridden' | 'undone') => void;
}) {
  const t = useWords('desk');
  const textOf = useStateText();
  const reasonText = useReasonText();
  const { answer, attendee, corrected } = entry;
  const { result, reason } = decisionOf(answer, attendee?.id);
  const admitted = corrected === undefined ? decisionOf(answer, attendee?.id).admitted : corrected === 'overridden';
  const { tone, icon } = stateLook('result', result);
  const AnswerIcon = corrected === undefined ? icon : admitted ? CheckIcon : UndoIcon;
  const title = corrected === undefined ? textOf('result', result) : t(corrected);
  return (
    <div
      className="desk-answer"
      role="status"
      data-result={result}
      data-admitted={admitted}
      data-tone={corrected === undefined ? tone : admitted ? 'good' : undefined}
    >
      <span className="desk-sign" aria-hidden="true">
        <AnswerIcon />
      </span>
      <div className="desk-said">
        <strong>{title}</strong>
        <span className="desk-name">
          <bdi>{entry.name}</bdi>
        </span>
        {corrected === undefined && reason !== null && reasonText(reason) !== title && (
          <span>{reasonText(reason)}</span>
        )}
        {corrected === undefined && <FirstAdmission answer={answer} attendee={attendee?.id} />}
      </div>
      {corrected === undefined && <Corrections entry={entry} admitted={admitted} onCorrected={onCorrected} />}
    </div>
  );
}

/** When and where somebody was admitted before. */
function FirstAdmission({ answer, attendee }: { answer: ScanResponse; attendee: string | undefined }) {
  const t = useWords('desk');
  const formats = useFormats();
  const { pointName, timezone } = useEvent();
  const decision = decisionOf(answer, attendee);
  const first = 'first_admission' in decision ? decision.first_admission : null;
  if (decision.admitted || first === null || first === undefined) return null;
  return (
    <span>
      {t('admittedBefore', { when: formats.dateTime(first.at, timezone), point: pointName(first.check_in_point) })}
    </span>
  );
}

/** A wrong answer of the door, or a wrong person, is put right on the spot. */
function Corrections({
  entry: { answer, attendee },
  admitted,
  onCorrected,
}: {
  entry: DeskEntry & { answer: ScanResponse };
  admitted: boolean;
  onCorrected: (how: 'overridden' | 'undone') => void;
}) {
  const t = useWords('desk');
  const { org } = useOrganization();
  const may = useMayHere();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const undo = useAction(async (check_in: string, { key }: { key: string }) => {
    await call('undoCheckIn', { org, check_in, body: {} }, { key });
    close();
    onCorrected('undone');
  });
  const checkIn = answer.checkins.find(({ attendee_id }) => attendee_id === attendee?.id) ?? answer.checkins[0];
  if (!may('door.override') || checkIn === undefined) return null;
  return (
    <div className="buttons">
      <Button size="small" aria-keyshortcuts="F8" data-correct="" onClick={() => setOpen(true)}>
        {t(admitted ? 'undo' : 'override')} <Key name="F8" />
      </Button>
      {open && admitted && (
        <ConfirmDialog
          title={t('undoTitle')}
          action={t('undo')}
          busy={undo.busy}
          onConfirm={() => void undo.run(checkIn.id)}
          onClose={close}
        >
          <p>{t('undoText', { name: attendee === null ? '' : nameOf(attendee) })}</p>
          <ProblemNotice problem={undo.problem} />
        </ConfirmDialog>
      )}
      {open && !admitted && (
        <Override
          checkIn={checkIn.id}
          onClose={close}
          onDone={() => {
            close();
            onCorrected('overridden');
          }}
        />
      )}
    </div>
  );
}

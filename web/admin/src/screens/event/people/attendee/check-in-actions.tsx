import type { CheckIn } from '@turnout/client';
import { Button, ConfirmDialog, ProblemNotice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call } from '../../../../frame/api.ts';
import { useOrganization } from '../../../../frame/organization.tsx';
import { useMayHere } from '../may-here.ts';
import { Override } from '../override.tsx';
import { useDone } from './dialog-parts.tsx';

/** What can be done about a check-in: an admission can be taken back, a refusal overridden. */
export function CheckInActions({ checkIn, latest }: { checkIn: CheckIn; latest: boolean }) {
  const t = useWords('people');
  const { org } = useOrganization();
  const may = useMayHere();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const done = useDone(close);
  const undo = useAction(async (id: string, { key }: { key: string }) => {
    await call('undoCheckIn', { org, check_in: id, body: {} }, { key });
    done(t('wasUndone'));
  });
  if (!may('door.override') || checkIn.undone_at !== null || !(checkIn.admitted || latest)) return null;
  return (
    <div className="buttons">
      <Button kind="link" onClick={() => setOpen(true)}>
        {t(checkIn.admitted ? 'undo' : 'override')}
      </Button>
      {open &&
        (checkIn.admitted ? (
          <ConfirmDialog
            title={t('undoTitle')}
            action={t('undo')}
            cancel={t('back')}
            busy={undo.busy}
            onConfirm={() => void undo.run(checkIn.id)}
            onClose={close}
          >
            <p>{t('undoText')}</p>
            <ProblemNotice problem={undo.problem} />
          </ConfirmDialog>
        ) : (
          <Override checkIn={checkIn.id} onClose={close} onDone={() => done(t('wasOverridden'))} />
        ))}
    </div>
  );
}

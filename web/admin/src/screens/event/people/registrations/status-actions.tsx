import { Problem, type Registration } from '@turnout/client';
import { isPossible } from '@turnout/contract/registration-states';
import { Button, ConfirmDialog, Dialog, Form, ProblemNotice, TextArea, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { DialogButtons, reasonIn, useDone } from '../attendee/dialog-parts.tsx';
import { useNextWaiting } from './next.ts';

/** Approve, decline, promote or cancel one registration: whatever its state allows. After an approval or a refusal the next one comes. */
export function StatusActions({ registration }: { registration: Registration }) {
  const t = useWords('registrations');
  const [open, setOpen] = useState<'decline' | 'cancel' | 'promote' | null>(null);
  const next = useNextWaiting(registration);
  const decide = useDecide(next);
  const close = () => setOpen(null);
  return (
    <>
      {isPossible('approve', registration.status) && (
        <Button kind="main" busy={decide.busy} onClick={() => void decide.run(registration.id, 'approve')}>
          {t('approve')}
        </Button>
      )}
      {isPossible('promote', registration.status) && (
        <Button kind="main" onClick={() => setOpen('promote')}>
          {t('promote')}
        </Button>
      )}
      {isPossible('decline', registration.status) && <Button onClick={() => setOpen('decline')}>{t('decline')}</Button>}
      {isPossible('cancel', registration.status) && (
        <Button kind="danger" onClick={() => setOpen('cancel')}>
          {t('cancel')}
        </Button>
      )}
      {decide.problem !== null && open === null && (
        <Dialog title={t('approve')} onClose={decide.clear}>
          <ProblemNotice problem={decide.problem} />
        </Dialog>
      )}
      {open === 'promote' && (
        <ConfirmDialog
          title={t('promoteTitle')}
          action={t('promote')}
          cancel={t('back')}
          busy={decide.busy}
          onConfirm={() => void decide.run(registration.id, 'promote').then((done) => done && close())}
          onClose={() => {
            decide.clear();
            close();
          }}
        >
          <p>{t('promoteText')}</p>
          <ProblemNotice problem={decide.problem} />
        </ConfirmDialog>
      )}
      {(open === 'decline' || open === 'cancel') && (
        <ReasonDialog registration={registration} what={open} next={open === 'decline' ? next : null} onClose={close} />
      )}
    </>
  );
}

/** Goes on to the next registration that waits; null if there is none. */
type OpenNext = (() => Promise<void>) | null;

/** What needs no reason is done at once. */
export function useDecide(next: OpenNext = null) {
  const t = useWords('registrations');
  const { base } = useEvent();
  const refresh = useRefresh();
  const done = useDone(() => {});
  return useAction(async (registration: string, what: 'approve' | 'promote', { key }: { key: string }) => {
    const of = { ...base, registration };
    try {
      await call(what === 'approve' ? 'approveRegistration' : 'promoteRegistration', of, { key });
    } catch (error) {
      // Somebody else, or the waitlist by itself, was faster: its state is not the one that is shown.
      if (error instanceof Problem && error.code === 'invalid_state') void refresh('getRegistration');
      throw error;
    }
    const goOn = what === 'approve' ? next : null;
    done(t(what === 'promote' ? 'wasPromoted' : goOn === null ? 'wasApproved' : 'wasApprovedNext'));
    await goOn?.();
    return true;
  });
}

function ReasonDialog({
  registration,
  what,
  next,
  onClose,
}: {
  registration: Registration;
  what: 'decline' | 'cancel';
  next: OpenNext;
  onClose: () => void;
}) {
  const t = useWords('registrations');
  const { base } = useEvent();
  const done = useDone(onClose);
  return (
    <Dialog
      title={t(what === 'decline' ? 'declineTitle' : 'cancelTitle', { code: registration.code })}
      onClose={onClose}
    >
      <Form
        careless
        values={{ reason: '' }}
        submit={({ reason }, { key }) =>
          call(
            what === 'decline' ? 'declineRegistration' : 'cancelRegistration',
            { ...base, registration: registration.id, body: reasonIn(reason) },
            { key },
          )
        }
        done={() => {
          done(t(what === 'cancel' ? 'wasCancelled' : next === null ? 'wasDeclined' : 'wasDeclinedNext'));
          return next?.();
        }}
      >
        {({ field }) => (
          <>
            <p>{t(what === 'decline' ? 'declineText' : 'cancelText', { count: registration.attendees.length })}</p>
            <TextArea
              label={t('reason')}
              hint={t('reasonHint')}
              required={false}
              maxLength={500}
              {...field('reason')}
            />
            <DialogButtons danger onClose={onClose}>
              {t(what)}
            </DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

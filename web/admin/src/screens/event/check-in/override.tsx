import type { CheckIn } from '@turnout/client';
import { Dialog, Form, Submit, TextField, toast, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';

/** What changes when somebody is let in or taken back. */
export function useDoorRefresh(): () => Promise<void> {
  const refresh = useRefresh();
  return () =>
    refresh('listCheckIns', 'listDisagreements', 'countCheckIns', 'reportAttendance', 'reportRefusals', 'getAttendee');
}

/** Lets somebody in who was refused. It needs a reason, which stays with the check-in and in the audit log. */
export function OverrideDialog({
  checkIn,
  onClose,
  onDone,
}: {
  checkIn: string;
  onClose: () => void;
  onDone?: (checkIn: CheckIn) => void;
}) {
  const t = useWords('door');
  return (
    <Dialog title={t('overrideTitle')} onClose={onClose}>
      <OverrideForm checkIn={checkIn} onDone={(done) => (onDone === undefined ? onClose() : onDone(done))} />
    </Dialog>
  );
}

export function OverrideForm({ checkIn, onDone }: { checkIn: string; onDone: (checkIn: CheckIn) => void }) {
  const t = useWords('door');
  const { org } = useOrganization();
  const refresh = useDoorRefresh();
  return (
    <Form
      values={{ reason: '' }}
      submit={({ reason }, { key }) => call('overrideCheckIn', { org, check_in: checkIn, body: { reason } }, { key })}
      done={(done) => {
        toast(t('overridden'), 'good');
        void refresh();
        onDone(done);
      }}
    >
      {({ field }) => (
        <>
          <p className="soft">{t('overrideText')}</p>
          <TextField label={t('reason')} maxLength={500} autoComplete="off" {...field('reason')} />
          <div className="buttons">
            <Submit>{t('override')}</Submit>
          </div>
        </>
      )}
    </Form>
  );
}

import { Dialog, Form, TextArea, useWords } from '@turnout/ui';
import { call } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { DialogButtons } from './attendee/dialog-parts.tsx';

/** Admits somebody who was refused, with a reason that the log keeps. */
export function Override({ checkIn, onClose, onDone }: { checkIn: string; onClose: () => void; onDone: () => void }) {
  const t = useWords('people');
  const { org } = useOrganization();
  return (
    <Dialog title={t('overrideTitle')} onClose={onClose}>
      <Form
        careless
        values={{ reason: '' }}
        submit={({ reason }, { key }) =>
          call('overrideCheckIn', { org, check_in: checkIn, body: { reason: reason.trim() } }, { key })
        }
        done={onDone}
      >
        {({ field }) => (
          <>
            <TextArea label={t('reason')} hint={t('overrideHint')} maxLength={500} {...field('reason')} />
            <DialogButtons onClose={onClose}>{t('override')}</DialogButtons>
          </>
        )}
      </Form>
    </Dialog>
  );
}

import { Dialog, EmailField, Form, Skeleton, Submit, toast, useWords } from '@turnout/ui';
import { call, useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useNameText } from '../../../parts/status.tsx';

/** Sends the message to oneself, marked as a test. */
export function TestDialog({ communication, onClose }: { communication: string; onClose: () => void }) {
  const t = useWords('messages');
  const { base } = useEvent();
  const { data: account } = useCall('getAccount', {});
  const { skipped } = useNameText();
  return (
    <Dialog title={t('test')} onClose={onClose}>
      {account === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <Form
          values={{ to: account.email }}
          careless
          submit={({ to }, { key }) =>
            call('testCommunication', { ...base, communication, body: { to: [to] } }, { key })
          }
          done={({ recipients: [one] }, { to }) => {
            if (one?.reason != null) toast(t('testSkipped', { reason: skipped(one.reason) }), 'warn');
            else toast(t('tested', { to }), 'good');
            onClose();
          }}
        >
          {({ field }) => (
            <>
              <p className="soft">{t('testText')}</p>
              <EmailField label={t('testTo')} {...field('to')} />
              <div className="buttons">
                <Submit>{t('testSend')}</Submit>
              </div>
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
}

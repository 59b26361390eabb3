import { useNavigate } from '@tanstack/react-router';
import { Dialog, Form, Radios, Submit, toast, useFormats, useWords } from '@turnout/ui';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { DateTimeField } from '../../../parts/fields.tsx';
import { watchJob } from '../../../parts/job.tsx';
import { reachOf, usePreview } from './preview-pane.tsx';

/** Asks once more, with the number of people: now, or at a time. */
export function SendDialog({
  communication,
  sendAt,
  onClose,
}: {
  communication: string;
  sendAt: string | null;
  onClose: () => void;
}) {
  const t = useWords('messages');
  const formats = useFormats();
  const { base, timezone } = useEvent();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { data } = usePreview(communication, 'send');
  return (
    <Dialog title={data === undefined ? t('send') : t('sendTitle', { count: reachOf(data) })} onClose={onClose}>
      <Form
        values={{ when: sendAt === null ? ('now' as 'now' | 'later') : ('later' as const), send_at: sendAt }}
        careless
        submit={({ when, send_at }, { key }) =>
          call(
            'sendCommunication',
            { ...base, communication, body: { send_at: when === 'now' ? null : send_at } },
            { key },
          )
        }
        done={async (sent) => {
          if (sent.job_id !== null)
            watchJob({
              ...{ org: base.org, job: sent.job_id, title: t('jobTitle', { subject: sent.subject }) },
              href: `/app/${base.org}/events/${base.event}/messages/${communication}`,
            });
          if (sent.send_at !== null && sent.status === 'scheduled')
            toast(t('scheduledFor', { when: formats.dateTime(sent.send_at, timezone) }), 'good');
          await refresh('getCommunication', 'listCommunications', 'listCommunicationRecipients');
          onClose();
          await navigate({ to: '/$org/events/$event/messages/$message', params: { ...base, message: communication } });
        }}
      >
        {({ values, field }) => (
          <>
            <p>{t('sendText')}</p>
            <Radios
              label={t('when')}
              options={[
                { value: 'now', label: t('now') },
                { value: 'later', label: t('later') },
              ]}
              {...field('when')}
            />
            {values.when === 'later' && (
              <DateTimeField
                label={t('sendAt')}
                zone={timezone}
                hint={t('zone', { zone: timezone.replaceAll('_', ' ') })}
                {...field('send_at')}
              />
            )}
            <div className="buttons">
              <Submit>{values.when === 'now' ? t('sendNow') : t('schedule')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

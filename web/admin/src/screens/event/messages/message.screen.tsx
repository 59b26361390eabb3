import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Communication } from '@turnout/client';
import {
  Button,
  ConfirmDialog,
  DataShape,
  Facts,
  Page,
  ProblemNotice,
  Section,
  Skeleton,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { lazy, Suspense, useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, queryOf, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { History } from '../../../parts/history.tsx';
import { JobBar, JobCounts } from '../../../parts/job.tsx';
import { StateBadge } from '../../../parts/status.tsx';
import { useAudienceText } from './audience.tsx';
import { Editor } from './editor.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { SendDialog } from './send-dialog.tsx';

// A draft has no recipients yet, and their table is as large as its editor.
const Recipients = lazy(async () => ({ default: (await import('./recipients.tsx')).Recipients }));

/** A message: its editor while it is a draft, else what became of it. */
export default function Message() {
  const t = useWords('messages');
  const { base } = useEvent();
  const { message: communication } = useParams({ strict: false }) as { message: string };
  const message = useQuery({
    ...queryOf('getCommunication', { ...base, communication }),
    refetchInterval: ({ state }) =>
      state.data?.status === 'sending' ? 1000 : state.data?.status === 'scheduled' ? 15_000 : false,
  });
  const crumb = (
    <Link to="/$org/events/$event/messages" params={base}>
      {t('title')}
    </Link>
  );
  const subject = message.data?.subject ?? t('one');
  if (message.data?.status === 'draft')
    return (
      <Page title={t('draftTitle')} crumb={crumb}>
        <Editor key={communication} message={message.data} onCreated={() => {}} />
      </Page>
    );
  return (
    <Page title={subject} crumb={crumb}>
      <QueryResult query={message}>{(data) => <SentMessage message={data} />}</QueryResult>
    </Page>
  );
}

function SentMessage({ message }: { message: Communication }) {
  const t = useWords('messages');
  const formats = useFormats();
  const { timezone } = useEvent();
  const audienceText = useAudienceText();
  const { status, counts, progress, send_at, started_at, finished_at } = message;
  const when = (at: string) => `${formats.dateTime(at, timezone)} (${timezone.replaceAll('_', ' ')})`;
  return (
    <>
      <Actions message={message} />
      <div className="message-editor">
        <div className="stack">
          <Facts
            facts={[
              [t('status'), <StateBadge key="status" kind="message" value={status} />],
              [t('audience'), audienceText(message.audience)],
              ...(status === 'scheduled' && send_at !== null ? [[t('goesOut'), when(send_at)] as const] : []),
              ...(started_at === null ? [] : [[t('startedAt'), when(started_at)] as const]),
              ...(finished_at === null ? [] : [[t('finishedAt'), when(finished_at)] as const]),
            ]}
          />
          {status === 'sending' && <JobBar job={{ progress, status: 'running' }} />}
          {status !== 'scheduled' && (
            <JobCounts
              job={{
                counts: { sent: counts.sent, queued: counts.queued, failed: counts.failed, skipped: counts.skipped },
              }}
            />
          )}
        </div>
        <PreviewPane communication={message.id} version={status} sent={status !== 'scheduled'} />
      </div>
      {status !== 'scheduled' && (
        <Section title={t('recipients')}>
          <Suspense fallback={<RecipientsShape />}>
            <Recipients communication={message.id} sending={status === 'sending'} />
          </Suspense>
        </Section>
      )}
      <History object={message.id} />
    </>
  );
}

const RecipientsShape = () => (
  <Skeleton>
    <div>
      <div className="data-above" />
      <DataShape />
    </div>
  </Skeleton>
);

/** What can still be done about a message that is no draft any more. */
function Actions({ message }: { message: Communication }) {
  const t = useWords('messages');
  const { base } = useEvent();
  const { may } = useOrganization();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [dialog, setDialog] = useState<'send' | 'cancel' | null>(null);
  const after = () => refresh('getCommunication', 'listCommunications', 'listCommunicationRecipients');
  const cancel = useAction(async ({ key }: { key: string }) => {
    await call('cancelCommunication', { ...base, communication: message.id }, { key });
    await after();
    setDialog(null);
  });
  const change = useAction(async () => {
    await call('changeCommunication', { ...base, communication: message.id, body: { send_at: null } });
    await after();
  });
  const again = useAction(async ({ key }: { key: string }) => {
    const { subject, text, kind, audience } = message;
    const made = await call('createCommunication', { ...base, body: { subject, text, kind, audience } }, { key });
    await refresh('listCommunications');
    toast(t('copied'), 'good');
    await navigate({
      to: '/$org/events/$event/messages/$message',
      params: { ...base, message: made.id },
    });
  });
  if (!may('people.bulk')) return null;
  const scheduled = message.status === 'scheduled';
  const stoppable = scheduled || message.status === 'sending';
  return (
    <>
      <div className="buttons">
        {scheduled && (
          <>
            <Button kind="main" onClick={() => setDialog('send')}>
              {t('sendOrMove')}
            </Button>
            <Button busy={change.busy} onClick={() => void change.run()}>
              {t('changeScheduled')}
            </Button>
          </>
        )}
        {stoppable && (
          <Button kind="danger" onClick={() => setDialog('cancel')}>
            {t('cancel')}
          </Button>
        )}
        <Button busy={again.busy} onClick={() => void again.run()}>
          {t('copy')}
        </Button>
      </div>
      <ProblemNotice problem={change.problem ?? again.problem} />
      {dialog === 'send' && (
        <SendDialog communication={message.id} sendAt={message.send_at} onClose={() => setDialog(null)} />
      )}
      {dialog === 'cancel' && (
        <ConfirmDialog
          title={t('cancelTitle')}
          action={t('cancel')}
          cancel={t('cancelNot')}
          danger
          busy={cancel.busy}
          onConfirm={() => void cancel.run()}
          onClose={() => setDialog(null)}
        >
          <p>{scheduled ? t('cancelScheduledText') : t('cancelSendingText')}</p>
          <ProblemNotice problem={cancel.problem} />
        </ConfirmDialog>
      )}
    </>
  );
}

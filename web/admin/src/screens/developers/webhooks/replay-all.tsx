import { useQuery } from '@tanstack/react-query';
import type { Job, WebhookEndpoint } from '@turnout/client';
import { announce, Button, Dialog, Form, Notice, ProblemNotice, Submit, useWords } from '@turnout/ui';
import { useEffect } from 'react';
import { call, queryOf, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { TypedDateField } from '../../../parts/typed-date-field.tsx';
import { instantOf, localOf } from '../time-range.tsx';

/** Starts the job that sends again what did not arrive. */
export function ReplayAll({
  endpoint,
  since,
  onClose,
  onStarted,
}: {
  endpoint: WebhookEndpoint;
  since: string | undefined;
  onClose: () => void;
  onStarted: (job: string) => void;
}) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  return (
    <Dialog title={t('replayAll')} onClose={onClose}>
      <p>{t('replayAllText')}</p>
      <Form
        values={{ since: localOf(since) }}
        submit={(values, { key }) => {
          const from = instantOf(values.since);
          return call(
            'replayWebhook',
            { org, webhook: endpoint.id, body: from === undefined ? {} : { since: from } },
            { key },
          );
        }}
        done={async ({ id }) => {
          onStarted(id);
          await refresh('listWebhookDeliveries', 'listAuditLog');
        }}
      >
        {({ field }) => (
          <>
            <TypedDateField timed label={t('since')} hint={t('sinceHint')} required={false} {...field('since')} />
            <div className="buttons">
              <Submit>{t('replayAll')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

const isOver = (job: Job | undefined): boolean =>
  job !== undefined && job.status !== 'queued' && job.status !== 'running';

/** How far the job is. It goes on if the page is left, and the address brings one back to it. */
export function ReplayProgress({ job: id, onClose }: { job: string; onClose: () => void }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const { data: job, error } = useQuery({
    ...queryOf('getJob', { org, job: id }),
    refetchInterval: ({ state }) => (isOver(state.data) || state.error !== null ? false : 1000),
  });
  const over = isOver(job);
  const [replayed, skipped] = [job?.counts.replayed ?? 0, job?.counts.skipped ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the job is over
  useEffect(() => {
    if (!over) return;
    announce(t('replayDone', { count: replayed }));
    void refresh('listWebhookDeliveries', 'getWebhook');
  }, [over]);
  if (job === undefined) return <ProblemNotice problem={error} />;
  if (!over)
    return (
      <Notice title={t('replayRuns')}>
        <div className="stack" data-gap="small">
          <progress
            className="progress"
            aria-label={t('replayRuns')}
            {...(job.progress.total !== null && { value: job.progress.done, max: Math.max(1, job.progress.total) })}
          />
          <span className="soft small number">
            {job.progress.total === null
              ? t('doneSoFar', { done: job.progress.done })
              : t('doneOf', { done: job.progress.done, total: job.progress.total })}
          </span>
        </div>
      </Notice>
    );
  return (
    <Notice tone={job.status === 'succeeded' ? 'good' : 'bad'} title={t('replayDone', { count: replayed })}>
      {skipped > 0 && <p>{t('replaySkipped', { count: skipped })}</p>}
      {job.error !== null && <p>{job.error}</p>}
      <div className="buttons">
        <Button size="small" onClick={onClose}>
          {t('dismiss')}
        </Button>
      </div>
    </Notice>
  );
}
